"""Effects of delivery outcomes on tables, people and chats. The database is real."""

from __future__ import annotations

from bot.handlers.delivery_listener import apply_outcome
from bot.messages import outcomes
from bot.settings import TableSettings
from bot.storage import Storage
from bot.tables.queries import TableQueries
from bot.tables.service import Tables
from tests.bot.tables.tables import ANYA, NOW, PACE

GROUP, SUPERGROUP = -7, -1007


async def test_each_outcome_changes_what_it_is_about(storage: Storage) -> None:
    queries = TableQueries(storage, lambda: NOW)
    tables = Tables(storage, queries, PACE)
    await storage.people.see(ANYA.user_id, "Аня", "ru")
    await storage.people.set_reachable(ANYA.user_id, reachable=True)
    await storage.chats.see(GROUP, "Клуб", None, "group")
    table_id = (await tables.open(GROUP, 0, ANYA, TableSettings())).table_id
    before = (await queries.load(table_id)).deadline
    assert before is not None

    await apply_outcome(outcomes.MoverDelayed(table_id, 5.0), storage, tables)
    after = (await queries.load(table_id)).deadline
    assert after is not None
    assert after.at == before.at + 5.0

    await apply_outcome(outcomes.PicturesRefused(GROUP, table_id), storage, tables)
    chat = await storage.chats.get(GROUP)
    assert chat is not None
    assert chat.refused_pictures == table_id

    await apply_outcome(outcomes.PersonUnreachable(ANYA.user_id), storage, tables)
    person = await storage.people.get(ANYA.user_id)
    assert person is not None
    assert not person.reachable

    await apply_outcome(outcomes.ChatMoved(GROUP, SUPERGROUP), storage, tables)
    assert await queries.at(SUPERGROUP, 0) == table_id

    await apply_outcome(outcomes.BotRemoved(SUPERGROUP), storage, tables)
    assert (await queries.load(table_id)).banished
