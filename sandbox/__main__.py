"""``python -m sandbox``: serve a local Telegram and run a bot against it."""

import argparse
import asyncio
import logging
import shlex
import signal
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from sandbox import script, state
from sandbox.api import TOKEN
from sandbox.bot_process import DEFAULT_COMMAND, BotProcess
from sandbox.model import Json
from sandbox.script import ScriptError
from sandbox.seed_data import populate
from sandbox.server import Server
from sandbox.state import Sandbox
from sandbox.store import Store, StoreError
from sandbox.supervisor import supervise

DEFAULT_PORT = 8101
MAX_PORT = 65_535


def parse_arguments(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse the command line; see ``--help``."""
    parser = argparse.ArgumentParser(prog="python -m sandbox", description="A local Telegram for a bot.")
    parser.add_argument(
        "--port", type=_port, default=DEFAULT_PORT, help="0 for any that is free (default: %(default)s)"
    )
    parser.add_argument(
        "--no-bot", action="store_true", help="only serve; prints a token for a bot that you start"
    )
    parser.add_argument(
        "--flood", choices=("on", "off"), default="on", help="Telegram's limits (default: on)"
    )
    parser.add_argument(
        "--empty", action="store_true", help="begin with nobody instead of a small group of friends"
    )
    parser.add_argument("--data", type=Path, metavar="DIR", help="keep the world there (default: in memory)")
    parser.add_argument("--script", type=Path, metavar="FILE", help="play these control calls; see script.py")
    parser.add_argument("--token", type=_token, help="the bot's token (default: a fresh one)")
    parser.add_argument(
        "--bot",
        nargs=argparse.REMAINDER,
        metavar="CMD",
        help="the bot's command line; last (default: python -m bot)",
    )
    return parser.parse_args(arguments)


def _port(text: str) -> int:
    if not (text.isdecimal() and int(text) <= MAX_PORT):
        raise argparse.ArgumentTypeError(f"a port is a number from 0 to {MAX_PORT}, not {text}")
    return int(text)


def _token(text: str) -> str:
    if not TOKEN.fullmatch(text):
        raise argparse.ArgumentTypeError(
            "a token is the bot's id, a colon, and letters and digits: 42:made-up"
        )
    return text


async def run(options: argparse.Namespace) -> int:
    """Serve until a signal arrives or the bot can't run; return the exit status."""
    token = options.token or (None if options.no_bot else state.new_token())
    sandbox = state.build(token=token, flood=options.flood == "on")
    server = Server(sandbox)
    async with AsyncExitStack() as stack:
        try:
            steps = script.load(options.script) if options.script else []
            store = Store(options.data, sandbox) if options.data else None
            if store is not None:
                stack.callback(store.close)
            _listen(server, options.port)
        except (OSError, ScriptError, StoreError) as error:
            print(error, file=sys.stderr)
            return 1
        stack.push_async_callback(server.stop)
        if options.token:
            sandbox.take_token(options.token)
        if not (options.empty or sandbox.world.users):
            populate(sandbox)
        print(f"The sandbox is at {server.url}", flush=True)
        stopped = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, stopped.set)
        playing = asyncio.create_task(_play(sandbox, steps))
        stack.callback(playing.cancel)
        if options.no_bot:
            print(f"BOT_TOKEN={sandbox.world.bot.token} BOT_API_URL={server.bot_api_url}", flush=True)
            await stopped.wait()
            return 0
        folder = options.data or Path(stack.enter_context(TemporaryDirectory(prefix="sandbox-")))
        return await _run_bot(options.bot or DEFAULT_COMMAND, server, folder.resolve(), stopped)


def _listen(server: Server, port: int) -> None:
    """Start listening. Raises OSError with a remedy if the address is not available."""
    try:
        server.start(port)
    except OSError as error:
        raise OSError(
            f"cannot listen at 127.0.0.1:{port} ({error.strerror});"
            " choose another port with --port, or take any that is free with --port 0"
        ) from error


async def _play(sandbox: Sandbox, steps: Sequence[Json]) -> None:
    try:
        await script.play(sandbox, steps)
    except ScriptError as error:
        print(f"the script stopped at {error}", file=sys.stderr)
    else:
        if steps:
            print(f"the script has been played: {len(steps)} steps", flush=True)


async def _run_bot(command: Sequence[str], server: Server, folder: Path, stopped: asyncio.Event) -> int:
    token = server.sandbox.world.bot.token

    def make() -> BotProcess:
        return BotProcess(command, token=token, api_url=server.bot_api_url, folder=folder)

    try:
        return await supervise(server.sandbox, make, stopped, _complain)
    except OSError as error:
        _complain(f"cannot start {shlex.join(command)}: {error.strerror}")
        return 1


def _complain(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


def main() -> None:
    """Run the command."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    sys.exit(asyncio.run(run(parse_arguments(sys.argv[1:]))))


if __name__ == "__main__":
    main()
