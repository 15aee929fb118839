"""Repositories besides tables: shown messages, answers, people, chats, invites, the heartbeat."""

import asyncio
import dataclasses
import re
from pathlib import Path

import pytest

from bot.storage import Storage
from bot.storage.chats import StoredChat, UnknownChat
from bot.storage.database import Database
from bot.storage.invites import LIFETIME_SECONDS, Invite, InviteStore
from bot.storage.people import Person, UnknownPerson
from bot.storage.pins import Pin
from bot.storage.replies import Reply
from bot.storage.shown import Shown
from tests.bot.storage.rows import table

HAND = Shown("t1", "hand:5", chat_id=5, message_id=70, digest="abc", mode="rung", shown_at=1000.5)


async def count_changes(database: Database) -> int:
    """Return the number of rows the writer has changed since it was opened."""
    await database.fetch_all("SELECT 1")
    return database._writer._connection.total_changes


# ---------------------------------------------------------------------------------------------- what is shown


async def keep(storage: Storage, *messages: Shown) -> None:
    await storage.shown.change({(shown.table_id, shown.key): shown for shown in messages})


async def test_a_message_is_kept_under_its_tables_key(storage: Storage) -> None:
    board = Shown("t1", "board:1", -100, 8, "d", "plain", 1.0)
    other = dataclasses.replace(HAND, table_id="t2", message_id=71)
    await keep(storage, HAND, board, other)
    assert await storage.shown.of_table("t1") == {"hand:5": HAND, "board:1": board}
    assert await storage.shown.of_table("t3") == {}


async def test_a_message_put_again_takes_the_place_of_what_was_there(storage: Storage) -> None:
    edited = dataclasses.replace(HAND, digest="def", mode="plain", shown_at=1001.0)
    await keep(storage, HAND)
    await keep(storage, edited)
    assert await storage.shown.of_table("t1") == {"hand:5": edited}


async def test_a_replaced_message_is_kept_until_it_is_removed(storage: Storage) -> None:
    newer = dataclasses.replace(HAND, message_id=90)
    retired = dataclasses.replace(HAND, key="old:hand:5:70")
    await keep(storage, HAND)
    await keep(storage, newer, retired)
    assert await storage.shown.of_table("t1") == {"hand:5": newer, "old:hand:5:70": retired}
    for _ in range(2):
        await storage.shown.change({("t1", "old:hand:5:70"): None})
    assert await storage.shown.of_table("t1") == {"hand:5": newer}


# ---------------------------------------------------------------------------------------------------- answers


async def test_the_next_answer_of_a_kind_names_the_one_it_replaces(storage: Storage) -> None:
    assert await storage.replies.replace(Reply(-100, 0, "score", 5)) is None
    assert await storage.replies.replace(Reply(-100, 0, "rules", 6)) is None
    assert await storage.replies.replace(Reply(-100, 3, "score", 7)) is None
    assert await storage.replies.replace(Reply(-100, 0, "score", 8)) == 5
    assert await storage.replies.replace(Reply(-100, 0, "score", 9)) == 8


async def test_the_latest_answer_is_found_by_its_message(storage: Storage) -> None:
    await storage.replies.replace(Reply(-100, 0, "score", 5))
    assert await storage.replies.find(-100, 5) == "score"
    await storage.replies.replace(Reply(-100, 0, "score", 8))
    assert await storage.replies.find(-100, 5) is None
    assert await storage.replies.find(-200, 8) is None


# ----------------------------------------------------------------------------------------------------- people


async def test_a_person_is_unknown_until_seen_and_then_not_reachable(storage: Storage) -> None:
    assert await storage.people.get(5) is None
    anna = Person(5, "Аня", language=None, language_code="ru", reachable=False)
    assert await storage.people.see(5, "Аня", "ru") == anna
    assert await storage.people.get(5) == anna


async def test_what_a_person_has_chosen_outlives_what_telegram_tells(storage: Storage) -> None:
    await storage.people.see(5, "Аня", "ru")
    await storage.people.set_reachable(5, reachable=True)
    await storage.people.set_language(5, "en")
    anna = await storage.people.see(5, "Anna", None)
    assert anna == Person(5, "Anna", language="en", language_code=None, reachable=True)
    await storage.people.set_language(5, None)
    await storage.people.set_reachable(5, reachable=False)
    assert await storage.people.get(5) == Person(5, "Anna", None, None, reachable=False)


async def test_nothing_is_written_where_nothing_is_new(storage: Storage, database: Database) -> None:
    await storage.people.see(5, "Аня", "ru")
    await storage.people.set_reachable(5, reachable=True)
    await storage.chats.see(-100, "Книжный клуб", "books", "supergroup")
    before = await count_changes(database)
    await storage.people.see(5, "Аня", "ru")
    await storage.people.set_reachable(5, reachable=True)
    await storage.people.set_language(5, None)
    await storage.chats.see(-100, "Книжный клуб", "books", "supergroup")
    assert await count_changes(database) == before


