"""Runs the real bot as a separate process against a sandbox in this one, with its own database and log.

When it has ended, its log is searched: every end-to-end test thereby shows that nothing went wrong unseen,
and that no secret was written down.
"""

from __future__ import annotations

import json
import re
import sqlite3
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path

from sandbox.model import BOT
from tests.e2e.recording import RecordedTelegram
from tests.e2e.telegram import BotProcess

QUICK = {
    "TELEGRAM_LIMITS": "false",
    "FORCED_SECONDS": "0.05",
    "COMPUTER_SECONDS": "0",
    "NEXT_DEAL_SECONDS": "600",
    "TURN_SECONDS": "600",
    "LOBBY_SECONDS": "3600",
    "DEFAULT_RULES": '{"preset": "classic", "limit": 500}',
    "LOG_LEVEL": "DEBUG",
}
"""Settings for matches without pauses that do not end soon; the clock makes only forced moves."""

PATIENT_BOT = "tests.e2e.patient_bot"

PROBLEM = re.compile(r'^.*"level": "(?:ERROR|CRITICAL)".*|^Traceback.*', re.MULTILINE)
"""A log line that reports an error; off a terminal the log is JSON."""

SUITS = re.compile(r"[♠♥♦♣]|\\u266[0356]")
"""A suit's sign, as itself or escaped in JSON."""


@dataclass(frozen=True, slots=True)
class Running:
    """A bot, the sandbox it runs against, its database, and its log."""

    telegram: RecordedTelegram
    bot: BotProcess
    database: Path
    log: Path

    @property
    def problems(self) -> list[str]:
        """Return the log lines that report errors."""
        return PROBLEM.findall(self.log.read_text())

    @property
    def secrets_told(self) -> list[str]:
        """Return what must not be in the log but is: the token, seeds, cards as shown, people's words."""
        text = self.log.read_text()
        secrets = [self.telegram.token, *_seeds(self.database)]
        told = [secret for secret in secrets if secret in text]
        return [*told, *SUITS.findall(text), *self._words_in(text)]

    def _words_in(self, text: str) -> Iterator[str]:
        """Return the names and words of people found in a text, as they are or escaped in JSON."""
        assert self.telegram.server is not None
        world = self.telegram.server.sandbox.world
        names = {user.first_name for user in world.users.values()}
        written = {
            message.text
            for chat in world.chats.values()
            for message in chat.messages.values()
            if message.sender != BOT and message.text and " " in message.text
        }
        for words in filter(None, names | written):
            yield from (form for form in (words, json.dumps(words)[1:-1]) if _stands_in(form, text))


@asynccontextmanager
async def running(
    folder: Path, *, program: str = PATIENT_BOT, is_faulty: bool = False, **settings: str
) -> AsyncIterator[Running]:
    """Run a sandbox and the bot, with these settings in addition to `QUICK`.

    `program`: the module to run; `bot` itself for tests of what it does when something takes too long.

    At the end its log must report no errors (unless `is_faulty`, because a test causes some) and contain no
    secret.
    """
    database, log = folder / "101.sqlite3", folder / "bot.log"
    async with RecordedTelegram.in_process() as telegram:
        environment = QUICK | {"DATABASE_PATH": str(database)} | settings
        async with telegram.bot(sys.executable, "-m", program, errors=log, **environment) as bot:
            running = Running(telegram, bot, database, log)
            yield running
    assert is_faulty or not running.problems, "\n".join(running.problems)
    assert not running.secrets_told, running.secrets_told


def _stands_in(words: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text) is not None


def _seeds(database: Path) -> list[str]:
    """Return the seeds of all shuffles of all tables, past and future, in hex."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        moves = [json.loads(move) for (move,) in connection.execute("SELECT move FROM table_moves")]
        tables = [json.loads(document) for (document,) in connection.execute("SELECT document FROM tables")]
    return [move["seed"] for move in moves if move.get("seed")] + [table["next_seed"] for table in tables]
