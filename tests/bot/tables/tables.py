"""Tables for tests, one line each: people, a lobby, a running round in any position."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from bot.settings import TableSettings
from bot.tables import transitions
from bot.tables.context import Timings, TransitionContext
from bot.tables.lifecycle import Deadline, DeadlineKind, TablePhase
from bot.tables.model import Table
from bot.tables.player import AWAY_AFTER, Player
from bot.tables.refusals import Refusal, Refused
from bot.tables.transitions.playing import normalize_phase
from engine import Reason, Rules, Stamp, turn_stamp
from engine.notation import load_position

PACE = Timings(forced=1.0, next_deal=20.0, cut=20.0, lobby=3600.0)
TURN = 60
NOW = 1_000_000.0
SEED = bytes.fromhex("07" * 32)
"""Of the first shuffle."""
NEXT_SEED = bytes.fromhex("08" * 32)

ANYA, BORIS, VERA, GENA = (
    Player(n, name) for n, name in enumerate(("Аня", "Борис", "Вера", "Гена"), start=1)
)


def ctx(now: float = NOW, seed: bytes = NEXT_SEED) -> TransitionContext:
    """Return the context of a transition."""
    return TransitionContext(now, seed, PACE)


def lobby(
    *guests: Player, rules: Rules | None = None, cut: bool = False, turn_seconds: int | None = TURN
) -> Table:
    """A lobby that Аня has opened, with these people sitting at it too."""
    settings = TableSettings(rules or Rules(), turn_seconds, cut)
    table = transitions.open_lobby("t1", -100, 0, ANYA, settings, ctx(seed=SEED))
    for visitor in guests:
        table = transitions.sit(table, ctx(), visitor.user_id, visitor.name).table
    return table


def dealt(*guests: Player, rules: Rules | None = None, turn_seconds: int | None = TURN) -> Table:
    """A match in which the first round has just been dealt."""
    gathered = lobby(*guests, rules=rules, turn_seconds=turn_seconds)
    return transitions.start(gathered, ctx(), 1, is_admin=False).table


def playing(
    hands: dict[str, list[str]],
    *,
    stock: list[str],
    top: str = "JS",
    scores: dict[str, int] | None = None,
    rules: dict[str, Any] | None = None,
    **more: Any,
) -> Table:
    """A running round: `hands` by seat id (p1 is Аня's, p2 Борис's, …), p1 to move; `more` is the round's."""
    people = (ANYA, BORIS, VERA, GENA)[: len(hands)]
    position = {
        "rules": rules or {},
        "players": list(hands),
        "scores": scores or {},
        "round": {"turn": "p1", "hands": hands, "stock": stock, "discard": [top], **more},
    }
    match = load_position(position)
    table = replace(
        lobby(*people[1:], rules=match.rules), match=match, phase=TablePhase.PLAYING, started_at=NOW
    )
    return replace(table, deadline=Deadline(DeadlineKind.TURN, NOW + TURN))


def stamp(table: Table) -> Stamp:
    """The moment the table's match is at."""
    assert table.match is not None
    return turn_stamp(table.match)


def mover(table: Table) -> Player:
    """Return the player to move."""
    assert table.match is not None
    assert table.match.round is not None
    return table.players[table.match.round.turn.seat]


def expire(table: Table, now: float = NOW) -> transitions.Change:
    """Let the table's deadline expire."""
    assert table.deadline is not None
    return transitions.expire(table, ctx(now), table.deadline)


def refused(attempt: Callable[[], object]) -> Refused | Reason:
    """Return the reason of the refusal; fail if there is none."""
    with pytest.raises(Refusal) as refusal:
        attempt()
    return refusal.value.reason


def away(table: Table, *players: Player) -> Table:
    """They have missed so many turns that they count as away."""
    for player in players:
        seat = table.seat_of(player.user_id)
        assert seat is not None
        table = normalize_phase(table, table.with_misses(seat, AWAY_AFTER), ctx())
    return table
