"""Edits, deletions, pins and reactions: what can be changed, for how long, and by whom."""

import pytest

from tests.e2e.telegram import Json
from tests.sandbox.telegram import CheckedTelegram

GO: Json = {"inline_keyboard": [[{"text": "go", "callback_data": "go"}]]}
NOT_MODIFIED = (
    "Bad Request: message is not modified: specified new message content and reply markup are exactly"
    " the same as a current content and reply markup of the message"
)
HOUR = 3600


async def test_an_edit_changes_the_text_and_keeps_the_place(telegram: CheckedTelegram, ada: int) -> None:
    """From DOCS, editMessageText: answers the edited message."""
    first, second = await telegram.say(ada, "one"), await telegram.say(ada, "two")
    await telegram.advance(60)
    message = await telegram.ok("editMessageText", chat_id=ada, message_id=first, text="ONE")

    assert (message["text"], message["edit_date"]) == ("ONE", message["date"] + 60)
    shown = (await telegram.messages(ada, ada))[-2:]
    assert [(item.message_id, item.text, item.edited) for item in shown] == [
        (first, "ONE", True),
        (second, "two", False),
    ]


async def test_an_edit_rings_nobody_and_is_no_update(telegram: CheckedTelegram, ada: int) -> None:
    """From DOCS: edited_message tells of others' edits; notifications come with new messages only."""
    message_id = await telegram.say(ada, "one")
    rings = await telegram.notifications(ada)
    await telegram.ok("editMessageText", chat_id=ada, message_id=message_id, text="two")
    assert await telegram.notifications(ada) == rings
    assert await telegram.updates() == []


async def test_an_edit_without_a_keyboard_removes_it(telegram: CheckedTelegram, ada: int) -> None:
    """From DOCS, editMessageText: reply_markup is part of what the message becomes."""
    message_id = await telegram.say(ada, "x", reply_markup=GO)
    message = await telegram.ok("editMessageText", chat_id=ada, message_id=message_id, text="y")
    assert "reply_markup" not in message


async def test_an_edit_that_changes_nothing_is_refused(telegram: CheckedTelegram, ada: int) -> None:
    """From SERVER, fail_query_with_error: MESSAGE_NOT_MODIFIED. It is what is shown that counts."""
    message_id = await telegram.say(ada, "<b>x</b>", parse_mode="HTML", reply_markup=GO)
    place = {"chat_id": ada, "message_id": message_id}
    same = {**place, "text": "*x* ", "parse_mode": "MarkdownV2", "reply_markup": GO}
    assert await telegram.refusal("editMessageText", **same) == NOT_MODIFIED
    assert await telegram.refusal("editMessageReplyMarkup", **place, reply_markup=GO) == NOT_MODIFIED

    await telegram.ok("editMessageText", **{**same, "text": "x"})
    await telegram.ok("editMessageReplyMarkup", **place)
    assert await telegram.refusal("editMessageReplyMarkup", **place) == NOT_MODIFIED


async def test_only_the_bots_own_messages_can_be_edited(telegram: CheckedTelegram, ada: int) -> None:
    """From DOCS and SERVER; neither can one that was sent with a reply keyboard (LIVE)."""
    theirs = await telegram.send(ada, ada, "hello")
    with_keyboard = await telegram.say(ada, reply_markup={"keyboard": [[{"text": "A"}]]})
    for message_id in (theirs, with_keyboard):
        edit = {"chat_id": ada, "message_id": message_id, "text": "y"}
        assert await telegram.refusal("editMessageText", **edit) == "Bad Request: message can't be edited"


async def test_what_is_not_there_cannot_be_edited(telegram: CheckedTelegram, ada: int) -> None:
    """From SERVER, check_message."""
    for message_id in (999, 0, -1):
        edit = {"chat_id": ada, "message_id": message_id, "text": "y"}
        assert await telegram.refusal("editMessageText", **edit) == "Bad Request: message to edit not found"
    assert await telegram.refusal("editMessageText", chat_id=ada, text="y") == (
        "Bad Request: message identifier is not specified"
    )


