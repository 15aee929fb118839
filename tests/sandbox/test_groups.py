"""Groups: what the bot receives, what it may do, and changes of membership."""

from typing import Any

import pytest

from tests.e2e.telegram import Json
from tests.e2e.telegram import Refused as ControlRefused
from tests.sandbox.telegram import CheckedTelegram


async def heard(telegram: CheckedTelegram) -> list[str]:
    """The texts of all messages that have come."""
    return [message.get("text", "") for message in await telegram.updates("message")]


# ----------------------------------------------------------------------------------------------- privacy mode


@pytest.mark.parametrize("kind", ["group", "supergroup"])
async def test_in_privacy_mode_a_bot_hears_commands_mentions_and_answers_to_itself(
    telegram: CheckedTelegram, ada: int, kind: str
) -> None:
    """From FEATURES#privacy-mode."""
    group = await telegram.group(ada, kind=kind)
    ours = await telegram.say(group)
    theirs = await telegram.send(ada, group, "chatter")
    for text in (
        "/go",
        "/go@Sandbox_Bot now",
        "/go@other_bot",
        "well, /go",
        "hello @sandbox_bot!",
        "@other_bot",
    ):
        await telegram.send(ada, group, text)
    await telegram.send(ada, group, "an answer to the bot", reply_to=ours)
    await telegram.send(ada, group, "an answer to a person", reply_to=theirs)

    assert await heard(telegram) == [
        "/go",
        "/go@Sandbox_Bot now",
        "hello @sandbox_bot!",
        "an answer to the bot",
    ]


async def test_an_admin_bot_hears_everything(telegram: CheckedTelegram, ada: int) -> None:
    """From FEATURES#privacy-mode."""
    group = await telegram.group(ada, bot="administrator")
    await telegram.send(ada, group, "chatter")
    assert await heard(telegram) == ["chatter"]


async def test_a_bot_out_of_the_group_hears_nothing(telegram: CheckedTelegram, ada: int) -> None:
    """From DOCS, Update."""
    group = await telegram.group(ada, bot=False)
    await telegram.send(ada, group, "/go@sandbox_bot")
    assert await telegram.updates() == []


async def test_edits_are_heard_as_what_they_edit(telegram: CheckedTelegram, ada: int, group: int) -> None:
    """From DOCS, Update: edited_message, with the command that was a slip before."""
    command = await telegram.send(ada, group, "/og")
    chatter = await telegram.send(ada, group, "chatter")
    await telegram.updates()
    await telegram.edit(ada, group, command, "/go")
    await telegram.edit(ada, group, chatter, "more chatter")

    (edited,) = await telegram.updates("edited_message")
    assert (edited["text"], edited["message_id"], edited["edit_date"]) == ("/go", command, edited["date"])


# ------------------------------------------------------------------------------------------- coming and going


async def test_being_added_comes_as_my_chat_member_and_as_a_message(
    telegram: CheckedTelegram, ada: int
) -> None:
    """From DOCS, Update and Message: new_chat_members."""
    group = await telegram.new_group("Club", [ada])
    me = await telegram.ok("getMe")

    updates = await telegram.updates()
    change = next(update["my_chat_member"] for update in updates if "my_chat_member" in update)
    assert change["chat"] == {"id": group, "type": "supergroup", "title": "Club"}
    assert [change[side]["status"] for side in ("old_chat_member", "new_chat_member")] == ["left", "member"]
    message = next(update["message"] for update in updates if "message" in update)
    assert [member["id"] for member in message["new_chat_members"]] == [me["id"]]


KICKED = [("group", "group chat"), ("supergroup", "supergroup chat")]


