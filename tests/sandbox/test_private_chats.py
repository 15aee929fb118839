"""Private chats: who may write first, deep links, blocking."""

import pytest

from tests.e2e.telegram import Refused as ControlRefused
from tests.sandbox.telegram import BEGINNING, CheckedTelegram

STRANGER = "Forbidden: bot can't initiate conversation with a user"
BLOCKED = "Forbidden: bot was blocked by the user"
DEACTIVATED = "Forbidden: user is deactivated"


async def test_a_bot_cannot_write_first(telegram: CheckedTelegram) -> None:
    """From FEATURES, «How do bots differ from users», and LIVE."""
    ada = await telegram.new_user("Ada")
    assert await telegram.refusal("sendMessage", chat_id=ada, text="x") == STRANGER
    assert await telegram.refusal("sendChatAction", chat_id=ada, action="typing") == STRANGER

    await telegram.start(ada)
    assert await telegram.say(ada)


async def test_being_in_a_group_with_the_bot_is_not_enough(telegram: CheckedTelegram) -> None:
    """From FEATURES: the person must open the conversation."""
    ada = await telegram.new_user("Ada")
    await telegram.group(ada)
    assert await telegram.refusal("sendMessage", chat_id=ada, text="x") == STRANGER


async def test_start_comes_as_a_command_with_the_deep_links_payload(telegram: CheckedTelegram) -> None:
    """From FEATURES#deep-linking."""
    ada = await telegram.new_user("Ada", last_name="Lovelace", username="ada_l", language="en")
    message_id = await telegram.start(ada, "table-7_x")
    (message,) = await telegram.updates("message")

    person = {"id": ada, "first_name": "Ada", "last_name": "Lovelace", "username": "ada_l"}
    assert message == {
        "message_id": message_id,
        "date": int(BEGINNING),
        "chat": {**person, "type": "private"},
        "from": {**person, "is_bot": False, "language_code": "en"},
        "text": "/start table-7_x",
        "entities": [{"type": "bot_command", "offset": 0, "length": 6}],
    }


@pytest.mark.parametrize("payload", ["", "a b", "ключ", "x" * 65, "a.b"])
async def test_a_payload_is_1_to_64_letters_digits_dashes_and_underscores(
    telegram: CheckedTelegram, payload: str
) -> None:
    """From FEATURES#deep-linking."""
    ada = await telegram.new_user("Ada")
    with pytest.raises(ControlRefused, match="START_PARAM_INVALID"):
        await telegram.start(ada, payload)
    await telegram.start(ada, "x" * 64)


async def test_who_blocks_the_bot_is_out_of_its_reach(telegram: CheckedTelegram, ada: int) -> None:
    """From LIVE; edits and chat actions too. The bot is told by my_chat_member (DOCS, Update)."""
    message_id = await telegram.say(ada)
    await telegram.block(ada)

    (change,) = await telegram.updates("my_chat_member")
    assert (change["chat"]["id"], change["from"]["id"]) == (ada, ada)
    assert change["old_chat_member"]["status"] == "member"
    assert change["new_chat_member"]["status"] == "kicked"
    me = await telegram.ok("getMe")
    assert change["new_chat_member"]["user"]["id"] == me["id"]

    assert await telegram.refusal("sendMessage", chat_id=ada, text="x") == BLOCKED
    edit = {"chat_id": ada, "message_id": message_id, "text": "y"}
    assert await telegram.refusal("editMessageText", **edit) == BLOCKED
    assert await telegram.refusal("sendChatAction", chat_id=ada, action="typing") == BLOCKED


async def test_blocking_is_told_once(telegram: CheckedTelegram, ada: int) -> None:
    """From DOCS, Update: my_chat_member tells of changes."""
    for blocked in (True, True, False, False):
        await telegram.block(ada, blocked=blocked)
    statuses = [change["new_chat_member"]["status"] for change in await telegram.updates("my_chat_member")]
    assert statuses == ["kicked", "member"]
    assert await telegram.say(ada)


async def test_pressing_start_unblocks(telegram: CheckedTelegram, ada: int) -> None:
    """From the clients: «Restart bot» unblocks and sends /start; the change is told before the message."""
    await telegram.block(ada)
    await telegram.start(ada)

    kinds = [next(iter(update.keys() - {"update_id"})) for update in await telegram.updates()]
    assert kinds == ["my_chat_member", "my_chat_member", "message"]


async def test_who_has_blocked_the_bot_cannot_write_to_it(telegram: CheckedTelegram, ada: int) -> None:
    """From the clients: the composer is gone."""
    await telegram.block(ada)
    with pytest.raises(ControlRefused, match="blocked"):
        await telegram.send(ada, ada, "hello?")


async def test_a_deleted_account_is_out_of_reach_and_nobody_tells_the_bot(telegram: CheckedTelegram) -> None:
    """From LIVE; the words are those of telegram-bot-api's Client.cpp."""
    ada, bea = await telegram.friend(), await telegram.friend()
    club = await telegram.new_group("Whist", [bea, ada])
    message_id = await telegram.say(ada)
    await telegram.updates()
    rung = len(await telegram.notifications(ada))
    await telegram.deactivate(ada)

    assert await telegram.refusal("sendMessage", chat_id=ada, text="x") == DEACTIVATED
    edit = {"chat_id": ada, "message_id": message_id, "text": "y"}
    assert await telegram.refusal("editMessageText", **edit) == DEACTIVATED
    assert await telegram.updates() == []
    member = await telegram.ok("getChatMember", chat_id=club, user_id=ada)
    assert (member["status"], member["user"]["first_name"]) == ("member", "")
    await telegram.send(bea, club, "where is Ada?")
    assert len(await telegram.notifications(ada)) == rung
    for act in (telegram.send(ada, club, "x"), telegram.start(ada), telegram.block(ada)):
        with pytest.raises(ControlRefused, match="deleted the account"):
            await act


async def test_a_person_may_clear_the_chat_and_the_bot_is_not_told(
    telegram: CheckedTelegram, ada: int
) -> None:
    """From DOCS: there is no update for deletions; the messages can be neither edited nor deleted any
    more.
    """
    message_id = await telegram.say(ada)
    await telegram.delete(ada)

    assert await telegram.messages(ada, ada) == []
    assert await telegram.updates() == []
    edit = {"chat_id": ada, "message_id": message_id, "text": "y"}
    assert await telegram.refusal("editMessageText", **edit) == "Bad Request: message to edit not found"
    deletion = {"chat_id": ada, "message_id": message_id}
    assert await telegram.refusal("deleteMessage", **deletion) == "Bad Request: message to delete not found"


async def test_private_chats_and_basic_groups_share_one_numbering(telegram: CheckedTelegram) -> None:
    """From core.telegram.org/api/updates: an account has one message box for them, a supergroup has its
    own.
    """
    ada, bob = await telegram.friend("Ada"), await telegram.friend("Bob")
    group = await telegram.group(ada, bob, kind="group")
    numbers = [await telegram.say(chat) for chat in (ada, bob, group, ada)]
    assert numbers == list(range(numbers[0], numbers[0] + 4))

    first, second = await telegram.group(ada), await telegram.group(bob)
    assert await telegram.say(first) == await telegram.say(second)
