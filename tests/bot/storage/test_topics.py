"""Names of topics."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from telegram import Chat, ForumTopicCreated, ForumTopicEdited, Message

from bot.handlers.topics import announced_name
from bot.storage import Storage

pytestmark = pytest.mark.asyncio


async def test_a_topic_is_called_as_it_was_told_last(storage: Storage) -> None:
    assert await storage.topics.name(-100, 7) is None
    assert await storage.topics.see(-100, 7, "Вечер")
    assert not await storage.topics.see(-100, 7, "Вечер"), "that is no news"
    assert await storage.topics.see(-100, 7, "Ночь")
    assert await storage.topics.name(-100, 7) == "Ночь"
    assert await storage.topics.name(-100, 8) is None


async def test_a_topic_is_named_when_it_is_opened_and_when_it_is_renamed() -> None:
    """Nothing in between says how it is called now: what it was opened as may be out of date."""
    first = message(forum_topic_created=ForumTopicCreated("Вечер", 7322096))
    assert announced_name(first) == "Вечер"
    assert announced_name(message(forum_topic_edited=ForumTopicEdited("Ночь"))) == "Ночь"
    assert announced_name(message(forum_topic_edited=ForumTopicEdited(None, "1"))) is None, "only its icon"
    assert announced_name(message(text="привет", reply_to_message=first)) is None


def message(**content: object) -> Message:
    return Message(1, datetime.now(UTC), Chat(-100, "supergroup"), **content)  # type: ignore[arg-type]
