"""SIGKILL inside transactions: nothing is torn, and nothing acknowledged is lost.

`STORAGE_KILLS` sets how many kills there are; `killing` says what each of them is.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
KILLS = int(os.environ.get("STORAGE_KILLS", "100"))


def test_a_writer_killed_at_any_point_leaves_only_whole_transactions(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.bot.storage.killing", str(tmp_path), "--kills", str(KILLS)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    tally = json.loads(done.stdout)
    assert tally["kills"] == KILLS
    assert tally["inside"] >= KILLS // 4, f"too few kills hit a commit: {tally}"
