"""``python -m sandbox``: output, child processes, and exit."""

import asyncio
import json
import os
import random
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from sandbox.supervisor import pause
from tests.e2e.telegram import Telegram
from tests.patience import PATIENCE
from tests.processes import started

TOKEN = "77:made-up-for-this-test"
BOT = (sys.executable, "-m", "tests.sandbox.bots.opinions")


class Program:
    """A run of the program."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.bots: list[int] = []
        """The processes that it has said its bots are, known once it has ended."""

    async def line(self) -> str:
        """The next line it prints."""
        assert self.process.stdout is not None
        return (await asyncio.wait_for(self.process.stdout.readline(), PATIENCE)).decode().strip()

    async def end(self) -> tuple[int, str]:
        """Wait until it has ended; returns its exit status and what it complained of."""
        assert self.process.stderr is not None
        async with asyncio.timeout(PATIENCE):
            said = (await self.process.stderr.read()).decode()
            self.bots = [int(pid) for pid in re.findall(r"^the bot is process (\d+)$", said, re.MULTILINE)]
            complaint = re.sub(r"^the bot is process \d+\n", "", said, flags=re.MULTILINE)
            return await self.process.wait(), complaint


@asynccontextmanager
async def program(*options: str) -> AsyncIterator[Program]:
    """Run it on a free port."""
    async with started(
        *(sys.executable, "-m", "sandbox", "--port", "0", *options),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    ) as process:
        yield Program(process)
        if process.returncode is None:
            process.kill()


async def address(run: Program) -> str:
    """Return the printed address."""
    found = re.fullmatch(r"The sandbox is at (http://127\.0\.0\.1:\d+)", await run.line())
    assert found
    return found.group(1)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_it_serves_a_group_of_friends_until_it_is_told_to_stop(number: signal.Signals) -> None:
    async with program("--no-bot") as run:
        url = await address(run)
        offer = re.fullmatch(r"BOT_TOKEN=(\S+) BOT_API_URL=(\S+)", await run.line())
        assert offer
        assert offer.group(2) == f"{url}/bot"
        async with Telegram.connected(url, offer.group(1)) as telegram:
            world = await telegram.ask("world")
            assert [user["first_name"] for user in world["users"]] == ["Аня", "Борис", "Вера", "Grace"]
            assert [user["language_code"] for user in world["users"]] == ["ru", "ru", "ru", "en"]
            (chat,) = world["chats"]
            assert {member["user"] for member in chat["members"]} == {
                *(u["id"] for u in world["users"]),
                "bot",
            }
            assert (await telegram.api("getMe"))["ok"]
        run.process.send_signal(number)
        assert await run.end() == (0, "")


async def test_without_a_bot_of_its_own_it_takes_the_first_that_comes() -> None:
    async with program("--no-bot", "--empty") as run:
        url = await address(run)
        async with Telegram.connected(url, "42:brought-along") as telegram:
            assert (await telegram.api("getMe"))["result"]["id"] == 42
        async with Telegram.connected(url, "43:too-late") as telegram:
            assert (await telegram.api("getMe"))["error_code"] == 401
            assert (await telegram.ask("world"))["users"] == []


async def test_it_runs_a_bot_and_ends_it() -> None:
    async with program("--empty", "--token", TOKEN, "--bot", *BOT) as run:
        async with Telegram.connected(await address(run), TOKEN) as telegram:
            ada = await telegram.new_user("Ada")
            await telegram.send(ada, ada, "/soup")
            await telegram.wait_for_message(ada, ada, lambda message: "soup" in message.text)
        run.process.terminate()
        status, complaint = await run.end()
        assert (status, complaint) == (0, ""), "the bot ended in peace, before its Telegram went away"


TALKATIVE_BOT = """
import signal, sys
for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, lambda number, _: sys.exit(f"ended by {signal.Signals(number).name}"))
print("ready", flush=True)
signal.pause()
"""


async def test_ctrl_c_ends_the_bot_once() -> None:
    async with program("--empty", "--bot", sys.executable, "-c", TALKATIVE_BOT) as run:
        await address(run)
        assert await run.line() == "ready"
        os.killpg(run.process.pid, signal.SIGINT)  # as a terminal does it: to everybody in the foreground
        assert await run.end() == (0, "ended by SIGTERM\n")


DATABASE_BOT = """
import os, time
print(os.environ["DATABASE_PATH"], flush=True)
time.sleep(600)
"""


async def test_a_bot_keeps_what_it_remembers_of_a_world_beside_that_world(tmp_path: Path) -> None:
    bot = ("--bot", sys.executable, "-c", DATABASE_BOT)
    async with program("--empty", "--data", str(tmp_path), *bot) as run:
        await address(run)
        assert Path(await run.line()) == tmp_path / "bot.sqlite3"
    async with program("--empty", *bot) as run:
        await address(run)
        path = Path(await run.line())
        assert path.parent.is_dir()
        run.process.terminate()
        await run.end()
        assert not path.parent.exists(), "a world that nobody keeps leaves nothing behind"


async def test_a_killed_sandbox_leaves_no_bot_behind(tmp_path: Path) -> None:
    bot = ("--bot", sys.executable, "-c", TALKATIVE_BOT)
    async with program("--empty", "--data", str(tmp_path), *bot) as run:
        await address(run)
        assert await run.line() == "ready"
        run.process.kill()
        # Its output ends when all who could write there have ended.
        assert await run.end() == (-signal.SIGKILL, "ended by SIGTERM\n")


async def test_a_sandbox_that_is_killed_while_it_starts_its_bot_leaves_none_behind() -> None:
    chance = random.Random("leash")

    async def start_and_kill() -> tuple[int, str]:
        async with program("--empty", "--bot", sys.executable, "-c", TALKATIVE_BOT) as run:
            await address(run)
            await asyncio.sleep(chance.uniform(0, 0.02))  # no condition: the point is to come at any moment
            run.process.kill()
            return await run.end()

    ends = [await start_and_kill() for _ in range(12)]
    assert {status for status, _ in ends} == {-signal.SIGKILL}


async def test_a_bot_that_cannot_be_used_so_is_not_started_anew() -> None:
    async with program("--empty", "--bot", sys.executable, "-c", "raise SystemExit(2)") as run:
        assert await run.end() == (2, "the bot has ended with status 2\n")


BRITTLE_BOT = """
import os, pathlib, urllib.request
starts = pathlib.Path(os.environ["DATABASE_PATH"])
starts.write_text(starts.read_text() + "x" if starts.exists() else "x")
urllib.request.urlopen(os.environ["BOT_API_URL"] + os.environ["BOT_TOKEN"] + "/getMe")
print(os.getpid(), len(starts.read_text()), flush=True)
signal = __import__("signal")
signal.pause()
"""


async def test_a_killed_bot_is_started_anew_in_the_same_world() -> None:
    async with program("--empty", "--token", TOKEN, "--bot", sys.executable, "-c", BRITTLE_BOT) as run:
        async with Telegram.connected(await address(run), TOKEN) as telegram:
            await telegram.new_user("Ada")
            killed = []
            for number in ("1", "2"):
                process, starts = (await run.line()).split()
                assert starts == number, "what it remembers of this world is still there"
                world = await telegram.ask("world")
                assert [world["bot"]["is"], *(user["first_name"] for user in world["users"])] == ["up", "Ada"]
                killed.append(int(process))
                os.kill(int(process), signal.SIGKILL)

                async def is_gone() -> bool:
                    return bool((await telegram.ask("world"))["bot"]["is"] != "up")

                await telegram.until(is_gone)
        run.process.send_signal(signal.SIGINT)
        status, complaint = await run.end()
    assert status == 0
    assert run.bots[:2] == killed
    first, second = complaint.splitlines()[:2]
    assert first == "the bot was stopped by SIGKILL; starting it anew in 1 s"
    assert second == "the bot was stopped by SIGKILL; starting it anew in 2 s"


async def test_ctrl_c_ends_the_wait_for_a_bot_that_dies_at_once() -> None:
    async with program("--empty", "--bot", sys.executable, "-c", "raise SystemExit(3)") as run:
        async with Telegram.connected(await address(run), TOKEN) as telegram:

            async def is_down() -> bool:
                return bool((await telegram.ask("world"))["bot"]["is"] == "down")

            await telegram.until(is_down)
        os.killpg(run.process.pid, signal.SIGINT)
        status, complaint = await run.end()
        assert (status, complaint.splitlines()[0]) == (
            0,
            "the bot has ended with status 3; starting it anew in 1 s",
        )


def test_the_pauses_grow_as_long_as_a_bot_dies_at_once() -> None:
    assert [pause(number) for number in (0, 1, 2, 3, 9)] == [0, 1, 2, 4, 30]


async def test_it_says_what_it_could_not_start(tmp_path: Path) -> None:
    async with program("--bot", "no-such-program") as run:
        status, complaint = await run.end()
        assert (status, "no-such-program" in complaint) == (1, True)
    async with program("--no-bot") as first:
        port = (await address(first)).rsplit(":", 1)[-1]
        async with program("--no-bot", "--port", port) as second:
            status, complaint = await second.end()
            assert (status, "in use" in complaint) == (1, True)
            assert f"127.0.0.1:{port} " in complaint
            assert "--port" in complaint
    (tmp_path / "world.sqlite3").write_bytes(b"no database at all" * 100)
    async with program("--no-bot", "--data", str(tmp_path)) as run:
        status, complaint = await run.end()
        assert (status, "not a database" in complaint, "Traceback" in complaint) == (1, True, False)
    (tmp_path / "x.json").write_text("[", encoding="utf-8")
    async with program("--no-bot", "--script", str(tmp_path / "x.json")) as run:
        assert (await run.end())[0] == 1


@pytest.mark.parametrize("option", [("--port", "99999"), ("--port", "x"), ("--token", "secret")])
async def test_it_says_which_option_is_wrong(option: tuple[str, str]) -> None:
    async with program("--no-bot", *option) as run:
        status, complaint = await run.end()
        assert (status, f"error: argument {option[0]}: a" in complaint) == (2, True)


async def test_it_plays_a_script_and_keeps_the_world(tmp_path: Path) -> None:
    path = tmp_path / "demo.jsonl"
    steps = [
        {"do": "users", "with": {"first_name": "Ada"}, "as": "ada"},
        {"do": "start", "with": {"from": "$ada.id"}},
        {"do": "fly"},
    ]
    path.write_text("\n".join(json.dumps(step) for step in steps[:2]), encoding="utf-8")
    folder = str(tmp_path / "world")
    async with program(
        "--no-bot", "--empty", "--data", folder, "--token", TOKEN, "--script", str(path)
    ) as run:
        await address(run)
        lines = {await run.line(), await run.line()}
        assert "the script has been played: 2 steps" in lines
        run.process.terminate()
        assert (await run.end())[0] == 0

    path.write_text(json.dumps(steps[2:]), encoding="utf-8")
    async with program("--no-bot", "--data", folder, "--script", str(path)) as run:
        async with Telegram.connected(await address(run), TOKEN) as telegram:
            assert (await telegram.api("getMe"))["ok"]
            world = await telegram.ask("world")
            assert [user["first_name"] for user in world["users"]] == ["Ada"]
        run.process.terminate()
        status, complaint = await run.end()
        assert status == 0, "a script that stops does not stop the sandbox"
        assert complaint.startswith('the script stopped at step 1, {"do": "fly"}: no route fly')


async def test_a_killed_sandbox_has_lost_nothing_that_it_had_answered(tmp_path: Path) -> None:
    options = ("--no-bot", "--empty", "--data", str(tmp_path), "--token", TOKEN)
    async with program(*options) as run:
        async with Telegram.connected(await address(run), TOKEN) as telegram:
            ada = await telegram.new_user("Ada")
            await telegram.start(ada)
            await telegram.api("sendMessage", chat_id=ada, text="one")
            before = await telegram.ask("messages", chat=ada)
        run.process.kill()
        await run.process.wait()
    async with program(*options) as run, Telegram.connected(await address(run), TOKEN) as telegram:
        assert await telegram.ask("messages", chat=ada) == before
        (update,) = (await telegram.api("getUpdates"))["result"]
        assert update["message"]["text"] == "/start"
