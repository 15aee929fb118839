"""Kills a writing process with SIGKILL at random points, again and again, and looks at what it leaves.

    python -m tests.bot.storage.killing FOLDER --kills 5000 --seed 1

What is stored must always be one committed state of each table, whole: its document, people, deadline and
moves of one revision; never older than the last one the writer said it had committed, and at most one newer.

SIGKILL takes the process and leaves the system: this shows that no transaction is torn, not that the disk has
synced. The parent must have no threads, since it forks: so it looks at databases in children, too.
"""

import argparse
import asyncio
import itertools
import json
import mmap
import os
import random
import select
import signal
import struct
import sys
import time
import traceback
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.storage import Storage
from bot.storage.database import Database
from bot.storage.tables import MoveToLog, TableRow

WRITERS = 3
KILLS_OF_A_DATABASE = 25
"""Then a new one is begun, so that kills hit its making too."""
TOLD = struct.Struct("<BI")
"""A writer's number and the revision that it has found stored or has committed."""


def row_of(writer: int, revision: int) -> TableRow:
    """Return a table's contents at a revision: every part identifies the revision."""
    return TableRow(
        id=f"t{writer}",
        chat_id=-writer,
        thread_id=0,
        phase="playing",
        running=True,
        revision=revision,
        deadline_at=float(revision),
        document=json.dumps({"revision": revision, "filler": "x" * (revision * 7919 % 20000)}),
        people=tuple(range(revision, revision + revision % 5)),
        created_at=0.0,
        updated_at=float(revision),
    )


def moves_of(revision: int) -> list[str]:
    """The moves that lead to a revision: none to three."""
    return [f"{revision}.{number}" for number in range(revision % 4)]


# ------------------------------------------------------------------------------------------------ in children


async def write(path: Path, pipe: int, under_way: mmap.mmap) -> None:
    """Commit revisions of several tables at once and report each one, until killed."""
    storage = Storage(await Database.open(path, lock_wait=0.0))

    def tell(writer: int, revision: int) -> None:
        os.write(pipe, TOLD.pack(writer, revision))

    async def keep_writing(writer: int) -> None:
        stored = await storage.tables.load(f"t{writer}")
        if stored is not None:
            tell(writer, stored.revision)
        for revision in itertools.count(0 if stored is None else stored.revision + 1):
            row = row_of(writer, revision)
            moves = [MoveToLog(at=0.0, actor=None, move=move) for move in moves_of(revision)]
            under_way[writer] = 1
            if revision == 0:
                await storage.tables.create(row, moves)
            else:
                await storage.tables.commit(row, revision - 1, moves)
            under_way[writer] = 0
            tell(writer, revision)

    await asyncio.gather(*(keep_writing(writer) for writer in range(WRITERS)))


async def examine(path: Path, told: dict[int, int]) -> None:
    """Open the database as the bot would, and raise AssertionError unless it is as it must be."""
    database = await Database.open(path, lock_wait=0.0)
    try:
        storage = Storage(database)
        assert await database.fetch_all("PRAGMA integrity_check") == [("ok",)]
        assert await database.fetch_all("PRAGMA foreign_key_check") == []
        for writer in range(WRITERS):
            last = told.get(writer, -1)
            stored = await storage.tables.load(f"t{writer}")
            revision = -1 if stored is None else stored.revision
            assert last <= revision <= last + 1, f"table {writer}: told {last}, stored {revision}"
            if stored is None:
                continue
            assert stored == row_of(writer, revision)
            log = await storage.tables.move_log(f"t{writer}")
            expected = [(r, move) for r in range(revision + 1) for move in moves_of(r)]
            assert [(logged.revision, logged.move) for logged in log] == expected
            assert [logged.n for logged in log] == list(range(1, len(log) + 1))
            indexed = await database.fetch_all(
                "SELECT user_id FROM table_people WHERE table_id = ? ORDER BY user_id", (f"t{writer}",)
            )
            assert tuple(user_id for (user_id,) in indexed) == stored.people
    finally:
        await database.close()


def fork(work: Callable[[], Coroutine[Any, Any, None]]) -> int:
    """Do this in a child; its exit status is 0, or 1 with the traceback on standard error."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            asyncio.run(work())
            status = 0
        finally:
            # Nothing of the parent's may run in the child, its `finally` blocks included.
            if status:
                traceback.print_exc()
            os._exit(status)
    return child


# ------------------------------------------------------------------------------------------------- the parent


@dataclass
class Tally:
    """What was done.

    `inside` counts the kills that hit a commit under way, `opening` those before the first one; `revisions`
    is what the writers have committed between them.
    """

    kills: int = 0
    inside: int = 0
    opening: int = 0
    revisions: int = 0


@dataclass
class Victim:
    """A database and what its writers have told."""

    path: Path
    told: dict[int, int] = field(default_factory=dict)

    def kill_once(self, chance: random.Random, tally: Tally) -> None:
        """Let the writers write for a while, kill them, and look at the database."""
        reading, writing = os.pipe()
        under_way = mmap.mmap(-1, WRITERS)
        child = fork(lambda: write(self.path, writing, under_way))
        os.close(writing)
        before = sum(self.told.values())
        heard = self._listen(reading, chance.choice([0, 0, 1, 3, 10]))
        time.sleep(chance.uniform(0.0, 0.004 if heard else 0.03))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        assert os.WIFSIGNALED(status), "the writer ended by itself"
        assert os.WTERMSIG(status) == signal.SIGKILL, "the writer ended by itself"
        self._listen(reading, None)
        os.close(reading)
        tally.kills += 1
        tally.inside += any(under_way[:])
        tally.opening += not any(under_way[:]) and sum(self.told.values()) == before
        tally.revisions += sum(self.told.values()) - before
        under_way.close()
        _, status = os.waitpid(fork(lambda: examine(self.path, self.told)), 0)
        assert status == 0, f"{self.path} is not as it must be after kill {tally.kills}"

    def _listen(self, pipe: int, count: int | None) -> int:
        """Take down so many revisions (None: all that were told), and return how many there were."""
        heard = 0
        while count is None or heard < count:
            if count is not None:
                select.select([pipe], [], [], 10.0)
            record = os.read(pipe, TOLD.size)
            if len(record) < TOLD.size:
                break
            writer, revision = TOLD.unpack(record)
            self.told[writer] = revision
            heard += 1
        return heard


def main() -> None:
    """Kill, and print the tally as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    tally = Tally()
    while tally.kills < options.kills:
        victim = Victim(options.folder / f"killed-{tally.kills}.db")
        for _ in range(min(KILLS_OF_A_DATABASE, options.kills - tally.kills)):
            victim.kill_once(chance, tally)
        for file in options.folder.glob(f"{victim.path.name}*"):
            file.unlink()
    print(json.dumps(vars(tally)))


if __name__ == "__main__":
    main()
