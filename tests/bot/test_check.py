"""Each finding of `python -m bot check`, in a real sandbox and with real files."""

from __future__ import annotations

import asyncio
import fcntl
import os
import re
import socket
import sqlite3
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.__main__ import _report, main
from bot.check import MANY_PENDING, Finding, Severity, _check_settings, check
from bot.config import Settings
from bot.storage.database import Database
from bot.storage.inspection import NEWEST_SCHEMA
from tests.e2e.process import free_port
from tests.e2e.telegram import Telegram
from tests.processes import started

WRONG_TOKEN = ":".join(("7000000007", "AAF-wrong_wrong_wrong_wrong_wrong-WRONG"))
HOOK = "https://bot.example.org"


@pytest.fixture
async def telegram() -> AsyncIterator[Telegram]:
    async with Telegram.in_process() as it:
        yield it


@pytest.fixture
async def path(tmp_path: Path) -> Path:
    """A database that has been used."""
    path = tmp_path / "101.sqlite3"
    await (await Database.open(path)).close()
    return path


def settings(telegram: Telegram, path: Path, **more: Any) -> Settings:
    given = {"bot_token": telegram.token, "bot_api_url": f"{telegram.url}/bot", "database_path": path} | more
    return Settings.model_validate(given)


async def found(given: Settings, **how: Any) -> list[Finding]:
    """What is found; and what is looked at stays as it was, whatever it is."""
    before = contents(given.database_path.parent)
    findings = await check(given, **how)
    assert contents(given.database_path.parent) == before
    assert not any(given.bot_token.get_secret_value() in str(finding) for finding in findings)
    return findings


def contents(folder: Path) -> dict[Path, bytes]:
    """Return all files except SQLite's shared memory, which records readers."""
    files = [file for file in folder.glob("*") if file.is_file() and not file.name.endswith("-shm")]
    return {file: file.read_bytes() for file in files}


def bad(findings: list[Finding]) -> list[tuple[Severity, str]]:
    return [
        (finding.severity, finding.subject) for finding in findings if finding.severity is not Severity.GOOD
    ]


def words(findings: list[Finding], subject: str) -> str:
    return " ".join(finding.words for finding in findings if finding.subject == subject)


async def test_nothing_is_found_where_all_is_well(telegram: Telegram, path: Path) -> None:
    findings = await found(settings(telegram, path))
    assert bad(findings) == []
    subjects = [finding.subject for finding in findings]
    assert subjects == ["configuration", "database", "disk", "lock", "token", "webhook", "updates"]
    assert f"schema {NEWEST_SCHEMA}" in words(findings, "database")


# ------------------------------------------------------------------------------------------------- database


async def test_a_database_that_is_not_there_yet_will_be_made(telegram: Telegram, tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "101.sqlite3"
    findings = await found(settings(telegram, path))
    assert bad(findings) == []
    assert "will be made" in words(findings, "database")
    assert list(tmp_path.iterdir()) == []


async def test_a_place_where_no_file_can_be_made(telegram: Telegram, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    os.mkfifo(tmp_path / "pipe")
    places = ("", "file/101.sqlite3", "circle", "pipe", "x" * 300)
    for place in places:
        findings = await found(settings(telegram, tmp_path / place))
        assert bad(findings) == [(Severity.UNUSABLE, "database")]


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("PRAGMA user_version = 999", "newer version"),
        ("PRAGMA application_id = 7", "another program's"),
    ],
)
async def test_a_database_that_is_not_this_versions(
    telegram: Telegram, path: Path, statement: str, told: str
) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)
    findings = await found(settings(telegram, path))
    assert bad(findings) == [(Severity.UNUSABLE, "database")]
    assert told in words(findings, "database")


