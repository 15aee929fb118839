"""Positions and moves as text: the documents that `python -m engine replay` reads and the states it answers.

Documents are validated when they are read: one that is no position raises `Illegal` with a set-up reason
(`BadDocument`, `BadRules`, …). The text of a move is read leniently: an unknown player, card or suit becomes
a marker, so that `apply` refuses the move for the first reason that applies.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias, TypeGuard, TypeVar

from engine.cards import NOT_A_CARD, NOT_A_SUIT, Card, card_code, parse_card, parse_suit, suit_code
from engine.game import legal, seated_match, set_up
from engine.moves import (
    NOBODY,
    BadDocument,
    Deal,
    Draw,
    Illegal,
    Join,
    Leave,
    Move,
    Pass,
    Play,
    Reason,
)
from engine.rules import Rules
from engine.state import Counters, Match, Origin, Piles, Round, Seat, Status, Turn, ring_of

_SEED: Final = re.compile(r"[0-9a-fA-F]{64}")


# ------------------------------------------------------------------------------------------------ moves


def move_text(match: Match, move: Move) -> str | dict[str, Any]:
    """The move as written in a document's list of moves: ``"p1 QH:D"``, or an object for a deal."""
    match move:
        case Deal():
            return _deal_text(move)
        case Join():
            return f"{move.player} join"
        case Leave():
            what = "leave"
        case _:
            what = turn_move_text(move)
    return f"{match.seats[move.seat].id} {what}"


def turn_move_text(move: Play | Draw | Pass) -> str:
    """The move without its player: ``"6S"``, ``"QH:D"``, ``"draw"`` or ``"pass"``."""
    match move:
        case Play(card=card, suit=None):
            return card_code(card)
        case Play(card=card, suit=int(suit)):
            return f"{card_code(card)}:{suit_code(suit)}"
        case Draw():
            return "draw"
        case _:
            return "pass"


def _deal_text(move: Deal) -> dict[str, Any]:
    text: dict[str, Any] = {"deal": None if move.deck is None else [card_code(card) for card in move.deck]}
    if move.seed is not None:
        text["seed"] = move.seed.hex()
    if move.deck is None:
        text["cut"] = move.cut
    return text


def parse_move(match: Match, text: object) -> Move:
    """The move that `text` means in `match`.

    Raises `Illegal` (bad_move) for what is neither text nor a deal; whether the move is allowed is not
    judged.
    """
    if is_deal(text):
        return _parse_deal(text)
    if not isinstance(text, str):
        raise Illegal(Reason.BAD_MOVE, "neither text nor a deal")
    player, _, what = text.partition(" ")
    if what == "join":
        return Join(player)
    known = match.seat_of(player)
    seat = NOBODY if known is None else known
    match what:
        case "leave":
            return Leave(seat)
        case "draw":
            return Draw(seat)
        case "pass":
            return Pass(seat)
    code, colon, suit = what.partition(":")
    return Play(seat, _card_or_mark(code), _suit_or_mark(suit) if colon else None)


def is_deal(text: object) -> TypeGuard[Mapping[str, object]]:
    """Whether a document's move is a deal, well-formed or not."""
    return isinstance(text, Mapping) and "deal" in text


def _card_or_mark(code: object) -> Card:
    try:
        return parse_card(code) if isinstance(code, str) else NOT_A_CARD
    except ValueError:
        return NOT_A_CARD


def _suit_or_mark(code: object) -> int:
    try:
        return parse_suit(code) if isinstance(code, str) else NOT_A_SUIT
    except ValueError:
        return NOT_A_SUIT


def _parse_deal(text: Mapping[str, object]) -> Deal:
    """A deal, whose malformed parts become ones that `apply` refuses as bad_deck."""
    deck, seed, cut = text["deal"], text.get("seed"), text.get("cut")
    return Deal(
        seed=None if seed is None else _seed_or_mark(seed),
        deck=None if deck is None else _deck_or_mark(deck),
        cut=0 if cut is None else cut if type(cut) is int else -1,
    )


def _seed_or_mark(seed: object) -> bytes:
    return bytes.fromhex(seed) if isinstance(seed, str) and _SEED.fullmatch(seed) else b""


def _deck_or_mark(deck: object) -> tuple[Card, ...]:
    return tuple(_card_or_mark(code) for code in deck) if isinstance(deck, list) else (NOT_A_CARD,)


