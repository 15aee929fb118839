"""The sandbox as its conformance tests see it: every answer is checked against the Bot API's description.

Where the facts come from is said in each test, by these names.
"""

import asyncio
import operator
from dataclasses import dataclass
from typing import Any

from sandbox.schema import table
from tests.e2e.telegram import Json, Telegram
from tests.patience import PATIENCE

DOCS = "core.telegram.org/bots/api"
FEATURES = "core.telegram.org/bots/features"
SERVER = "github.com/tdlib/telegram-bot-api, Client.cpp"
TDLIB = "github.com/tdlib/td, MessageEntity.cpp and LinkManager.cpp"
LIVE = "answers of api.telegram.org, as other projects' live tests have recorded them"
LIMITS = "limits.tginfo.me and github.com/tginfo/Telegram-Limits"
OURS = "the sandbox's own: Telegram would let it pass in silence"

BEGINNING = 1_800_000_000.0
"""When the tests' clock begins, in seconds since the epoch; it moves only when a test moves it."""


@dataclass(frozen=True)
class Refused:
    """Something that Telegram refuses: a sentence's end, what is sent, the words, and where they are from."""

    sentence: str
    sent: Json
    words: str
    source: str

    @property
    def description(self) -> str:
        """The whole description of the 400."""
        return f"Bad Request: {self.words}"


sentence = operator.attrgetter("sentence")
"""Gives a parametrised test its sentence: ``ids=sentence``."""


class CheckedTelegram(Telegram):
    """A sandbox whose every answer must be what the Bot API's description says."""

    async def api(self, method: str, **parameters: Any) -> Json:
        answer = await super().api(method, **parameters)
        if answer["ok"]:
            spec = table.load().method(method)
            assert spec is not None
            problem = table.load().problem(spec.returns, answer["result"])
            assert problem is None, f"{method} answers {answer['result']}: {problem}"
        else:
            assert answer.keys() <= {"ok", "error_code", "description", "parameters"}
        return answer

    async def ok(self, method: str, **parameters: Any) -> Any:
        """Return a call's result; it must not be refused."""
        answer = await self.api(method, **parameters)
        assert answer["ok"], f"{method} {parameters}: {answer['description']}"
        return answer["result"]

    async def refusal(self, method: str, **parameters: Any) -> str:
        """Return the refusal of a call; it must be refused."""
        answer = await self.api(method, **parameters)
        assert not answer["ok"], f"{method} {parameters} was not refused"
        description: str = answer["description"]
        return description

    async def updates(self, kind: str | None = None) -> list[Any]:
        """Take all pending updates; with ``kind`` only what those of that kind hold."""
        updates: list[Json] = await self.ok("getUpdates")
        if updates:
            await self.ok("getUpdates", offset=updates[-1]["update_id"] + 1)
        return updates if kind is None else [update[kind] for update in updates if kind in update]

    async def until_polled(self, polled: bool = True) -> None:
        """Wait until a long poll is waiting in the sandbox, or none any more."""
        assert self.server is not None
        async with asyncio.timeout(PATIENCE):
            while self.server.sandbox.updates.is_polled is not polled:  # noqa: ASYNC110 - lets the server take its turn
                await asyncio.sleep(0)

    async def friend(self, first_name: str = "Ada") -> int:
        """A person who has pressed Start; nothing is pending of it."""
        person = await self.new_user(first_name, language="en")
        await self.start(person)
        await self.updates()
        return person

    async def group(self, *people: int, **options: Any) -> int:
        """A supergroup (unless ``options`` say else) with these people and the bot; nothing is pending."""
        chat = await self.new_group("Whist club", people, **options)
        await self.updates()
        return chat

    async def say(self, chat: int, text: str = "hello", **parameters: Any) -> int:
        """The bot writes; returns the message's id."""
        message_id: int = (await self.ok("sendMessage", chat_id=chat, text=text, **parameters))["message_id"]
        return message_id
