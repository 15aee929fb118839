"""Narrates the events at the table, one line per turn: «Борис: 7♠️ → Вера берёт 2 и пропускает ход».

A line describes the player's move and, after arrows, its consequences for others. It is made from the events
visible to the viewer; only `consequences_for_viewer` names drawn cards. Everything is plain text.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import assert_never

from bot.locales import Translator
from bot.screens.phrases import rank_name, seat_name
from bot.tables.view import TableView
from engine import (
    AttackOpened,
    Card,
    CardLaid,
    CardsDrawn,
    DirectionTurned,
    DiscardRecycled,
    DrawCause,
    Event,
    MatchEnded,
    RoundDealt,
    RoundEnded,
    SeatJoined,
    SeatLeft,
    SeatOut,
    TurnPassed,
    TurnSkipped,
)

_ARROW = " → "
_BY_TURN = frozenset({DrawCause.TURN, DrawCause.COVER})

Events = Sequence[Event]


def narrate(view: TableView, tr: Translator, newest: int | None = None) -> list[str]:
    """Describe the turns of the current (or last) round, or only the `newest`, oldest first."""
    if view.game is None:
        return []
    return [_line(turn, view, tr) for turn in deque(_turns(view.game.history), maxlen=newest)]


def consequences_for_viewer(view: TableView, tr: Translator) -> list[str]:
    """Describe what others' moves did to the viewer since the viewer's last move, with the cards taken."""
    game = view.game
    if game is None or game.seat is None:
        return []
    lines: list[str] = []
    for events in game.history:
        if _mover(events) == game.seat:
            lines = []
        else:
            lines += _consequence(game.seat, events, view, tr)
    return lines


def just_drawn(view: TableView) -> tuple[Card, ...]:
    """The cards that the viewer drew by the last move, if it was theirs, in the order received."""
    game = view.game
    if game is None or game.seat is None or not game.history:
        return ()
    return tuple(
        card
        for event in game.history[-1]
        if isinstance(event, CardsDrawn) and event.seat == game.seat and event.cause in _BY_TURN
        for card in event.cards or ()
    )


def _mover(events: Events) -> int | None:
    """The seat that made this move; None for anything but a turn's move, such as a deal."""
    match next((event for event in events if not isinstance(event, DiscardRecycled)), None):
        case CardLaid(seat=seat) | CardsDrawn(seat=seat) | TurnPassed(seat=seat) | TurnSkipped(seat=seat):
            return seat
        case _:
            return None


def _turns(history: Sequence[Events]) -> Iterator[list[Event]]:
    """Yield the events of each turn: drawing and playing a card, or a card and its cover, are one turn."""
    turn: list[Event] = []
    for events in history:
        if turn and not (_is_unfinished(turn) and _mover(events) == _mover(turn)):
            yield turn
            turn = []
        turn += events
    if turn:
        yield turn


def _is_unfinished(turn: Events) -> bool:
    match next((event for event in reversed(turn) if not isinstance(event, DiscardRecycled)), None):
        case CardsDrawn(seat=seat, cause=cause):
            return cause in _BY_TURN and seat == _mover(turn)
        case CardLaid(effect=effect):
            return effect.needs_cover
        case _:
            return False


def _line(turn: Events, view: TableView, tr: Translator) -> str:
    """One turn: a part for each player concerned, in the order of events."""
    parts: list[str] = []
    before: Event | None = None
    for event in turn:
        if isinstance(event, DiscardRecycled):
            continue
        if before is not None and _subject(event) is not None and _subject(event) == _subject(before):
            parts[-1] += _continuation_text(event, before, tr)
        else:
            parts.append(_event_text(event, view, tr))
        before = event
    recycled = next((event for event in turn if isinstance(event, DiscardRecycled)), None)
    if recycled is not None:
        parts.append(_event_text(recycled, view, tr))
    return _ARROW.join(parts)


