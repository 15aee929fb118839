"""A world on disk survives any end of the sandbox."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from sandbox import state
from sandbox.server import Server
from sandbox.store import FILE_NAME, Store, StoreError
from tests.sandbox.pictures import png
from tests.sandbox.telegram import CheckedTelegram
from tests.sandbox.test_files import upload


@asynccontextmanager
async def life(folder: Path) -> AsyncIterator[CheckedTelegram]:
    """Run a sandbox that keeps its world in a folder."""
    sandbox = state.build(flood=False)
    store = Store(folder, sandbox)
    server = Server(sandbox)
    server.start(0)
    try:
        async with CheckedTelegram.connected(server.url, sandbox.world.bot.token) as telegram:
            yield telegram
    finally:
        await server.stop()
        store.close()


async def everything(telegram: CheckedTelegram) -> list[Any]:
    """Return everything that people and the bot can see."""
    world = await telegram.ask("world")
    chats = [item["id"] for item in [*world["users"], *world["chats"]]]
    people = [user["id"] for user in world["users"]]
    return [
        {**world, "now": None},
        [await telegram.ask("messages", chat=chat) for chat in chats],
        [await telegram.ask("unread", user=person) for person in people],
        [await telegram.ask("commands", **{"chat": person, "as": person}) for person in people],
        await telegram.ok("getMe"),
        await telegram.ok("getUpdates"),
    ]


async def live_a_little(telegram: CheckedTelegram) -> int:
    """Create something of every kind; return a group's id."""
    ada, bob = await telegram.friend("Ada"), await telegram.friend("Bob")
    old = await telegram.group(ada, kind="group")
    await telegram.upgrade(old)
    forum = await telegram.group(ada, bob, is_forum=True, bot="administrator")
    thread = await telegram.new_topic(forum, "Cards")
    await telegram.set_member(forum, bob, "restricted", {"can_send_photos": False})
    button = {"inline_keyboard": [[{"text": "go", "callback_data": "go"}]]}
    await telegram.say(forum, "<b>x</b>", parse_mode="HTML", message_thread_id=thread, reply_markup=button)
    photo = (await upload(telegram, "sendPhoto", "photo", png(), chat_id=ada, caption="x"))["result"]
    await telegram.ok("pinChatMessage", chat_id=ada, message_id=photo["message_id"])
    gone = await telegram.say(ada, "gone")
    edited = await telegram.say(ada, "one")
    await telegram.ok("editMessageText", chat_id=ada, message_id=edited, text="two")
    await telegram.ok("deleteMessage", chat_id=ada, message_id=gone)
    await telegram.ok("setMyCommands", commands=[{"command": "go", "description": "go"}])
    await telegram.ok("setMyName", name="Whist")
    await telegram.block(bob)
    await telegram.send(ada, forum, "/go", thread=thread)
    await telegram.act("read", user=ada, chat=forum)
    return forum


async def test_a_world_is_there_again(tmp_path: Path) -> None:
    async with life(tmp_path / "world") as telegram:
        forum = await live_a_little(telegram)
        before = await everything(telegram)
        token = telegram.token
    async with life(tmp_path / "world") as telegram:
        assert telegram.token == token
        assert await everything(telegram) == before
        ada = before[0]["users"][0]["id"]
        (picture,) = [
            message.raw["photo"] for message in await telegram.messages(ada) if message.raw["photo"]
        ]
        file_id = picture["url"].rsplit("/", 1)[-1]
        assert (await telegram.ok("getFile", file_id=file_id))["file_size"] == len(png())
        newest = (await telegram.messages(forum))[-1].message_id
        assert await telegram.say(forum) == newest + 1


async def test_updates_that_were_confirmed_do_not_come_back_and_numbers_go_on(tmp_path: Path) -> None:
    async with life(tmp_path) as telegram:
        ada = await telegram.friend()
        await telegram.send(ada, ada, "confirmed")
        (confirmed,) = await telegram.updates()
        await telegram.send(ada, ada, "pending")
    async with life(tmp_path) as telegram:
        (pending,) = await telegram.ok("getUpdates")
        assert pending["message"]["text"] == "pending"
        assert pending["update_id"] == confirmed["update_id"] + 1


async def test_a_reset_world_stays_empty(tmp_path: Path) -> None:
    async with life(tmp_path) as telegram:
        await live_a_little(telegram)
        await telegram.reset()
        ada = await telegram.friend("Cyd")
    async with life(tmp_path) as telegram:
        world = await telegram.ask("world")
        assert [user["first_name"] for user in world["users"]] == ["Cyd"]
        assert [message.text for message in await telegram.messages(ada)] == ["/start"]


async def test_two_sandboxes_do_not_share_a_folder(tmp_path: Path) -> None:
    async with life(tmp_path):
        with pytest.raises(StoreError, match="another sandbox"):
            Store(tmp_path, state.build())


def test_a_folder_of_another_version_is_left_alone(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / FILE_NAME) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreError, match="another version"):
        Store(tmp_path, state.build())
