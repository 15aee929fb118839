"""One whole match for each preset, written down so that a change in the rules of play is seen by reading.

    python -m tests.engine.playthrough            compare with tests/engine/golden/; status 1 on a difference
    python -m tests.engine.playthrough --write    write the files anew; read the difference before a commit

The play is random but always the same: it depends on the preset's name alone.
"""

import argparse
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random

from engine import (
    PRESETS,
    AttackOpened,
    CardLaid,
    CardsDrawn,
    Deal,
    DirectionTurned,
    DiscardRecycled,
    Event,
    Join,
    Leave,
    Match,
    MatchEnded,
    Move,
    RoundDealt,
    RoundEnded,
    Rules,
    SeatJoined,
    SeatLeft,
    SeatOut,
    TurnPassed,
    TurnSkipped,
    apply,
    card_code,
    legal,
    move_text,
    new_match,
    suit_code,
    turn_move_text,
)
from engine.cards import RANKS

FOLDER = Path(__file__).parent / "golden"
SALT = "2"
"""Chosen so that the matches are of a readable length and show somebody leave and come back."""

PLAYERS = ("ann", "bob", "cat")


def path_of(preset: str) -> Path:
    """Return the path of the preset's file."""
    return FOLDER / f"{preset}.txt"


def play_through(preset: str) -> str:
    """The preset's match as text."""
    return "\n".join(_lines(preset)) + "\n"


def _lines(preset: str) -> Iterator[str]:
    chance = Random(sha256(f"{SALT}{preset}".encode()).digest())
    match = new_match(Rules.from_document({"preset": preset}), PLAYERS)
    yield f"# {preset}: {', '.join(PLAYERS)}"
    gone: str | None = None
    while match.winner is None:
        move: Move
        if match.round is not None and match.number == 2 and match.round.counters.moves == 5 and gone is None:
            move = Leave(match.seats_in()[-1])
            gone = match.seats[move.seat].id
        elif match.round is not None:
            yield from _position(match)
            move = chance.choice(sorted(legal(match, match.round.turn.seat), key=turn_move_text))
        elif match.number == 2 and gone is not None and len(match.seats_in()) < len(PLAYERS):
            move = Join(gone)
        else:
            move = Deal(chance.randbytes(32))
            yield ""
        yield f"> {_move(match, move)}"
        match, events = apply(match, move)
        for event in events:
            yield f"  {describe(match, event)}"
    yield ""
    yield "totals: " + ", ".join(f"{seat.id} {seat.total} {seat.status}" for seat in match.seats)


def _move(match: Match, move: Move) -> str:
    text = move_text(match, move)
    return text if isinstance(text, str) else "deal " + str(text["seed"])


def _position(match: Match) -> Iterator[str]:
    running = match.round
    assert running is not None
    mover = match.seats[running.turn.seat].id
    parts = [f"{running.counters.moves}. {mover}", f"top {_cards(running.piles.discard[-1:]) or '-'}"]
    if running.turn.ordered is not None:
        parts.append(f"ordered {suit_code(running.turn.ordered)}")
    if running.turn.must_cover:
        parts.append("must cover")
    if running.turn.pending is not None:
        parts.append(f"attacked, {running.turn.pending} pending")
    if running.direction < 0:
        parts.append("anticlockwise")
    parts.append(f"stock {len(running.piles.stock)}")
    parts += [
        f"{match.seats[seat].id} {_cards(running.piles.hands[seat]) or '-'}" for seat in running.ring.seats
    ]
    yield ""
    yield " | ".join(parts)
    yield "  may: " + " ".join(sorted(turn_move_text(move) for move in legal(match, running.turn.seat)))


def _cards(cards: tuple[int, ...]) -> str:
    return " ".join(card_code(card) for card in cards)


def describe(match: Match, event: Event) -> str:
    """The event in a line of plain words."""
    names = [seat.id for seat in match.seats]
    match event:
        case RoundDealt():
            up = "" if event.turned_up is None else f", {card_code(event.turned_up)} turned up"
            dealt = ", ".join(names[seat] for seat in event.seats)
            return f"round {event.round}: {event.hand_size} each to {dealt}; {names[event.leader]} leads{up}"
        case CardLaid():
            order = "" if event.ordered is None else f", orders {suit_code(event.ordered)}"
            cover = "covers with" if event.covering else "lays"
            card = f"{card_code(event.card)} ({event.effect})"
            return f"{names[event.seat]} {cover} {card}{order}, {event.left} left"
        case CardsDrawn():
            assert event.cards is not None
            return f"{names[event.seat]} draws {event.count} ({event.cause}): {_cards(event.cards)}"
        case TurnSkipped():
            return f"{names[event.seat]} is skipped"
        case TurnPassed():
            return f"{names[event.seat]} passes ({event.cause})"
        case AttackOpened():
            return f"{names[event.seat]} may answer with a {RANKS[event.rank]}, {event.pending} pending"
        case DirectionTurned():
            return f"the direction turns to {event.direction}"
        case DiscardRecycled():
            return f"{event.count} of the discard are {'shuffled' if event.shuffled else 'turned over'}"
        case RoundEnded(result=result):
            winner = "nobody" if result.winner is None else names[result.winner]
            totals = dict(result.totals)
            scored = ", ".join(f"{names[seat]} {points} -> {totals[seat]}" for seat, points in result.points)
            return f"round {result.number} ends, won by {winner}{' (blocked)' * event.blocked}: {scored}"
        case SeatOut():
            return f"{names[event.seat]} is out with {event.total}"
        case SeatJoined():
            return f"{names[event.seat]} joins with {event.total}"
        case SeatLeft():
            return f"{names[event.seat]} leaves"
        case MatchEnded():
            return f"{names[event.winner]} wins the match"


def main() -> int:
    """Compare or write."""
    parser = argparse.ArgumentParser(prog="python -m tests.engine.playthrough", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the files anew")
    write = parser.parse_args().write
    differing = 0
    for preset in PRESETS:
        path, text = path_of(preset), play_through(preset)
        if write:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, "utf-8")
        elif not path.exists() or path.read_text("utf-8") != text:
            differing += 1
            print(f"differs: {path}")
    return min(differing, 1)


if __name__ == "__main__":
    sys.exit(main())
