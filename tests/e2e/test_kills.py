"""A match during which the bot is killed and restarted many times, as by power cuts.

SIGKILL comes at random points: while a press is handled, while calls to Telegram are under way, while a round
is dealt. After each start nobody does anything until all messages show what is committed.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio

from bot.buttons import PickSuit, Rematch, StartMatch
from bot.tables.lifecycle import Ending
from tests.e2e.committed import Committed, misplaced_cards, steps
from tests.e2e.leaks import leaks
from tests.e2e.looks import Place, place_of
from tests.e2e.players import Club, unlogged_taps
from tests.e2e.recording import Happening
from tests.e2e.running import Running, running
from tests.e2e.telegram import Message

KILLS = 8
SLOW = ("sendMessage", "editMessageText", "deleteMessage", "answerCallbackQuery")
"""Calls that are made to take long before some kills, so that these come in the midst of them."""


@dataclass(frozen=True, slots=True)
class Kill:
    """A kill: what was committed when the bot was dead, and after its start, when all was shown again."""

    dead: Committed
    again: Committed
    surplus: list[Message]


@dataclass(frozen=True, slots=True)
class KilledMatch:
    """The match with its kills: what was committed in the end, and all that was to be seen."""

    club: Club
    kills: list[Kill]
    state: Committed
    record: list[Happening]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def killed(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[KilledMatch]:
    yield await play_through_kills(tmp_path_factory.mktemp("killed"), random.Random("kills"))


async def play_through_kills(folder: Path, chance: random.Random) -> KilledMatch:
    """Four people play a match; the bot is killed `KILLS` times, and left alone if the match goes on then."""
    async with running(folder, DEFAULT_RULES='{"preset": "classic", "limit": 50}') as bot:
        club = await Club.gathered(bot, 4, foreigners=(2,))
        around = club.places() - {place_of(await club.message_with(StartMatch))}
        await club.deal()
        kills: list[Kill] = []
        while len(kills) < KILLS and club.find(Rematch) is None:
            for _ in range(chance.randrange(1, 6)):
                await club.next_tap()
            kills.append(await kill(bot, club, around, chance))
        await club.play()
        state = await club.settled()
        return KilledMatch(club, kills, state, list(bot.telegram.record))


async def kill(bot: Running, club: Club, around: set[Place], chance: random.Random) -> Kill:
    """Kill the bot at a random moment after somebody has pressed a button, and start it again."""
    if chance.random() < 0.6:
        await bot.telegram.fault(method=chance.choice(SLOW), hang=1.0, times=chance.randrange(1, 4))
    press = asyncio.create_task(club.next_tap())
    await asyncio.sleep(chance.uniform(0, 0.15))  # no condition: the point is to come at any moment
    await bot.bot.kill()
    press.cancel()
    await asyncio.gather(press, return_exceptions=True)
    await bot.telegram.fault()
    dead = await club.committed()
    await bot.bot.start()
    for person in club.people:
        person.look_again()
    again = await club.settled()
    _, comparison = await club.compare(around)
    return Kill(dead, again, comparison.surplus)


async def test_a_kill_while_somebody_chooses_a_suit_loses_the_choice_at_most(tmp_path: Path) -> None:
    async with running(tmp_path) as bot:
        club = await Club.dealt(bot, 4)
        while not any(isinstance(tap.asked, PickSuit) for person in club.people for tap in person.taps):
            await club.next_tap()
        await bot.bot.kill()
        await bot.bot.start()
        await club.settled()
        assert await club.next_tap() is not None
        await club.settled()


def test_the_bot_was_killed_often_enough(killed: KilledMatch) -> None:
    assert len(killed.kills) >= 5


def test_every_committed_move_outlives_each_kill(killed: KilledMatch) -> None:
    for kill in killed.kills:
        assert kill.again.log[: len(kill.dead.log)] == kill.dead.log
        assert killed.state.log[: len(kill.again.log)] == kill.again.log


def test_the_log_replays_to_the_stored_state_at_every_kill(killed: KilledMatch) -> None:
    for state in [*(kill.dead for kill in killed.kills), killed.state]:
        assert steps(state)[-1].after == state.match


def test_every_card_exists_exactly_once_at_every_step(killed: KilledMatch) -> None:
    assert misplaced_cards(killed.state) == []


def test_no_press_takes_effect_twice_and_none_that_was_answered_is_lost(killed: KilledMatch) -> None:
    assert unlogged_taps(killed.club.people, killed.state) == []


def test_each_kill_leaves_at_most_one_message_too_many_in_a_chat(killed: KilledMatch) -> None:
    """The bot makes one call at a time in each chat, so only one can be made whose answer it never hears."""
    for number, kill in enumerate(killed.kills, start=1):
        surplus = Counter(message.chat for message in kill.surplus)
        assert all(count <= number for count in surplus.values()), surplus


def test_the_match_ends(killed: KilledMatch) -> None:
    assert killed.state.table.ending is Ending.FINISHED


def test_nobody_is_ever_shown_a_card_that_only_another_has_seen(killed: KilledMatch) -> None:
    assert leaks(killed.record, killed.state) == []
