"""What happens when time has passed, and that no time passes while the bot is down.

Nobody waits for hours here: while the bot is dead, the moments in its database are moved into the past.
"""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path

from bot.buttons import DealNext, Peek, Sit, StartMatch
from bot.messages.rate_limit import Limits
from bot.tables.automatic_moves import forced_move
from bot.tables.lifecycle import DeadlineKind, Ending, TablePhase
from engine import Deal
from tests.e2e.committed import Committed, Step, steps
from tests.e2e.players import Club, has_button
from tests.e2e.recording import Version
from tests.e2e.running import Running, running
from tests.e2e.telegram import Message
from tests.e2e.wording import RUSSIAN

HOUR = 3600.0
UNHURRIED = {
    "TURN_SECONDS": "3600",
    "REMINDER_FROM_SECONDS": "7200",
    "NEXT_DEAL_SECONDS": "3600",
    "HOST_SECONDS": "3600",
    "LOBBY_SECONDS": "7200",
}
"""Deadlines that are not reached, however slow the machine is."""

MACHINES_CLOCK = """
import os, pathlib, time

leap, real = pathlib.Path(os.environ["LEAP"]), time.time
time.time = lambda: real() + (float(leap.read_text()) if leap.exists() else 0.0)
"""
"""Python runs this before the bot: a machine whose clock can be set."""


async def test_the_next_round_is_dealt_by_itself_at_the_moment_the_result_tells(tmp_path: Path) -> None:
    async with running(tmp_path, NEXT_DEAL_SECONDS="3") as bot:
        club = await Club.dealt(bot, 2)
        await club.play(until=lambda: result_that_was_shown(club) is not None)
        await club.message_with(Peek)
        state = await club.settled()
        result = result_that_was_shown(club)
    assert result is not None
    first, second = (step for step in steps(state) if isinstance(step.move, Deal))
    assert (first.actor, second.actor) == (club.host.user_id, None)
    (told,) = [it["unix_time"] for it in result.raw["entities"] if it["type"] == "date_time"]
    assert told <= second.at


async def test_a_lobby_that_nobody_cares_for_closes_itself_and_says_so(tmp_path: Path) -> None:
    async with running(tmp_path, LOBBY_SECONDS="3") as bot:
        club = await Club.founded(bot, 1)
        await club.host.send(club.chat, "/game")
        lobby = await club.message_with(Sit)
        await club.until(lambda: club.find(Sit) is None, "the lobby has closed")
        state = await club.settled()
        closed = next(it for it in bot.telegram.newest(club.chat) if it.message_id == lobby.message_id)
        assert closed.text.startswith(RUSSIAN.plain("lobby.expired"))
        assert (state.table.phase, state.table.ending) == (TablePhase.OVER, Ending.EXPIRED)
        await club.host.send(club.chat, "/game")
        again = await club.message_with(Sit)
        assert again.message_id != lobby.message_id


async def test_a_lobby_says_when_its_host_is_silent_and_then_anybody_who_sits_there_deals(
    tmp_path: Path,
) -> None:
    async with running(tmp_path, HOST_SECONDS="1") as bot:
        club = await Club.gathered(bot, 2)
        visitor, words = club.people[1], RUSSIAN.plain("lobby.host_silent", name=club.host.name)

        def says_so() -> bool:
            lobby = club.find(StartMatch)
            return lobby is not None and words in lobby.text

        await club.until(says_so, "the lobby says that the host is silent")
        assert (await visitor.press(await club.message_with(StartMatch), "Раздать")).was_accepted
        await club.message_with(Peek)
        state = await club.settled()
        assert (state.table.phase, state.table.host) == (TablePhase.PLAYING, visitor.user_id)


