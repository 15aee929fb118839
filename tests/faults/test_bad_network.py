"""A few troubles of the network before Telegram while people play; `bad_network` has all of them."""

from __future__ import annotations

from pathlib import Path

from tests.faults.bad_network import go_through

SPELLS = (
    ("half-open", 5.5),  # longer than the bot waits for a handshake
    ("page 403", 2.0),
    ("all 401", 1.0),
    ("name unknown", 1.0),
    ("unreadable", 0.5),
    ("webhook", 0.0),
)


async def test_after_every_trouble_the_bot_is_heard_and_nobody_is_punished(tmp_path: Path) -> None:
    report = await go_through(SPELLS, tables=1, seed="short", folder=tmp_path, pause=0.2)
    assert [spell.trouble for spell in report.spells if spell.heard_after is None] == []
    assert report.punished == set()
    assert report.wrong == []
