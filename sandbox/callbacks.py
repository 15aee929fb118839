"""Keeps the presses that wait for the bot's answer, and refuses answers that come too late."""

import asyncio
import itertools
from dataclasses import dataclass

from sandbox.clock import Clock
from sandbox.errors import bad_request

FIRST_QUERY_ID = 4_810_100_000_000_001
ANSWERABLE_FOR = 15.0
"""Seconds. Telegram publishes no number; its clients give up after about this long."""


@dataclass(frozen=True, slots=True)
class CallbackAnswer:
    """The answer of an answerCallbackQuery call."""

    text: str | None
    show_alert: bool
    url: str | None


@dataclass(slots=True)
class Query:
    """A press of a button on a message, by a person, from a page; ``answer`` resolves once the bot has
    answered.

    It resolves to None if the bot never will, because the world has been reset.
    """

    id: str
    user: int
    chat: int
    message_id: int
    page: str | None
    at: float
    answer: asyncio.Future[CallbackAnswer | None]


class Callbacks:
    """The recent callback queries."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._ids = itertools.count(FIRST_QUERY_ID)
        self._queries: dict[str, Query] = {}

    def reset(self) -> None:
        """Drop all queries, and resolve those that wait."""
        for query in self._queries.values():
            query.answer.set_result(None)
        self._queries.clear()

    def open(self, user: int, chat: int, message_id: int, page: str | None) -> Query:
        """Register a new press."""
        now = self._clock.now()
        for old in [query for query in self._queries.values() if now - query.at > ANSWERABLE_FOR]:
            del self._queries[old.id]
        answer: asyncio.Future[CallbackAnswer | None] = asyncio.get_running_loop().create_future()
        query = Query(str(next(self._ids)), user, chat, message_id, page, now, answer)
        self._queries[query.id] = query
        return query

    def answer(self, query_id: str, answer: CallbackAnswer) -> Query:
        """Answer a press once.

        Raises:
            ApiError: 400 if the press is unknown, already answered, or too old.
        """
        query = self._queries.pop(query_id, None)
        if query is None or self._clock.now() - query.at > ANSWERABLE_FOR:
            raise bad_request("query is too old and response timeout expired or query ID is invalid")
        query.answer.set_result(answer)
        return query
