"""Log lines: objects with their facts, and never the token, whoever logs it."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from telegram import Bot
from telegram.error import TelegramError
from telegram.request import HTTPXRequest

from bot.logs import FACTS, OUTAGE_SECONDS, JsonFormatter, LineFormatter, OutageFilter, SecretFreeFormatter
from tests.e2e.telegram import Telegram

TOKEN = ":".join(("7000000007", "AAF-secret_secret_secret_secret_secret"))
OTHER_TOKEN = ":".join(("7000000008", "AAF-other_other_other_other_other_oth"))

FORMATTERS = pytest.mark.parametrize(
    "formatter", [JsonFormatter((TOKEN,)), LineFormatter((TOKEN,))], ids=["for programs", "for people"]
)


class Kept(logging.Handler):
    """Keeps what it is given, as it would be written."""

    def __init__(self, formatter: logging.Formatter) -> None:
        super().__init__(logging.DEBUG)
        self.setFormatter(formatter)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@contextmanager
def everything(formatter: logging.Formatter, *loggers: str) -> Iterator[Kept]:
    """Collect everything that these loggers write, at DEBUG."""
    kept = Kept(formatter)
    found = [logging.getLogger(name) for name in loggers]
    levels = [logger.level for logger in found]
    for logger in found:
        logger.addHandler(kept)
        logger.setLevel(logging.DEBUG)
    try:
        yield kept
    finally:
        for logger, level in zip(found, levels, strict=True):
            logger.removeHandler(kept)
            logger.setLevel(level)


def record(message: str, *args: object, **facts: Any) -> logging.LogRecord:
    made = logging.LogRecord("bot.some", logging.WARNING, __file__, 1, message, args, None)
    vars(made).update(facts)
    return made


def test_a_line_for_programs_is_an_object_with_all_facts() -> None:
    facts = {
        "table": "5f0c",
        "chat": -100,
        "user": 7,
        "revision": 3,
        "key": "hand:7",
        "action": "EDIT",
        "update": 9,
        "picture": "3f9a",
    }
    assert set(facts) == set(FACTS)
    line = json.loads(JsonFormatter(()).format(record("не %s", "так", **facts)))
    assert {name: line[name] for name in facts} == facts
    assert (line["level"], line["logger"], line["message"]) == ("WARNING", "bot.some", "не так")
    assert line["time"].endswith("+00:00")
    assert "traceback" not in line


def test_a_line_for_people_ends_in_its_facts() -> None:
    line = LineFormatter(()).format(record("press refused: %s", "stale", table="5f0c", user=7))
    assert line.endswith("WARNING bot.some: press refused: stale [table=5f0c user=7]")


@FORMATTERS
def test_no_token_is_written_wherever_it_stands(formatter: SecretFreeFormatter) -> None:
    """In the message, its arguments, the facts, the traceback, the error's cause, and in addresses."""
    try:
        try:
            raise ValueError(f"cannot call https://api.telegram.org/bot{TOKEN}/getMe")
        except ValueError as error:
            raise RuntimeError(f"{OTHER_TOKEN} was rejected") from error
    except RuntimeError:
        failed = record(
            f"{TOKEN} %s %r", OTHER_TOKEN, {"url": f"/file/bot{OTHER_TOKEN}/x"}, key=f"bot{OTHER_TOKEN}"
        )
        failed.exc_info = sys.exc_info()
    written = formatter.format(failed)
    assert "was rejected" in written, "the traceback is there"
    assert "cannot call" in written, "with its cause"
    for token in (TOKEN, OTHER_TOKEN):
        for part in (token, token.partition(":")[2], token.replace(":", "%3A")):
            assert part not in written


@FORMATTERS
def test_a_token_in_an_encoded_address_is_not_written_either(formatter: SecretFreeFormatter) -> None:
    assert "secret_secret" not in formatter.format(record("GET /bot%s/getMe", TOKEN.replace(":", "%3A")))


@FORMATTERS
async def test_the_libraries_may_log_what_they_like(formatter: SecretFreeFormatter) -> None:
    """With no level pinned: real calls, one of which is refused, at DEBUG."""
    async with Telegram.in_process() as telegram:
        with everything(formatter, "httpx", "httpcore", "telegram") as kept:
            for token in (telegram.token, OTHER_TOKEN):
                request = HTTPXRequest()
                try:
                    await Bot(token, base_url=f"{telegram.url}/bot", request=request).get_me()
                except TelegramError as error:
                    logging.getLogger("telegram").error("not let in", exc_info=error)
                finally:
                    await request.shutdown()
    written = "\n".join(kept.lines)
    assert "getMe" in written, "addresses are logged"
    assert "not let in" in written
    assert telegram.token.partition(":")[2] not in written
    assert OTHER_TOKEN.partition(":")[2] not in written


# ---------------------------------------------------------------------------------------------------- outages


def test_a_lasting_failure_is_one_line_a_minute_and_no_traceback() -> None:
    now = 0.0
    kept = Kept(LineFormatter(()))
    kept.addFilter(OutageFilter((TimeoutError, InterruptedError), lambda: now))
    logger = logging.getLogger("bot.tested.outage")
    logger.addHandler(kept)
    try:
        for error in (TimeoutError("no room"), InterruptedError("no lock")) * 3:
            _fail_because_of(logger, error)
        assert [line.partition("tested.outage: ")[2] for line in kept.lines] == ["not done: no room"]
        logger.critical("nobody can play: %s", TimeoutError("no room"))
        assert len(kept.lines) == 2
        now = OUTAGE_SECONDS - 1
        _fail_because_of(logger, TimeoutError("no room"))
        _fail_because_of(logger, KeyError("another failure"))
        assert len(kept.lines) == 3
        assert "Traceback" in kept.lines[2]
        now = OUTAGE_SECONDS
        _fail_because_of(logger, TimeoutError("no room"))
        assert kept.lines[3].endswith("not done: no room")
    finally:
        logger.removeHandler(kept)


def _fail_because_of(logger: logging.Logger, error: Exception) -> None:
    try:
        raise RuntimeError("that is why") from error
    except RuntimeError:
        logger.exception("not done")
