"""Presses with data that none of the bot's buttons has.

Each is answered, changes neither a table nor a message, and is no error in the log (`running` looks).
"""

from __future__ import annotations

import random

import pytest

from bot.buttons import (
    CallbackData,
    DealNext,
    Dismiss,
    HouseRules,
    JoinFromNotification,
    Kick,
    Lay,
    LeavePremoveSuit,
    Nudge,
    Peek,
    PickPremoveSuit,
    ReadRules,
    Rematch,
    SetLanguage,
    ShowScore,
    Sit,
    StartMatch,
    StopMatch,
    Subscribe,
    Unsubscribe,
    VoteAgainst,
    VoteFor,
)
from engine import Stamp
from tests.e2e.committed import Committed
from tests.e2e.players import Club
from tests.e2e.running import Running
from tests.e2e.telegram import PressAnswer
from tests.e2e.wording import RUSSIAN, told

pytestmark = pytest.mark.asyncio(loop_scope="module")

GARBAGE = (
    "",
    " ",
    ".",
    "l",
    "l.",
    "l.....",
    "\x00" * 64,
    "💥" * 16,
    "'; DROP TABLE tables; --",
    "../../etc/passwd",
    "{}",
    '{"table": 1}',
    "l.{table}.1-0",
    "l.{table}.1-0.QS.H.H",
    "l.{table}.-1-0.QS.H",
    "l.{table}.1-00.QS.H",
    "l.{table}.1-0.1S.",
    "l.{table}.1-0.qs.h",
    "l.{table}.1-0.QS.♥",
    "l.{table}.999999999-0.QS.H",
    "L.{table}.1-0.QS.H",
    "l.{table}.1-0.QS.H\n",
    "n.{table}.9e9",
    "n.{table}.٣",
    "s.{table}é",
)
"""Data with something wrong in it; `{table}` is a real table's id."""

REMOVED = ("y.{table}", "f.{table}.1-0", "m.{table}.3", "1.{table}", "ab.{table}", "{table}")
"""Data of kinds that there are no buttons of, as an older or newer version may have sent out."""


def is_refusal(answer: PressAnswer) -> bool:
    """Return whether the answer is a text and nothing else."""
    return answer.answered and bool(answer.text) and answer.url is None


async def test_garbage_is_answered_by_a_toast(bot: Running) -> None:
    club = await Club.dealt(bot, 2, strangers=1)
    async with club.unchanged() as state:
        for template in GARBAGE + REMOVED:
            data = template.replace("{table}", state.table.id)
            for person, message in (
                (club.person(state.mover), club.person(state.mover).newest),
                (club.strangers[0], club.board),
            ):
                assert is_refusal(await person.forge(message, data)), data


async def test_another_groups_affairs_are_neither_read_nor_decided_from_outside(bot: Running) -> None:
    """Scores, rules, seats and votes are the table's own group's; a stranger is told nothing of them."""
    here, there = await Club.gathered(bot, 2), await Club.dealt(bot, 2)
    lobby = await here.message_with(StartMatch)
    async with there.unchanged() as state:
        table = state.table.id
        before = here.places()
        for asked in (
            Sit(table),
            HouseRules(table),
            ReadRules("cards", table),
            ShowScore(table),
            StartMatch(table),
            Rematch(table),
            Nudge(table),
            Kick(table, state.mover),
            StopMatch(table),
            VoteFor(table, 1),
            VoteAgainst(table, 1),
            Subscribe(table),
            JoinFromNotification(table),
            Unsubscribe(table),
        ):
            for message in (lobby, here.host.newest):
                assert told(await here.host.forge(message, asked), "elsewhere"), asked
        for choice in (PickPremoveSuit(table, 1, state.hand(state.mover)[0]), LeavePremoveSuit(table)):
            assert told(await here.host.forge(here.host.newest, choice), "not_seated"), choice
        # People who play there may read it from anywhere.
        answer = await there.host.forge(there.host.newest, ShowScore(table))
        assert answer.answered
        assert answer.text is None
        score = await there.until(
            lambda: there.host.newest if there.host.newest.text.startswith("📊") else None, "his score"
        )
        await bot.telegram.delete(score.chat, score.message_id)
        await there.until(lambda: there.host.newest.message_id != score.message_id, "it is gone")
        assert here.places() == before


