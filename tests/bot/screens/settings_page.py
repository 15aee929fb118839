"""Generates docs/SETTINGS.md from the declarations: `python -m tests.bot.screens.settings_page --write`."""

from __future__ import annotations

import html
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from bot.screens.settings_layout import value_text
from bot.settings import Choice, Owner, choices_of
from tests.bot.screens.scenes import CATALOGUES

PAGE = Path(__file__).parents[3] / "docs" / "SETTINGS.md"
_TR = CATALOGUES["en"]
_HEAD = """\
# Settings

All settings of the `/settings` menu except a group's [rules](RULES.md#settings) and the languages, in the
bot's own words. The default is in bold; the host can [change](RUNNING.md#settings) it for pace and cut.
Generated from `bot/settings.py` by `make golden`.
"""
_CHAPTERS = (
    ("A group's", "In a group, for its tables.", (Owner.TABLE, Owner.GROUP)),
    ("Your own", "In the private chat with the bot.", (Owner.PERSON,)),
)


def settings_page() -> str:
    """The whole page."""
    return "\n".join((_HEAD, *(line for chapter in _CHAPTERS for line in _chapter(*chapter))))


def _chapter(title: str, where: str, owners: tuple[Owner, ...]) -> Iterator[str]:
    yield from (f"## {title}", "", where, "")
    yield "| setting | values | what it does | takes effect |"
    yield "|---|---|---|---|"
    for choice in choices_of(*owners):
        about = re.sub("<[^<>]*>", "", html.unescape(_TR(f"about.{choice.name}")))
        when = "from the next match on" if choice.next_match else "at once"
        who = "; admins choose it" if choice.admins_only else ""
        yield f"| `{choice.name}` | {_values(choice)} | {about} | {when}{who} |"
    yield ""


def _values(choice: Choice) -> str:
    """All values in words."""
    texts = [(value_text(choice, value, _TR), value == choice.default) for value in choice.values]
    return " · ".join(f"**{text}**" if is_default else text for text, is_default in texts)


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(settings_page(), encoding="utf-8")
    else:
        sys.exit(__doc__)
