"""python-telegram-bot's own client reads every answer and every update completely."""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest
import telegram as ptb
from telegram.constants import KeyboardButtonStyle, ParseMode

from tests.sandbox.pictures import png
from tests.sandbox.telegram import CheckedTelegram

NEWER_THAN_THE_LIBRARY = frozenset({"can_send_welcome_messages", "can_react_to_messages", "can_edit_tag"})
"""Fields of the Bot API 10.1 to 10.3, which python-telegram-bot 22.8 keeps but does not name."""
ALL_KINDS = [*ptb.Update.ALL_TYPES]


@pytest.fixture
async def bot(telegram: CheckedTelegram) -> AsyncIterator[ptb.Bot]:
    async with ptb.Bot(
        telegram.token, base_url=f"{telegram.url}/bot", base_file_url=f"{telegram.url}/file/bot"
    ) as it:
        yield it


def assert_complete(value: Any) -> None:
    """Check that no object of the library, however deep, has unknown fields."""
    if isinstance(value, list | tuple):
        for item in value:
            assert_complete(item)
    elif isinstance(value, ptb.TelegramObject):
        unknown = set(value.api_kwargs) - NEWER_THAN_THE_LIBRARY
        assert not unknown, f"{type(value).__name__} has {unknown}"
        for name in value.to_dict(recursive=False):
            assert_complete(getattr(value, "from_user" if name == "from" else name, None))


async def test_every_method_answers_what_the_library_understands(
    telegram: CheckedTelegram, bot: ptb.Bot
) -> None:
    ada, bob = await telegram.friend("Ada"), await telegram.friend("Bob")
    group = await telegram.group(ada, bob, bot="administrator")
    await telegram.set_member(group, bob, "restricted")
    forum = await telegram.group(ada, is_forum=True)
    thread = await telegram.new_topic(forum, "Cards")
    button = ptb.InlineKeyboardButton("go", callback_data="go", style=KeyboardButtonStyle.SUCCESS)
    copy = ptb.InlineKeyboardButton("copy", copy_text=ptb.CopyTextButton("abc"))
    markup = ptb.InlineKeyboardMarkup([[button, copy]])
    html = '<b>x</b> <tg-time unix="1800000060" format="T">soon</tg-time> '
    html += f'<a href="tg://user?id={ada}">Ada</a>'

    text = await bot.send_message(group, html, parse_mode=ParseMode.HTML, reply_markup=markup)
    photo = await bot.send_photo(group, png(), caption="x", reply_markup=markup, has_spoiler=True)
    document = await bot.send_document(group, b"x", filename="x.txt", protect_content=True)
    answers: list[Any] = [
        await bot.get_me(),
        text,
        photo,
        document,
        await bot.send_message(forum, "x", message_thread_id=thread),
        await bot.send_message(group, "y", reply_parameters=ptb.ReplyParameters(text.message_id, quote="x")),
        await bot.edit_message_text("y", group, text.message_id),
        await bot.edit_message_caption(group, photo.message_id, caption="y"),
        await bot.edit_message_media(ptb.InputMediaPhoto(png(3, 3), caption="z"), group, photo.message_id),
        await bot.edit_message_reply_markup(group, photo.message_id, reply_markup=markup),
        await bot.pin_chat_message(group, text.message_id),
        await bot.get_chat(group),
        await bot.get_chat(ada),
        await bot.get_chat_administrators(group),
        *[await bot.get_chat_member(group, user) for user in (ada, bob, (await bot.get_me()).id)],
        await bot.get_file(photo.photo[-1].file_id),
        await bot.get_webhook_info(),
        await bot.set_my_commands([ptb.BotCommand("go", "Go")], ptb.BotCommandScopeChat(group), "ru"),
        await bot.get_my_commands(ptb.BotCommandScopeChat(group), "ru"),
        await bot.get_my_name(),
        await bot.get_my_description(),
        await bot.get_my_short_description(),
        await bot.get_chat_menu_button(ada),
    ]
    assert_complete(answers)
    assert document.document is not None
    assert await (await bot.get_file(document.document)).download_as_bytearray() == b"x"
    assert [entity.type for entity in text.entities] == ["bold", "date_time", "text_mention"]


async def test_every_kind_of_update_is_understood(telegram: CheckedTelegram, bot: ptb.Bot) -> None:
    await bot.get_updates(allowed_updates=ALL_KINDS)
    ada, bob = await telegram.new_user("Ada"), await telegram.new_user("Bob")
    await telegram.start(ada, "payload")
    message_id = await telegram.say(ada)
    await telegram.press_data(ada, ada, message_id, "x", wait=0)
    await telegram.delete(ada, message_id)
    await telegram.press_data(ada, ada, message_id, "x", wait=0)
    await telegram.block(ada)
    group = await telegram.new_group("Club", [ada], bot="administrator", kind="supergroup", is_forum=True)
    thread = await telegram.new_topic(group, "Cards")
    question = await telegram.send(ada, group, "/go", thread=thread)
    await telegram.send(ada, group, "x", reply_to=question)
    await telegram.send(ada, group, "x", as_chat=True)
    await telegram.act("send", **{"from": ada, "chat": group, "text": "x", "as_channel": "News"})
    await telegram.edit(ada, group, question, "/gone")
    await telegram.set_member(group, bob, "restricted")
    await telegram.set_member(group, bob, "administrator")
    await telegram.set_member(group, bob, "kicked")
    await telegram.upgrade(await telegram.new_group("Old club", [ada], kind="group"))

    updates = await bot.get_updates()
    assert_complete(list(updates))
    kinds = {kind for update in updates for kind in update.to_dict() if kind != "update_id"}
    assert kinds == {"message", "edited_message", "callback_query", "my_chat_member", "chat_member"}
    messages = [update.callback_query.message for update in updates if update.callback_query]
    assert [message is not None and message.is_accessible for message in messages] == [True, False]


ERRORS = [
    (7, "x", ptb.error.BadRequest, "Chat not found"),
    (None, "x" * 4097, ptb.error.BadRequest, "Message is too long"),
]


@pytest.mark.parametrize(("chat", "text", "kind", "words"), ERRORS)
async def test_refusals_are_the_librarys_errors(
    ada: int,
    bot: ptb.Bot,
    chat: int | None,
    text: str,
    kind: type[Exception],
    words: str,
) -> None:
    with pytest.raises(kind, match=words):
        await bot.send_message(chat or ada, text)


async def test_the_librarys_special_errors_carry_what_they_should(
    telegram: CheckedTelegram, bot: ptb.Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PTB_TIMEDELTA", "true")
    ada = await telegram.friend()
    old = await telegram.group(ada, kind="group")
    new = await telegram.upgrade(old)
    with pytest.raises(ptb.error.ChatMigrated) as migrated:
        await bot.send_message(old, "x")
    assert migrated.value.new_chat_id == new

    await telegram.fault(status=429, retry_after=9)
    with pytest.raises(ptb.error.RetryAfter) as flooded:
        await bot.send_message(ada, "x")
    assert flooded.value.retry_after == timedelta(seconds=9)
    await telegram.fault()

    await telegram.block(ada)
    with pytest.raises(ptb.error.Forbidden, match="blocked"):
        await bot.send_message(ada, "x")
    wrong = ptb.Bot("1:wrong", base_url=f"{telegram.url}/bot")
    with pytest.raises(ptb.error.InvalidToken):
        await wrong.initialize()
    await wrong.shutdown()