@pytest.mark.parametrize(("kind", "name"), KICKED)
async def test_a_bot_that_is_thrown_out_is_told_and_can_do_nothing(
    telegram: CheckedTelegram, ada: int, kind: str, name: str
) -> None:
    """From SERVER, check_chat_access."""
    group = await telegram.group(ada, kind=kind)
    message_id = await telegram.say(group)
    await telegram.set_member(group, "bot", "kicked")

    (change,) = await telegram.updates("my_chat_member")
    assert change["new_chat_member"] == {**change["new_chat_member"], "status": "kicked", "until_date": 0}
    refusal = f"Forbidden: bot was kicked from the {name}"
    place = {"chat_id": group, "message_id": message_id}
    assert await telegram.refusal("sendMessage", chat_id=group, text="x") == refusal
    assert await telegram.refusal("editMessageText", **place, text="x") == refusal
    assert await telegram.refusal("deleteMessage", **place) == refusal
    assert await telegram.refusal("getChatAdministrators", chat_id=group) == refusal


@pytest.mark.parametrize(("kind", "name"), KICKED)
async def test_a_bot_that_has_left_is_no_member(
    telegram: CheckedTelegram, ada: int, kind: str, name: str
) -> None:
    """From SERVER, check_chat_access; where it never was, there is no chat for it."""
    group = await telegram.group(ada, kind=kind)
    assert await telegram.ok("leaveChat", chat_id=group)
    assert await telegram.refusal("sendMessage", chat_id=group, text="x") == (
        f"Forbidden: bot is not a member of the {name}"
    )

    elsewhere = await telegram.group(ada, kind=kind, bot=False)
    refusal = "Bad Request: chat not found"
    assert await telegram.refusal("sendMessage", chat_id=elsewhere, text="x") == refusal
    assert await telegram.refusal("getChat", chat_id=elsewhere) == refusal


async def test_a_bot_can_be_brought_back(telegram: CheckedTelegram, group: int) -> None:
    """From DOCS, ChatMemberUpdated."""
    await telegram.set_member(group, "bot", "kicked")
    await telegram.set_member(group, "bot", "member")
    assert await telegram.say(group)


async def test_people_who_come_and_go_are_announced(telegram: CheckedTelegram) -> None:
    """From DOCS, Message: service messages reach bots in privacy mode; chat_member must be asked for, by
    an admin.
    """
    ada, bob = await telegram.friend("Ada"), await telegram.friend("Bob")
    group = await telegram.group(ada, bot="administrator")
    await telegram.ok("getUpdates", allowed_updates=["message", "chat_member"])
    for status in ("member", "left"):
        await telegram.set_member(group, bob, status)

    updates = await telegram.updates()
    messages = [update["message"] for update in updates if "message" in update]
    assert [member["id"] for member in messages[0]["new_chat_members"]] == [bob]
    assert messages[1]["left_chat_member"]["id"] == bob
    changes = [update["chat_member"] for update in updates if "chat_member" in update]
    assert [change["new_chat_member"]["status"] for change in changes] == ["member", "left"]


async def test_who_is_not_in_a_group_neither_reads_nor_writes_there(telegram: CheckedTelegram) -> None:
    """From the clients: there is no way in."""
    ada, bob = await telegram.friend("Ada"), await telegram.friend("Bob")
    group = await telegram.group(ada)
    for attempt in (
        telegram.send(bob, group, "/go"),
        telegram.messages(group, bob),
        telegram.press_data(bob, group, 1, "x"),
    ):
        with pytest.raises(ControlRefused, match="not in chat"):
            await attempt


# ------------------------------------------------------------------------------------------------- who is who


async def test_members_of_every_status(telegram: CheckedTelegram) -> None:
    """From DOCS, ChatMember."""
    people = [await telegram.friend(name) for name in ("Ada", "Bob", "Cyd", "Dan", "Eve", "Fay")]
    ada, bob, cyd, dan, eve, fay = people
    group = await telegram.group(ada, cyd, dan, eve, admins=[bob], creator=ada)
    await telegram.set_member(group, dan, "kicked")
    await telegram.set_member(group, eve, "restricted", {"can_send_photos": False})

    async def member(person: int) -> Json:
        result: Json = await telegram.ok("getChatMember", chat_id=group, user_id=person)
        return result

    statuses = [(await member(person))["status"] for person in people]
    assert statuses == ["creator", "administrator", "member", "kicked", "restricted", "left"]
    assert (await member(bob))["can_pin_messages"] is True
    assert (await member(eve))["can_send_photos"] is False
    assert (await member(fay))["user"]["first_name"] == "Fay"
    admins = await telegram.ok("getChatAdministrators", chat_id=group)
    assert [admin["user"]["id"] for admin in admins] == [ada, bob]
    assert await telegram.ok("getChatMemberCount", chat_id=group) == 5
    refusal = await telegram.refusal("getChatMember", chat_id=group, user_id=7)
    assert refusal == "Bad Request: user not found"


