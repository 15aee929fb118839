"""The engine from the command line: ``python -m engine replay|deal|bench``.

``replay FILE…`` prints one answer a file; without a file it reads one document a line from standard input and
answers line by line. ``deal`` shows how a seed deals a round: ``deck`` is the order in which the cards were
dealt (shuffled and cut), ``hands`` are in the order received, and under ``"opening": "turn_up"`` the card
turned up is the one missing at the top of ``stock``. ``bench`` plays at random for some seconds and tells how
many moves a second that makes.
"""

import argparse
import json
import math
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from engine.bench import bench
from engine.cards import Card, card_code, sorted_deck
from engine.game import apply, new_match
from engine.moves import Deal, Illegal
from engine.replay import replay_text
from engine.rules import BadRules, Rules
from engine.shuffle import lead_and_deck


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. Returns the exit status; bad arguments end the process with status 2."""
    parser = argparse.ArgumentParser(prog="python -m engine", description="The card game «101», sans-IO.")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    command = commands.add_parser("replay", help="answer documents: a position, its moves, where they lead")
    command.add_argument(
        "files", nargs="*", metavar="FILE", type=Path, help="none: a document a line on stdin"
    )
    command.set_defaults(run=_replay)

    command = commands.add_parser("deal", help="show how a seed deals the first round of a match")
    command.add_argument("--seed", required=True, type=_seed, metavar="HEX", help="64 hex digits")
    command.add_argument("--players", required=True, type=_players, metavar="ID,ID", help="seated clockwise")
    command.add_argument("--rules", default=Rules(), type=_rules, metavar="JSON", help="default: classic")
    command.add_argument("--leader", metavar="ID", help="who leads; default: drawn from the seed")
    command.add_argument(
        "--cut", default=0, type=int, metavar="K", help="put the first K cards last; default: 0"
    )
    command.set_defaults(run=_deal)

    command = commands.add_parser("bench", help="play at random and tell how many moves a second that makes")
    command.add_argument("--seconds", default=3.0, type=_seconds, metavar="S", help="default: 3")
    command.set_defaults(run=_bench)

    chosen = parser.parse_args(arguments)
    try:
        status: int = chosen.run(chosen)
    except argparse.ArgumentError as error:
        parser.error(str(error))
    return status


# ----------------------------------------------------------------------------------------------- replay


def _replay(chosen: argparse.Namespace) -> int:
    """Answer every document; status 1 if a file could not be read."""
    if not chosen.files:
        for line in sys.stdin.buffer:
            if line.strip():
                print(json.dumps(replay_text(line)), flush=True)
        return 0
    status = 0
    for path in chosen.files:
        try:
            text = path.read_bytes()
        except OSError as error:
            print(f"{path}: {error.strerror}", file=sys.stderr)
            status = 1
        else:
            print(json.dumps(replay_text(text)))
    return status


# ------------------------------------------------------------------------------------------------- deal


def _deal(chosen: argparse.Namespace) -> int:
    players, rules = chosen.players, chosen.rules
    if chosen.leader is not None and chosen.leader not in players:
        raise argparse.ArgumentError(None, f"argument --leader: {chosen.leader} is not among the players")
    leader = None if chosen.leader is None else players.index(chosen.leader)
    try:
        running = apply(new_match(rules, players, leader), Deal(chosen.seed, cut=chosen.cut)).match.round
    except Illegal as refusal:
        raise argparse.ArgumentError(None, str(refusal)) from refusal
    assert running is not None
    _, deck = lead_and_deck(chosen.seed, range(len(players)), leader, sorted_deck(rules.deck), chosen.cut)
    answer = {
        "commitment": running.commitment,
        "leader": players[running.origin.leader],
        "deck": _codes(deck),
        "hands": {players[seat]: _codes(hand) for seat, hand in enumerate(running.piles.hands)},
        "stock": _codes(running.piles.stock),
    }
    print(json.dumps(answer))
    return 0


def _codes(cards: tuple[Card, ...]) -> list[str]:
    return [card_code(card) for card in cards]


def _seed(text: str) -> bytes:
    if not re.fullmatch("[0-9a-fA-F]{64}", text):
        raise argparse.ArgumentTypeError("must be 64 hex digits")
    return bytes.fromhex(text)


def _players(text: str) -> list[str]:
    players = text.split(",")
    if not all(players):
        raise argparse.ArgumentTypeError("must be ids with commas between them")
    return players


def _rules(text: str) -> Rules:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise argparse.ArgumentTypeError("is not JSON") from error
    if not isinstance(document, dict):
        raise argparse.ArgumentTypeError("must be a JSON object")
    try:
        return Rules.from_document(document)
    except BadRules as error:
        raise argparse.ArgumentTypeError(error.detail) from error


# ------------------------------------------------------------------------------------------------ bench


def _bench(chosen: argparse.Namespace) -> int:
    print(json.dumps(bench(chosen.seconds)))
    return 0


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < math.inf:
        raise argparse.ArgumentTypeError("must be above 0")
    return seconds


if __name__ == "__main__":
    sys.exit(main())
