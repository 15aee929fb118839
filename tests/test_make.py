"""What `make` would do in a separate folder: playing installs no development tools."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    for name in ("Makefile", "requirements.txt", "requirements-dev.txt"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def planned(clone: Path, target: str) -> str:
    """The commands that this would carry out."""
    make = shutil.which("make")
    assert make is not None
    return subprocess.run(
        [make, "--dry-run", target], cwd=clone, capture_output=True, text=True, check=True
    ).stdout


def do(clone: Path, target: str) -> None:
    """Create what this target creates: the environment, and its marks."""
    (clone / ".venv").mkdir(exist_ok=True)
    (clone / ".venv" / "pyvenv.cfg").touch()
    for line in planned(clone, target).splitlines():
        if line.startswith("touch "):
            subprocess.run(line.split(), cwd=clone, check=True)


def test_to_play_only_what_the_bot_needs_is_installed(clone: Path) -> None:
    plan = planned(clone, "run")
    assert "-m venv" in plan
    assert "-r requirements.txt" in plan
    assert "requirements-dev.txt" not in plan


@pytest.mark.parametrize("before", ["run", "install"])
def test_nothing_is_installed_twice(clone: Path, before: str) -> None:
    do(clone, before)
    plan = planned(clone, "run")
    assert "pip install" not in plan
    assert "-m venv" not in plan
    assert "-m sandbox" in plan


def test_the_tools_are_still_installed_when_somebody_has_played_before(clone: Path) -> None:
    do(clone, "run")
    assert "-r requirements-dev.txt" in planned(clone, "install")
