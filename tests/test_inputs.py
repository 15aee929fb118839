"""A run of all end-to-end tests fails if it leaves out a button or a command, and reports which."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.inputs import END_TO_END, every_input

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(("spared", "workers"), [("Sit", "0"), ("/bell", "2"), (None, "2")])
def test_what_no_test_presses_or_types_fails_the_run(
    tmp_path: Path, spared: str | None, workers: str
) -> None:
    inputs = sorted(every_input() - {spared})
    for number, name in enumerate(sorted(END_TO_END)):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        share = inputs[number :: len(END_TO_END)]
        path.write_text(f"import tests.inputs\ndef test_it():\n    list(map(tests.inputs.record, {share}))\n")
    options = ["-p", "tests.inputs", "-p", "no:cacheprovider", "--import-mode=importlib", "-n", workers]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, f"--rootdir={tmp_path}", tmp_path],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == (1 if spared else 0), done.stdout + done.stderr
    assert spared is None or spared in done.stdout.splitlines()
