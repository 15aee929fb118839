"""Five people at three tables in two groups, one of them a forum, while everything goes wrong.

One sits at three tables, one leaves the group, one blocks the bot, one group becomes a supergroup. Every
match reaches its end, and no group is flooded.
"""

from __future__ import annotations

from pathlib import Path

from bot.buttons import Rematch
from bot.tables.lifecycle import Ending
from tests.e2e.committed import steps
from tests.e2e.players import Club, Person
from tests.e2e.recording import Version
from tests.e2e.running import Running, running

SETTINGS = {
    "TURN_SECONDS": "3",
    "AUTOPILOT_SECONDS": "0.05",
    "FORCED_SECONDS": "0.02",
    "DEFAULT_RULES": '{"preset": "classic", "limit": 50, "game_end": "first_bust"}',
}


async def test_every_match_reaches_its_end_while_everything_goes_wrong(tmp_path: Path) -> None:
    async with running(tmp_path, is_faulty=False, **SETTINGS) as bot:
        clubs = await begun(bot)
        club, general, topic = clubs
        anya, boris, vera, gena = club.people
        dasha = topic.host
        active = [anya, boris, vera, gena, dasha]
        await play(clubs, active, taps=12)
        await names_every_group(boris, clubs)

        active.remove(vera)
        await bot.telegram.set_member(club.chat, vera.user_id, "left")
        await play(clubs, active, taps=6)

        active.remove(gena)
        await bot.telegram.block(gena.user_id)
        await play(clubs, active, taps=6)

        old_chat, club.chat = club.chat, await bot.telegram.upgrade(club.chat)
        await play(clubs, active)

        for table in clubs:
            state = await table.settled()
            assert state.table.ending is Ending.FINISHED, table.all_chats()
            assert steps(state)[-1].after == state.match
        for table, earlier in ((club, [old_chat]), (general, []), (topic, [])):
            rounds = (await table.committed()).match.number
            assert new_boards(bot, table, [table.chat, *earlier]) <= rounds + len(earlier)


async def begun(bot: Running) -> tuple[Club, Club, Club]:
    """A basic group with four at its table, and a forum with three each in General and in a topic."""
    club = await Club.founded(bot, 5, kind="group", seed="clubs")
    anya, boris, vera, gena, dasha = club.people
    forum = await bot.telegram.new_group(
        "Дача", [it.user_id for it in club.people], creator=dasha.user_id, is_forum=True
    )
    thread = await bot.telegram.new_topic(forum, "Вечер")
    club.people = [anya, boris, vera, gena]
    general = Club(bot, forum, [gena, boris, dasha], [])
    topic = Club(bot, forum, [dasha, anya, boris], [], thread)
    for table in (club, general, topic):
        await table.gather()
        await table.deal()
    return club, general, topic


async def play(clubs: tuple[Club, ...], active: list[Person], taps: int | None = None) -> None:
    """Press for these people, so many times, or until every match is over."""
    any_club, made = clubs[0], 0
    while taps is None or made < taps:
        await any_club.until(lambda: is_over(clubs) or able(active), "somebody can press something")
        if is_over(clubs):
            return
        await able(active)[0].go_on()
        made += 1


def able(people: list[Person]) -> list[Person]:
    """Return those who have something to press, if only to come back because they were too slow."""
    return [person for person in people if person.can_go_on()]


def is_over(clubs: tuple[Club, ...]) -> bool:
    return all(club.find(Rematch) is not None for club in clubs)


async def names_every_group(person: Person, clubs: tuple[Club, ...]) -> None:
    """Check that a person's hands and score name their groups."""
    telegram = person.running.telegram

    def named() -> list[str]:
        hands = [it.text for it in telegram.newest(person.user_id) if "Раунд" in it.text]
        return sorted(name for text in hands for name in ("Дача", "Книжный клуб") if name in text)

    # For a moment there are two hands of a table, while one takes the other's place.
    wanted = ["Дача", "Дача", "Книжный клуб"]
    await clubs[0].until(lambda: named() == wanted, "each hand names its group")
    score = await clubs[0].ask(person, person.user_id, "/score", "📊")
    assert (score.text.count("Книжный клуб"), score.text.count("Дача")) == (1, 2)


def new_boards(bot: Running, club: Club, chats: list[int]) -> int:
    """Return how many new messages a group has had, besides welcome, lobby and end."""
    versions = [it for it in bot.telegram.record if isinstance(it, Version) and it.edits == 0]
    here = [it.message for it in versions if it.message.chat in chats and it.message.thread == club.thread]
    return len([it for it in here if it.from_bot and not it.text.startswith(("🃏", "🏆"))])
