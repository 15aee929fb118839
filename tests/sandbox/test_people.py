"""The people's side: control routes, notifications, unread messages, frames for the page."""

import asyncio
import json
from typing import Any

import httpx
import pytest
from tornado.websocket import websocket_connect

from tests.e2e.telegram import Json
from tests.e2e.telegram import Refused as ControlRefused
from tests.patience import PATIENCE
from tests.sandbox.telegram import BEGINNING, CheckedTelegram


async def rings(telegram: CheckedTelegram, person: int) -> list[str]:
    """The texts that made somebody's phone ring."""
    return [ring["text"] for ring in await telegram.notifications(person)]


async def test_new_messages_ring_for_everybody_else(telegram: CheckedTelegram) -> None:
    ada, bob = await telegram.friend("Ada"), await telegram.friend("Bob")
    group = await telegram.group(ada, bob)
    await telegram.say(group, "from the bot")
    await telegram.send(ada, group, "from Ada")
    assert await rings(telegram, ada) == ["from the bot"]
    assert await rings(telegram, bob) == ["from the bot", "from Ada"]
    (ring, _) = await telegram.notifications(bob)
    assert (ring["chat"], ring["title"], ring["at"]) == (group, "Whist club", int(BEGINNING))


async def test_silent_messages_edits_and_comings_and_goings_do_not_ring(telegram: CheckedTelegram) -> None:
    ada, bob = await telegram.friend("Ada"), await telegram.friend("Bob")
    group = await telegram.group(ada)
    message_id = await telegram.say(group, "hush", disable_notification=True)
    await telegram.ok("editMessageText", chat_id=group, message_id=message_id, text="hush!")
    await telegram.set_member(group, bob, "member")
    assert await rings(telegram, ada) == []


async def test_unread_is_what_others_wrote_since_one_looked(telegram: CheckedTelegram) -> None:
    ada, bob = await telegram.friend("Ada"), await telegram.friend("Bob")
    group = await telegram.group(ada, bob)

    async def unread(person: int) -> Json:
        counts: Json = await telegram.ask("unread", user=person)
        return counts

    await telegram.say(group)
    await telegram.say(group)
    await telegram.say(ada)
    await telegram.send(bob, group, "hello")
    assert await unread(ada) == {str(ada): 1, str(group): 3}
    assert await unread(bob) == {}, "who writes has read"
    await telegram.act("read", user=ada, chat=group)
    assert await unread(ada) == {str(ada): 1}


async def test_a_group_says_who_is_in_it(telegram: CheckedTelegram) -> None:
    ada, bob = await telegram.friend("Ada"), await telegram.friend("Bob")
    group = await telegram.group(ada, bob, kind="group")
    (shown,) = (await telegram.ask("world"))["chats"]
    assert (shown["id"], shown["type"], shown["title"]) == (group, "group", "Whist club")
    assert shown["members"] == [
        {"user": ada, "status": "creator"},
        {"user": bob, "status": "member"},
        {"user": "bot", "status": "member"},
    ]


async def test_a_person_who_is_renamed_is_told_by_the_new_name_from_then_on(
    telegram: CheckedTelegram,
) -> None:
    ada = await telegram.friend("Ada")
    group = await telegram.group(ada)
    await telegram.act("rename_user", user=ada, first_name="Augusta", last_name="King")
    assert await telegram.updates() == []

    await telegram.send(ada, group, "/go")
    (message,) = await telegram.updates("message")
    assert (message["from"]["first_name"], message["from"]["last_name"]) == ("Augusta", "King")
    member = await telegram.ok("getChatMember", chat_id=group, user_id=ada)
    assert member["user"]["first_name"] == "Augusta"
    assert (await telegram.ok("getChat", chat_id=ada))["first_name"] == "Augusta"

    await telegram.act("rename_user", user=ada, first_name="Ada")
    (shown,) = (await telegram.ask("world"))["users"]
    assert (shown["first_name"], shown["last_name"]) == ("Ada", None)
    with pytest.raises(ControlRefused, match="first_name is empty"):
        await telegram.act("rename_user", user=ada, first_name=" ")


async def test_everything_that_happens_stands_in_the_chat(telegram: CheckedTelegram) -> None:
    ada, bob = await telegram.friend("Ada"), await telegram.friend("Bob")
    forum = await telegram.group(ada, is_forum=True, bot="administrator")
    thread = await telegram.new_topic(forum, "Cards")
    for status in ("member", "left", "member", "kicked"):
        await telegram.set_member(forum, bob, status)
    await telegram.act("rename_topic", chat=forum, thread=thread, name="Chess")
    for closed in (True, False):
        await telegram.act("close_topic", chat=forum, thread=thread, closed=closed)
    await telegram.act("rename_chat", chat=forum, title="Games")
    message_id = await telegram.send(ada, forum, "hello")
    await telegram.ok("pinChatMessage", chat_id=forum, message_id=message_id)
    lines = [message.text for message in await telegram.messages(forum, ada)]
    assert lines == [
        "Ada created the group",
        "Ada added Sandbox Bot",
        "Ada created the topic «Cards»",
        "Ada added Bob",
        "Bob left",
        "Ada added Bob",
        "Ada removed Bob",
        "Ada renamed the topic to «Chess»",
        "Ada closed the topic",
        "Ada reopened the topic",
        "Ada renamed the group to «Games»",
        "hello",
        "Sandbox Bot pinned a message",
    ]
    old = await telegram.group(ada, kind="group")
    await telegram.upgrade(old)
    assert (await telegram.messages(old, ada))[-1].text == "The group was upgraded to a supergroup"


