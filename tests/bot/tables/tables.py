"""Tables for tests, one line each: people, a lobby, a running round in any position."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bot.callbacks import Stamp
from bot.tables import transitions
from bot.tables.lifecycle import Deadline, DeadlineKind, Phase
from bot.tables.model import Table
from bot.tables.pace import Pace
from bot.tables.player import Player
from engine import Rules
from engine.notation import load_position

PACE = Pace(turn=60, forced=1.0, next_deal=20.0, lobby=3600.0)
NOW = 1_000_000.0
SEED = bytes.fromhex("07" * 32)

ANYA, BORIS, VERA, GENA = (Player(n, name) for n, name in enumerate(("Аня", "Борис", "Вера", "Гена"), start=1))


def lobby(*guests: Player, rules: Rules | None = None) -> Table:
    """A lobby that Аня has opened, with these people sitting at it too."""
    table = transitions.open_lobby("t1", -100, 0, ANYA, rules or Rules(), PACE, NOW)
    for guest in guests:
        table = transitions.sit(table, guest, PACE, NOW).table
    return table


def dealt(*guests: Player, rules: Rules | None = None) -> Table:
    """A match in which the first round has just been dealt."""
    return transitions.start(lobby(*guests, rules=rules), 1, is_admin=False, seed=SEED, pace=PACE, now=NOW).table


def playing(
    hands: dict[str, list[str]],
    *,
    stock: list[str],
    top: str = "JS",
    scores: dict[str, int] | None = None,
    rules: dict[str, Any] | None = None,
    **more: Any,
) -> Table:
    """A running round: `hands` by seat id (p1 is Аня's, p2 Борис's, …), p1 to move; `more` goes into the round."""
    people = (ANYA, BORIS, VERA, GENA)[: len(hands)]
    position = {
        "rules": rules or {},
        "players": list(hands),
        "scores": scores or {},
        "round": {"turn": "p1", "hands": hands, "stock": stock, "discard": [top], **more},
    }
    match = load_position(position)
    table = replace(lobby(*people[1:]), match=match, rules=match.rules, phase=Phase.PLAYING, started_at=NOW)
    return replace(table, deadline=Deadline(DeadlineKind.TURN, NOW + PACE.turn))


def stamp(table: Table) -> Stamp:
    """The moment the table's match is at."""
    assert table.match is not None
    return transitions.stamp_of(table.match)


def mover(table: Table) -> Player:
    """Whose turn it is."""
    assert table.match is not None
    assert table.match.round is not None
    return table.players[table.match.round.turn]