async def test_of_two_findings_at_once_whether_somebody_can_be_written_to_the_later_one_holds(
    storage: Storage,
) -> None:
    """A refused call and the news that the bot is unblocked come from two places."""
    await storage.people.see(5, "Anya", None)
    await storage.people.set_reachable(5, reachable=True)
    await asyncio.gather(
        storage.people.set_reachable(5, reachable=False), storage.people.set_reachable(5, reachable=True)
    )
    person = await storage.people.get(5)
    assert person is not None
    assert person.reachable


async def test_many_people_are_got_at_once(storage: Storage) -> None:
    seen = {number: await storage.people.see(number, f"p{number}", None) for number in range(1, 12)}
    assert await storage.people.get_many([3, 99, 3, 7]) == {3: seen[3], 7: seen[7]}
    assert await storage.people.get_many([]) == {}
    assert await storage.people.get_many(range(1, 12)) == seen


async def test_nothing_is_set_for_who_was_never_seen(storage: Storage) -> None:
    with pytest.raises(UnknownPerson):
        await storage.people.set_reachable(5, reachable=True)
    with pytest.raises(UnknownPerson):
        await storage.people.set_language(5, "ru")
    with pytest.raises(UnknownChat):
        await storage.chats.set_language(-100, "ru")
    with pytest.raises(UnknownChat):
        await storage.chats.set_settings(-100, "{}")


async def test_a_name_is_only_ever_a_value(storage: Storage) -> None:
    name = "Robert'); DROP TABLE people; --\u202e\x00♠️"
    await storage.people.see(5, name, None)
    person = await storage.people.get(5)
    assert person is not None
    assert person.name == name


# ------------------------------------------------------------------------------------------------------ chats


async def test_what_is_set_for_a_chat_outlives_what_telegram_tells(storage: Storage) -> None:
    assert await storage.chats.get(-100) is None
    assert await storage.chats.see(-100, "Клуб", None, "group") == StoredChat(-100, "Клуб", None, "group")
    await storage.chats.set_language(-100, "ru")
    await storage.chats.set_settings(-100, '{"preset": "classic"}')
    renamed = StoredChat(-100, "Книжный клуб", "books", "supergroup", "ru", '{"preset": "classic"}')
    assert await storage.chats.see(-100, "Книжный клуб", "books", "supergroup") == renamed
    assert await storage.chats.get(-100) == renamed
    await storage.chats.set_settings(-100, None)
    assert await storage.chats.get(-100) == dataclasses.replace(renamed, settings=None)


async def test_an_upgraded_chat_keeps_what_was_set_for_it(storage: Storage) -> None:
    await storage.chats.see(-100, "Клуб", None, "group")
    await storage.chats.set_language(-100, "en")
    await storage.chats.set_settings(-100, "{}")
    for _ in range(2):
        await storage.chats.move(-100, -1001)
        assert await storage.chats.get(-100) is None
        assert await storage.chats.get(-1001) == StoredChat(-1001, "Клуб", None, "group", "en", "{}")


async def test_an_upgraded_chat_seen_under_its_new_id_first_keeps_both(storage: Storage) -> None:
    await storage.chats.see(-100, "Клуб", None, "group")
    await storage.chats.set_language(-100, "en")
    await storage.chats.set_settings(-100, "{}")
    await storage.chats.see(-1001, "Клуб", "books", "supergroup")
    await storage.chats.set_language(-1001, "ru")
    await storage.chats.move(-100, -1001)
    assert await storage.chats.get(-1001) == StoredChat(-1001, "Клуб", "books", "supergroup", "ru", "{}")


# ---------------------------------------------------------------------------------------------------- invites


async def test_an_invite_stands_for_one_person_and_one_table(storage: Storage) -> None:
    token = await storage.invites.create("t1", 5, now=1000.0)
    assert re.fullmatch(r"[A-Za-z0-9_-]{16,64}", token)
    assert await storage.invites.find(token, now=1001.0) == Invite("t1", 5)
    assert await storage.invites.find(token, now=1002.0) == Invite("t1", 5), "a second press does no harm"
    assert await storage.invites.find("made-up-made-up-", now=1001.0) is None
    tokens = {
        token,
        await storage.invites.create("t1", 6, now=1000.0),
        await storage.invites.create("t2", 5, now=1000.0),
    }
    assert len(tokens) == 3


async def test_an_invite_lives_for_a_day_after_it_was_last_asked_for(database: Database) -> None:
    made = iter(["first-token-12345", "second-token-1234", "third-token-12345"])
    invites = InviteStore(database, make_token=lambda: next(made))
    assert await invites.create("t1", 5, now=0.0) == "first-token-12345"
    assert await invites.create("t1", 5, now=LIFETIME_SECONDS - 1) == "first-token-12345"
    end = 2 * LIFETIME_SECONDS - 1
    assert await invites.find("first-token-12345", now=end - 1) == Invite("t1", 5)
    assert await invites.find("first-token-12345", now=end) is None
    assert await invites.create("t1", 5, now=end) == "third-token-12345"
    assert await invites.find("third-token-12345", now=end) == Invite("t1", 5)


