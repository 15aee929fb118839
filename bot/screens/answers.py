"""Answers to callback queries: toasts and alerts, plain text of at most 200 characters.

The limit is Telegram's (https://core.telegram.org/bots/api#answercallbackquery). Longer text is cut at a
word.
"""

from __future__ import annotations

from enum import StrEnum

from bot.locales import Translator
from bot.screens.layout import shortened
from bot.screens.phrases import listed, playable_text, rank_name, seat_name, sorted_cards
from bot.screens.rule_summaries import capital
from bot.settings import HandOrder
from bot.tables.refusals import Refused
from bot.tables.view import TableView
from engine import Draw, Play, Reason, Status, TurnMove, View
from engine.players import Advice, MoveReason

MAX_UNITS = 200
_ABOUT_A_HIT = (MoveReason.HIT, MoveReason.STING_THE_LAST_CARD, MoveReason.PASS_IT_ON)


class Done(StrEnum):
    """Results of a press that are confirmed in a toast."""

    SEATED = "seated"
    SEATED_NEXT_ROUND = "seated_next_round"
    STOOD_UP = "stood_up"
    LEFT = "left"
    STOPPED = "stopped"
    KICKED = "kicked"
    LET_BACK = "let_back"
    VOTE_OPENED = "vote_opened"
    VOTE_INSTEAD = "vote_instead"
    """A vote was opened because Telegram did not say whether the presser is an admin."""
    VOTED = "voted"
    COMPUTER_SEATED = "computer_seated"
    COMPUTER_WAITS = "computer_waits"
    COMPUTER_SENT_OFF = "computer_sent_off"
    SUBSCRIBED = "bell_on"
    UNSUBSCRIBED = "bell_off"
    HERE = "here"
    NUDGED = "hurried"
    OPEN_ALREADY = "open_already"
    MOVED = "moved"
    LANGUAGE = "language"
    DELETED = "deleted"
    HIDDEN = "hidden"
    LISTED = "listed"
    TOLD = "told"
    WORDS_KEPT = "words_kept"
    WORDS_KEPT_ALWAYS = "words_kept_always"
    WORDS_GONE = "words_gone"
    """The message to be posted at the table is no longer known."""


def done(what: Done, tr: Translator) -> str:
    """Confirm a result."""
    return fitted(tr.plain(f"done.{what}"))


def fault(tr: Translator) -> str:
    """Apologize for an internal error."""
    return fitted(tr.plain("done.fault"))


def old_message(tr: Translator, *, is_private: bool) -> str:
    """Say that another message has replaced the one that was pressed, and how to find it."""
    return fitted(tr.plain("old.hand" if is_private else "old.table"))


def peek(view: TableView, tr: Translator, order: HandOrder = HandOrder.SUIT) -> str:
    """Show the viewer's own cards, or say why there are none. An alert."""
    game = view.game
    if game is None:
        return fitted(tr.plain("peek.not_dealt"))
    if game.seat is None:
        return fitted(tr.plain("refusal.stranger"))
    if not game.hand:
        return fitted(tr.plain("peek.empty"))
    return fitted(listed(game.hand, order, tr))


def explain_refusal(view: TableView, tr: Translator) -> str:
    """Explain why the viewer's other cards may not be played now. An alert."""
    game = view.game
    if game is None or game.round is None:
        return fitted(tr.plain("refusal.no_round"))
    if game.seat != game.round.turn:
        return fitted(tr.plain("refusal.whose_turn", name=seat_name(view, game.round.turn, tr)))
    playable = {move.card for move in game.legal if isinstance(move, Play)}
    idle = [card for card in sorted_cards(game.hand or ()) if card not in playable]
    if not idle:
        return fitted(tr.plain("why.all_fit"))
    return fitted(tr.plain("why.idle", cards=tr.cards(idle), reason=_reason(game, tr)))