async def test_edits_have_their_own_words_for_what_is_too_long(telegram: CheckedTelegram, ada: int) -> None:
    """From github.com/teloxide/teloxide/issues/430: unlike sendMessage they pass on the data centre's."""
    place = {"chat_id": ada, "message_id": await telegram.say(ada)}
    assert (
        await telegram.refusal("editMessageText", **place, text="x" * 4097) == "Bad Request: MESSAGE_TOO_LONG"
    )


async def test_texts_have_no_captions(telegram: CheckedTelegram, ada: int) -> None:
    """From TDLib, MessagesManager::edit_message_caption."""
    place = {"chat_id": ada, "message_id": await telegram.say(ada)}
    refusal = await telegram.refusal("editMessageCaption", **place, caption="y")
    assert refusal == "Bad Request: there is no caption in the message to edit"


async def test_a_bot_may_edit_for_ever(telegram: CheckedTelegram, ada: int) -> None:
    """From DOCS: only business messages have a limit of 48 hours."""
    message_id = await telegram.say(ada)
    await telegram.advance(1000 * HOUR)
    assert await telegram.ok("editMessageText", chat_id=ada, message_id=message_id, text="y")


# --------------------------------------------------------------------------------------------------- deleting


async def test_what_is_deleted_is_gone_for_everybody(telegram: CheckedTelegram, ada: int) -> None:
    """From DOCS, deleteMessage."""
    place = {"chat_id": ada, "message_id": await telegram.say(ada, "secret")}
    assert await telegram.ok("deleteMessage", **place) is True
    assert "secret" not in [message.text for message in await telegram.messages(ada, ada)]
    assert await telegram.refusal("deleteMessage", **place) == "Bad Request: message to delete not found"


@pytest.mark.parametrize("kind", ["private", "group", "supergroup"])
async def test_the_bots_own_messages_can_be_deleted_for_48_hours(
    telegram: CheckedTelegram, ada: int, kind: str
) -> None:
    """From DOCS, deleteMessage."""
    chat = ada if kind == "private" else await telegram.group(ada, kind=kind)
    first, second = await telegram.say(chat), await telegram.say(chat)
    await telegram.advance(48 * HOUR)
    assert await telegram.ok("deleteMessage", chat_id=chat, message_id=first)
    await telegram.advance(1)
    refusal = await telegram.refusal("deleteMessage", chat_id=chat, message_id=second)
    assert refusal == "Bad Request: message can't be deleted for everyone"


async def test_others_messages_are_deleted_by_admins_only(
    telegram: CheckedTelegram, ada: int, group: int
) -> None:
    """From DOCS, deleteMessage: an admin with the right deletes anything, however old; in private anybody
    does.
    """
    message_id = await telegram.send(ada, group, "hello")
    place = {"chat_id": group, "message_id": message_id}
    assert await telegram.refusal("deleteMessage", **place) == "Bad Request: message can't be deleted"
    await telegram.set_member(group, "bot", "administrator", {"can_delete_messages": False})
    assert await telegram.refusal("deleteMessage", **place) == "Bad Request: message can't be deleted"
    await telegram.set_member(group, "bot", "administrator")
    await telegram.advance(100 * HOUR)
    assert await telegram.ok("deleteMessage", **place)

    in_private = await telegram.send(ada, ada, "hello")
    assert await telegram.ok("deleteMessage", chat_id=ada, message_id=in_private)


async def test_some_can_be_deleted_at_once_and_missing_ones_are_passed_over(
    telegram: CheckedTelegram,
    ada: int,
) -> None:
    """From DOCS, deleteMessages: 1 to 100."""
    mine = [await telegram.say(ada) for _ in range(3)]
    assert await telegram.ok("deleteMessages", chat_id=ada, message_ids=[*mine, 999]) is True
    assert not any(message.from_bot for message in await telegram.messages(ada, ada))
    for wrong, words in (
        ([], "message identifiers are not specified"),
        (list(range(1, 102)), "too many message"),
    ):
        refusal = await telegram.refusal("deleteMessages", chat_id=ada, message_ids=wrong)
        assert refusal.startswith(f"Bad Request: {words}")


async def test_numbers_are_not_used_again(telegram: CheckedTelegram, ada: int) -> None:
    """From core.telegram.org/api/updates: ids only grow."""
    first = await telegram.say(ada)
    await telegram.ok("deleteMessage", chat_id=ada, message_id=first)
    assert await telegram.say(ada) > first


