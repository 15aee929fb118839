"""Topics, threads, replies and quotes."""

import pytest

from tests.e2e.telegram import Json
from tests.e2e.telegram import Refused as ControlRefused
from tests.sandbox.telegram import CheckedTelegram


async def test_topics_are_threads(telegram: CheckedTelegram, ada: int) -> None:
    """From DOCS, Message: message_thread_id, is_topic_message; a topic's first message is its id."""
    forum = await telegram.group(ada, is_forum=True)
    thread = await telegram.new_topic(forum, "Cards")
    await telegram.send(ada, forum, "/go", thread=thread)
    await telegram.send(ada, forum, "/general")

    created, in_topic, in_general = await telegram.updates("message")
    assert created["forum_topic_created"]["name"] == "Cards"
    assert created["message_id"] == thread
    assert (in_topic["message_thread_id"], in_topic["is_topic_message"]) == (thread, True)
    assert in_topic["reply_to_message"]["message_id"] == thread
    assert not in_general.keys() & {"message_thread_id", "is_topic_message"}
    assert in_general["chat"]["is_forum"] is True

    answer = await telegram.ok("sendMessage", chat_id=forum, text="x", message_thread_id=thread)
    assert (answer["message_thread_id"], answer["is_topic_message"]) == (thread, True)
    answer = await telegram.ok(
        "sendMessage", chat_id=forum, text="x", reply_parameters={"message_id": thread}
    )
    assert answer["message_thread_id"] == thread


@pytest.mark.parametrize("thread", [1, 999])
async def test_a_thread_that_is_no_topic_is_refused(telegram: CheckedTelegram, ada: int, thread: int) -> None:
    """From LIVE; the General topic, too, which is written to without a thread (DOCS, sendMessage)."""
    forum = await telegram.group(ada, is_forum=True)
    refusal = await telegram.refusal("sendMessage", chat_id=forum, text="x", message_thread_id=thread)
    assert refusal == "Bad Request: message thread not found"


async def test_a_thread_id_alone_does_not_make_a_topic(
    telegram: CheckedTelegram, ada: int, group: int
) -> None:
    """From DOCS, Message: in a supergroup without topics a chain of answers has a thread id as well."""
    first = await telegram.say(group)
    await telegram.send(ada, group, "a", reply_to=first)
    (message,) = await telegram.updates("message")
    assert message["message_thread_id"] == first
    assert "is_topic_message" not in message
    assert message["reply_to_message"]["message_id"] == first


async def test_an_answer_in_general_has_a_thread_that_is_no_topic(
    telegram: CheckedTelegram, ada: int
) -> None:
    """From github.com/tdlib/telegram-bot-api/issues/447; nothing can be sent into such a thread."""
    forum = await telegram.group(ada, is_forum=True)
    first = await telegram.say(forum)
    await telegram.send(ada, forum, "a", reply_to=first)
    (message,) = await telegram.updates("message")
    assert message["message_thread_id"] == first
    assert "is_topic_message" not in message
    refusal = await telegram.refusal("sendMessage", chat_id=forum, text="x", message_thread_id=first)
    assert refusal == "Bad Request: message thread not found"


@pytest.mark.parametrize("is_general", [False, True])
async def test_a_closed_topic_is_for_who_manages_topics(telegram: CheckedTelegram, is_general: bool) -> None:
    """From DOCS, closeForumTopic, and LIVE: TOPIC_CLOSED."""
    ada, bob = await telegram.friend("Ada"), await telegram.friend("Bob")
    forum = await telegram.group(ada, bob, is_forum=True)
    thread = None if is_general else await telegram.new_topic(forum, "Cards")
    place: Json = {"chat_id": forum, "text": "x", **({"message_thread_id": thread} if thread else {})}
    ours = (await telegram.ok("sendMessage", **place))["message_id"]
    await telegram.updates()
    closing = {"chat": forum, "thread": thread or 1}
    await telegram.act("close_topic", **closing, closed=True)

    (closed,) = await telegram.updates("message")
    assert closed["forum_topic_closed"] == {}
    assert closed.get("message_thread_id") == thread
    assert await telegram.refusal("sendMessage", **place) == "Bad Request: TOPIC_CLOSED"
    answer = {"chat_id": forum, "text": "x", "reply_parameters": {"message_id": ours}}
    assert await telegram.refusal("sendMessage", **answer) == "Bad Request: TOPIC_CLOSED"
    with pytest.raises(ControlRefused, match="closed"):
        await telegram.send(bob, forum, "/go", thread=thread)
    assert await telegram.send(ada, forum, "mine", thread=thread)

    await telegram.set_member(forum, "bot", "administrator", {"can_manage_topics": False})
    assert await telegram.refusal("sendMessage", **place) == "Bad Request: TOPIC_CLOSED"
    await telegram.set_member(forum, "bot", "administrator")
    assert await telegram.ok("sendMessage", **place)
    await telegram.set_member(forum, "bot", "member")

    await telegram.updates()
    await telegram.act("close_topic", **closing, closed=False)
    assert [message["forum_topic_reopened"] for message in await telegram.updates("message")] == [{}]
    assert await telegram.ok("sendMessage", **place)


