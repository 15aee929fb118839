"""What keeps the bot from starting gives one clear line and status 2, also in `check`."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.config import read_settings, unknown_names
from bot.starting import UNKNOWN_TOKEN, is_loopback, proxy_for
from tests.e2e.process import free_port
from tests.e2e.telegram import Telegram
from tests.patience import PATIENCE
from tests.processes import started

ROOT = Path(__file__).parents[2]
TOKEN = ":".join(("7000000007", "AAF-wrong_wrong_wrong_wrong_wrong-WRONG"))
NOWHERE = "https://192.0.2.1/bot"
"""An address that nobody has (https://www.rfc-editor.org/rfc/rfc5737)."""


@pytest.fixture
async def telegram() -> AsyncIterator[Telegram]:
    async with Telegram.in_process() as it:
        yield it


async def bot(folder: Path, *command: str, **environment: str) -> tuple[int | None, list[str]]:
    """Run it in a folder, with its `.env` and this environment; its exit status and what it says."""
    async with started(
        *(sys.executable, "-m", "bot", *command),
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT), "BOT_TOKEN": TOKEN} | environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    ) as process:
        output, _ = await asyncio.wait_for(process.communicate(), PATIENCE)
    text = output.decode()
    assert TOKEN not in text
    assert "Traceback" not in text, text
    return process.returncode, text.splitlines()


# ------------------------------------------------------------------------------------------- the environment


@pytest.mark.parametrize("command", ["run", "check"])
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ALL_PROXY", "socks://user:secret@192.0.2.1:1080"),
        ("https_proxy", "http://[::1"),
        ("SSL_CERT_FILE", "/no/such/file"),
    ],
)
async def test_what_the_http_library_cannot_use_is_named(
    tmp_path: Path, command: str, name: str, value: str
) -> None:
    status, lines = await bot(tmp_path, command, **{"BOT_API_URL": NOWHERE, name: value})
    assert status == 2
    (line,) = [line for line in lines if name in line]
    assert "secret" not in line


@pytest.mark.parametrize("proxies", [{"HTTP_PROXY": "http://127.0.0.1:9"}, {"ALL_PROXY": "socks://x:1"}])
async def test_a_bot_api_on_this_machine_is_asked_without_a_proxy(
    telegram: Telegram, tmp_path: Path, proxies: dict[str, str]
) -> None:
    nobody = {"NO_PROXY": "", "no_proxy": ""}
    status, lines = await bot(tmp_path, "check", **telegram.bot_environment, **nobody, **proxies)
    assert (status, [line.split()[0] for line in lines]) == (0, ["ok"] * 7)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://127.0.0.1:8081/bot", True),
        ("http://127.9.9.9/bot", True),
        ("http://localhost:8081/bot", True),
        ("http://[::1]:8081/bot", True),
        ("https://api.telegram.org/bot", False),
        ("http://192.168.0.7/bot", False),
        ("http://localhost.example.org/bot", False),
    ],
)
def test_which_addresses_are_this_machines(url: str, expected: bool) -> None:
    assert is_loopback(url) is expected


# ------------------------------------------------------------------------------------------------ the file


@pytest.mark.parametrize("command", ["run", "check"])
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "cp1251"])
async def test_a_file_in_another_encoding_is_told_from_its_contents(
    tmp_path: Path, command: str, encoding: str
) -> None:
    (tmp_path / ".env").write_bytes("# ключ бота\nTURN_SECONDS=30\n".encode(encoding))
    status, lines = await bot(tmp_path, command)
    assert status == 2
    assert "UTF-8" in " ".join(lines)
    assert len(lines) == 1