async def test_made_up_deep_links_are_told_to_be_gone(bot: Running) -> None:
    """`/start` with anything behind it, as it can be typed: no seat, no rules, and one answer each."""
    club = await Club.gathered(bot, 2)
    stranger = (await Club.founded(bot, 1)).people[0]
    lobby = await club.message_with(StartMatch)
    answer = await stranger_invited(bot, club)
    chance = random.Random("links")
    payloads = ["rules_", "rules_x", "'; DROP TABLE invites; --", "💥" * 16, "_" * 64, "..", answer]
    payloads += [chance.choice((answer, "rules_0123456789"))[:at] + "x" for at in range(12)]
    payloads += [chance.randbytes(24).hex() for _ in range(12)]
    for payload in payloads:
        sent = await stranger.send(stranger.user_id, f"/start {payload}")

        def reply(sent: int = sent) -> bool:
            return any(it.message_id > sent for it in bot.telegram.newest(stranger.user_id))

        await club.until(reply, f"/start {payload} is answered")
        words = stranger.newest.text
        assert words in {RUSSIAN.plain("refusal.invite_gone"), RUSSIAN.plain("refusal.rules_gone")}, payload
    assert club.find(StartMatch) == lobby


async def stranger_invited(bot: Running, club: Club) -> str:
    """A token that is good, but somebody else's."""
    visitor = (await Club.founded(bot, 1)).people[0]
    await bot.telegram.set_member(club.chat, visitor.user_id, "member")
    lobby = await club.message_with(StartMatch)
    token = (await visitor.forge(lobby, Sit((await club.committed()).table.id))).payload
    assert token is not None
    return token


async def test_a_table_that_never_was_is_told_to_be_gone(bot: Running) -> None:
    club = await Club.dealt(bot, 2)
    async with club.unchanged():
        for asked in (Sit("0123456789"), Lay("", Stamp(1, 0), 5, None), ShowScore("nothere")):
            answer = await club.host.forge(club.board, asked)
            assert told(answer, "table_gone"), asked
        answer = await club.host.forge(club.board, ReadRules("cards", "nothere"))
        assert told(answer, "table_gone")


@pytest.mark.parametrize("place", ["the table", "a score sheet", "a hand"])
async def test_no_forged_press_removes_or_rewrites_a_message(bot: Running, place: str) -> None:
    """What a press may do to the message it came from, it does only to one that bears such a button."""
    club, other = await Club.dealt(bot, 2, strangers=1), await Club.dealt(bot, 2)
    score = await club.ask(club.host, club.chat, "/score", "📊")
    for person in [club.host] if place == "a hand" else [club.host, club.strangers[0]]:
        async with club.unchanged() as state:
            target = {"the table": club.board, "a score sheet": score, "a hand": club.host.newest}[place]
            for asked in tampering(state, await other.committed(), person.user_id):
                answer = await person.forge(target, asked)
                assert answer.answered, asked


async def test_the_presses_of_one_who_blocked_the_bot_are_still_his_own(bot: Running) -> None:
    """A client may go on pressing in the group, but other people's buttons don't work for it."""
    club = await Club.dealt(bot, 3)
    state = await club.settled()
    blocker = next(person for person in club.people if person.user_id != state.mover)
    await bot.telegram.block(blocker.user_id)
    await club.until(lambda: "📵" in club.board.text, "the table tells who cannot be reached")
    log = (await club.committed()).log
    for button in club.person(state.mover).newest.buttons:
        if button.data is not None:
            assert is_refusal(await blocker.forge(club.board, button.data))
    assert (await club.committed()).log == log


# ------------------------------------------------------------------------------------------------- helpers


def tampering(state: Committed, other: Committed, user_id: int) -> list[CallbackData]:
    """Return data that would change the message, if it had such a button."""
    table = state.table.id
    return [
        Peek(table),
        Peek(other.table.id),
        Sit(other.table.id),
        Lay(table, Stamp(9, 9), 5, None),
        DealNext(table, 1),
        Dismiss(user_id),
        SetLanguage("ru"),
    ]
