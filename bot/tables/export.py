"""Exports a finished match in the engine's text format, which `python -m engine replay` accepts.

Names are under an additional key, which the format ignores; seats are p1, p2, … as in the match.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.tables.model import Table
from bot.tables.transitions import seat_id
from engine import Deal, Join, Move, apply, new_match
from engine.notation import move_text, position_state


def export(table: Table, moves: Sequence[Move]) -> dict[str, Any]:
    """Return the document of a match: rules, players, every move, and under `expect` the final state.

    `moves` is the complete log of the match, oldest first.

    Raises ValueError if the moves do not lead to the table's state.
    """
    seats = [seat_id(seat) for seat in range(len(table.players))]
    began = at_start(table, moves)
    match = new_match(table.settings.rules, began)
    texts = []
    for move in moves:
        texts.append(move_text(match, move))
        match = apply(match, move).match
    if match != table.match:
        raise ValueError(f"table {table.id}: the log does not lead to the stored match")
    return {
        "rules": table.settings.rules.to_document(),
        "players": began,
        "names": {seat: player.name for seat, player in zip(seats, table.players, strict=True)},
        "moves": texts,
        "expect": {"ok": True, "error": None, "state": position_state(match)},
    }


def at_start(table: Table, moves: Sequence[Move]) -> list[str]:
    """Return the engine's names of the seats with which this table's match began, according to its log."""
    return [seat_id(seat) for seat in range(len(table.players)) if _sat_from_the_start(seat, moves)]


def _sat_from_the_start(seat: int, moves: Sequence[Move]) -> bool:
    """A newcomer first appears in the log by joining."""
    for move in moves:
        match move:
            case Deal():
                continue
            case Join(player=player):
                if player == seat_id(seat):
                    return False
            case _ if move.seat == seat:
                return True
    return True
