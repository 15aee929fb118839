"""Who may press which button from where, as a table; everybody else is refused, and changes nothing stored.

A client can send any data for any message, so each button is pressed here by everybody from everywhere. The
codec, handlers, tables and database are the real ones; Telegram is asked nothing but who is an admin.
`tests/e2e/test_forgeries.py` sends some hundreds over HTTP.
"""

from __future__ import annotations

import logging
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot import buttons
from bot.buttons import BUTTONS, CallbackData, decode, encode
from bot.handlers.dispatch import dispatch
from bot.settings import CHOICES
from bot.tables.lifecycle import TablePhase
from bot.tables.refusals import Refused
from tests.bot.handlers.forged_world import ADMIN, ELSEWHERE, STRANGERS, World, building
from tests.bot.handlers.pressing import chats_of, people_at, press_by, right_button

FORGERIES = 20_000
ALPHABET = "abcdefghijklmnopqrstuvwxyzSHDCQKAJ0123456789.-"

LOBBY, PLAYING, BETWEEN, OVER, CUTTING, VOTING, UNHURRIED, WITH_COMPUTER = 1, 2, 3, 4, 6, 7, 8, 9
"""Tables of the forged world, by their number there."""

PLAYERS = "host mover seated"
MEMBERS = f"{PLAYERS} waiting member called admin"
EVERYBODY = f"{MEMBERS} stranger"

Rule = dict[str, str]


def in_group(roles: str) -> Rule:
    """Allow these roles in the table's own group only."""
    return {"group": roles}


def in_private(roles: str) -> Rule:
    """Allow these roles in their private chat only."""
    return {"private": roles}


def anywhere(roles: str) -> Rule:
    """Allow these roles in any chat."""
    return {"group": roles, "private": roles, "other": roles}


NOBODY: Rule = {}
READ = {"group": MEMBERS, "private": f"{PLAYERS} waiting", "other": f"{PLAYERS} waiting"}
"""What can be read in the group, and elsewhere by who is at the table."""
CHOSEN_FOR_GROUP = {"group": "host admin", "other": "host admin"}
"""What the host of a table in a group and its admins choose there; it hosts one in every group."""
RULES_OF_GROUP = {"group": "host admin"}
"""The same for rules that this group has saved."""