# -------------------------------------------------------------------------------------------- positions


def load_position(document: object) -> Match:
    """The match at a document's start, before its moves.

    Raises `Illegal`: bad_document, bad_rules, not_enough_players, already_seated or too_many_players,
    whichever applies first.
    """
    top = _Part("document", document)
    ids = top.get("players", _list_of(_player_id), None)
    if ids is None:
        raise BadDocument("players: missing")
    scores = top.get("scores", _map_of(ids, _whole), {})
    statuses = top.get("status", _map_of(ids, _status), {})
    seats = tuple(Seat(id_, scores.get(id_, 0), statuses.get(id_, Status.IN)) for id_ in ids)
    leader = top.get("leader", _seat_among(ids), None)
    position = top.get("round", _Part, None)
    start = None if position is None else _load_round(position, seats)
    if start is None and leader is not None:
        _require_in(seats, leader, "leader")
    settings = top.get("rules", _Part, None)
    rules = Rules() if settings is None else Rules.from_document(settings.content)
    for seat in seats:
        if seat.status is Status.IN and seat.total > rules.limit:
            raise BadDocument(f"scores: {seat.id} is in with more than {rules.limit}")
    match = seated_match(rules, seats, leader)
    if start is None:
        return match
    number, running = start
    return set_up(match._replace(number=number, leader=running.origin.leader), running)


def _load_round(part: "_Part", seats: tuple[Seat, ...]) -> tuple[int, Round]:
    """(number, round) of a document's ``round``, as if its turn had just begun."""
    ids = [seat.id for seat in seats]
    turn = part.get("turn", _seat_among(ids), None)
    if turn is None:
        raise BadDocument("round.turn: missing")
    _require_in(seats, turn, "round.turn")
    hands = part.get("hands", _map_of(ids, _list_of(_card)), {})
    for seat in seats:
        if seat.status is not Status.IN and hands.get(seat.id):
            raise BadDocument(f"round.hands: {seat.id} is not in and holds cards")
    discard = part.get("discard", _list_of(_card), [])
    ordered = part.get("ordered", _suit, None)
    must_cover = part.get("must_cover", _flag, False)
    if must_cover and ordered is not None:
        raise BadDocument("round.ordered: a suit is ordered where a card must be covered")
    if not discard and (must_cover or ordered is not None):
        raise BadDocument("round.discard: a cover or a suit is asked for on an empty table")
    playing = tuple(place for place, seat in enumerate(seats) if seat.status is Status.IN)
    running = Round(
        piles=Piles(
            hands=tuple(tuple(hands.get(id_, ())) for id_ in ids),
            stock=tuple(part.get("stock", _list_of(_card), [])),
            discard=tuple(discard),
        ),
        turn=Turn(turn, ordered, must_cover, pending=None, found=None),
        counters=Counters(moves=0, passes=0, wilds=0, recycles=part.get("recycles", _count, 0)),
        ring=ring_of(playing, part.get("direction", _direction, 1)),
        origin=Origin(
            leader=part.get("leader", _seat_among(ids), turn), seed=part.get("seed", _seed, None), cut=0
        ),
    )
    return part.get("number", _number, 1), running


def _require_in(seats: tuple[Seat, ...], seat: int, where: str) -> None:
    if seats[seat].status is not Status.IN:
        raise BadDocument(f"{where}: {seats[seat].id} is not in")


T = TypeVar("T")
D = TypeVar("D")
Parser: TypeAlias = Callable[[str, object], T]
"""Takes where a value stands and the value; gives it in the engine's terms or raises `BadDocument`."""


class _Part:
    """An object in a document, whose members are read by name."""

    def __init__(self, where: str, content: object) -> None:
        if not isinstance(content, Mapping):
            raise BadDocument(f"{where}: must be an object")
        self.where = where
        self.content: Mapping[str, object] = content

    def get(self, name: str, parser: Parser[T], default: D) -> T | D:
        """The member `name`; `default` where it is left out or null."""
        value = self.content.get(name)
        if value is None:
            return default
        return parser(name if self.where == "document" else f"{self.where}.{name}", value)


def _list_of(parser: Parser[T]) -> Parser[list[T]]:
    def read(where: str, value: object) -> list[T]:
        if not isinstance(value, list):
            raise BadDocument(f"{where}: must be a list")
        return [parser(f"{where}[{place}]", item) for place, item in enumerate(value)]

    return read


