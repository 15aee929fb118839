"""`python -m bot.locales extract`: add missing keys to the catalogues and list unused ones."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from bot.locales.extract import extract


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bot.locales", description=__doc__)
    parser.add_argument("command", choices=["extract"])
    parser.parse_args(arguments)
    for report in extract():
        for key in report.added:
            print(f"{report.language}.po: added, to be translated: {key}")
        for key in report.unused:
            print(f"{report.language}.po: not used: {key}")
        if not report.added and not report.unused:
            print(f"{report.language}.po: complete")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
