"""Five matches that were computed by hand, and what they come to.

Аня (1), Борис (2) and Вера (3) play with a limit of 101 in the groups −1 and −2. Points by round, the
winner's of a round is the one with 0; QS is the queen of spades as the last card.

| match | group | Аня            | Борис          | Вера           | computer  | places        |
|-------|-------|----------------|----------------|----------------|-----------|---------------|
| one   | −1    | 0, 0 (QS)      | 40, 70: out    |                |           | А 1, Б 2      |
| two   | −1    | 60, 45: out    | 0, 0           | 102: out       |           | Б 1, А 2, В 3 |
| three | −2    | 20, 90: out    | 30, then left  | 0, 15, 0       | 10, 0, 95 | В 1, к 2, А 3, Б 4 |
| four  | −1    | 0              | 103: out       | 103: out       |           | А 1, Б and В share 2 |
| five  | −1    |                | left           | (no round)     |           | В 1, Б 2      |

Аня: places 1, 2, 3, 1; 2 + 2 + 2 + 1 = 7 rounds, of which she won 2 + 0 + 0 + 1 = 3; 0 + 105 + 110 + 0 = 215
points. Борис: places 2, 1, 4, 2, 2; 2 + 2 + 1 + 1 + 0 = 6 rounds, 2 won; 110 + 0 + 30 + 103 + 0 = 243 points.
Вера: places 3, 1, 2, 1; 1 + 3 + 1 + 0 = 5 rounds, 2 won; 102 + 15 + 103 + 0 = 220 points.

Who was before whom: Аня before Борис in one, three and four, behind in two; before Вера in two and four,
behind her in three; Борис before Вера in two, behind her in three and five, beside her in four.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from openskill.models import PlackettLuce

from bot.records.ratings import Rating
from bot.records.values import EVERYWHERE, Duel, Finish
from bot.settings import CHOICES
from bot.storage import Storage
from bot.tables.codec import dump_table
from bot.tables.model import Table
from bot.tables.player import Player
from bot.tables.record import match_record
from engine.players import Level
from tests.bot.records.finished_tables import Played, over
from tests.bot.tables.tables import ANYA, BORIS, VERA

CLARA = Player(-1, "🤖 Клара", level=Level.EASY)
HOME, AWAY = -1, -2

ONE = over(
    "one", HOME, [ANYA, BORIS], [Played({0: 0, 1: 40}, 0, "6S"), Played({0: 0, 1: 70}, 0, "QS")], hour=1
)
TWO = over(
    "two",
    HOME,
    [ANYA, BORIS, VERA],
    [Played({0: 60, 1: 0, 2: 102}, 1, "7S"), Played({0: 45, 1: 0}, 1, "QH")],
    hour=2,
)
THREE = over(
    "three",
    AWAY,
    [ANYA, BORIS, VERA, CLARA],
    [
        Played({0: 20, 1: 30, 2: 0, 3: 10}, 2, "9D"),
        Played({0: 90, 2: 15, 3: 0}, 3, "QS"),
        Played({2: 0, 3: 95}, 2, "AC"),
    ],
    left={1: 2},
    hour=3,
)
FOUR = over("four", HOME, [ANYA, BORIS, VERA], [Played({0: 0, 1: 103, 2: 103}, 0, "KD")], hour=4)
FIVE = over("five", HOME, [BORIS, VERA], [], left={0: 1}, hour=5)


async def end(storage: Storage, *tables: Table) -> None:
    """Store these tables with the records of their matches, one after another."""
    for table in tables:
        await storage.tables.create(dump_table(table, 0.0))
        row = dump_table(replace(table, revision=table.revision + 1), table.ended_at or 0.0)
        await storage.tables.commit(row, table.revision, (), match_record(table))


@pytest.fixture
async def storage(storage: Storage) -> Storage:
    for person in (ANYA, BORIS, VERA):
        await storage.people.see(person.user_id, person.name, "ru")
    await end(storage, ONE, TWO, THREE, FOUR, FIVE)
    return storage


# ------------------------------------------------------------------------------------------- one's own record


async def test_somebodys_record_is_what_was_computed_by_hand(storage: Storage) -> None:
    anya = await storage.statistics.summary(1, EVERYWHERE)
    assert anya is not None
    assert (anya.matches, anya.wins, anya.places) == (4, 2, ((1, 2), (2, 1), (3, 1)))
    assert (anya.rounds, anya.rounds_won, anya.points) == (7, 3, 215)
    assert (anya.best, anya.worst, anya.queens, anya.left) == (Finish(1, 3, 0), 90, 1, 0)

    boris = await storage.statistics.summary(2, EVERYWHERE)
    assert boris is not None
    assert (boris.matches, boris.wins, boris.places) == (5, 1, ((1, 1), (2, 3), (4, 1)))
    assert (boris.rounds, boris.rounds_won, boris.points) == (6, 2, 243)
    assert (boris.best, boris.worst, boris.queens, boris.left) == (Finish(1, 3, 0), 103, 0, 2)

    vera = await storage.statistics.summary(3, EVERYWHERE)
    assert vera is not None
    assert (vera.matches, vera.wins, vera.places) == (4, 2, ((1, 2), (2, 1), (3, 1)))
    assert (vera.rounds, vera.rounds_won, vera.points) == (5, 2, 220)
    assert (vera.best, vera.worst, vera.queens, vera.left) == (Finish(1, 4, 15), 103, 0, 0)


async def test_a_record_in_one_chat_is_of_its_matches_alone(storage: Storage) -> None:
    away = await storage.statistics.summary(1, AWAY)
    assert away is not None
    assert (away.matches, away.wins, away.places, away.rounds) == (1, 0, ((3, 1),), 2)
    assert (away.best, away.worst) == (Finish(3, 4, 110), 90)
    assert await storage.statistics.summary(1, -3) is None
    assert await storage.statistics.summary(-1, EVERYWHERE) is None


async def test_people_are_told_how_they_fared_against_each_other(storage: Storage) -> None:
    assert await storage.statistics.duels(1, EVERYWHERE) == (
        Duel(2, "Борис", won=3, lost=1, met=4),
        Duel(3, "Вера", won=2, lost=1, met=3),
    )
    assert await storage.statistics.duels(2, EVERYWHERE) == (
        Duel(1, "Аня", won=1, lost=3, met=4),
        Duel(3, "Вера", won=1, lost=2, met=4),
    )
    assert await storage.statistics.duels(1, AWAY) == (
        Duel(2, "Борис", won=1, lost=0, met=1),
        Duel(3, "Вера", won=0, lost=1, met=1),
    )


# ------------------------------------------------------------------------------------------------ the ratings


def by_the_library(*matches: dict[int, int]) -> dict[int, Rating]:
    """The ratings after matches given as places by person, from OpenSkill itself."""
    model = PlackettLuce()
    ratings: dict[int, Rating] = {}
    for places in matches:
        known = [ratings.get(person, Rating(25, 25 / 3)) for person in places]
        teams = [[model.rating(rating.mu, rating.sigma)] for rating in known]
        rated = model.rate(teams, ranks=list(map(float, places.values())))
        ratings |= {person: Rating(it.mu, it.sigma) for person, (it,) in zip(places, rated, strict=True)}
    return ratings


async def test_ratings_are_those_of_the_library_in_the_order_of_the_matches(storage: Storage) -> None:
    one, two = {1: 1, 2: 2}, {2: 1, 1: 2, 3: 3}
    three, four, five = {3: 1, 1: 3, 2: 4}, {1: 1, 2: 2, 3: 2}, {3: 1, 2: 2}
    everywhere = await storage.records.ratings(EVERYWHERE)
    assert everywhere.keys() == {1, 2, 3}
    for person, rating in by_the_library(one, two, three, four, five).items():
        assert everywhere[person].mu == pytest.approx(rating.mu)
        assert everywhere[person].sigma == pytest.approx(rating.sigma)
    home = await storage.records.ratings(HOME)
    for person, rating in by_the_library(one, two, four, five).items():
        assert home[person].mu == pytest.approx(rating.mu)
    assert home[1].points > home[2].points
    assert home[1].points > home[3].points
    away = await storage.records.ratings(AWAY)
    assert away[3].points > away[1].points > away[2].points


def test_a_newcomer_has_a_thousand_points() -> None:
    assert Rating().points == 1000
    assert Rating(mu=30.0, sigma=5.0).points == 1600


# ----------------------------------------------------------------------------------------------- leaderboards


async def test_a_chats_leaderboard_has_its_players_and_its_ratings(storage: Storage) -> None:
    home = await storage.statistics.leaderboard(HOME)
    ratings = await storage.records.ratings(HOME)
    assert [(it.name, it.matches, it.wins) for it in home] == [
        ("Аня", 3, 2),
        ("Вера", 3, 1),
        ("Борис", 4, 1),
    ]
    assert [it.rating for it in home] == [ratings[1], ratings[3], ratings[2]]
    away = await storage.statistics.leaderboard(AWAY)
    assert [it.name for it in away] == ["Вера", "Аня", "Борис"]
    assert await storage.statistics.leaderboard(-3) == ()


async def test_who_has_met_nobody_sees_nobody(storage: Storage) -> None:
    stranger, friend = Player(8, "Жанна"), Player(9, "Игорь")
    await end(storage, over("six", -3, [stranger, friend], [Played({0: 0, 1: 102}, 0)], hour=6))
    assert [it.user_id for it in await storage.statistics.companions(8)] == [8, 9]
    assert sorted(it.user_id for it in await storage.statistics.companions(1)) == [1, 2, 3]
    assert await storage.statistics.companions(77) == ()
    everywhere = {it.user_id: it for it in await storage.statistics.companions(2)}
    assert (everywhere[2].matches, everywhere[2].wins) == (5, 1)


async def test_names_are_those_that_people_have_now(storage: Storage) -> None:
    await storage.people.see(2, "Борис Великий", "ru")
    assert "Борис Великий" in [it.name for it in await storage.statistics.leaderboard(HOME)]
    assert (await storage.statistics.duels(1, HOME))[0].name == "Борис Великий"


async def test_that_matches_were_played_is_known_also_where_all_are_hidden(storage: Storage) -> None:
    for person in (1, 2, 3):
        await storage.people.choose(person, CHOICES["hidden"], True)
    assert await storage.statistics.leaderboard(HOME) == ()
    assert await storage.statistics.has_played(HOME)
    assert not await storage.statistics.has_played(-3)
    assert await storage.statistics.companions(1) == ()
    assert await storage.statistics.has_played(EVERYWHERE, 1)
    assert not await storage.statistics.has_played(EVERYWHERE, 77)


async def test_who_is_hidden_is_in_no_list_and_keeps_his_own_record(storage: Storage) -> None:
    before = await storage.statistics.summary(2, EVERYWHERE)
    await storage.people.choose(2, CHOICES["hidden"], True)
    for chat_id in (HOME, AWAY):
        assert 2 not in [it.user_id for it in await storage.statistics.leaderboard(chat_id)]
    for person in (1, 2, 3):
        assert 2 not in [it.user_id for it in await storage.statistics.companions(person)]
        assert 2 not in [it.user_id for it in await storage.statistics.duels(person, EVERYWHERE)]
    assert await storage.statistics.summary(2, EVERYWHERE) == before
    assert [it.user_id for it in await storage.statistics.duels(2, EVERYWHERE)] == [1, 3]
    await storage.people.choose(2, CHOICES["hidden"], False)
    assert 2 in [it.user_id for it in await storage.statistics.leaderboard(HOME)]