def test_utf_8_with_a_mark_before_it_is_utf_8(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BOT_TOKEN", raising=False)
    Path(".env").write_text(f"BOT_TOKEN={TOKEN}\n", "utf-8-sig")
    assert read_settings().bot_token.get_secret_value() == TOKEN
    assert list(unknown_names()) == []


def test_unknown_names_are_told_with_what_may_be_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLCONFIGDIR", "/var/cache")
    monkeypatch.setenv("SOMEBODY_ELSES", "is not looked at")
    Path(".env").write_text(
        "# NO_SETTING=1\nTURN_SECOND=30\nexport OWNERID = 7\nmplconfigdir=x\nMPLCONFIGDIR=x\n"
        "COLOUR=red\nPORT=\nturn_seconds=60\n"
    )
    assert list(unknown_names()) == [
        ".env: TURN_SECOND is no setting; did you mean TURN_SECONDS?",
        ".env: OWNERID is no setting; did you mean OWNER_ID?",
        ".env: mplconfigdir is no setting",
        ".env: COLOUR is no setting",
    ]


@pytest.mark.parametrize("command", ["run", "check"])
async def test_a_misspelt_name_is_told_where_a_setting_is_missing(tmp_path: Path, command: str) -> None:
    (tmp_path / ".env").write_text(f"BOT_TOKN={TOKEN}\n")
    status, lines = await bot(tmp_path, command, BOT_TOKEN="")
    assert status == 2
    assert lines[-1].strip() == ".env: BOT_TOKN is no setting; did you mean BOT_TOKEN?"


@pytest.mark.parametrize("command", ["run", "check"])
@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("WEBHOOK_URL", "https://example.org/bot", "WEBHOOK_URL: nothing stands behind"),
        ("WEBHOOK_URL", "https://example.org", "WEBHOOK_URL needs PORT"),
        ("DATABASE_PATH", "", "DATABASE_PATH: this is no path"),
    ],
)
async def test_a_setting_that_cannot_be_is_named(
    tmp_path: Path, command: str, name: str, value: str, told: str
) -> None:
    status, lines = await bot(tmp_path, command, **{name: value})
    assert status == 2
    assert lines[-1].strip().startswith(told)


@pytest.mark.parametrize("path", ["/proc/nope/101.sqlite3", "/proc/101.sqlite3", "/"])
async def test_a_database_that_cannot_be_made_keeps_the_bot_from_starting(tmp_path: Path, path: str) -> None:
    status, lines = await bot(tmp_path, DATABASE_PATH=path)
    assert status == 2
    assert "cannot start: DATABASE_PATH: " in lines[-1]


def test_the_example_names_settings_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.config.ENV_FILE", ROOT / ".env.example")
    assert list(unknown_names()) == []


async def test_they_are_something_to_mend_and_keep_no_bot_from_starting(
    telegram: Telegram, tmp_path: Path
) -> None:
    (tmp_path / ".env").write_text("TURN_SECOND=30\n")
    status, lines = await bot(tmp_path, "check", **telegram.bot_environment)
    assert status == 1
    assert [line.split()[:2] for line in lines if not line.startswith("ok")] == [["mend", "configuration"]]
    environment = telegram.bot_environment | {"BOT_TOKEN": TOKEN}
    status, lines = await bot(tmp_path, **environment)
    assert "did you mean TURN_SECONDS" in lines[0]
    assert '"WARNING"' in lines[0]
    assert UNKNOWN_TOKEN in lines[-1], "it went on, as far as one can with this token"


# ------------------------------------------------------------------------------------- Telegram and the port


@pytest.mark.parametrize("command", ["run", "check"])
async def test_a_token_that_telegram_refuses(telegram: Telegram, tmp_path: Path, command: str) -> None:
    environment = telegram.bot_environment | {"BOT_TOKEN": TOKEN}
    status, lines = await bot(tmp_path, command, **environment)
    assert status == 2
    assert UNKNOWN_TOKEN in lines[-1]


@pytest.mark.parametrize("command", ["run", "check"])
async def test_a_port_that_is_taken(telegram: Telegram, tmp_path: Path, command: str) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        status, lines = await bot(tmp_path, command, **telegram.bot_environment, PORT=str(port))
    assert status == 2
    (line,) = [line for line in lines if f"127.0.0.1:{port}" in line]
    assert "another PORT" in line


async def test_a_webhook_that_telegram_refuses(telegram: Telegram, tmp_path: Path) -> None:
    environment = telegram.bot_environment | {
        "WEBHOOK_URL": "http://bot.example.org",
        "PORT": str(free_port()),
    }
    status, lines = await bot(tmp_path, **environment)
    assert status == 2
    assert "WEBHOOK_URL: Telegram refuses it" in lines[-1]


# ---------------------------------------------------------------------------------------------- the database


def test_a_proxy_is_named_without_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    assert proxy_for("https://api.telegram.org/bot") == ""
    monkeypatch.setenv("HTTPS_PROXY", "http://somebody:secret@foo:3128")
    assert proxy_for("https://api.telegram.org/bot") == "HTTPS_PROXY: foo:3128"
    assert proxy_for("http://127.0.0.1:8101/bot") == ""