def hint(advice: Advice, view: TableView, tr: Translator) -> str:
    """Show the move that a computer player would make for the viewer, and the reason. An alert."""
    assert view.game is not None, "somebody is to move"
    hit = _hit(advice.move, view, view.game, tr) if advice.why in _ABOUT_A_HIT else None
    why = tr.plain(f"hint.why.{advice.why}") if hit is None else tr.plain(f"hint.hits.{advice.why}", **hit)
    match advice.move:
        case Play(card=card, suit=None):
            return fitted(tr.plain("hint.lay", card=tr.card(card), why=why))
        case Play(card=card, suit=int(suit)):
            ordered = tr.plain("told.order", card=tr.card(card), suit=tr.suit(suit))
            return fitted(tr.plain("hint.lay", card=ordered, why=why))
        case Draw():
            return fitted(tr.plain("hint.draw", why=why))
        case _:
            return fitted(tr.plain("hint.pass", why=why))


def _hit(move: TurnMove, view: TableView, game: View, tr: Translator) -> dict[str, str] | None:
    """Return the `name` of the player that the move hits and the cost as `hit`; None if it hits nobody."""
    if game.round is None or not isinstance(move, Play):
        return None
    effect = game.rules.effect_of(move.card)
    if not effect.hits_next:
        return None
    owed = effect.cards + game.round.pending
    seats = [seat for seat, player in enumerate(game.seats) if player.status is Status.IN]
    victim = seats[(seats.index(game.round.turn) + game.round.direction) % len(seats)]
    kind = "takes" if effect.kind == "load" else "takes_skips" if owed else "skips"
    hit = tr.plain(f"hint.hit.{kind}", n=owed)
    if game.rules.lookup.answers[move.card]:
        hit = tr.plain("hint.hit.unless", hit=hit)
    return {"name": seat_name(view, victim, tr), "hit": hit}


def does_not_fit(game: View, tr: Translator) -> str:
    """Say that the card does not fit, and what would. The viewer has to be the player to move."""
    return fitted(tr.plain("refusal.no_match", reason=_reason(game, tr)))


def chosen(what: str, tr: Translator, *, is_playing: bool) -> str:
    """Confirm a group's choice; `is_playing`: add that the running match is not affected."""
    return fitted(tr.plain("done.chosen_later" if is_playing else "done.chosen", what=capital(what)))


def refusal(reason: Reason | Refused, tr: Translator, view: TableView | None = None, who: str = "") -> str:
    """Explain a refusal.

    With the table's view the text can say whose turn it is, which cards would fit, or how to start another
    solo match. `who` is the name of the person who may do it, if that is one particular person.
    """
    if who and reason in (Refused.NOT_HOST, Refused.MAY_NOT_DEAL):
        return fitted(tr.plain(f"refusal.{reason}.named", name=tr.name(who)))
    game = None if view is None else view.game
    if reason is Refused.TABLE_OVER and view is not None and view.is_solo:
        return fitted(tr.plain("refusal.table_over_alone"))
    if view is not None and game is not None and game.round is not None:
        if reason in (Reason.NOT_YOUR_TURN, Refused.NOT_YOUR_TURN):
            return fitted(tr.plain("refusal.whose_turn", name=seat_name(view, game.round.turn, tr)))
        if reason is Reason.CARD_DOES_NOT_MATCH and game.seat == game.round.turn:
            return does_not_fit(game, tr)
    return fitted(tr.plain(f"refusal.{reason}"))


def fitted(text: str, limit: int = MAX_UNITS) -> str:
    """Return `text` in at most `limit` UTF-16 units, cut at a space with an ellipsis."""
    return shortened(text, limit)


def _reason(game: View, tr: Translator) -> str:
    """Say what may be played instead: «нужны ♥️, девятка или дама»."""
    assert game.round is not None
    if game.round.attack_rank is not None:
        return tr.plain("needed.attack", rank=rank_name(game.round.attack_rank, tr, "means"))
    fits = playable_text(game, tr)
    if fits is None:
        return tr.plain("needed.last_dealt")
    return tr.plain("needed.cover" if game.round.must_cover else "needed.fits", fits=fits)
