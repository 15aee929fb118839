"""Logging: one line an event on a terminal, with the facts it is about; and no secrets, whoever logs.

The bot's token is part of every address it calls and of some errors' texts, and the libraries below us log
addresses and parameters at DEBUG. So the noisy loggers are pinned to what is harmless, and the token is taken
out of every line, tracebacks too.
"""

from __future__ import annotations

import logging
import re
import sys

_PINNED = {
    "httpx": logging.WARNING,
    "httpcore": logging.WARNING,
    "telegram": logging.INFO,
    "apscheduler": logging.WARNING,
    "aiosqlite": logging.WARNING,
    "asyncio": logging.INFO,
}
"""At INFO httpx logs addresses; at DEBUG the others log parameters, statements and values."""

_TOKEN = re.compile(r"\b\d{6,}:[A-Za-z0-9_-]{30,}")
"""The form of a bot token (https://core.telegram.org/bots/api#authorizing-your-bot)."""

FACTS = ("table", "chat", "user", "key", "revision", "action", "data", "update")
"""What a log record may carry in `extra`, and is shown behind the message."""


class FactsFormatter(logging.Formatter):
    """Time, level, logger, message, then the record's facts; secrets are replaced wherever they stand."""

    def __init__(self, secrets: tuple[str, ...]) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._secrets = tuple(secret for secret in secrets if secret)

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 (the library's name)
        """The line, with its facts."""
        line = super().formatMessage(record)
        facts = [f"{name}={getattr(record, name)}" for name in FACTS if hasattr(record, name)]
        return f"{line} [{' '.join(facts)}]" if facts else line

    def format(self, record: logging.LogRecord) -> str:
        """The record as it is written, tracebacks included, without secrets."""
        text = super().format(record)
        for secret in self._secrets:
            text = text.replace(secret, "***")
        return _TOKEN.sub("***", text)


def configure_logging(level: str, secrets: tuple[str, ...]) -> None:
    """Log to standard error at this level; none of `secrets` is ever written."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(FactsFormatter(secrets))
    logging.basicConfig(level=level, handlers=[handler], force=True)
    for name, lowest in _PINNED.items():
        logging.getLogger(name).setLevel(lowest)
