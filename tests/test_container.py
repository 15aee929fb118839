"""The container image: its files suffice to check and run the bot, and its health check works."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from tests.e2e.telegram import Telegram
from tests.patience import PATIENCE
from tests.processes import started

ROOT = Path(__file__).parents[1]


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile's instructions, as (name, arguments); a line that ends in a backslash goes on."""
    text = (ROOT / "Dockerfile").read_text("utf-8")
    lines = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", "").splitlines()
    return [(name, rest) for name, _, rest in (line.partition(" ") for line in lines) if name]


def arguments(name: str) -> list[str]:
    return [rest for instruction, rest in instructions() if instruction == name]


@pytest.fixture
def image(tmp_path: Path) -> Path:
    """A folder with what is copied into the image, out of what is sent to be built from."""
    sent = {
        line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")
    }
    folder = tmp_path / "app"
    folder.mkdir()
    for source, target in (copied.split() for copied in arguments("COPY")):
        assert source in sent
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, folder / target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / source, folder / target)
    return folder


@pytest.fixture
async def telegram() -> AsyncIterator[Telegram]:
    async with Telegram.in_process() as it:
        yield it


def start(
    command: list[str], image: Path, **environment: str
) -> AbstractAsyncContextManager[asyncio.subprocess.Process]:
    """Run what the image is to run, with this interpreter."""
    assert command[0] == "python"
    return started(
        *(sys.executable, *command[1:]),
        cwd=image,
        env=os.environ | environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )


async def status_of(command: list[str], image: Path, **environment: str) -> int | None:
    async with start(command, image, **environment) as process:
        output, _ = await process.communicate()
    print(output.decode())
    return process.returncode


async def test_what_is_in_the_image_is_enough(image: Path, tmp_path: Path, telegram: Telegram) -> None:
    (healthcheck,) = arguments("HEALTHCHECK")
    health = json.loads(healthcheck.partition(" CMD ")[2])
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    environment = telegram.bot_environment | {"DATABASE_PATH": str(tmp_path / "101.sqlite3"), "PORT": port}
    assert await status_of(["python", "-m", "bot", "check"], image, **environment) == 0
    assert await status_of(health, image, **environment) != 0, "nobody answers"
    (command,) = arguments("CMD")
    async with start(json.loads(command), image, **environment) as bot, asyncio.timeout(PATIENCE):
        while await status_of(health, image, **environment) != 0:
            assert bot.returncode is None
    assert bot.returncode == 0


def test_it_does_not_run_as_root_and_keeps_its_database_in_the_volume() -> None:
    (user,) = arguments("USER")
    assert user not in ("root", "0")
    last = [name for name, _ in instructions()]
    assert last.index("USER") > max(at for at, name in enumerate(last) if name == "RUN")
    (volume,) = arguments("VOLUME")
    (environment,) = arguments("ENV")
    assert f"DATABASE_PATH={volume}/" in environment


def test_the_image_has_the_python_that_platforms_are_told_of() -> None:
    version = (ROOT / ".python-version").read_text("utf-8").strip()
    assert arguments("FROM") == [f"python:{version}-slim"]
