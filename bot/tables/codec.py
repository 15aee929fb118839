"""Converts a table to a database row and back.

Most of it is one JSON document. Whatever the database searches by or changes itself (chat, deadline, end of
the vote, revision) is in columns, and only there. The engine's own codec writes the match and its events.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import astuple
from typing import Any

from bot.settings import TableSettings
from bot.storage.tables import TableRow
from bot.tables.lifecycle import Deadline, DeadlineKind, Ending, TablePhase
from bot.tables.model import Table
from bot.tables.player import Player
from bot.tables.table_talk import Premove, Said
from bot.tables.vote import Verdict, Vote
from engine import Card, card_code, parse_card
from engine.codec import dump_event, dump_match, dump_result, load_event, load_match, load_result
from engine.players import Level

SCHEMA = 1
"""Raised with every change of the format; `load_table` reads all earlier ones."""


def dump_table(table: Table, now: float) -> TableRow:
    """Return the table's row, last changed now. `load_table` returns an equal table.

    Its `people` are those at the table, or once it is over, those who have played.
    """
    there = table.players if table.phase is TablePhase.OVER else (*table.players, *table.waiting)
    document = {
        "schema": SCHEMA,
        "host": table.host,
        "settings": table.settings.to_document(),
        "players": _dump_players(table.players),
        "waiting": _dump_players(table.waiting),
        "match": None if table.match is None else dump_match(table.match),
        "history": [[dump_event(event) for event in events] for events in table.history],
        "rounds": [dump_result(result) for result in table.rounds],
        "dealt": table.dealt,
        "finishes": [None if card is None else card_code(card) for card in table.finishes],
        "next_seed": table.next_seed.hex(),
        "deadline": None if table.deadline is None else table.deadline.kind.value,
        "started_at": table.started_at,
        "ended_at": table.ended_at,
        "ending": None if table.ending is None else table.ending.value,
        "rematched": table.rematched,
        "waited_since": table.waited_since,
        "recalls": table.recalls,
        "banished": table.banished,
        "host_silent": table.host_silent,
        "premoves": [[premove.user_id, premove.card, premove.suit] for premove in table.premoves],
        "talk": [list(astuple(said)) for said in table.talk],
        "vote": None if table.vote is None else _dump_vote(table.vote),
        "removed": _dump_players(table.removed),
    }
    return TableRow(
        id=table.id,
        chat_id=table.chat_id,
        thread_id=table.thread_id,
        phase=table.phase.value,
        running=table.phase is not TablePhase.OVER,
        revision=table.revision,
        deadline_at=None if table.deadline is None else table.deadline.at,
        vote_at=None if table.vote is None else table.vote.closes_at,
        document=json.dumps(document, ensure_ascii=False, separators=(",", ":")),
        people=tuple(player.user_id for player in there if not player.is_computer),
        created_at=table.created_at,
        updated_at=now,
    )


def load_table(row: TableRow) -> Table:
    """Return the table from its row. Raises ValueError for a schema this version does not know."""
    data: Mapping[str, Any] = json.loads(row.document)
    if data["schema"] != SCHEMA:
        raise ValueError(f"table {row.id}: unknown schema {data['schema']}")
    ending = data["ending"]
    return Table(
        id=row.id,
        chat_id=row.chat_id,
        thread_id=row.thread_id,
        phase=TablePhase(row.phase),
        host=data["host"],
        settings=TableSettings.from_document(data["settings"]),
        players=_load_players(data["players"]),
        waiting=_load_players(data["waiting"]),
        match=None if data["match"] is None else load_match(data["match"]),
        history=tuple(tuple(load_event(event) for event in events) for events in data["history"]),
        rounds=tuple(load_result(result) for result in data["rounds"]),
        dealt=tuple(tuple(seats) for seats in data["dealt"]),
        next_seed=bytes.fromhex(data["next_seed"]),
        deadline=None
        if row.deadline_at is None
        else Deadline(DeadlineKind(data["deadline"]), row.deadline_at),
        created_at=row.created_at,
        started_at=data["started_at"],
        ended_at=data["ended_at"],
        ending=None if ending is None else Ending(ending),
        rematched=data["rematched"],
        revision=row.revision,
        waited_since=data["waited_since"],
        recalls=data["recalls"],
        banished=data["banished"],
        premoves=tuple(Premove(*fields) for fields in data["premoves"]),
        talk=tuple(Said(*fields) for fields in data["talk"]),
        vote=None if data["vote"] is None else _load_vote(data["vote"], row.vote_at),
        finishes=_load_finishes(data),
        removed=_load_players(data.get("removed", [])),
        host_silent=data.get("host_silent", False),
    )


def _load_finishes(data: Mapping[str, Any]) -> tuple[Card | None, ...]:
    """Load the cards that won the rounds; unknown for rounds that ended before they were stored."""
    codes = data.get("finishes", [None] * len(data["rounds"]))
    return tuple(None if code is None else parse_card(code) for code in codes)


def _dump_vote(vote: Vote) -> dict[str, Any]:
    return {
        "number": vote.number,
        "target": None if vote.target is None else _dump_player(vote.target),
        "caller": _dump_player(vote.caller),
        "ayes": vote.ayes,
        "noes": vote.noes,
        "verdict": None if vote.verdict is None else vote.verdict.value,
        "needed": vote.needed,
        "returns": vote.returns,
    }


def _load_vote(data: Mapping[str, Any], closes_at: float | None) -> Vote:
    return Vote(
        number=data["number"],
        target=None if data["target"] is None else _load_player(data["target"]),
        caller=_load_player(data["caller"]),
        ayes=tuple(data["ayes"]),
        noes=tuple(data["noes"]),
        closes_at=closes_at,
        verdict=None if data["verdict"] is None else Verdict(data["verdict"]),
        needed=data.get("needed"),
        returns=data.get("returns", False),
    )


def _dump_players(players: tuple[Player, ...]) -> list[list[Any]]:
    return [_dump_player(player) for player in players]


def _dump_player(player: Player) -> list[Any]:
    """A person has no fourth field, as in rows from before computer players existed."""
    fields: list[Any] = [player.user_id, player.name, player.misses]
    return fields if player.level is None else [*fields, player.level.value]


def _load_players(data: list[list[Any]]) -> tuple[Player, ...]:
    return tuple(_load_player(fields) for fields in data)


def _load_player(fields: list[Any]) -> Player:
    user_id, name, misses, *level = fields
    return Player(user_id, name, misses, Level(level[0]) if level else None)
