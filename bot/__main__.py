"""`python -m bot`: run the bot with the settings of the environment.

`… check` says whether it can be used as it is configured; `… backup FILE` copies its database; `…
rebuild-records` makes the records of finished matches anew.
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
    """Run a command; the exit status is 0 if it did what it should, 1 if not, 2 if it could not begin.

    For `check`: 0 if all is well, 1 if there is something to mend, 2 if the bot cannot be used with this
    configuration.
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
    except UpdatesLost:  # it has been told when it happened
        return 1
    except Exception:
        # Else the interpreter would write it, secrets and all: a token that is refused stands in its error.
        log.exception("ended by an error")
        return 1
    return 0


async def _rebuild_records(settings: Settings) -> int:
    """Do it, and say what was done; 1 if there was something that it could not read."""
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
    """The commands that there are."""
    parser = argparse.ArgumentParser(prog="python -m bot", description=__doc__)
    commands = parser.add_subparsers(dest="command")
    commands.add_parser("run", help="run the bot (the default)")
    commands.add_parser(
        "check",
        help="look at configuration, token, database and webhook, and change nothing;"
        " the exit status is 0: all is well, 1: something to mend, 2: not to be used so",
    )
    backup = commands.add_parser(
        "backup", help="copy the database to a new file, while the bot may be running"
    )
    backup.add_argument("file", type=Path)
    commands.add_parser(
        "rebuild-records",
        help="make the records of finished matches, and all ratings, anew from the logs of their moves"
        " (while the bot does not run)",
    )
    return parser


def _report(findings: list[Finding]) -> int:
    """Print what was found, and return the exit status."""
    for finding in findings:
        print(finding)
    return max(finding.severity for finding in findings)


def _explain(error: ValidationError) -> str:
    """What is wrong with the settings, a line each, without their values; a misspelt name may be the
    reason."""
    problems = []
    for problem in error.errors():
        name = ".".join(str(part) for part in problem["loc"]).upper()
        text = problem["msg"].removeprefix("Value error, ")
        problems.append(f"{name}: {text}" if name else text)
    return "\n  ".join(["The settings are not right (see .env.example):", *problems, *unknown_names()])


if __name__ == "__main__":
    sys.exit(main())
