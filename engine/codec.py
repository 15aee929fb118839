"""Matches, moves and events as JSON-ready objects, for storage.

A match is written whole, under a schema number, and read back equal; a snapshot written under an older
schema is upgraded by `UPGRADES`, one schema at a time. Cards and suits are written by their codes. The
loaders trust what `dump_*` wrote; documents from anywhere else are read by `engine.notation`.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias

from engine.cards import Card, card_code, parse_card, parse_suit, suit_code
from engine.effects import Effect
from engine.events import (
    AttackOpened,
    CardLaid,
    CardsDrawn,
    DirectionTurned,
    DiscardRecycled,
    DrawCause,
    Event,
    MatchEnded,
    PassCause,
    RoundDealt,
    RoundEnded,
    SeatJoined,
    SeatLeft,
    SeatOut,
    TurnPassed,
    TurnSkipped,
)
from engine.legality import with_playable
from engine.moves import BadDocument, Deal, Draw, Join, Leave, Move, Pass, Play
from engine.rules import Rules
from engine.state import Counters, Match, Origin, Piles, Round, RoundResult, Seat, Status, Turn, ring_of

Document: TypeAlias = dict[str, Any]

SCHEMA: Final = 1
"""The schema `dump_match` writes."""

UPGRADES: Final[Mapping[int, Callable[[Document], Document]]] = MappingProxyType({})
"""By schema number: the function that turns a document of it into one of the next schema."""


# ---------------------------------------------------------------------------------------------- a match


def dump_match(match: Match) -> Document:
    """The match whole, secrets included: ``load_match(dump_match(match)) == match``."""
    return {
        "schema": SCHEMA,
        "rules": match.rules.to_document(),
        "seats": [{"id": seat.id, "total": seat.total, "status": str(seat.status)} for seat in match.seats],
        "round": None if match.round is None else _dump_round(match.round),
        "number": match.number,
        "leader": match.leader,
        "last_round": _RESULT.dump(match.last_round),
        "winner": match.winner,
    }


def load_match(document: Mapping[str, Any]) -> Match:
    """The match that was dumped. Raises `BadDocument` for a schema this engine does not know."""
    document = upgraded(dict(document), UPGRADES, SCHEMA)
    rules = Rules.from_document(document["rules"])
    seats = tuple(Seat(seat["id"], seat["total"], Status(seat["status"])) for seat in document["seats"])
    return Match(
        rules=rules,
        seats=seats,
        round=None if document["round"] is None else _load_round(document["round"], seats, rules),
        number=document["number"],
        leader=document["leader"],
        last_round=_RESULT.load(document["last_round"]),
        winner=document["winner"],
    )


def upgraded(
    document: Document, upgrades: Mapping[int, Callable[[Document], Document]], schema: int
) -> Document:
    """Upgrade the document to `schema`, step by step. Raises `BadDocument` if its schema is not known."""
    while (found := document.get("schema")) != schema:
        if not isinstance(found, int) or found not in upgrades:
            raise BadDocument(f"schema: {found!r} is not known")
        document = upgrades[found](document)
    return document


def dump_result(result: RoundResult) -> Document:
    """How a round ended, as an object; hands and seed are in it."""
    return result._asdict() | {
        "points": [list(scored) for scored in result.points],
        "totals": [list(scored) for scored in result.totals],
        "hands": [[seat, _dump_cards(hand)] for seat, hand in result.hands],
        "seed": _SEED.dump(result.seed),
    }


def load_result(document: Mapping[str, Any]) -> RoundResult:
    """The result that was dumped."""
    changed = {
        "points": tuple((seat, points) for seat, points in document["points"]),
        "totals": tuple((seat, total) for seat, total in document["totals"]),
        "hands": tuple((seat, _load_cards(hand)) for seat, hand in document["hands"]),
        "seed": _SEED.load(document["seed"]),
    }
    return RoundResult(**(dict(document) | changed))


def _dump_round(running: Round) -> Document:
    piles, turn, counters, ring, origin = running
    return {
        "hands": [_dump_cards(hand) for hand in piles.hands],
        "stock": _dump_cards(piles.stock),
        "discard": _dump_cards(piles.discard),
        "turn": turn.seat,
        "ordered": _SUIT.dump(turn.ordered),
        "must_cover": turn.must_cover,
        "pending": turn.pending,
        "found": _CARD.dump(turn.found),
        "direction": ring.direction,
        **counters._asdict(),
        "leader": origin.leader,
        "seed": _SEED.dump(origin.seed),
        "cut": origin.cut,
    }


def _load_round(document: Mapping[str, Any], seats: tuple[Seat, ...], rules: Rules) -> Round:
    playing = tuple(place for place, seat in enumerate(seats) if seat.status is Status.IN)
    running = Round(
        piles=Piles(
            hands=tuple(_load_cards(hand) for hand in document["hands"]),
            stock=_load_cards(document["stock"]),
            discard=_load_cards(document["discard"]),
        ),
        turn=Turn(
            seat=document["turn"],
            ordered=_SUIT.load(document["ordered"]),
            must_cover=document["must_cover"],
            pending=document["pending"],
            found=_CARD.load(document["found"]),
        ),
        counters=Counters(*(document[name] for name in Counters._fields)),
        ring=ring_of(playing, document["direction"]),
        origin=Origin(document["leader"], _SEED.load(document["seed"]), document["cut"]),
    )
    return with_playable(rules, running)


# ------------------------------------------------------------------------------------- moves and events

_MOVES: Final[Mapping[str, type[Move]]] = MappingProxyType(
    {"play": Play, "draw": Draw, "pass": Pass, "leave": Leave, "join": Join, "deal": Deal}
)
_EVENTS: Final[Mapping[str, type[Event]]] = MappingProxyType(
    {
        "round_dealt": RoundDealt,
        "card_laid": CardLaid,
        "cards_drawn": CardsDrawn,
        "turn_skipped": TurnSkipped,
        "turn_passed": TurnPassed,
        "attack_opened": AttackOpened,
        "direction_turned": DirectionTurned,
        "discard_recycled": DiscardRecycled,
        "round_ended": RoundEnded,
        "seat_out": SeatOut,
        "seat_joined": SeatJoined,
        "seat_left": SeatLeft,
        "match_ended": MatchEnded,
    }
)


def dump_move(move: Move) -> Document:
    """The move as an object: its kind under ``move``, and its fields."""
    return _dump_tagged("move", _MOVES, move)


def load_move(document: Mapping[str, Any]) -> Move:
    """The move that was dumped."""
    move: Move = _load_tagged("move", _MOVES, document)
    return move


def dump_event(event: Event) -> Document:
    """The event as an object: its kind under ``event``, and its fields."""
    return _dump_tagged("event", _EVENTS, event)


def load_event(document: Mapping[str, Any]) -> Event:
    """The event that was dumped."""
    event: Event = _load_tagged("event", _EVENTS, document)
    return event


def _dump_tagged(tag: str, kinds: Mapping[str, type[Any]], value: Any) -> Document:
    name = next(name for name, kind in kinds.items() if kind is type(value))
    return {tag: name} | {
        field.name: _form_of(type(value), field.name).dump(getattr(value, field.name))
        for field in fields(value)
    }


def _load_tagged(tag: str, kinds: Mapping[str, type[Any]], document: Mapping[str, Any]) -> Any:
    kind = kinds[document[tag]]
    return kind(
        **{field.name: _form_of(kind, field.name).load(document[field.name]) for field in fields(kind)}
    )


# ---------------------------------------------------------------------------------- how a field is written


class _Form(NamedTuple):
    """How one kind of value is written and read; None stays None."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]

    def dump(self, value: Any) -> Any:
        return None if value is None else self.write(value)

    def load(self, value: Any) -> Any:
        return None if value is None else self.read(value)