async def test_of_a_long_chat_only_the_newest_can_be_asked_for(telegram: CheckedTelegram, ada: int) -> None:
    for number in range(5):
        await telegram.say(ada, str(number))
    assert [message.text for message in await telegram.messages(ada, ada, limit=2)] == ["3", "4"]
    assert len(await telegram.messages(ada, ada, limit=99)) == 6


async def test_the_calls_of_the_bot_are_logged(telegram: CheckedTelegram, ada: int) -> None:
    since = (await telegram.calls())[-1]["n"]
    await telegram.say(ada)
    await telegram.api("sendmessage", chat_id=7, text="x")
    taken, refused = await telegram.calls(since)
    assert (taken["method"], taken["chat_id"], taken["ok"], taken["status"]) == (
        "sendMessage",
        ada,
        True,
        200,
    )
    assert taken["ms"] >= 0
    assert (refused["n"], refused["method"], refused["status"]) == (since + 2, "sendMessage", 400)
    assert refused["description"] == "Bad Request: chat not found"


async def test_a_reset_empties_the_world_and_keeps_the_bot(telegram: CheckedTelegram) -> None:
    await telegram.friend()
    await telegram.ok("setMyCommands", commands=[{"command": "go", "description": "go"}])
    await telegram.fault(status=500)
    await telegram.send(*(await telegram.new_user("Bob"),) * 2, "pending")
    await telegram.reset()
    world = await telegram.ask("world")
    assert (world["users"], world["chats"]) == ([], [])
    assert await telegram.updates() == []
    assert len(await telegram.ok("getMyCommands")) == 1
    ada = await telegram.friend()
    assert await telegram.say(ada) > 0


@pytest.mark.parametrize("kind", ["group", "supergroup"])
async def test_nobody_new_has_an_id_from_before_a_reset(telegram: CheckedTelegram, kind: str) -> None:
    """OURS: to a bot that remembers whom it has met, an id means one person for ever."""
    ada, group = await telegram.friend("Ada"), await telegram.group(kind=kind)
    old = await telegram.say(ada)
    await telegram.reset()
    bob = await telegram.friend("Bob")
    assert bob != ada
    assert await telegram.group(kind=kind) != group
    assert await telegram.say(bob) > old


async def test_time_passes_on_order_and_never_backwards(telegram: CheckedTelegram, ada: int) -> None:
    await telegram.advance(100)
    assert (await telegram.ok("sendMessage", chat_id=ada, text="x"))["date"] == int(BEGINNING) + 100
    with pytest.raises(ControlRefused, match="back"):
        await telegram.advance(-1)


REFUSED: list[tuple[str, Json]] = [
    ("users", {}),
    ("users", {"first_name": " "}),
    ("users", {"first_name": 7}),
    ("users", {"first_name": "Ada", "age": 36}),
    ("chats", {"title": "Club", "members": ["Ada"]}),
    ("chats", {"title": "Club", "bot": "king"}),
    ("chats", {"title": "Club", "type": "channel"}),
    ("chats", {"title": " "}),
    ("chats", {"title": "Club", "members": [7]}),
    ("chats", {"title": "Club", "type": "group", "is_forum": True}),
    ("topics", {"chat": -1, "name": "x"}),
    ("send", {"from": 7, "chat": 7, "text": "x"}),
    ("start", {"from": 7}),
    ("block", {"user": 7, "blocked": True}),
    ("members", {"chat": -1, "user": 7, "status": "member"}),
    ("permissions", {"chat": -1, "permissions": {}}),
    ("upgrade", {"chat": -1}),
    ("delete", {"chat": -1}),
    ("clock", {"advance": "1"}),
    ("fly", {}),
]


@pytest.mark.parametrize(("route", "fields"), REFUSED, ids=[f"{route} {fields}" for route, fields in REFUSED])
async def test_what_nobody_could_do_is_refused(telegram: CheckedTelegram, route: str, fields: Json) -> None:
    with pytest.raises(ControlRefused):
        await telegram.act(route, **fields)


GROUP_REFUSED: list[Json] = [
    {"user": "somebody", "status": "member"},
    {"user": "bot", "status": "creator"},
    {"status": "member"},
    {"user": "ada", "status": "king"},
    {"user": "ada", "status": "restricted"},
    {"user": "ada", "status": "administrator", "rights": {"can_fly": True}},
]


