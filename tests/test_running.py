"""Compares docs/RUNNING.md with the code: settings, commands and recipes."""

from __future__ import annotations

import argparse
import configparser
import os
import re
import subprocess
from pathlib import Path

import pytest

from bot import webhook
from bot.__main__ import _parser
from bot.config import Settings
from bot.handlers import background
from bot.messages import scheduler
from bot.transport import CALL_SECONDS
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "RUNNING.md").read_text("utf-8")


def block(kind: str) -> str:
    """The page's only block of code of this kind."""
    (found,) = re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return str(found)


def rows(section: str) -> list[list[str]]:
    """The cells of the rows of the table in a section."""
    (text,) = re.findall(rf"^## {section}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    return [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")][1:]


def test_every_setting_is_in_the_table_with_its_default() -> None:
    example = re.findall(r"^([A-Z_]+)=(.*)$", (ROOT / ".env.example").read_text("utf-8"), re.MULTILINE)
    told = [
        (name.strip("`"), "" if default == "–" else default.strip("`"))
        for name, default, _ in rows("Settings")
    ]
    assert told == example
    assert {name for name, _ in told} == {name.upper() for name in Settings.model_fields}


def test_every_named_setting_exists() -> None:
    named = re.findall(r"`([A-Z]+_[A-Z_]+)[`=]", PAGE) + re.findall(r"^([A-Z_]+)=", PAGE, re.MULTILINE)
    assert set(named) - {"LITESTREAM_ACCESS_KEY_ID"} <= {name.upper() for name in Settings.model_fields}


def test_every_command_is_described_and_every_named_command_exists() -> None:
    (commands,) = [it for it in _parser()._actions if isinstance(it, argparse._SubParsersAction)]
    named = set(re.findall(r"python -m bot ([a-z][a-z-]*)", PAGE))
    assert named == set(commands.choices)
    described = set(re.findall(r"python -m bot ([a-z][a-z-]*)", " ".join(row[0] for row in rows("Commands"))))
    assert described | {"run"} == set(commands.choices)


def test_the_service_allows_the_time_that_a_shutdown_may_take() -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[method-assign,assignment]
    unit.read_string(block("ini"))
    longest = CALL_SECONDS + background.LAST_SECONDS + scheduler.LAST_CALLS_SECONDS
    assert int(unit["Service"]["TimeoutStopSec"]) > longest
    assert unit["Service"]["Restart"] == "always"
    assert unit["Service"]["ExecStart"].endswith("-m bot")
    assert re.findall(r"--stop-timeout (\d+)", PAGE) == [unit["Service"]["TimeoutStopSec"]]


@pytest.mark.parametrize(("chosen", "given"), [({}, "300"), ({"TURN_SECONDS": "30"}, "30")])
def test_make_run_gives_long_turns_in_the_sandbox(tmp_path: Path, chosen: dict[str, str], given: str) -> None:
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\necho "$TURN_SECONDS $*"\n', "utf-8")
    python.chmod(0o755)
    for name in ("requirements.txt", ".venv/pyvenv.cfg", ".venv/.installed-to-run"):
        (tmp_path / name).touch()
    environment = {"PATH": os.environ["PATH"], **chosen}
    command = ("make", "--silent", "--file", str(ROOT / "Makefile"), "run", "ARGS=--port 0")
    run = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    assert run.stdout.splitlines()[-1] == f"{given} -m sandbox --port 0"


def test_the_proxies_forward_the_webhook_path() -> None:
    assert f"location = {webhook.PATH} " in block("nginx")
    assert f"reverse_proxy {webhook.PATH} 127.0.0.1:8080" in block("caddyfile")
    assert f"https://bot.example.org{webhook.PATH}`" in PAGE


def test_both_readmes_link_to_the_page() -> None:
    for name in ("README.md", "README.ru.md"):
        assert "](docs/RUNNING.md)" in (ROOT / name).read_text("utf-8")