MAY: dict[type[CallbackData] | str, tuple[int, Rule]] = {
    buttons.Sit: (LOBBY, in_group("member called admin")),
    buttons.Stand: (LOBBY, anywhere(PLAYERS)),
    buttons.StartMatch: (LOBBY, in_group("host admin")),
    buttons.HouseRules: (LOBBY, in_group(MEMBERS)),
    buttons.Subscribe: (LOBBY, in_group(MEMBERS)),
    buttons.JoinFromNotification: (LOBBY, anywhere("called")),
    buttons.Unsubscribe: (LOBBY, anywhere("called")),
    buttons.OpenComputers: (LOBBY, in_group(f"{PLAYERS} waiting admin")),
    buttons.InviteComputer: (LOBBY, in_group(f"{PLAYERS} waiting admin")),
    buttons.SendOff: (WITH_COMPUTER, in_group(f"{PLAYERS} waiting admin")),
    buttons.CloseComputers: (LOBBY, in_group(f"{PLAYERS} waiting admin")),
    buttons.Peek: (PLAYING, anywhere(PLAYERS)),
    buttons.Lay: (PLAYING, anywhere("mover")),
    buttons.PickSuit: (PLAYING, anywhere("mover")),
    buttons.BackToHand: (PLAYING, anywhere("mover")),
    buttons.Take: (PLAYING, anywhere("mover")),
    buttons.PassTurn: (PLAYING, anywhere("mover")),
    buttons.ExplainRefusal: (PLAYING, anywhere("mover")),
    buttons.ShowHint: (PLAYING, anywhere("mover")),
    buttons.SetPremove: (PLAYING, anywhere("mover")),  # the others do not hold this card
    buttons.PickPremoveSuit: (PLAYING, anywhere(PLAYERS)),
    buttons.LeavePremoveSuit: (PLAYING, anywhere(PLAYERS)),
    buttons.CancelPremove: (PLAYING, NOBODY),  # has anything to take back
    buttons.Here: (PLAYING, anywhere(PLAYERS)),
    buttons.Nudge: (UNHURRIED, in_group(MEMBERS)),
    buttons.DealNext: (BETWEEN, anywhere(PLAYERS)),
    buttons.CutDeck: (CUTTING, anywhere("seated")),  # the one at the dealer's right
    buttons.AskLeave: (PLAYING, anywhere(PLAYERS)),
    buttons.LeaveMatch: (PLAYING, anywhere(f"{PLAYERS} waiting")),
    buttons.StopMatch: (PLAYING, in_group(f"{PLAYERS} admin")),
    buttons.Kick: (PLAYING, in_group(f"{PLAYERS} admin")),
    buttons.LetBack: (PLAYING, in_group(f"{PLAYERS} admin")),
    buttons.VoteFor: (VOTING, in_group(PLAYERS)),
    buttons.VoteAgainst: (VOTING, in_group(PLAYERS)),
    buttons.MoveTable: (PLAYING, anywhere("host")),
    buttons.Rematch: (OVER, in_group(f"{PLAYERS} waiting")),
    buttons.ShowScore: (BETWEEN, READ),
    buttons.ShowChart: (OVER, READ),
    buttons.ReadRules: (PLAYING, READ),
    buttons.OpenAlone: (LOBBY, in_private(EVERYBODY)),
    buttons.PlayAlone: (LOBBY, in_private(EVERYBODY)),
    buttons.PlayByRules: (LOBBY, in_private(EVERYBODY)),
    buttons.OpenLesson: (LOBBY, in_private(EVERYBODY)),
    buttons.TryCard: (LOBBY, in_private(EVERYBODY)),
    buttons.TellTable: (PLAYING, in_private(EVERYBODY)),  # there is nothing to tell: it goes
    buttons.KeepWords: (LOBBY, in_private(EVERYBODY)),
    buttons.HideMe: (LOBBY, in_private(EVERYBODY)),
    buttons.TurnTop: (LOBBY, anywhere(EVERYBODY)),
    buttons.TurnStats: (LOBBY, anywhere(EVERYBODY)),
    buttons.Dismiss: (LOBBY, anywhere(EVERYBODY)),
    buttons.SetLanguage: (LOBBY, {**CHOSEN_FOR_GROUP, "private": EVERYBODY}),
    buttons.OpenSettings: (LOBBY, CHOSEN_FOR_GROUP),
    buttons.CloseSettings: (LOBBY, CHOSEN_FOR_GROUP),
    buttons.ChooseRule: (LOBBY, CHOSEN_FOR_GROUP),
    buttons.ChooseEffect: (LOBBY, CHOSEN_FOR_GROUP),
    buttons.AllowTransfer: (LOBBY, CHOSEN_FOR_GROUP),
    buttons.ChoosePreset: (LOBBY, CHOSEN_FOR_GROUP),
    "pace": (LOBBY, CHOSEN_FOR_GROUP),
    "cut": (LOBBY, CHOSEN_FOR_GROUP),
    "talk": (LOBBY, CHOSEN_FOR_GROUP),
    "look": (LOBBY, CHOSEN_FOR_GROUP),
    "stand_in": (LOBBY, CHOSEN_FOR_GROUP),
    "hints": (LOBBY, CHOSEN_FOR_GROUP),
    "editors": (LOBBY, {"group": "admin", "other": "admin"}),
    "sound": (LOBBY, in_private(EVERYBODY)),
    "forced_moves": (LOBBY, in_private(EVERYBODY)),
    "hand_order": (LOBBY, in_private(EVERYBODY)),
    "hidden": (LOBBY, in_private(EVERYBODY)),
    "telling": (LOBBY, in_private(EVERYBODY)),
    buttons.UseRuleSet: (LOBBY, CHOSEN_FOR_GROUP),
    buttons.OpenRuleSet: (LOBBY, RULES_OF_GROUP),
    buttons.AskDeleteRuleSet: (LOBBY, RULES_OF_GROUP),
    buttons.DeleteRuleSet: (LOBBY, RULES_OF_GROUP),
}
"""At which table each button is pressed, and who may press it from where; of `Choose`, for each setting."""

BY_THE_MOMENT = {
    Refused.NO_HINTS,
    Refused.NO_ROUNDS,
    Refused.NOT_REMOVED,
    Refused.YOURSELF,
    "draw_not_allowed",
    "pass_not_allowed",
}
"""Refusals that concern the moment, and that only those get who may press the button at another."""


