"""Positions and matches in one line, for tests of the engine and of what is built on it.

    match = position("p1: 8S KD | p2: 7D 10C | stock: 9D 6H | discard: JS", cover_draw="one")
    match = play(match, "p1 8S", "p1 draw")
    assert refusal(match, "p2 7D") == "not_your_turn"

Everything goes through the notation of docs/RULES.md, so a position here is one that `replay` would read.
"""

from typing import Any

from engine import (
    Event,
    Illegal,
    Match,
    Reason,
    Round,
    Rules,
    apply,
    legal,
    load_position,
    new_match,
    parse_move,
    turn_move_text,
)

SEED = "5e" * 32
"""Some seed, in hex."""


def document(text: str, **settings: object) -> dict[str, Any]:
    """A position's document.

    `text` has parts between bars: players clockwise as ``id: cards in the order received``, the first of them
    to move unless ``turn: id`` says otherwise, and ``stock``, ``discard``, ``ordered``, ``must_cover``,
    ``direction``, ``number``, ``seed``, ``recycles`` and ``leader`` as in ``round``. A player's total and a
    status other than "in" stand in brackets: ``p1 [40]: 6S``, ``p3 [103 out]:``.
    """
    players: list[str] = []
    scores: dict[str, int] = {}
    statuses: dict[str, str] = {}
    hands: dict[str, list[str]] = {}
    position: dict[str, Any] = {"hands": hands}
    for part in text.split("|"):
        head, _, content = part.partition(":")
        name, _, bracket = head.strip().partition(" [")
        words = content.split()
        match name:
            case "stock" | "discard":
                position[name] = words
            case "ordered" | "seed" | "leader" | "turn":
                position[name] = words[0]
            case "direction" | "number" | "recycles":
                position[name] = int(words[0])
            case "must_cover":
                position[name] = True
            case player:
                players.append(player)
                hands[player] = words
                for word in bracket.rstrip("]").split():
                    if word in ("out", "left"):
                        statuses[player] = word
                    else:
                        scores[player] = int(word)
    position.setdefault("turn", players[0])
    return {
        "rules": settings,
        "players": players,
        "scores": scores,
        "status": statuses,
        "round": position,
    }


def position(text: str, **settings: object) -> Match:
    """The match that `document` describes."""
    return load_position(document(text, **settings))


def before_the_deal(*players: str, **settings: object) -> Match:
    """A match with these players in which nothing was dealt yet."""
    return new_match(Rules.from_document(settings), players)


def replace_fields(running: Round, **fields: Any) -> Round:
    """The round with these fields of its piles, its turn or its counters changed, or of its own."""
    for name in ("piles", "turn", "counters"):
        part = getattr(running, name)
        mine = {field: fields.pop(field) for field in part._fields if field in fields}
        running = running._replace(**{name: part._replace(**mine)})
    return running._replace(**fields)


def play(match: Match, *moves: object) -> Match:
    """The match after these moves, in the notation's text."""
    for move in moves:
        match = apply(match, parse_move(match, move)).match
    return match


def happened(match: Match, *moves: object) -> tuple[Event, ...]:
    """The events of the last of these moves."""
    match = play(match, *moves[:-1])
    return apply(match, parse_move(match, moves[-1])).events


def refusal(match: Match, move: object) -> Reason:
    """Return why the move is refused; fail if it is not."""
    try:
        apply(match, parse_move(match, move))
    except Illegal as illegal:
        return illegal.reason
    raise AssertionError(f"{move} was accepted")


def options(match: Match) -> list[str]:
    """Return the legal moves of the player to move, sorted, without the name: ``["6S", "QH:D", "draw"]``."""
    assert match.round is not None
    return sorted(turn_move_text(move) for move in legal(match, match.round.turn.seat))