@pytest.mark.parametrize("fields", GROUP_REFUSED, ids=str)
async def test_memberships_that_cannot_be_are_refused(
    telegram: CheckedTelegram, ada: int, fields: Json
) -> None:
    group = await telegram.group(ada, kind="group")
    user = {"user": ada} if fields.get("user") == "ada" else {}
    with pytest.raises(ControlRefused):
        await telegram.act("members", chat=group, **{**fields, **user})
    with pytest.raises(ControlRefused):
        await telegram.act("members", chat=ada, user=ada, status="left")


async def test_what_may_not_be_written_is_refused(telegram: CheckedTelegram) -> None:
    ada, bob = await telegram.friend("Ada"), await telegram.friend("Bob")
    group = await telegram.group(ada, bob)
    await telegram.set_member(group, bob, "restricted", {"can_send_messages": False})
    message_id = await telegram.send(ada, group, "mine")
    for attempt in (
        telegram.send(ada, group, " \n"),
        telegram.send(ada, group, "x" * 4097),
        telegram.send(bob, group, "x"),
        telegram.send(ada, group, "x", thread=7),
        telegram.send(ada, group, "x", reply_to=999),
        telegram.edit(bob, group, message_id, "not mine"),
        telegram.delete(group, 999),
    ):
        with pytest.raises(ControlRefused):
            await attempt


async def test_a_body_must_be_a_json_object(telegram: CheckedTelegram) -> None:
    async with httpx.AsyncClient(base_url=telegram.url, timeout=PATIENCE) as http:
        for body in ("[]", "{", "1"):
            answer = await http.post("/control/users", content=body)
            assert answer.status_code == 400
            assert answer.json()["error"].startswith("the body must be a JSON object")
        assert (await http.get("/control/messages", params={"chat": "x"})).status_code == 400
        assert (await http.get("/control/messages")).status_code == 400
        assert (await http.get("/nowhere")).status_code == 404


async def test_the_server_is_on_loopback_only(telegram: CheckedTelegram) -> None:
    assert telegram.server is not None
    assert telegram.url.startswith("http://127.0.0.1:")


class Page:
    """An open page: collects the frames that are pushed to it."""

    def __init__(self) -> None:
        self.frames: asyncio.Queue[Json] = asyncio.Queue()

    def on_frame(self, frame: str | bytes | None) -> None:
        if frame is not None:
            self.frames.put_nowait(json.loads(frame))

    async def frame(self, kind: str) -> Any:
        """The next frame of a kind; others before it are passed over."""
        async with asyncio.timeout(PATIENCE):
            while (frame := await self.frames.get())["type"] != kind:
                pass
            return frame


async def test_the_page_is_told_of_everything_as_it_happens(telegram: CheckedTelegram) -> None:
    page = Page()
    socket = await websocket_connect(
        telegram.url.replace("http", "ws") + "/ws", on_message_callback=page.on_frame
    )
    ada = await telegram.friend()
    await page.frame("world")
    message_id = await telegram.say(ada, "one")
    frame = await page.frame("message")
    while frame["message"]["text"] != "one":
        frame = await page.frame("message")
    assert (frame["chat"], frame["message"]) == (ada, (await telegram.messages(ada, ada))[-1].raw)
    ring = await page.frame("notification")
    assert ring == {
        "type": "notification",
        "user": ada,
        "chat": ada,
        "message_id": message_id,
        "title": "Sandbox Bot",
        "text": "one",
    }
    call = await page.frame("call")
    assert (call["call"]["method"], call["call"]["status"]) == ("sendMessage", 200)

    await telegram.ok("editMessageText", chat_id=ada, message_id=message_id, text="two")
    assert (await page.frame("edited"))["message"]["text"] == "two"
    press = asyncio.create_task(telegram.press_data(ada, ada, message_id, "x"))
    (query,) = await telegram.ok("getUpdates", timeout=20)
    answer = {"callback_query_id": query["callback_query"]["id"], "text": "toast"}
    await telegram.ok("answerCallbackQuery", **answer)
    frame = await page.frame("callback_answer")
    assert (frame["user"], frame["message_id"], frame["text"], frame["show_alert"]) == (
        ada,
        message_id,
        "toast",
        False,
    )
    await press
    await telegram.ok("deleteMessage", chat_id=ada, message_id=message_id)
    assert await page.frame("deleted") == {"type": "deleted", "chat": ada, "message_ids": [message_id]}
    await telegram.reset()
    await page.frame("reset")
    socket.close()


async def test_a_page_of_another_site_is_told_nothing(telegram: CheckedTelegram) -> None:
    """A browser lets any site open a WebSocket to this machine; its Origin gives it away."""
    async with httpx.AsyncClient(timeout=PATIENCE) as http:
        headers = {
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "x" * 22 + "==",
            "Origin": "https://example.org",
        }
        assert (await http.get(f"{telegram.url}/ws", headers=headers)).status_code == 403
