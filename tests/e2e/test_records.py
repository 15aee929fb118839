"""Leaderboards and records after a match; hidden players are in none of them."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing

import pytest
import pytest_asyncio

from bot.buttons import (
    Choose,
    ChooseRule,
    HideMe,
    LeaveMatch,
    OpenSettings,
    Rematch,
    ShowChart,
    Sit,
    TurnStats,
    TurnTop,
)
from bot.records.ratings import Rating, rated
from tests.e2e.menus import Menu
from tests.e2e.players import Club, Person, button_for, has_button
from tests.e2e.running import Running, running
from tests.e2e.telegram import Message
from tests.e2e.wording import RUSSIAN, told
from tests.patience import PATIENCE

pytestmark = pytest.mark.asyncio(loop_scope="module")

TOP, STATS = "🏆", "📇"
"""How these answers begin."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def bot(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Running]:
    """A bot whose matches end soon."""
    rules = '{"preset": "classic", "limit": 50}'
    async with running(tmp_path_factory.mktemp("bot"), DEFAULT_RULES=rules) as it:
        yield it


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def played(bot: Running) -> Club:
    """Two people who have played a match to its end."""
    club = await Club.dealt(bot, 2)
    table = (await club.committed()).table.id
    assert told(await club.host.forge(club.board, ShowChart(table)), "no_rounds")
    early = await club.ask(club.host, club.chat, "/score", "📊")
    assert not has_button(early, ShowChart)
    await club.play()
    await club.settled()
    return club


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
    played: Club,
) -> None:
    club = played
    state = await club.committed()
    assert state.match.winner is not None
    winner = club.people[state.match.winner]
    loser = club.people[1 - state.match.winner]
    top = await club.ask(loser, club.chat, "/top", TOP)
    first, second, *_ = top.text.splitlines()[1:]
    better, worse = (rating.points for rating in rated([Rating(), Rating()], [1, 2]))
    assert first == f"1. {winner.name} — {better} · побед 1 из 1"
    assert second == f"2. {loser.name} — {worse} · побед 0 из 1".replace("-", "−")

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
    own = await Menu.opened(club, boris, boris.user_id, "/settings", Choose)
    await own.press(Choose("hidden", False))
    await own.shows(RUSSIAN("about.hidden"))
    assert "Борис" in (await club.ask(anya, club.chat, "/top", TOP)).text
    assert told(await boris.forge(await club.message_with(Rematch), HideMe(True)), "table_gone")
    assert told(await boris.forge(await club.message_with(Rematch), Choose("hidden", True)), "table_gone")
    assert "Борис" in (await club.ask(anya, club.chat, "/top", TOP)).text


async def test_pages_turn_in_place_and_nobody_turns_anothers_record(bot: Running) -> None:
    club = await Club.dealt(bot, 2)
    anya, boris = club.people
    await lost(club, boris)
    add_opponents(bot, club.chat, anya.user_id, 25)
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


def add_opponents(bot: Running, chat: int, user_id: int, size: int) -> None:
    """Store so many people, each of whom has lost a match here against this person."""
    with closing(sqlite3.connect(bot.database, timeout=PATIENCE)) as database, database:
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


async def test_the_chart_is_a_picture_under_the_score_and_at_the_end(bot: Running, played: Club) -> None:
    club = played
    end = await club.message_with(Rematch)
    assert end.raw.get("photo") is None
    score = await club.ask(club.people[1], club.chat, "/score", "📊")
    await club.people[1].press(score, button_for(score, ShowChart))
    first = await chart_after(club, score)
    assert "Аня" in first.text
    stranger = await Club.founded(bot, 1)
    elsewhere = await stranger.ask(stranger.host, stranger.chat, "/help", "❔")
    table = (await club.committed()).table.id
    assert (await stranger.host.forge(elsewhere, ShowChart(table))).text is not None
    await club.host.press(end, button_for(end, ShowChart))
    second = await chart_after(club, first)
    await club.until(lambda: first.message_id not in ids(club), "the earlier chart is gone")
    assert second.message_id in ids(club)
    assert not [it for it in bot.telegram.newest(stranger.chat) if it.raw.get("photo")]


def ids(club: Club) -> list[int]:
    """The bot's messages in the group."""
    return [it.message_id for it in club.running.telegram.newest(club.chat)]


async def chart_after(club: Club, message: Message) -> Message:
    """The group's chart, if it is newer than this message, as soon as there is one."""

    def found() -> Message | None:
        newer = (it for it in club.running.telegram.newest(club.chat) if it.message_id > message.message_id)
        return next((it for it in newer if it.raw.get("photo")), None)

    return await club.until(found, "the chart is there")


async def test_where_a_group_wants_pictures_the_matchs_end_is_one(bot: Running) -> None:
    club = await Club.gathered(bot, 2)
    menu = await Menu.of_group(club)
    assert (await club.host.forge(menu.now, ChooseRule("limit", "500"))).answered
    await club.deal()
    await club.play_round()
    menu = await Menu.of_group(club)
    await menu.press(OpenSettings("look"))
    await menu.press(Choose("look", "picture"))
    await lost(club, club.people[1])
    end = await club.message_with(Rematch)
    assert end.raw.get("photo") is not None
    assert end.text.startswith("🏆 ")
    assert not has_button(end, ShowChart)
    await club.people[1].press(end, button_for(end, Rematch))
    await club.message_with(Sit)


async def test_where_pictures_are_not_allowed_the_chart_is_the_standing_in_words(
    bot: Running, played: Club
) -> None:
    club = played
    end = await club.message_with(Rematch)
    before = ids(club)
    await bot.telegram.act("permissions", chat=club.chat, permissions={"can_send_photos": False})
    await club.host.press(end, button_for(end, ShowChart))

    def instead() -> Message | None:
        newer = (it for it in bot.telegram.newest(club.chat) if it.message_id not in before)
        return next((it for it in newer if it.text.startswith("📊")), None)

    answer = await club.until(instead, "there is an answer in words")
    assert answer.raw.get("photo") is None
    await bot.telegram.act("permissions", chat=club.chat, permissions={"can_send_photos": True})
