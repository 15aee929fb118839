"""Logging without secrets: lines of text on a terminal, JSON objects elsewhere.

The bot's token is part of every URL it calls and of some exceptions' texts, and the libraries log URLs and
parameters at DEBUG. So the levels of their loggers are limited, and the token is removed from every line,
including tracebacks.
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
"""The lowest levels by logger. At INFO httpx logs URLs; at DEBUG the others log parameters and statements."""

_TOKEN = re.compile(r"(?<!\d)\d{6,}(?::|%3A)[A-Za-z0-9_-]{30,}")
"""The format of a bot token (https://core.telegram.org/bots/api#authorizing-your-bot)."""

OUTAGE_SECONDS = 60.0

FACTS = ("table", "chat", "user", "revision", "key", "action", "update", "picture")
"""The keys of `extra` that are logged: the table, chat, person and revision concerned, the message key, the
button pressed, the update, the digest of a picture."""

_LETTER = re.compile(r"\w")


def without_words(text: str) -> str:
    """Replace every letter and digit by an x, keeping the length in UTF-16 units, as Telegram counts it."""
    return _LETTER.sub(lambda letter: "x" if ord(letter[0]) <= 0xFFFF else "xx", text)


class OutageFilter(logging.Filter):
    """Reduces the records of an outage to one line a minute, instead of a traceback for each press.

    `kinds` are the exceptions that mean an outage. CRITICAL records always pass; they are rare by themselves.
    """

    def __init__(
        self, kinds: tuple[type[BaseException], ...], now: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__()
        self._kinds = kinds
        self._now = now
        self._silent_until = 0.0

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to log the record, after removing its traceback if it is about an outage."""
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
        candidates = [error, *record.args] if isinstance(record.args, tuple) else [error]
        return next((it for it in candidates if isinstance(it, self._kinds)), None)


class SecretFreeFormatter(logging.Formatter):
    """Masks the given secrets, and everything that looks like a bot token, anywhere in the output."""

    def __init__(self, secrets: tuple[str, ...]) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._secrets = tuple(secret for secret in secrets if secret)

    def format(self, record: logging.LogRecord) -> str:
        """Return the formatted record, including tracebacks, without secrets."""
        text = self.written(record)
        for secret in self._secrets:
            text = text.replace(secret, "***")
        return _TOKEN.sub("***", text)

    def written(self, record: logging.LogRecord) -> str:
        """Return the formatted record with its secrets."""
        return super().format(record)


class LineFormatter(SecretFreeFormatter):
    """For people: time, level, logger, message and the values of `extra`."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 (the library's name)
        """Return the line with the values of `extra`."""
        line = super().formatMessage(record)
        facts = " ".join(f"{name}={value}" for name, value in _facts(record).items())
        return f"{line} [{facts}]" if facts else line


class JsonFormatter(SecretFreeFormatter):
    """For programs: one JSON object per line, with the values of `extra` as fields."""

    def written(self, record: logging.LogRecord) -> str:
        """Return the record as a JSON object with its secrets."""
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
    """Configure logging to standard error at this level; return the formatter, for further handlers.

    `secrets` are masked; `outages` are the exceptions of `OutageFilter`.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(OutageFilter(outages))
    formatter = (LineFormatter if sys.stderr.isatty() else JsonFormatter)(secrets)
    handler.setFormatter(formatter)
    logging.basicConfig(level=level, handlers=[handler], force=True)
    chosen = logging.getLogger().level
    for name, lowest in _PINNED.items():
        # A logger with its own level ignores the root logger's, so it needs the higher of the two.
        logging.getLogger(name).setLevel(max(lowest, chosen))
    return formatter