# -------------------------------------------------------------------------------------------- pins, reactions


async def test_pins_are_told_and_ring_in_groups_unless_silent(telegram: CheckedTelegram, ada: int) -> None:
    """From DOCS, pinChatMessage."""
    group = await telegram.group(ada, bot="administrator")
    quiet, loud = [await telegram.say(group, text, disable_notification=True) for text in ("a", "b")]
    before = len(await telegram.notifications(ada))
    await telegram.ok("pinChatMessage", chat_id=group, message_id=quiet, disable_notification=True)
    assert len(await telegram.notifications(ada)) == before
    await telegram.ok("pinChatMessage", chat_id=group, message_id=loud)
    assert len(await telegram.notifications(ada)) == before + 1
    shown = {message.message_id: message.raw["pinned"] for message in await telegram.messages(group, ada)}
    assert shown[quiet]
    assert shown[loud]


async def test_a_bot_hears_of_its_own_pin_and_of_nothing_else_that_it_writes(
    telegram: CheckedTelegram,
    ada: int,
) -> None:
    """From telegram-bot-api, Client.cpp, need_skip_update_message."""
    group = await telegram.group(ada, bot="administrator")
    message_id = await telegram.say(group)
    await telegram.updates()
    await telegram.ok("pinChatMessage", chat_id=group, message_id=message_id)
    (message,) = await telegram.updates("message")
    assert message["pinned_message"]["message_id"] == message_id
    assert message["from"]["is_bot"]


async def test_the_newest_pin_goes_first(telegram: CheckedTelegram, ada: int) -> None:
    """From DOCS, unpinChatMessage: without message_id «the most recent pinned message»."""
    messages = [await telegram.say(ada, str(number)) for number in range(3)]
    for message_id in messages:
        await telegram.ok("pinChatMessage", chat_id=ada, message_id=message_id)
    await telegram.ok("unpinChatMessage", chat_id=ada)
    await telegram.ok("unpinChatMessage", chat_id=ada, message_id=messages[0])
    chat = await telegram.ok("getChat", chat_id=ada)
    assert chat["pinned_message"]["message_id"] == messages[1]
    await telegram.ok("unpinAllChatMessages", chat_id=ada)
    assert "pinned_message" not in await telegram.ok("getChat", chat_id=ada)
    assert (
        await telegram.refusal("unpinChatMessage", chat_id=ada) == "Bad Request: message to unpin not found"
    )


async def test_a_deleted_message_is_pinned_no_more(telegram: CheckedTelegram, ada: int) -> None:
    """From DOCS, ChatFullInfo: pinned_message is the newest that is there."""
    message_id = await telegram.say(ada)
    await telegram.ok("pinChatMessage", chat_id=ada, message_id=message_id)
    await telegram.ok("deleteMessage", chat_id=ada, message_id=message_id)
    assert "pinned_message" not in await telegram.ok("getChat", chat_id=ada)
    refusal = await telegram.refusal("pinChatMessage", chat_id=ada, message_id=message_id)
    assert refusal == "Bad Request: message to pin not found"


async def test_a_bot_reacts_with_one_emoji_at_most(telegram: CheckedTelegram, ada: int) -> None:
    """From DOCS, setMessageReaction: «as non-premium users, bots can set up to one reaction per message»."""
    message_id = await telegram.send(ada, ada, "hello")
    place = {"chat_id": ada, "message_id": message_id}
    thumb = {"type": "emoji", "emoji": "👍"}
    assert await telegram.ok("setMessageReaction", **place, reaction=[thumb]) is True
    assert (await telegram.messages(ada, ada))[-1].raw["reactions"] == ["👍"]
    assert await telegram.ok("setMessageReaction", **place) is True
    assert (await telegram.messages(ada, ada))[-1].raw["reactions"] == []
    assert await telegram.refusal("setMessageReaction", **place, reaction=[thumb, thumb]) == (
        "Bad Request: REACTIONS_TOO_MANY"
    )
    refusal = await telegram.refusal("setMessageReaction", **{**place, "message_id": 999}, reaction=[thumb])
    assert refusal == "Bad Request: message to react not found"