async def test_a_deleted_topic_is_gone_with_what_was_in_it(telegram: CheckedTelegram, ada: int) -> None:
    """From DOCS, deleteForumTopic, and LIVE; nobody tells the bot."""
    forum = await telegram.group(ada, is_forum=True)
    thread = await telegram.new_topic(forum, "Cards")
    inside = await telegram.say(forum, message_thread_id=thread)
    outside = await telegram.say(forum)
    await telegram.updates()
    await telegram.act("delete_topic", chat=forum, thread=thread)

    assert await telegram.updates() == []
    refusal = await telegram.refusal("sendMessage", chat_id=forum, text="x", message_thread_id=thread)
    assert refusal == "Bad Request: message thread not found"
    refusal = await telegram.refusal("editMessageText", chat_id=forum, message_id=inside, text="y")
    assert refusal == "Bad Request: message to edit not found"
    assert outside in [message.message_id for message in await telegram.messages(forum, ada)]
    with pytest.raises(ControlRefused, match="no topic"):
        await telegram.send(ada, forum, "/go", thread=thread)


async def test_a_renamed_topic_is_told(telegram: CheckedTelegram, ada: int) -> None:
    """From DOCS, Message: forum_topic_edited."""
    forum = await telegram.group(ada, is_forum=True)
    thread = await telegram.new_topic(forum, "Cards")
    await telegram.updates()
    await telegram.act("rename_topic", chat=forum, thread=thread, name=" Chess ")

    (message,) = await telegram.updates("message")
    assert message["forum_topic_edited"] == {"name": "Chess"}
    assert (message["message_thread_id"], message["is_topic_message"]) == (thread, True)
    (shown,) = (await telegram.ask("world"))["chats"]
    assert shown["topics"] == [{"thread": thread, "name": "Chess"}]


async def test_answers_name_an_existing_message_or_need_none(telegram: CheckedTelegram, ada: int) -> None:
    """From LIVE and DOCS, ReplyParameters."""
    question = await telegram.send(ada, ada, "how much is it?")
    message = await telegram.ok(
        "sendMessage", chat_id=ada, text="x", reply_parameters={"message_id": question}
    )
    assert message["reply_to_message"]["text"] == "how much is it?"

    gone = {"message_id": 999}
    refusal = await telegram.refusal("sendMessage", chat_id=ada, text="x", reply_parameters=gone)
    assert refusal == "Bad Request: message to be replied not found"
    forgiving = {**gone, "allow_sending_without_reply": True}
    message = await telegram.ok("sendMessage", chat_id=ada, text="x", reply_parameters=forgiving)
    assert "reply_to_message" not in message


async def test_a_quote_must_be_in_what_is_answered(telegram: CheckedTelegram, ada: int) -> None:
    """From DOCS, ReplyParameters: «an exact substring of the message to be replied to»."""
    question = await telegram.send(ada, ada, "🂡 how much is it?")
    wish = {"message_id": question, "quote": "much"}
    message = await telegram.ok("sendMessage", chat_id=ada, text="x", reply_parameters=wish)
    assert message["quote"] == {"text": "much", "position": 7, "is_manual": True}

    wish = {"message_id": question, "quote": "little"}
    refusal = await telegram.refusal("sendMessage", chat_id=ada, text="x", reply_parameters=wish)
    assert refusal == "Bad Request: QUOTE_TEXT_INVALID"