async def test_only_an_admin_hears_of_whoever_it_asks_about(telegram: CheckedTelegram) -> None:
    """From DOCS, getChatMember: «only guaranteed to work for other users if the bot is an administrator»."""
    ada, bob = await telegram.new_user("Ada"), await telegram.new_user("Bob")
    group = await telegram.new_group("Club", [ada, bob])
    small = await telegram.new_group("Small club", [ada, bob], kind="group")
    unmet: Json = {"chat_id": group, "user_id": bob}
    assert await telegram.refusal("getChatMember", **unmet) == "Bad Request: PARTICIPANT_ID_INVALID"
    assert (await telegram.ok("getChatMember", chat_id=small, user_id=bob))["status"] == "member"
    await telegram.ok("getChatAdministrators", chat_id=group)
    assert (await telegram.ok("getChatMember", chat_id=group, user_id=ada))["status"] == "creator"

    await telegram.set_member(group, "bot", "administrator")
    assert (await telegram.ok("getChatMember", **unmet))["status"] == "member"
    await telegram.set_member(group, "bot", "member")
    await telegram.send(bob, group, "/go")
    assert (await telegram.ok("getChatMember", **unmet))["status"] == "member"


async def test_hidden_members_are_for_admins_only(telegram: CheckedTelegram, ada: int, group: int) -> None:
    """From DOCS, ChatFullInfo: has_hidden_members, and github.com/teloxide/teloxide/issues/1349."""
    await telegram.act("hide_members", chat=group, hidden=True)
    asked: Json = {"chat_id": group, "user_id": ada}
    assert await telegram.refusal("getChatMember", **asked) == "Bad Request: CHAT_ADMIN_REQUIRED"
    assert (await telegram.ok("getChat", chat_id=group))["has_hidden_members"] is True
    me = (await telegram.ok("getMe"))["id"]
    assert (await telegram.ok("getChatMember", chat_id=group, user_id=me))["status"] == "member"
    assert [admin["user"]["id"] for admin in await telegram.ok("getChatAdministrators", chat_id=group)] == [
        ada
    ]

    await telegram.set_member(group, "bot", "administrator")
    assert (await telegram.ok("getChatMember", **asked))["status"] == "creator"
    await telegram.set_member(group, "bot", "member")
    await telegram.act("hide_members", chat=group, hidden=False)
    assert (await telegram.ok("getChatMember", **asked))["status"] == "creator"
    small = await telegram.group(ada, kind="group")
    with pytest.raises(ControlRefused, match="supergroup"):
        await telegram.act("hide_members", chat=small, hidden=True)


@pytest.mark.parametrize("kind", ["group", "supergroup"])
async def test_a_group_that_is_renamed_says_so(telegram: CheckedTelegram, ada: int, kind: str) -> None:
    """From DOCS, Message: new_chat_title; chats are told by their new name from then on."""
    group = await telegram.group(ada, kind=kind)
    await telegram.act("rename_chat", chat=group, title=" Bridge club ")

    (message,) = await telegram.updates("message")
    assert (message["new_chat_title"], message["chat"]["title"]) == ("Bridge club", "Bridge club")
    assert (await telegram.ok("getChat", chat_id=group))["title"] == "Bridge club"
    for title, words in ((" ", "needs a title"), ("x" * 129, "longer")):
        with pytest.raises(ControlRefused, match=words):
            await telegram.act("rename_chat", chat=group, title=title)
    assert await telegram.updates() == []


