"""Logging: lines for people on a terminal, JSON objects elsewhere; and no secrets, whoever logs.

The bot's token is part of every address it calls and of some errors' texts, and the libraries below us log
addresses and parameters at DEBUG. So the noisy loggers are pinned to what is harmless, and the token is taken
out of every line, tracebacks too.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime

_PINNED = {
    "httpx": logging.WARNING,
    "httpcore": logging.WARNING,
    "telegram": logging.INFO,
    "aiosqlite": logging.WARNING,
    "asyncio": logging.INFO,
    "matplotlib": logging.WARNING,
    "PIL": logging.INFO,
}
"""At INFO httpx logs addresses; at DEBUG the others log parameters, statements and values."""

_TOKEN = re.compile(r"(?<!\d)\d{6,}(?::|%3A)[A-Za-z0-9_-]{30,}")
"""The form of a bot token (https://core.telegram.org/bots/api#authorizing-your-bot)."""

OUTAGE_SECONDS = 60.0

FACTS = ("table", "chat", "user", "revision", "key", "action", "update", "picture")
"""What a log record may carry in `extra`: the table, chat, person and state it is about; what was asked; the
digest of a picture."""


_LETTER = re.compile(r"\w")


def without_words(text: str) -> str:
    """A text of the same length, in Telegram's units too, in which every letter and digit is an x."""
    return _LETTER.sub(lambda letter: "x" if ord(letter[0]) <= 0xFFFF else "xx", text)


class OutageFilter(logging.Filter):
    """Has a lasting failure of the surroundings told in a line a minute, not in a traceback for each press.

    `kinds` are the exceptions it is told by. What is CRITICAL is always written: whoever says that nobody can
    play says it as rarely.
    """

    def __init__(
        self, kinds: tuple[type[BaseException], ...], now: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__()
        self._kinds = kinds
        self._now = now
        self._silent_until = 0.0

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record is written. Of one that is about such a failure the traceback is taken away."""
        failure = self._failure_of(record)
        if failure is None:
            return True
        if record.exc_info:
            record.msg, record.args = f"{record.getMessage()}: {failure}", ()
            record.exc_info = record.exc_text = None
        if self._now() < self._silent_until and record.levelno < logging.CRITICAL:
            return False
        self._silent_until = self._now() + OUTAGE_SECONDS
        return True

    def _failure_of(self, record: logging.LogRecord) -> BaseException | None:
        error = record.exc_info[1] if record.exc_info else None
        while error is not None and not isinstance(error, self._kinds):
            error = error.__cause__
        told = [error, *record.args] if isinstance(record.args, tuple) else [error]
        return next((it for it in told if isinstance(it, self._kinds)), None)


class SecretFreeFormatter(logging.Formatter):
    """Replaces the given secrets, and whatever looks like a bot token, wherever they stand in the output."""

    def __init__(self, secrets: tuple[str, ...]) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._secrets = tuple(secret for secret in secrets if secret)

    def format(self, record: logging.LogRecord) -> str:
        """The record as it is written, tracebacks included, without secrets."""
        text = self.written(record)
        for secret in self._secrets:
            text = text.replace(secret, "***")
        return _TOKEN.sub("***", text)

    def written(self, record: logging.LogRecord) -> str:
        """The record as it would be written if there were no secrets."""
        return super().format(record)


class LineFormatter(SecretFreeFormatter):
    """For people: time, level, logger, message, and the facts behind it."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 (the library's name)
        """The line, with its facts."""
        line = super().formatMessage(record)
        facts = " ".join(f"{name}={value}" for name, value in _facts(record).items())
        return f"{line} [{facts}]" if facts else line


class JsonFormatter(SecretFreeFormatter):
    """For programs: one JSON object a line, the facts as fields of it."""

    def written(self, record: logging.LogRecord) -> str:
        """The record as an object."""
        fields = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **_facts(record),
        }
        if record.exc_info:
            fields["traceback"] = self.formatException(record.exc_info)
        return json.dumps(fields, ensure_ascii=False, default=str)


def _facts(record: logging.LogRecord) -> dict[str, object]:
    return {name: getattr(record, name) for name in FACTS if hasattr(record, name)}


def configure_logging(
    level: str, secrets: tuple[str, ...], outages: tuple[type[BaseException], ...] = ()
) -> logging.Formatter:
    """Log to standard error from this level on, never a secret; the formatter is for further handlers.

    `outages` are exceptions that last and repeat (see `OutageFilter`).
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(OutageFilter(outages))
    formatter = (LineFormatter if sys.stderr.isatty() else JsonFormatter)(secrets)
    handler.setFormatter(formatter)
    logging.basicConfig(level=level, handlers=[handler], force=True)
    chosen = logging.getLogger().level
    for name, lowest in _PINNED.items():
        # A logger with a level of its own asks nobody above it: the one chosen has to be told to it.
        logging.getLogger(name).setLevel(max(lowest, chosen))
    return formatter
