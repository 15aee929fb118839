"""A hundred thousand presses that nobody could make honestly: none raises, none changes anything stored.

The real codec, rooms, tables and database; above them only Telegram's library is left out, below them
Telegram itself, of which nothing is asked here but who is an admin. `tests/e2e/test_forgeries.py` sends some
hundreds over HTTP.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import fields
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from bot.buttons import (
    BUTTONS,
    AllowTransfer,
    AnswerBell,
    AskDeleteRuleSet,
    CallbackData,
    Choose,
    ChooseEffect,
    ChoosePreset,
    ChooseRule,
    CloseSettings,
    CutDeck,
    DealNext,
    DeleteRuleSet,
    Here,
    HideMe,
    Hurry,
    Invite,
    KeepWords,
    Kick,
    Lay,
    LeaveMatch,
    LetBack,
    MoveTable,
    MuteBell,
    OpenRuleSet,
    OpenSettings,
    PassTurn,
    PlayAlone,
    PlayByRules,
    PutAside,
    Rematch,
    RingMe,
    SendOff,
    SetLanguage,
    Sit,
    Stand,
    StartMatch,
    StopMatch,
    Take,
    TakeBack,
    UseRuleSet,
    VoteAgainst,
    VoteFor,
    decode,
    encode,
)
from bot.handlers.answer import Press
from bot.handlers.dispatch import dispatch
from bot.handlers.visitor import Visitor
from bot.settings import CHOICES, HandOrder, Owner
from bot.tables.lifecycle import TablePhase
from bot.tables.model import Table
from engine import Stamp, turn_stamp
from engine.cards import sorted_deck
from tests.bot.handlers.forged_world import ADMIN, GROUPS, PEOPLE, WORDS, World, building

PRESSES = 100_000
KINDS: tuple[type[CallbackData], ...] = tuple(BUTTONS.values())
HINTS = {kind: get_type_hints(kind) for kind in KINDS}
ALPHABET = "abcdefghijklmnopqrstuvwxyzSHDCQKAJ0123456789.-"
GROUP_SETTINGS = (
    AllowTransfer,
    AskDeleteRuleSet,
    ChooseEffect,
    ChoosePreset,
    ChooseRule,
    CloseSettings,
    DeleteRuleSet,
    OpenRuleSet,
    OpenSettings,
    SetLanguage,
    UseRuleSet,
)
"""For the host and for admins, in their group."""
OWN_SETTINGS = (
    HideMe,
    KeepWords,
    SetLanguage,
)
"""For everybody, in his private chat."""


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with building(tmp_path / "101.sqlite3") as it:
        yield it


async def test_a_hundred_thousand_forged_presses_change_nothing(world: World) -> None:
    chance = random.Random("forged")
    before, changes = contents(world.database), world.changes()
    understood: dict[type[CallbackData], int] = dict.fromkeys(KINDS, 0)
    pressed = 0
    while pressed < PRESSES:
        data = forged(world, chance)
        asked = decode(data)
        assert asked is None or encode(asked) == data
        user_id = chance.choice(PEOPLE)
        chat_id = chance.choice((user_id, *GROUPS[user_id]))
        if asked is not None and is_honest(world, user_id, chat_id, asked):
            continue
        pressed += 1
        answer = await dispatch(world.services, press(world, user_id, chat_id), asked)
        assert world.changes() == changes, f"{user_id} in {chat_id} by {data!r}: is_honest() says he may not"
        if asked is None:
            assert answer.text
        else:
            understood[type(asked)] += 1
    assert min(understood.values()) > 20, "every kind has been forged"
    assert sum(understood.values()) > PRESSES / 4
    assert contents(world.database) == before


async def test_presses_that_are_honest_are_heard(world: World) -> None:
    """The other side: what the test above leaves out is what these people may do."""
    lobby, between = (
        next(it for it in world.tables if it.phase is phase)
        for phase in (TablePhase.LOBBY, TablePhase.BETWEEN)
    )
    for table, asked in ((lobby, StartMatch(lobby.id)), (between, DealNext(between.id, 1))):
        assert is_honest(world, table.host, table.chat_id, asked)
        await dispatch(world.services, press(world, table.host, table.chat_id), asked)
        assert (await world.services.queries.load(table.id)).phase is TablePhase.PLAYING


async def test_made_up_payloads_of_deep_links_stand_for_nothing(world: World) -> None:
    """What is not a token that we have made, character for character, is neither an invitation nor rules."""
    chance = random.Random("links")
    token = await world.services.storage.invites.create(world.tables[0].id, ADMIN, world.services.now())
    before = contents(world.database)
    for _ in range(3000):
        payload = mutated(chance.choice((token, f"rules_{world.token}", world.token)), chance)
        if chance.random() < 0.3:
            payload = noise(chance)
        if payload in (token, f"rules_{world.token}", world.token):
            continue
        assert await world.services.storage.invites.find(payload, world.services.now()) is None
        assert await world.services.storage.rule_sets.find(payload) is None
    assert contents(world.database) == before


# ------------------------------------------------------------------------------------------------- forging


def forged(world: World, chance: random.Random) -> str:
    """Data: noise, a button with something wrong in it, or a right button, whoever is going to press it."""
    kind = chance.random()
    if kind < 0.45:
        return noise(chance)
    data = encode(imagined(world, chance.choice(KINDS), chance))
    return mutated(data, chance) if kind < 0.7 else data


def noise(chance: random.Random) -> str:
    """Random bytes, or what is left of them where they are no text."""
    return chance.randbytes(chance.randrange(65)).decode(errors=chance.choice(("replace", "ignore")))


def mutated(data: str, chance: random.Random) -> str:
    """With a few characters changed, left out, put in, or two of its parts exchanged."""
    for _ in range(chance.choice((1, 1, 1, 2, 5))):
        at = chance.randrange(len(data) + 1)
        match chance.randrange(4):
            case 0:
                data = data[:at] + chance.choice(ALPHABET) + data[at:]
            case 1:
                data = data[:at] + data[at + 1 :]
            case 2:
                data = data[:at] + chance.choice(ALPHABET) + data[at + 1 :]
            case _:
                parts = data.split(".")
                one, other = chance.randrange(len(parts)), chance.randrange(len(parts))
                parts[one], parts[other] = parts[other], parts[one]
                data = ".".join(parts)
    return data


def imagined(world: World, kind: type[CallbackData], chance: random.Random) -> CallbackData:
    """A button of this kind, for one of the tables and one of its moments, or nearly so."""
    if kind is Choose:
        choice = chance.choice(tuple(CHOICES.values()))
        return Choose(choice.name, chance.choice(choice.values))
    table = chance.choice(world.tables)
    stamp = Stamp(1, 0) if table.match is None else turn_stamp(table.match)
    near = Stamp(
        max(0, stamp.round + chance.choice((0, 0, 1, -1))), max(0, stamp.move + chance.choice((0, 0, 1, -1)))
    )
    values: dict[str, Any] = {
        "table": table.id,
        "stamp": near,
        "round": near.round,
        "card": chance.choice(sorted_deck(36)),
        "suit": chance.choice((None, 0, 1, 2, 3)),
        "user_id": chance.choice(PEOPLE),
        "target": chance.choice(PEOPLE),
        "number": chance.randrange(3),
        "token": world.token,
        "at": chance.randrange(36),
        "step": chance.randrange(6),
    }
    by_type: dict[Any, Any] = {
        str: chance.choice(WORDS),
        int: chance.choice((0, 1, 60, 86_400)),
        bool: chance.random() < 0.5,
    }
    hints = HINTS[kind]
    made = {it.name: values[it.name] if it.name in values else by_type[hints[it.name]] for it in fields(kind)}
    asked: Any = kind(**made)
    return asked  # type: ignore[no-any-return]


def press(world: World, user_id: int, chat_id: int) -> Press:
    """By this person, from this chat, on a message that has no such button."""
    words = world.services.catalogues["ru"]
    visitor = Visitor(user_id, "Имя", chat_id, 0, chat_id > 0, True, words, words, HandOrder.SUIT)
    return Press(visitor, message_id=7, is_on_it=False)


# ---------------------------------------------------------------------------------------- what may change


def is_honest(world: World, user_id: int, chat_id: int, asked: CallbackData) -> bool:
    """May this person ask for this from this chat, and have it? Then it is no forgery, button or not.

    What is not named here changes nothing, whoever presses it.
    """
    table = next((it for it in world.tables if it.id == getattr(asked, "table", "")), None)
    if table is None:
        is_personal = isinstance(asked, Choose) and CHOICES[asked.setting].owner is Owner.PERSON
        if chat_id > 0:
            return is_personal or isinstance(asked, (*OWN_SETTINGS, PlayAlone, PlayByRules))
        may_choose = user_id == ADMIN or is_host_in(world, user_id, chat_id)
        if isinstance(asked, Choose):
            return may_choose and not is_personal and (user_id == ADMIN or asked.setting != "editors")
        return may_choose and isinstance(asked, GROUP_SETTINGS)
    is_here = chat_id == table.chat_id
    is_seated = table.seat_of(user_id) is not None
    if (table.phase is TablePhase.ASLEEP and is_seated) or (
        table.phase is TablePhase.LOBBY and user_id == table.host
    ):
        return True  # whatever is pressed, it shows that somebody is there who is waited for
    match asked:
        case Lay(stamp=stamp) | Take(stamp=stamp) | PassTurn(stamp=stamp):
            return is_turn_of(table, user_id, stamp)
        case PutAside() | TakeBack() | Here() | DealNext() | CutDeck():
            return is_seated
        case LeaveMatch(user_id=of):
            return of == user_id and (is_seated or table.is_waiting(user_id))
        case Stand():
            return is_seated or table.is_waiting(user_id)
        case Sit() | Hurry():
            return is_here
        case RingMe():
            return is_here and chat_id < 0
        case StartMatch():
            return is_here and (user_id in (table.host, ADMIN))
        case Rematch():
            return is_here and (is_seated or table.is_waiting(user_id))
        case Invite() | SendOff():
            return is_here and (is_seated or table.is_waiting(user_id) or user_id == ADMIN)
        case Kick() | LetBack() | StopMatch() | VoteFor() | VoteAgainst():
            return is_here and (is_seated or user_id == ADMIN)
        case MoveTable():
            return user_id == table.host and table.thread_id != 0
        case AnswerBell() | MuteBell():
            return (user_id, table.chat_id) in world.bells
        case _:
            return False


def is_turn_of(table: Table, user_id: int, stamp: Stamp) -> bool:
    if table.match is None or table.match.round is None or turn_stamp(table.match) != stamp:
        return False
    return table.seat_of(user_id) == table.match.round.turn.seat


def is_host_in(world: World, user_id: int, chat_id: int) -> bool:
    return any((it.chat_id, it.host) == (chat_id, user_id) for it in world.tables)


# ---------------------------------------------------------------------------------------------- what is so


def contents(database: Path) -> list[str]:
    """All that is stored."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        return list(connection.iterdump())