async def test_a_used_invite_is_told_as_such_and_the_next_one_is_new(storage: Storage) -> None:
    token = await storage.invites.create("t1", 5, now=0.0)
    await storage.invites.use(token)
    assert await storage.invites.find(token, now=1.0) == Invite("t1", 5, is_used=True)
    other = await storage.invites.create("t1", 5, now=2.0)
    assert await storage.invites.find(token, now=3.0) is None
    assert await storage.invites.find(other, now=3.0) == Invite("t1", 5)


async def test_who_leaves_a_chat_has_no_invites_to_its_tables_any_more(storage: Storage) -> None:
    for row in (table(id="t1", chat_id=-1), table(id="t2", chat_id=-2)):
        await storage.tables.create(row)
    tokens = [await storage.invites.create(*whom, now=0.0) for whom in (("t1", 5), ("t1", 6), ("t2", 5))]
    await storage.invites.drop(5, -1)
    left = [await storage.invites.find(token, now=1.0) for token in tokens]
    assert left == [None, Invite("t1", 6), Invite("t2", 5)]


async def test_expired_invites_do_not_pile_up(storage: Storage, database: Database) -> None:
    for number in range(10):
        await storage.invites.create(f"t{number}", 5, now=number * LIFETIME_SECONDS)
    assert await database.fetch_one("SELECT count(*) FROM invites") == (1,)


# -------------------------------------------------------------------------------------------------- heartbeat


async def test_the_last_sign_of_life_outlives_the_process(path: Path) -> None:
    database = await Database.open(path)
    assert await Storage(database).heartbeat.last() is None
    await Storage(database).heartbeat.beat(5.0)
    await Storage(database).heartbeat.beat(1700000000.25)
    await database.close()
    database = await Database.open(path)
    assert await Storage(database).heartbeat.last() == 1700000000.25
    await database.close()


async def test_what_was_presented_last_is_known(storage: Storage) -> None:
    assert await storage.presented.get() is None
    for digest in ("first", "second"):
        await storage.presented.put(digest)
        assert await storage.presented.get() == digest


async def test_a_place_has_one_pin_and_the_last_one_stays(storage: Storage) -> None:
    first = Pin(-100, 0, "t1", "board:1", 7)
    second = Pin(-100, 0, "t1", "board:2", 9)
    await storage.pins.put(first)
    await storage.pins.put(Pin(-100, 5, "t2", "board:1", 8))
    await storage.pins.put(second)
    await storage.pins.drop(first)
    assert await storage.pins.get(-100, 0) == second
    await storage.pins.drop(second)
    assert await storage.pins.get(-100, 0) is None
    assert await storage.pins.get(-100, 5) == Pin(-100, 5, "t2", "board:1", 8)


async def test_what_the_bot_may_do_in_a_chat_is_remembered(storage: Storage) -> None:
    await storage.chats.see(-100, "Клуб", None, "group")
    await storage.chats.set_may_pin(-100, True)
    chat = await storage.chats.get(-100)
    assert chat is not None
    assert chat.may_pin


async def test_subscribers_are_notified_once_in_a_while_and_not_if_they_are_there(storage: Storage) -> None:
    for user_id in (1, 2, 3):
        await storage.subscriptions.add(user_id, -100)
    await storage.subscriptions.add(1, -100)
    await storage.subscriptions.add(4, -200)
    assert await storage.subscriptions.claim_due(-100, excluding=(3,), since=0.0, now=1000.0) == (1, 2)
    assert await storage.subscriptions.claim_due(-100, excluding=(), since=999.0, now=1010.0) == (3,)
    assert await storage.subscriptions.claim_due(-100, excluding=(), since=1000.0, now=2000.0) == (1, 2)
    assert await storage.subscriptions.remove(2, -100)
    assert not await storage.subscriptions.remove(2, -100)
    assert await storage.subscriptions.claim_due(-100, excluding=(), since=5000.0, now=5000.0) == (1, 3)


async def test_subscriptions_move_with_the_group_to_its_new_id(storage: Storage) -> None:
    await storage.chats.see(-100, "Клуб", None, "group")
    await storage.subscriptions.add(1, -100)
    await storage.subscriptions.add(1, -1007)
    await storage.subscriptions.add(2, -100)
    await storage.chats.move(-100, -1007)
    assert await storage.subscriptions.claim_due(-1007, excluding=(), since=0.0, now=1.0) == (1, 2)
    assert await storage.subscriptions.claim_due(-100, excluding=(), since=0.0, now=1.0) == ()


async def test_of_two_tables_that_are_opened_at_once_one_calls(storage: Storage) -> None:
    for user_id in (1, 2):
        await storage.subscriptions.add(user_id, -100)
    calls = [storage.subscriptions.claim_due(-100, excluding=(), since=0.0, now=1000.0) for _ in range(2)]
    assert sorted(await asyncio.gather(*calls)) == [(), (1, 2)]