async def test_nobody_loses_time_while_the_bot_is_down(tmp_path: Path) -> None:
    """A turn, a pause after a result and a lobby have as long after a stop of an hour as before it."""
    async with running(tmp_path, is_faulty=False, **UNHURRIED) as bot:
        playing, between = await Club.dealt(bot, 2), await Club.dealt(bot, 2)
        gathering = await Club.gathered(bot, 2)
        await between.play_round()
        clubs = (playing, between, gathering)
        before = [await club.settled() for club in clubs]
        await bot.bot.kill()
        let_pass(bot, HOUR)
        await bot.bot.start()
        after = [await club.settled() for club in clubs]
        kinds = [deadline_of(state)[0] for state in after]
        assert kinds == [DeadlineKind.TURN, DeadlineKind.NEXT_DEAL, DeadlineKind.HOST]
        for old, new in zip(before, after, strict=True):
            assert new.log == old.log
            assert new.table.phase is old.table.phase
            # Moved back by an hour, then on by the time since the last sign of life: no less than was left.
            assert deadline_of(new)[1] >= deadline_of(old)[1]
        tap = await playing.next_tap()
        assert tap is not None
        assert tap.was_accepted


async def test_after_a_start_a_group_waits_for_what_may_have_been_sent_just_before_it(tmp_path: Path) -> None:
    """The limits count calls of a process that is gone, too: a new one has no new burst."""
    async with running(tmp_path, TELEGRAM_LIMITS="true") as bot:
        club = await Club.founded(bot, 1)
        await club.ask(club.host, club.chat, "/rules 8", "")
        killed_at = time.time()
        await bot.bot.kill()
        await bot.bot.start()
        answer = await club.ask(club.host, club.chat, "/rules 8", "")
        (shown,) = [it for it in bot.telegram.now(club.chat) if it.message == answer]
    assert shown.at - killed_at > 0.8 / Limits().group.per_second


async def test_the_machines_clock_is_set_back_by_an_hour_and_nobody_waits_for_that(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(MACHINES_CLOCK)
    leap = tmp_path / "leap"
    async with running(tmp_path, TELEGRAM_LIMITS="true", PYTHONPATH=str(tmp_path), LEAP=str(leap)) as bot:
        club = await Club.dealt(bot, 2)
        before = await club.until_it_is_quiet()
        leap.with_suffix(".new").write_text(str(-HOUR))
        leap.with_suffix(".new").rename(leap)

        async def has_noticed() -> bool:
            return (await club.committed()).table.revision > before.table.revision

        await bot.telegram.until(has_noticed)
        after = await club.settled()
        assert after.log == before.log
        assert 0 <= deadline_of(after)[1] - (deadline_of(before)[1] - HOUR) <= HOUR / 2
        tap = await club.next_tap()
        assert tap is not None
        assert tap.was_accepted
        await club.settled()


async def test_a_move_that_makes_itself_is_made_after_a_kill_too(tmp_path: Path) -> None:
    async with running(tmp_path, FORCED_SECONDS="2") as bot:
        club = await Club.dealt(bot, 2)
        while True:
            tap = await club.next_tap()
            assert tap is not None
            state = await club.committed()
            if state.table.deadline is not None and state.table.deadline.kind is DeadlineKind.FORCED:
                break
        await bot.bot.kill()
        await bot.bot.start()
        after = await until_the_clock_has_moved(club, times=1, beyond=len(state.log))
        made: Step = steps(after)[len(state.log)]
        assert made.actor is None
        assert made.move == forced_move(state.match)


# --------------------------------------------------------------------------------------------------- helpers


async def until_the_clock_has_moved(club: Club, *, times: int, beyond: int = 0) -> Committed:
    """Wait until the log has so many moves by the clock, after so many moves in all."""
    while True:
        state = await club.settled()
        if len([it for it in state.log[beyond:] if it.actor is None]) >= times:
            return state


def result_that_was_shown(club: Club) -> Message | None:
    """The first result that the group has been shown with a button to go on, though it may have gone."""
    versions = (it.message for it in club.running.telegram.record if isinstance(it, Version))
    return next((it for it in versions if it.chat == club.chat and has_button(it, DealNext)), None)


def deadline_of(state: Committed) -> tuple[DeadlineKind, float]:
    """Return what the table waits for, and until when (unix seconds)."""
    assert state.table.deadline is not None
    return state.table.deadline.kind, state.table.deadline.at


def let_pass(bot: Running, seconds: float) -> None:
    """Move all times in the dead bot's database into the past."""
    with closing(sqlite3.connect(bot.database)) as connection, connection:
        connection.execute("UPDATE heartbeat SET at = at - ?", (seconds,))
        connection.execute(
            "UPDATE tables SET deadline_at = deadline_at - ?1, vote_at = vote_at - ?1", (seconds,)
        )