def _subject(event: Event) -> int | None:
    """The seat that an event is about, if a following event about the same seat can continue the phrase."""
    match event:
        case CardLaid(seat=seat) | CardsDrawn(seat=seat) | TurnPassed(seat=seat) | TurnSkipped(seat=seat):
            return seat
        case _:
            return None


def _event_text(event: Event, view: TableView, tr: Translator) -> str:
    """Describe an event, naming the player."""
    match event:
        case CardLaid(seat=seat):
            return tr.plain("told.lays", name=seat_name(view, seat, tr), card=_card(event, tr))
        case CardsDrawn(seat=seat, count=count):
            return tr.plain("told.draws", name=seat_name(view, seat, tr), n=count)
        case TurnSkipped(seat=seat):
            return tr.plain("told.skipped", name=seat_name(view, seat, tr))
        case TurnPassed(seat=seat, cause=cause):
            how = tr.plain(f"passed.{cause}")
            return tr.plain("told.passes", name=seat_name(view, seat, tr), how=how)
        case AttackOpened(seat=seat, pending=pending, rank=rank):
            key = "told.attack" if pending else "told.attack_skip"
            means = rank_name(rank, tr, "means")
            return tr.plain(key, name=seat_name(view, seat, tr), rank=means, n=pending)
        case DirectionTurned(direction=direction):
            return tr.plain("told.clockwise" if direction == 1 else "told.counter")
        case DiscardRecycled():
            return tr.plain("told.recycled")
        case RoundDealt(leader=leader, turned_up=card):
            name = seat_name(view, leader, tr)
            if card is None:
                return tr.plain("told.dealt", name=name)
            return tr.plain("told.turned_up", name=name, card=tr.card(card))
        case RoundEnded(blocked=True):
            return tr.plain("told.blocked")
        case RoundEnded():
            return tr.plain("told.round_over")
        case SeatOut(seat=seat, total=total):
            return tr.plain("told.out", name=seat_name(view, seat, tr), n=total)
        case SeatJoined(seat=seat):
            return tr.plain("told.joins", name=seat_name(view, seat, tr))
        case SeatLeft(seat=seat):
            return tr.plain("told.leaves", name=seat_name(view, seat, tr))
        case MatchEnded(winner=winner):
            return tr.plain("told.match_over", name=seat_name(view, winner, tr))
        case _:
            assert_never(event)


def _continuation_text(event: Event, before: Event, tr: Translator) -> str:
    """Describe an event of the player named just before."""
    match event:
        case CardLaid():
            key = "then.lays" if isinstance(before, CardsDrawn) else "then.covers"
            return tr.plain(key, card=_card(event, tr))
        case CardsDrawn(count=count):
            return tr.plain("then.draws", n=count)
        case TurnPassed(cause=cause):
            return tr.plain("then.passes", how=tr.plain(f"passed.{cause}"))
        case TurnSkipped():
            return tr.plain("then.skipped")
        case _:
            raise AssertionError(f"{event!r} has no subject")


def _card(laid: CardLaid, tr: Translator) -> str:
    """The card, with the suit it orders."""
    card = tr.card(laid.card)
    return card if laid.ordered is None else tr.plain("told.order", card=card, suit=tr.suit(laid.ordered))


def _consequence(you: int, events: Events, view: TableView, tr: Translator) -> list[str]:
    """Describe the cards and turns that somebody's card cost the viewer: one line, or none."""
    taken = tuple(
        card
        for event in events
        if isinstance(event, CardsDrawn) and event.seat == you
        for card in event.cards or ()
    )
    skipped = any(isinstance(event, TurnSkipped) and event.seat == you for event in events)
    laid = next((event for event in events if isinstance(event, CardLaid)), None)
    if laid is None or not (taken or skipped):
        return []
    key = "you.skipped" if not taken else "you.taken_skipped" if skipped else "you.taken"
    cards = tr.all_of([tr.card(card) for card in taken])
    return [tr.plain(key, name=seat_name(view, laid.seat, tr), card=tr.card(laid.card), cards=cards)]