async def reason_for_refusal(
    world: World, user_id: int, chat_id: int, asked: CallbackData, caplog: pytest.LogCaptureFixture
) -> str | None:
    """Press a button; why it was refused, as the log has it, or None."""
    caplog.clear()
    with caplog.at_level(logging.INFO, "bot.handlers.dispatch"):
        await dispatch(world.services, press_by(world, user_id, chat_id), asked)
    told = (it.getMessage().partition("press refused: ") for it in caplog.records)
    return next((reason for _, refused, reason in told if refused), None)


def test_every_button_is_in_the_table() -> None:
    assert set(MAY) == {*BUTTONS.values(), *CHOICES} - {buttons.Choose}


@pytest.mark.parametrize("kind", MAY)
async def test_a_button_works_only_for_those_who_may_press_it(
    kind: type[CallbackData] | str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    number, rule = MAY[kind]
    async with building(tmp_path / "0.sqlite3") as world:
        table = world.tables[number - 1]
        people = people_at(world, table)
        todo = [(role, place) for role, user_id in people.items() for place in chats_of(table, user_id)]
    may = {(role, place) for role, place in todo if role in rule.get(place, "").split()}
    could = set()
    while todo:  # in a new world after each press that has changed the last one
        async with building(tmp_path / f"{len(todo)}.sqlite3") as world:
            changes = world.changes()
            while todo and world.changes() == changes:
                role, place = todo.pop()
                user_id = people[role]
                asked = right_button(world, kind, table, user_id)
                chat_id = chats_of(table, user_id)[place]
                refused = await reason_for_refusal(world, user_id, chat_id, asked, caplog)
                if refused is None or refused in BY_THE_MOMENT:
                    could.add((role, place))
                is_seen = role == "host" and table.phase is TablePhase.LOBBY  # and that is stored
                assert refused is None or is_seen or world.changes() == changes, (role, place, refused)
    assert could == may


@pytest.mark.parametrize("kind", [buttons.LeaveMatch, buttons.Dismiss, buttons.TurnStats])
async def test_only_the_person_a_button_is_for_can_press_it(
    kind: type[CallbackData], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with building(tmp_path / "101.sqlite3") as world:
        table, changes = world.tables[PLAYING - 1], world.changes()
        people = people_at(world, table).values()
        for one in people:
            for other in set(people) - {one}:
                asked = right_button(world, kind, table, one)
                for chat_id in chats_of(table, other).values():
                    assert await reason_for_refusal(world, other, chat_id, asked, caplog)
        assert world.changes() == changes


async def test_no_data_lets_a_stranger_change_a_groups_tables(tmp_path: Path) -> None:
    """What is about no table is left out: that is their own chat's, and the table above says who may."""
    chance = random.Random("forged")
    async with building(tmp_path / "101.sqlite3") as world:
        tables = [it for it in world.tables if it.chat_id != ELSEWHERE]
        ids, changes, understood = {it.id for it in tables}, world.changes(), 0
        for _ in range(FORGERIES):
            kind, table = chance.choice([*MAY]), chance.choice(tables)
            data = encode(right_button(world, kind, table, chance.choice((1, 2, 5))))
            asked = decode(mutated(data, chance) if chance.random() < 0.5 else data)
            if asked is not None and asked.table_id not in ids:
                continue
            understood += asked is not None
            user_id = chance.choice(STRANGERS)
            answer = await dispatch(
                world.services, press_by(world, user_id, chance.choice((user_id, ELSEWHERE))), asked
            )
            assert asked is not None or answer.text
            assert world.changes() == changes, (user_id, data)
        assert understood > FORGERIES / 10


async def test_made_up_payloads_of_deep_links_are_unknown(tmp_path: Path) -> None:
    """What is not a token that we have made, character for character, is neither an invitation nor rules."""
    chance = random.Random("links")
    async with building(tmp_path / "101.sqlite3") as world:
        storage, now = world.services.storage, world.services.now()
        token = await storage.invites.create(world.tables[0].id, ADMIN, now)
        genuine = (token, f"rules_{world.token}", world.token)
        before = contents(world.database)
        for _ in range(3000):
            payload = mutated(chance.choice(genuine), chance)
            if payload not in genuine:
                assert await storage.invites.find(payload, now) is None
                assert await storage.rule_sets.find(payload) is None
        assert contents(world.database) == before


def mutated(data: str, chance: random.Random) -> str:
    """Return the data with some characters changed, removed or inserted, or two parts exchanged."""
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


def contents(database: Path) -> list[str]:
    """Return everything that is stored."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        return list(connection.iterdump())