def _map_of(ids: Sequence[str], parser: Parser[T]) -> Parser[dict[str, T]]:
    def read(where: str, value: object) -> dict[str, T]:
        members = _Part(where, value).content
        for id_ in members:
            if id_ not in ids:
                raise BadDocument(f"{where}: {id_!r} is not a player")
        return {id_: parser(f"{where}.{id_}", item) for id_, item in members.items()}

    return read


def _seat_among(ids: Sequence[str]) -> Parser[int]:
    def read(where: str, value: object) -> int:
        if not isinstance(value, str) or value not in ids:
            raise BadDocument(f"{where}: not a player")
        return ids.index(value)

    return read


def _player_id(where: str, value: object) -> str:
    """A player's id. It has no spaces, so that a move's text can name the player."""
    if not isinstance(value, str) or value.split() != [value]:
        raise BadDocument(f"{where}: a player is a word")
    return value


def _card(where: str, value: object) -> Card:
    card = _card_or_mark(value)
    if card == NOT_A_CARD:
        raise BadDocument(f"{where}: not a card")
    return card


def _suit(where: str, value: object) -> int:
    suit = _suit_or_mark(value)
    if suit == NOT_A_SUIT:
        raise BadDocument(f"{where}: not a suit")
    return suit


def _status(where: str, value: object) -> Status:
    if not isinstance(value, str) or value not in tuple(Status):
        raise BadDocument(f"{where}: must be one of " + ", ".join(Status))
    return Status(value)


def _seed(where: str, value: object) -> bytes:
    seed = _seed_or_mark(value)
    if not seed:
        raise BadDocument(f"{where}: must be 64 hex digits")
    return seed


def _flag(where: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise BadDocument(f"{where}: must be true or false")
    return value


def _whole(where: str, value: object) -> int:
    """A whole number that every parser of JSON takes for the same one (RFC 8259, section 6)."""
    if type(value) is not int or abs(value) >= 2**53:
        raise BadDocument(f"{where}: must be a whole number")
    return value


def _count(where: str, value: object) -> int:
    count = _whole(where, value)
    if count < 0:
        raise BadDocument(f"{where}: must not be negative")
    return count


def _number(where: str, value: object) -> int:
    number = _whole(where, value)
    if number < 1:
        raise BadDocument(f"{where}: rounds count from 1")
    return number


def _direction(where: str, value: object) -> int:
    direction = _whole(where, value)
    if direction not in (1, -1):
        raise BadDocument(f"{where}: must be 1 or -1")
    return direction


# ----------------------------------------------------------------------------------------------- states


def position_state(match: Match) -> dict[str, Any]:
    """The ``state`` of an answer: everything there is to know of the position, by players' ids."""
    ids = [seat.id for seat in match.seats]
    running, result = match.round, match.last_round
    state: dict[str, Any] = {
        "phase": str(match.phase),
        "round": match.number,
        "leader": None if match.leader is None else ids[match.leader],
        "turn": None,
        "hands": {id_: [] for id_ in ids},
        "stock": [],
        "discard": [],
        "ordered": None,
        "must_cover": False,
        "pending": 0,
        "direction": 1,
        "scores": {seat.id: seat.total for seat in match.seats},
        "status": {seat.id: str(seat.status) for seat in match.seats},
        "winner": None if match.winner is None else ids[match.winner],
        "legal": [],
        "last_round": None,
    }
    if running is not None:
        piles, turn = running.piles, running.turn
        state |= {
            "turn": ids[turn.seat],
            "hands": {ids[seat]: sorted(_codes(hand)) for seat, hand in enumerate(piles.hands)},
            "stock": _codes(piles.stock),
            "discard": _codes(piles.discard),
            "ordered": None if turn.ordered is None else suit_code(turn.ordered),
            "must_cover": turn.must_cover,
            "pending": turn.pending or 0,
            "direction": running.direction,
            "legal": sorted(turn_move_text(move) for move in legal(match, turn.seat)),
        }
    if result is not None:
        state["last_round"] = {
            "winner": None if result.winner is None else ids[result.winner],
            "points": {ids[seat]: points for seat, points in result.points},
        }
    return state


def _codes(cards: tuple[Card, ...]) -> list[str]:
    return [card_code(card) for card in cards]
