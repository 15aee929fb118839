"""What is remembered: after a match, leaderboards and records; who hides is in none of them."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing

import pytest
import pytest_asyncio

from bot.callbacks import ChooseHidden, ChooseSound, HideMe, LeaveMatch, Rematch, TurnStats, TurnTop
from bot.records.ratings import Rating, rated
from tests.e2e.menus import Menu
from tests.e2e.players import Club, Person, button_for, has_button
from tests.e2e.running import Running, running
from tests.e2e.wording import ENGLISH, RUSSIAN, told

pytestmark = pytest.mark.asyncio(loop_scope="module")

TOP, STATS = "🏆", "📇"
"""How these answers begin."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def bot(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Running]:
    """A bot whose matches end soon."""
    rules = '{"preset": "classic", "limit": 50}'
    async with running(tmp_path_factory.mktemp("bot"), DEFAULT_RULES=rules) as it:
        yield it


async def lost(club: Club, loser: Person) -> None:
    """The match ends at once: this person leaves."""
    sent = await loser.send(club.chat, "/leave")

    def asked() -> bool:
        newest = club.running.telegram.newest(club.chat)
        return any(it.message_id > sent and has_button(it, LeaveMatch) for it in newest)

    await club.until(asked, "he is asked whether he leaves")
    question = await club.message_with(LeaveMatch)
    await loser.press(question, button_for(question, LeaveMatch))
    await club.message_with(Rematch)
    await club.settled()


async def test_a_match_that_was_played_out_is_in_the_leaderboard_and_in_everybodys_record(
    bot: Running,
) -> None:
    club = await Club.dealt(bot, 2)
    await club.play()
    state = await club.settled()
    assert state.match.winner is not None
    winner = club.people[state.match.winner]
    loser = club.people[1 - state.match.winner]
    top = await club.ask(loser, club.chat, "/top", TOP)
    first, second, *_ = top.text.splitlines()[1:]
    better, worse = (rating.points for rating in rated([Rating(), Rating()], [1, 2]))
    assert first == f"1. {winner.name} — {better} · 1 партия, 1 победа"
    assert second == f"2. {loser.name} — {worse} · 1 партия, 0 побед".replace("-", "−")

    mine = await club.ask(loser, club.chat, "/stats", STATS)
    total = state.match.seats[1 - state.match.winner].total
    assert f"{loser.name} — {winner.name} 0:1" in mine.text
    assert RUSSIAN.plain("stats.best", place=2, of=2, total=total) in mine.text
    assert mine.buttons == ()
    in_private = await club.ask(winner, winner.user_id, "/stats", STATS)
    assert f"{winner.name} — {loser.name} 1:0" in in_private.text
    rounds = RUSSIAN.plain_plural("count.rounds", len(state.table.rounds))
    won = sum(result.winner == state.match.winner for result in state.table.rounds)
    assert RUSSIAN.plain("stats.rounds", rounds=rounds, won=won) in in_private.text
    everywhere = await club.ask(winner, winner.user_id, "/top", TOP)
    assert everywhere.text.splitlines()[1:3] == [first, second]


async def test_without_a_match_there_is_nobody_and_nothing(bot: Running) -> None:
    club = await Club.founded(bot, 1, language="en")
    assert ENGLISH("top.nobody") in (await club.ask(club.host, club.chat, "/top", TOP)).text
    assert ENGLISH("stats.nothing") in (await club.ask(club.host, club.chat, "/stats", STATS)).text


async def test_who_hides_is_in_no_list_until_he_shows_himself_again(bot: Running) -> None:
    club = await Club.dealt(bot, 2)
    anya, boris = club.people
    await lost(club, boris)
    record = await Menu.opened(club, boris, boris.user_id, "/stats", HideMe)
    assert (await record.press(HideMe(True))).text == RUSSIAN.plain("done.hidden")
    await record.shows(RUSSIAN("stats.hidden"))
    assert "Борис — Аня 0:1" in record.now.text
    for chat in (club.chat, anya.user_id):
        for command, sign in (("/top", TOP), ("/stats", STATS)):
            answer = await club.ask(anya, chat, command, sign)
            assert "Аня" in answer.text
            assert "Борис" not in answer.text
    own = await Menu.opened(club, boris, boris.user_id, "/settings", ChooseSound)
    await own.press(ChooseHidden(False))
    await own.shows(RUSSIAN("about.hidden"))
    assert "Борис" in (await club.ask(anya, club.chat, "/top", TOP)).text
    assert told(await boris.forge(await club.message_with(Rematch), HideMe(True)), "table_gone")
    assert told(await boris.forge(await club.message_with(Rematch), ChooseHidden(True)), "table_gone")
    assert "Борис" in (await club.ask(anya, club.chat, "/top", TOP)).text


async def test_pages_turn_in_place_and_nobody_turns_anothers_record(bot: Running) -> None:
    club = await Club.dealt(bot, 2)
    anya, boris = club.people
    await lost(club, boris)
    crowd(bot, club.chat, anya.user_id, 25)
    top = await Menu.opened(club, boris, club.chat, "/top", TurnTop)
    await top.press(TurnTop(1))
    await top.shows("\n11. ")
    await top.press(TurnTop(2))
    await top.shows("\n21. ")
    await top.press(TurnTop(1))
    await top.shows("\n11. ")
    record = await Menu.opened(club, anya, club.chat, "/stats", TurnStats)
    async with club.unchanged():
        asked = TurnStats(anya.user_id, 1)
        assert told(await boris.forge(record.now, asked), "not_yours")
        assert told(await boris.forge(boris.newest, asked), "not_yours")
    await record.press(TurnStats(anya.user_id, 1))
    await record.shows("Игрок 11")
    again = await Menu.opened(club, anya, club.chat, "/stats", TurnStats)
    await club.until(lambda: record.find() is None, "the earlier record is gone")
    theirs = await club.ask(boris, club.chat, "/stats", STATS)
    assert again.find() is not None
    assert "Борис — Аня 0:1" in theirs.text


def crowd(bot: Running, chat: int, user_id: int, size: int) -> None:
    """So many people, each of whom has lost a match here against this person."""
    with closing(sqlite3.connect(bot.database, timeout=5)) as database, database:
        for n in range(1, size + 1):
            other = user_id * 1000 + n
            database.execute("INSERT INTO people (user_id, name) VALUES (?, ?)", (other, f"Игрок {n}"))
            written = database.execute(
                "INSERT INTO matches (table_id, chat_id, ended_at, rounds, seats) VALUES (?, ?, 1, 1, 2)",
                (f"made up {other}", chat),
            )
            for person, place, fate in ((user_id, 1, "won"), (other, 2, "out")):
                database.execute(
                    "INSERT INTO match_places VALUES (?, ?, 0, ?, ?, 0, 1, 0, 0, 0, 0, NULL)",
                    (written.lastrowid, person, place, fate),
                )
            database.execute("INSERT INTO ratings VALUES (?, ?, 20, 8)", (chat, other))