def _dump_cards(cards: tuple[Card, ...]) -> list[str]:
    return [card_code(card) for card in cards]


def _load_cards(codes: list[str]) -> tuple[Card, ...]:
    return tuple(parse_card(code) for code in codes)


_PLAIN: Final = _Form(lambda value: value, lambda value: value)
_CARD: Final = _Form(card_code, parse_card)
_CARDS: Final = _Form(_dump_cards, _load_cards)
_SUIT: Final = _Form(suit_code, parse_suit)
_SEED: Final = _Form(bytes.hex, bytes.fromhex)
_RESULT: Final = _Form(dump_result, load_result)

_FORMS: Final[Mapping[str, _Form]] = MappingProxyType(
    {
        "card": _CARD,
        "turned_up": _CARD,
        "cards": _CARDS,
        "deck": _CARDS,
        "suit": _SUIT,
        "ordered": _SUIT,
        "seed": _SEED,
        "seats": _Form(list, tuple),
        "effect": _Form(str, Effect),
        "result": _RESULT,
    }
)
_CAUSES: Final[Mapping[type[Any], _Form]] = MappingProxyType(
    {CardsDrawn: _Form(str, DrawCause), TurnPassed: _Form(str, PassCause)}
)


def _form_of(kind: type[Any], name: str) -> _Form:
    """How the field `name` of this kind of move or event is written."""
    return _CAUSES[kind] if name == "cause" else _FORMS.get(name, _PLAIN)
