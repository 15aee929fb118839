"""Absence: people who leave the group or can't be reached, and a bot that is removed."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.buttons import Peek
from bot.tables.lifecycle import Ending, TablePhase
from tests.e2e.committed import steps
from tests.e2e.players import Club, has_button
from tests.e2e.recording import Version
from tests.e2e.running import Running, running
from tests.e2e.test_votes import WHOM, name_of
from tests.e2e.wording import RUSSIAN

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_blocked_bot_says_in_the_group_who_cannot_get_his_cards(bot: Running) -> None:
    club = await Club.dealt(bot, 3)
    gone = club.people[1]
    await bot.telegram.block(gone.user_id)
    unreachable = RUSSIAN.plain("seat.unreachable", names=gone.name, bot="sandbox_bot")
    await club.until(lambda: unreachable in club.board.text, "the group is told")
    await bot.telegram.block(gone.user_id, blocked=False)
    await gone.start()
    await club.until(lambda: "📵" not in club.board.text, "he can be written to again")
    await club.settled()


async def test_the_turns_of_a_deleted_account_go_by_the_clock_until_the_match_is_ended(
    tmp_path: Path,
) -> None:
    """The only sign is Telegram's answer to the next message for that person."""
    async with running(tmp_path, TURN_SECONDS="1", AUTOPILOT_SECONDS="0.05") as bot:
        club = await Club.dealt(bot, 2)
        gone = club.people.pop(1)
        await bot.telegram.deactivate(gone.user_id)
        unreachable = RUSSIAN.plain("seat.unreachable", names=gone.name, bot="sandbox_bot")
        while not shown_once(club, f"💤 {gone.name}"):
            await club.until(
                lambda: any(it.can_go_on() for it in club.people), "somebody can press something"
            )
            for person in club.people:
                await person.go_on()
        assert shown_once(club, unreachable)
        question = await club.ask(club.host, club.chat, "/kick", WHOM)
        await club.host.press(question, name_of(question, gone))
        state = await club.settled()
        assert state.table.ending is Ending.FINISHED
        assert gone.user_id not in {step.actor for step in steps(state)}


def shown_once(club: Club, *signs: str) -> bool:
    shown = [it.message for it in club.running.telegram.record if isinstance(it, Version)]
    return any(sign in it.text for it in shown if it.chat == club.chat for sign in signs)


async def test_a_deleted_chat_gets_its_hand_anew(bot: Running) -> None:
    """Of one's own accord by /hand; otherwise with the next thing that happens."""
    club = await Club.dealt(bot, 2)
    mover = club.person((await club.settled()).mover)
    waiting = next(person for person in club.people if person is not mover)
    for person in club.people:
        await bot.telegram.delete(person.user_id)
    await mover.send(mover.user_id, "/hand")
    await club.until(mover.buttons, "his cards are there again")
    await mover.tap()
    await club.until(lambda: list(bot.telegram.newest(waiting.user_id)) or mover.buttons(), "what follows")
    while not list(bot.telegram.newest(waiting.user_id)):
        await mover.tap()
        await club.until(lambda: list(bot.telegram.newest(waiting.user_id)) or mover.buttons(), "it goes on")
    await club.settled()


# ----------------------------------------------------------------------------------------- the bot thrown out


async def test_without_the_bot_in_the_group_the_table_sleeps_and_goes_on_when_it_is_back(
    bot: Running,
) -> None:
    club = await Club.dealt(bot, 2)
    before = await club.settled()
    mover = club.person(before.mover)
    await bot.telegram.set_member(club.chat, "bot", "kicked")
    asleep = RUSSIAN.plain("hand.banished", group="Книжный клуб", bot="sandbox_bot")
    await club.until(lambda: mover.newest.text == asleep, "he is told")
    state = await club.committed()
    assert (state.table.phase, state.match) == (TablePhase.ASLEEP, before.match)
    await bot.telegram.set_member(club.chat, "bot", "member")
    await club.until(mover.buttons, "his turn goes on")
    state = await club.settled()
    assert (state.table.phase, state.match) == (TablePhase.PLAYING, before.match)
    boards = [it for it in bot.telegram.newest(club.chat) if has_button(it, Peek)]
    assert len(boards) == 1, "the one from before has gone"
    assert boards[0].text.startswith("▶️")
    await club.play_round()


async def test_a_bot_that_is_made_an_admin_goes_on_with_the_game(bot: Running) -> None:
    club = await Club.dealt(bot, 2)
    await bot.telegram.set_member(club.chat, "bot", "administrator")
    await club.next_tap()
    await club.settled()
