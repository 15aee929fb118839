"""`python -m bot`: run the bot with the settings of the environment.

`… check` examines the configuration and the surroundings; `… backup FILE` copies the database; `…
rebuild-records` recreates the records of finished matches.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
from pathlib import Path

from pydantic import ValidationError

from bot.app import run
from bot.check import Finding, check
from bot.config import Settings, read_settings, unknown_names
from bot.logs import configure_logging
from bot.starting import CannotStart
from bot.storage import Storage
from bot.storage.backup import back_up
from bot.storage.database import Database
from bot.storage.errors import PASSING, StorageError
from bot.tables.rebuilding import rebuild_records
from bot.updates.liveness import UpdatesLost

log = logging.getLogger("bot")


def main(arguments: list[str] | None = None) -> int:
    """Run a command and return its exit status: 0 for success, 1 for failure, 2 if it could not begin.

    For `check`: 0 if all is well, 1 if something needs attention, 2 if the bot cannot be used as configured.
    """
    chosen = _parser().parse_args(arguments)
    try:
        settings = read_settings()
    except CannotStart as error:
        print(f"cannot start: {error}", file=sys.stderr)
        return 2
    except ValidationError as error:
        print(_explain(error), file=sys.stderr)
        return 2
    formatter = configure_logging(settings.log_level, (settings.bot_token.get_secret_value(),), PASSING)
    try:
        if chosen.command == "check":
            return _report(asyncio.run(check(settings)))
        if chosen.command == "backup":
            asyncio.run(back_up(settings.database_path, chosen.file))
        elif chosen.command == "rebuild-records":
            return asyncio.run(_rebuild_records(settings))
        else:
            for problem in unknown_names():
                log.warning("%s", problem)
            asyncio.run(run(settings, formatter))
    except CannotStart as error:
        log.error("cannot start: %s", error)
        return 2
    except StorageError as error:
        log.error("%s", error)
        return 1
    except UpdatesLost:  # has been logged where it was raised
        return 1
    except Exception:
        # Otherwise the interpreter would print it with its secrets: the error of a refused token contains it.
        log.exception("ended by an error")
        return 1
    return 0


async def _rebuild_records(settings: Settings) -> int:
    """Rebuild the records and print a summary; return 1 if a log was unreadable, otherwise 0."""
    database = await Database.open(settings.database_path, lock_wait=1.0)
    try:
        rebuilt = await rebuild_records(Storage(database))
    finally:
        await database.close()
    print(f"{rebuilt.matches} matches recorded.")
    if rebuilt.unreadable:
        tables = ", ".join(rebuilt.unreadable)
        print(f"The logs of these tables cannot be followed, their records stay: {tables}", file=sys.stderr)
    return 1 if rebuilt.unreadable else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bot", description=__doc__)
    commands = parser.add_subparsers(dest="command")
    commands.add_parser("run", help="run the bot (the default)")
    commands.add_parser(
        "check",
        help="examine configuration, token, database and webhook without changing anything;"
        " exit status 0: all is well, 1: something needs attention, 2: the bot cannot be used",
    )
    backup = commands.add_parser(
        "backup", help="copy the database to a new file, also while the bot is running"
    )
    backup.add_argument("file", type=Path)
    commands.add_parser(
        "rebuild-records",
        help="recreate the records of finished matches and all ratings from the logs of moves"
        " (while the bot is not running)",
    )
    return parser


def _report(findings: list[Finding]) -> int:
    """Print the findings and return the exit status."""
    for finding in findings:
        print(finding)
    return max(finding.severity for finding in findings)


def _explain(error: ValidationError) -> str:
    """Describe the invalid settings in a line each, without values, and names that may be misspelt."""
    problems = []
    for problem in error.errors():
        name = ".".join(str(part) for part in problem["loc"]).upper()
        text = problem["msg"].removeprefix("Value error, ")
        problems.append(f"{name}: {text}" if name else text)
    return "\n  ".join(["The settings are not right (see .env.example):", *problems, *unknown_names()])


if __name__ == "__main__":
    sys.exit(main())
