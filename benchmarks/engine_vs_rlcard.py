"""Compares the engine with RLCard's Uno, both with random play by four: `python -m
benchmarks.engine_vs_rlcard`.

RLCard (https://github.com/datamllab/rlcard, MIT) is a library of card games for reinforcement learning; its
Uno is written in Python too. It is measured at its fastest, the game itself: no environment, no observations.
Both sides deal, list the legal moves, choose one at random and make it. They alternate several times, so that
other load on the machine affects both; the figures are medians.

RLCard gets its own virtual environment, created on first use next to this file, and is installed there by
name from the package index that pip is set up with. Prints JSON; ``ratio`` is the engine's moves per second
divided by RLCard's.
"""

import argparse
import json
import statistics
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).parent
ENVIRONMENT = HERE / ".venv-rlcard"
REQUIREMENT = "rlcard==1.2.0"

RLCARD = """
import json, random, sys, time
import numpy
from rlcard.games.uno import Game

game = Game(num_players=4)
game.np_random = numpy.random.RandomState(101)
chance = random.Random(101)
moves = 0
seconds = float(sys.argv[1])
started = time.perf_counter()
game.init_game()
while (elapsed := time.perf_counter() - started) < seconds:
    for _ in range(1000):
        choices = game.get_legal_actions()
        game.step(choices[int(chance.random() * len(choices))])
        if game.is_over():
            game.init_game()
    moves += 1000
print(json.dumps({"moves_per_s": round(moves / elapsed)}))
"""


def rlcards_python() -> Path:
    """Return the Python of RLCard's environment, creating it if necessary."""
    python = ENVIRONMENT / "bin" / "python"
    if not (ENVIRONMENT / "ready").exists():
        venv.create(ENVIRONMENT, with_pip=True, clear=True)
        (ENVIRONMENT / ".gitignore").write_text("*\n")
        install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", REQUIREMENT]
        subprocess.run([python, *install], check=True)
        (ENVIRONMENT / "ready").touch()
    return python


def measured(*command: str | Path) -> int:
    """Return the moves per second from a command's JSON."""
    done = subprocess.run(command, capture_output=True, check=True, cwd=HERE.parent)
    return int(json.loads(done.stdout)["moves_per_s"])


def main() -> None:
    """Measure both alternately; print medians and their ratio."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engine_vs_rlcard")
    parser.add_argument("--seconds", default=3.0, type=float, help="for each measurement; default: 3")
    parser.add_argument("--times", default=3, type=int, help="measurements of each side; default: 3")
    chosen = parser.parse_args()
    python, seconds = rlcards_python(), str(chosen.seconds)
    ours, theirs = [], []
    for _ in range(chosen.times):
        ours.append(measured(sys.executable, "-m", "engine", "bench", "--seconds", seconds))
        theirs.append(measured(python, "-c", RLCARD, seconds))
    engine, rlcard = statistics.median(ours), statistics.median(theirs)
    result = {
        "engine_moves_per_s": round(engine),
        "rlcard_moves_per_s": round(rlcard),
        "ratio": round(engine / rlcard, 2),
        "measurements": {"engine": ours, "rlcard": theirs},
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
