"""A Telegram of nothing but messages, sent, edited and deleted, around the world of `forged_world`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from telegram.request import RequestData

from tests.bot.handlers.forged_world import WhoIsAdmin, World, building
from tests.patience import PATIENCE


class Chats(WhoIsAdmin):
    """The messages that are there, by chat and id, and the answers to presses.

    While `may_delete` is not set no deletion is carried out.
    """

    def __init__(self) -> None:
        super().__init__()
        self.messages: dict[tuple[int, int], str] = {}
        self.answers: list[str] = []
        self.deletions = 0
        self.changed = asyncio.Event()
        self.deleting = asyncio.Event()
        self.may_delete = asyncio.Event()
        self.may_delete.set()

    async def do_request(
        self, url: str, method: str, request_data: RequestData | None = None, *args: Any, **kwargs: Any
    ) -> tuple[int, bytes]:
        """Carry out a call."""
        asked = url.rsplit("/", 1)[1]
        given: dict[str, Any] = {} if request_data is None else request_data.parameters
        place = given.get("chat_id", 0), given.get("message_id", 100 + len(self.messages) + self.deletions)
        match asked:
            case "sendMessage":
                self.messages[place] = given["text"]
                chat = {"id": place[0], "type": "private"}
                result: Any = {"message_id": place[1], "date": 0, "chat": chat, "text": given["text"]}
            case "editMessageText":
                self.messages[place] = given["text"]
                result = True
            case "answerCallbackQuery":
                self.answers.append(given.get("text", ""))
                result = True
            case "deleteMessage":
                self.deleting.set()
                await self.may_delete.wait()
                del self.messages[place]
                self.deletions += 1
                result = True
            case _:
                return await super().do_request(url, method, request_data, *args, **kwargs)
        self.changed.set()
        return 200, json.dumps({"ok": True, "result": result}).encode()

    async def gone(self, chat_id: int, message_id: int) -> None:
        """Wait until this message is there no more."""
        async with asyncio.timeout(PATIENCE):
            while (chat_id, message_id) in self.messages:
                self.changed.clear()
                await self.changed.wait()


@asynccontextmanager
async def sending(path: Path, chats: Chats) -> AsyncIterator[World]:
    """The world, in a new database at `path`, with its calls being made."""
    async with building(path, chats) as it:
        calling = asyncio.create_task(it.scheduler.run())
        yield it
        await it.services.background.close()
        calling.cancel()
        with suppress(asyncio.CancelledError):
            await calling