async def test_private_chats_have_no_administrators(telegram: CheckedTelegram, ada: int) -> None:
    """From SERVER, process_get_chat_administrators_query and process_leave_chat_query."""
    assert await telegram.refusal("getChatAdministrators", chat_id=ada) == (
        "Bad Request: there are no administrators in the private chat"
    )
    assert await telegram.refusal("leaveChat", chat_id=ada) == (
        "Bad Request: chat member status can't be changed in private chats"
    )
    assert await telegram.ok("getChatMemberCount", chat_id=ada) == 2


async def test_a_chat_tells_its_pins_and_permissions(telegram: CheckedTelegram, ada: int) -> None:
    """From DOCS, ChatFullInfo."""
    group = await telegram.group(ada, bot="administrator")
    message_id = await telegram.say(group, "rules")
    await telegram.ok("pinChatMessage", chat_id=group, message_id=message_id)

    chat = await telegram.ok("getChat", chat_id=group)
    assert (chat["title"], chat["pinned_message"]["text"]) == ("Whist club", "rules")
    assert (chat["permissions"]["can_send_messages"], chat["permissions"]["can_pin_messages"]) == (
        True,
        False,
    )
    assert (await telegram.ok("getChat", chat_id=ada))["first_name"] == "Ada"


async def test_a_bot_that_may_restrict_closes_a_group_to_its_members(telegram: CheckedTelegram) -> None:
    """From DOCS, setChatPermissions; the refusals are TDLib's."""
    ada, bob = await telegram.friend("Ada"), await telegram.friend("Bob")
    group = await telegram.group(ada, bob)
    closed: Json = {"chat_id": group, "permissions": {"can_invite_users": True}}
    refused = "Bad Request: not enough rights to change chat permissions"
    assert await telegram.refusal("setChatPermissions", **closed) == refused
    await telegram.set_member(group, "bot", "administrator", {"can_restrict_members": False})
    assert await telegram.refusal("setChatPermissions", **closed) == refused
    await telegram.set_member(group, "bot", "administrator")
    await telegram.ok("setChatPermissions", **closed)
    assert await telegram.refusal("setChatPermissions", **closed) == "Bad Request: CHAT_NOT_MODIFIED"
    permissions = (await telegram.ok("getChat", chat_id=group))["permissions"]
    assert [name for name, is_given in permissions.items() if is_given] == ["can_invite_users"]
    with pytest.raises(ControlRefused, match="may not write here"):
        await telegram.send(bob, group, "hush")
    await telegram.send(ada, group, "my own group")
    await telegram.ok("setChatPermissions", chat_id=group, permissions={"can_send_other_messages": True})
    permissions = (await telegram.ok("getChat", chat_id=group))["permissions"]
    assert permissions["can_send_messages"]
    assert permissions["can_send_photos"]
    assert not permissions["can_send_polls"]


async def test_an_anonymous_admin_writes_as_the_group(telegram: CheckedTelegram) -> None:
    """From DOCS, Message: sender_chat, and a from «for backward compatibility»."""
    ada, bob = await telegram.friend("Ada"), await telegram.friend("Bob")
    group = await telegram.group(ada, bob)
    await telegram.send(ada, group, "/go", as_chat=True)

    (message,) = await telegram.updates("message")
    assert message["sender_chat"] == message["chat"]
    assert (message["from"]["id"], message["from"]["username"]) == (1087968824, "GroupAnonymousBot")
    with pytest.raises(ControlRefused, match="admin"):
        await telegram.send(bob, group, "/go", as_chat=True)


async def test_people_write_as_their_channels(telegram: CheckedTelegram, ada: int, group: int) -> None:
    """From DOCS, Message: sender_chat."""
    await telegram.act("send", **{"from": ada, "chat": group, "text": "/go", "as_channel": "News"})

    (message,) = await telegram.updates("message")
    assert (message["sender_chat"]["type"], message["sender_chat"]["title"]) == ("channel", "News")
    assert message["from"]["id"] == 136817688


# ----------------------------------------------------------------------------------------------------- rights