async def test_a_damaged_database(telegram: Telegram, path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[4096 : 2 * 4096] = b"\xa5" * 4096
    path.write_bytes(content)
    findings = await found(settings(telegram, path))
    assert bad(findings) == [(Severity.UNUSABLE, "database")]
    assert "restore a backup" in words(findings, "database")


async def test_an_older_schema_is_told_of(telegram: Telegram, path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 1")
    findings = await found(settings(telegram, path))
    assert bad(findings) == []
    assert f"brings schema 1 to {NEWEST_SCHEMA}" in words(findings, "database")


def left_by_a_killed_bot(path: Path, folder: Path) -> Path:
    """A copy of the database whose newest commit, a schema from the future, is in the log alone."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA user_version = 999")
        left = folder / "left"
        left.mkdir()
        for file in (path, path.with_name(path.name + "-wal")):
            (left / file.name).write_bytes(file.read_bytes())
    return left / path.name


async def test_a_log_that_a_killed_bot_has_left_is_read(
    telegram: Telegram, path: Path, tmp_path: Path
) -> None:
    findings = await found(settings(telegram, left_by_a_killed_bot(path, tmp_path)))
    assert "newer version" in words(findings, "database")


async def test_where_such_a_log_cannot_be_copied_that_is_said(
    telegram: Telegram, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = left_by_a_killed_bot(path, tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "no such folder"))
    findings = await found(settings(telegram, left))
    assert bad(findings) == [(Severity.UNUSABLE, "database")]
    assert "cannot be copied" in words(findings, "database")


async def test_a_running_bot_is_told_of_and_not_disturbed(telegram: Telegram, path: Path) -> None:
    database = await Database.open(path)
    try:
        await database.execute("INSERT INTO heartbeat (id, at) VALUES (1, 5.0)")
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            listener.listen()
            findings = await found(settings(telegram, path, port=listener.getsockname()[1]))
        await database.execute("UPDATE heartbeat SET at = 6.0")
    finally:
        await database.close()
    assert bad(findings) == []
    assert words(findings, "lock") == f"process {os.getpid()} has the database open"


async def test_looking_for_a_holder_keeps_no_lock(telegram: Telegram, path: Path) -> None:
    await found(settings(telegram, path))
    with path.with_name(path.name + ".lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


async def test_a_file_that_others_can_read(telegram: Telegram, path: Path) -> None:
    path.chmod(0o644)
    findings = await found(settings(telegram, path))
    assert bad(findings) == [(Severity.MEND, "database")]
    assert "chmod 600" in words(findings, "database")


async def test_a_disk_that_is_nearly_full(telegram: Telegram, path: Path) -> None:
    assert bad(await found(settings(telegram, path), least_free=2**62)) == [(Severity.MEND, "disk")]


# -------------------------------------------------------------------------------------------- configuration


@pytest.mark.parametrize(
    ("given", "severity", "named"),
    [
        ({"bot_api_url": "http://192.0.2.1/bot"}, Severity.MEND, "BOT_API_URL"),
        ({"telegram_limits": False}, Severity.MEND, "TELEGRAM_LIMITS"),
        ({"webhook_url": "http://bot.example.org", "port": 8443}, Severity.UNUSABLE, "WEBHOOK_URL"),
    ],
)
def test_settings_that_do_not_go_together(given: dict[str, Any], severity: Severity, named: str) -> None:
    looked_at = _check_settings(Settings.model_validate({"bot_token": "1:x"} | given), is_running=True)
    assert next((it.severity, it.words.partition(":")[0]) for it in looked_at) == (severity, named)


# ------------------------------------------------------------------------------------------------- Telegram


async def test_a_telegram_that_cannot_be_reached(telegram: Telegram, path: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        api = f"http://127.0.0.1:{closed.getsockname()[1]}/bot"
        assert bad(await found(settings(telegram, path, bot_api_url=api))) == [(Severity.MEND, "Telegram")]


@pytest.mark.parametrize("status", [200, 401, 403, 404, 502])
async def test_a_box_in_between_says_nothing_of_the_token(
    telegram: Telegram, path: Path, status: int
) -> None:
    """Whatever status a proxy or a captive portal gives with its page."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        page = b"<html>Log in first</html>"
        writer.write(
            b"HTTP/1.1 %d X\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%b" % (status, len(page), page)
        )
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as box:
        port = box.sockets[0].getsockname()[1]
        findings = await found(settings(telegram, path, bot_api_url=f"http://127.0.0.1:{port}/bot"))
    assert bad(findings) == [(Severity.MEND, "Telegram")]
    assert f"status {status}" in words(findings, "Telegram")


async def test_a_webhook_that_the_configuration_does_not_know_of(telegram: Telegram, path: Path) -> None:
    await telegram.api("setWebhook", url=HOOK, allowed_updates=["message"])
    findings = await found(settings(telegram, path))
    assert (Severity.MEND, "webhook") in bad(findings)
    assert f"pushes updates to {HOOK}" in words(findings, "webhook")
    assert "not all that is needed" in words(findings, "webhook")


async def test_a_webhook_that_is_configured_and_not_set(telegram: Telegram, path: Path) -> None:
    findings = await found(settings(telegram, path, webhook_url=HOOK, port=free_port()))
    assert bad(findings) == [(Severity.MEND, "webhook")]
    assert "the next start sees to that" in words(findings, "webhook")


async def test_a_webhook_that_fails(telegram: Telegram, path: Path) -> None:
    port = free_port()
    await telegram.api("setWebhook", url=f"http://127.0.0.1:{port}/telegram")
    person = await telegram.new_user("Аня")
    await telegram.start(person)

    async def has_failed() -> bool:
        return "last_error_message" in (await telegram.api("getWebhookInfo"))["result"]

    await telegram.until(has_failed)
    given = settings(telegram, path, webhook_url=f"http://127.0.0.1:{port}", port=port)
    findings = await found(given)
    assert (Severity.MEND, "webhook") in bad(findings)
    assert re.search(r"the last error at \d{4}-\d\d-\d\d \d\d:\d\d UTC: ", words(findings, "webhook"))
    assert words(findings, "updates") == "1 are waiting"


async def test_updates_that_nobody_fetches(telegram: Telegram, path: Path) -> None:
    person = await telegram.new_user("Аня")
    for _ in range(MANY_PENDING + 1):
        await telegram.start(person)
    assert bad(await found(settings(telegram, path))) == [(Severity.MEND, "updates")]


async def test_an_owner_who_has_not_started_the_bot(telegram: Telegram, path: Path) -> None:
    person = await telegram.new_user("Аня")
    assert bad(await found(settings(telegram, path, owner_id=person + 1))) == [(Severity.MEND, "owner")]
    await telegram.start(person)
    assert bad(await found(settings(telegram, path, owner_id=person))) == []


# -------------------------------------------------------------------------------------------- as a command


async def run_check(telegram: Telegram, path: Path, **environment: str) -> tuple[int | None, str]:
    async with started(
        *(sys.executable, "-m", "bot", "check"),
        env=telegram.bot_environment | {"DATABASE_PATH": str(path)} | environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    ) as process:
        output, _ = await process.communicate()
    return process.returncode, output.decode()


async def test_the_exit_status_is_the_worst_that_was_found(telegram: Telegram, path: Path) -> None:
    status, output = await run_check(telegram, path)
    assert (status, [line.split()[0] for line in output.splitlines()]) == (0, ["ok"] * 7)
    path.chmod(0o644)
    status, output = await run_check(telegram, path, BOT_TOKEN=WRONG_TOKEN, LOG_LEVEL="DEBUG")
    assert status == 2
    assert "mend     database" in output
    assert "unusable token" in output
    assert WRONG_TOKEN not in output


def test_one_thing_to_mend_is_an_exit_status_of_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        _report([Finding(Severity.MEND, "disk", "is full"), Finding(Severity.GOOD, "lock", "is free")]) == 1
    )
    assert capsys.readouterr().out.splitlines()[0].split() == ["mend", "disk", "is", "full"]


def test_settings_that_are_not_right_cannot_be_used(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BOT_TOKEN", WRONG_TOKEN)
    monkeypatch.setenv("TURN_SECONDS", "soon")
    assert main(["check"]) == 2
    assert "TURN_SECONDS" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("BOT_TOKEN", ""),
        ("BOT_TOKEN", "made-up"),
        ("BOT_TOKEN", "7000000007:made/up"),
        ("BOT_API_URL", ""),
        ("BOT_API_URL", "api.telegram.org/bot"),
        ("BOT_API_URL", "https://"),
        ("BOT_API_URL", "http://[::1/bot"),
        ("BOT_API_URL", "http://localhost:99999/bot"),
        ("BOT_API_URL", "http://local host/bot"),
        ("WEBHOOK_URL", "bot.example.org"),
        ("LISTEN_ADDRESS", "a..b"),
        ("DEFAULT_RULES", "[]"),
        ("DEFAULT_RULES", "null"),
        ("LOBBY_SECONDS", "inf"),
    ],
)
def test_what_can_be_no_such_setting_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, value: str
) -> None:
    for setting, given in {"BOT_TOKEN": WRONG_TOKEN, "PORT": "8080", name: value}.items():
        monkeypatch.setenv(setting, given)
    assert main(["check"]) == 2
    told = capsys.readouterr().err.splitlines()[1:]
    assert [line.split(":")[0].strip() for line in told] == [name]
    assert "7000000007" not in told[0]


def test_a_token_may_be_pasted_with_the_end_of_its_line() -> None:
    given = Settings.model_validate({"bot_token": f" {WRONG_TOKEN}\n"})
    assert given.bot_token.get_secret_value() == WRONG_TOKEN
