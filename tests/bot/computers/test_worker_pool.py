"""The worker pool, with real processes: answers, sharing, and shutdown."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from bot.computers import worker_pool as module
from bot.computers.ipc import ThinkRequest, frame
from bot.computers.worker_pool import SEARCH_SECONDS, ThoughtFailed, WorkerPool
from engine import View, legal, view_for
from engine.players import Level, choose
from tests.builders import position
from tests.patience import PATIENCE

MATCH = position("p1: 9S 10S KD QH | p2: 7D 10C | stock: 9D 6H 7C 8S KC | discard: JS")
VIEW = view_for(MATCH, 0)
OUT_OF_TURN = view_for(MATCH, 1)


@pytest.fixture
async def pool() -> AsyncIterator[WorkerPool]:
    found = WorkerPool(1)
    yield found
    await found.close()


def processes(pool: WorkerPool) -> list[int]:
    return [worker._process.pid for worker in pool._workers if worker._process is not None]


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("level", Level)
async def test_a_process_plays_what_the_level_plays(pool: WorkerPool, level: Level) -> None:
    move = await pool.choose(level, VIEW, 7)
    assert move in legal(MATCH, 0)
    if level is not Level.STRONG:  # whose search ends by the clock
        assert move == choose(level, VIEW, Random(7))


async def test_nothing_is_started_before_it_is_needed_and_then_it_is_kept(pool: WorkerPool) -> None:
    assert processes(pool) == []
    await pool.choose(Level.EASY, VIEW, 1)
    first = processes(pool)
    await pool.choose(Level.NORMAL, VIEW, 2)
    assert len(first) == 1
    assert processes(pool) == first


async def test_a_player_that_fails_is_told_of_without_what_it_saw(pool: WorkerPool) -> None:
    with pytest.raises(ThoughtFailed) as failed:
        await pool.choose(Level.NORMAL, OUT_OF_TURN, 1)
    assert str(failed.value) == "ValueError"
    assert await pool.choose(Level.EASY, VIEW, 1) in VIEW.legal


async def test_a_process_that_was_killed_is_started_anew(
    pool: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    await pool.choose(Level.EASY, VIEW, 1)
    (pid,) = processes(pool)
    monkeypatch.setattr(module, "SEARCH_SECONDS", 3600.0)
    searching = asyncio.create_task(pool.choose(Level.STRONG, VIEW, 1))
    for _ in range(2):
        await asyncio.sleep(0)  # it has been asked
    os.kill(pid, 9)
    with pytest.raises(ThoughtFailed):
        await searching
    assert await pool.choose(Level.EASY, VIEW, 1) in VIEW.legal
    assert processes(pool) != [pid]


async def test_a_thought_that_is_no_longer_wanted_gives_its_process_free(
    pool: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    await pool.choose(Level.EASY, VIEW, 1)
    before = processes(pool)
    monkeypatch.setattr(module, "SEARCH_SECONDS", 3600.0)
    searching = asyncio.create_task(pool.choose(Level.STRONG, VIEW, 1))
    waiting = asyncio.create_task(pool.choose(Level.EASY, VIEW, 1))
    await asyncio.sleep(0)  # one is asking, the other waits for its turn
    assert pool._idle.empty()
    searching.cancel()
    waiting.cancel()
    results = await asyncio.gather(searching, waiting, return_exceptions=True)
    assert [type(result) for result in results] == [asyncio.CancelledError] * 2
    assert await asyncio.wait_for(pool.choose(Level.EASY, VIEW, 1), PATIENCE) in VIEW.legal
    assert processes(pool) == before
    assert pool._wanted == 0


async def test_who_thinks_at_the_same_time_shares_the_time() -> None:
    few, many = WorkerPool(2), WorkerPool(2)
    few._wanted, many._wanted = 2, 20
    assert few._seconds() == SEARCH_SECONDS
    assert many._seconds() == SEARCH_SECONDS / 10
    many._wanted = 2000
    assert many._seconds() == module.LEAST_SECONDS


async def test_processes_end_with_the_bot_and_are_told_no_secret(
    pool: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOT_TOKEN", "12345:token")
    await pool.choose(Level.EASY, VIEW, 1)
    (pid,) = processes(pool)
    assert b"12345:" not in Path(f"/proc/{pid}/environ").read_bytes()
    await pool.close()
    assert not is_there(pid)


async def test_all_processes_end_with_the_bot_even_in_the_midst_of_a_thought(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As at a stop: nobody wants the thought any more, and its process is ended before it has answered."""
    monkeypatch.setattr(module, "SEARCH_SECONDS", 3600.0)
    monkeypatch.setattr(module._Worker, "interrupt", lambda _worker: None)
    pool = WorkerPool(2)
    await asyncio.gather(*(pool.choose(Level.EASY, VIEW, 1) for _ in range(2)))
    pids = processes(pool)
    thoughts = [asyncio.create_task(pool.choose(Level.STRONG, VIEW, 1)) for _ in range(2)]
    await asyncio.sleep(0)  # both are asking
    for thought in thoughts:
        thought.cancel()
    await asyncio.gather(*thoughts, return_exceptions=True)
    await pool.close()
    assert len(pids) == 2
    assert not any(is_there(pid) for pid in pids)


def test_a_process_ends_with_its_input_though_nobody_tells_it() -> None:
    """As when the bot is killed, even while it thinks; and signals meant for the bot are not for it."""
    command = [sys.executable, "-m", "bot.computers.worker"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(frame(ThinkRequest(Level.EASY, VIEW, 1, 1.0)))
        process.stdin.flush()
        assert process.stdout.read(4) != b""
        process.terminate()
        process.stdin.write(frame(ThinkRequest(Level.STRONG, VIEW, 1, 3600.0)))
        process.stdin.close()
        assert process.wait(PATIENCE) == 0


def test_a_question_tells_nothing_when_it_is_written_down() -> None:
    assert "View" not in repr(ThinkRequest(Level.EASY, VIEW, 1, 1.0))
    assert isinstance(VIEW, View)