PICTURE = {"photo": "no-such-file"}
RIGHTS: list[tuple[dict[str, bool], str, dict[str, Any], str]] = [
    ({"can_send_messages": False}, "sendMessage", {"text": "x"}, "text messages"),
    ({"can_send_messages": False}, "sendPhoto", PICTURE, "photos"),
    ({"can_send_photos": False}, "sendPhoto", PICTURE, "photos"),
    ({"can_send_documents": False}, "sendDocument", {"document": "no-such-file"}, "documents"),
]


@pytest.mark.parametrize(("rights", "method", "sent", "name"), RIGHTS)
async def test_without_the_right_to_send_something_it_is_refused(
    telegram: CheckedTelegram, ada: int, rights: dict[str, bool], method: str, sent: Json, name: str
) -> None:
    """From TDLib, MessagesManager::can_send_message_content; an admin may always."""
    refusal = f"Bad Request: not enough rights to send {name} to the chat"

    group = await telegram.group(ada)
    await telegram.set_member(group, "bot", "restricted", rights)
    assert await telegram.refusal(method, chat_id=group, **sent) == refusal

    group = await telegram.group(ada)
    await telegram.act("permissions", chat=group, permissions=rights)
    assert await telegram.refusal(method, chat_id=group, **sent) == refusal
    await telegram.set_member(group, "bot", "administrator")
    assert (await telegram.api(method, chat_id=group, **sent)).get("description") != refusal


@pytest.mark.parametrize("method", ["pinChatMessage", "unpinChatMessage"])
async def test_pinning_takes_a_right(telegram: CheckedTelegram, group: int, method: str) -> None:
    """From SERVER and TDLib, MessagesManager::can_pin_messages."""
    message_id = await telegram.say(group)
    refusal = "Bad Request: not enough rights to manage pinned messages in the chat"
    assert await telegram.refusal(method, chat_id=group, message_id=message_id) == refusal
    await telegram.set_member(group, "bot", "administrator", {"can_pin_messages": False})
    assert await telegram.refusal(method, chat_id=group, message_id=message_id) == refusal


# -------------------------------------------------------------------------------------- becoming a supergroup


async def test_an_upgraded_group_is_closed_and_tells_its_new_id(telegram: CheckedTelegram, ada: int) -> None:
    """From SERVER, check_chat_access, and DOCS: migrate_to_chat_id in Message and ResponseParameters."""
    old = await telegram.group(ada, kind="group")
    message_id = await telegram.say(old)
    new = await telegram.upgrade(old)

    messages = await telegram.updates("message")
    assert [message.get("migrate_to_chat_id") for message in messages] == [new, None]
    assert [message.get("migrate_from_chat_id") for message in messages] == [None, old]
    assert [message["chat"]["id"] for message in messages] == [old, new]

    place: Json = {"chat_id": old, "message_id": message_id}
    new_text: Json = {"chat_id": old, "text": "x"}
    for method, sent in [
        ("sendMessage", new_text),
        ("deleteMessage", place),
        ("getChatAdministrators", {"chat_id": old}),
    ]:
        answer = await telegram.api(method, **sent)
        assert answer["description"] == "Bad Request: group chat was upgraded to a supergroup chat"
        assert answer["parameters"] == {"migrate_to_chat_id": new}
    assert (
        await telegram.refusal("editMessageText", **place, text="y") == "Bad Request: message can't be edited"
    )
    assert await telegram.say(new)


async def test_the_new_supergroup_has_none_of_the_old_messages(telegram: CheckedTelegram, ada: int) -> None:
    """From core.telegram.org/api/channel#migration: the history stays in the old chat."""
    old = await telegram.group(ada, kind="group")
    message_id = [await telegram.say(old) for _ in range(3)][-1]
    new = await telegram.upgrade(old)
    edit = {"chat_id": new, "message_id": message_id, "text": "y"}
    assert await telegram.refusal("editMessageText", **edit) == "Bad Request: message to edit not found"
    assert "hello" in [message.text for message in await telegram.messages(old, ada)]
    with pytest.raises(ControlRefused, match=str(new)):
        await telegram.send(ada, old, "anybody here?")
