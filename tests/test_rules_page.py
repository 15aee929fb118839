"""Compares docs/RULES.md with the engine: settings, values, presets and reasons; its examples run."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine import PRESETS, SETTINGS, Effect, Reason, Rules, SettingKind
from engine.replay import replay

PAGE = (Path(__file__).parent.parent / "docs/RULES.md").read_text("utf-8")


def section(title: str) -> str:
    """The text under a heading, with the headings below it."""
    found = re.search(rf"^(#+) {re.escape(title)}\n(.*?)(?=^\1 |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None, f"no heading «{title}»"
    return found[2]


def rows(text: str) -> list[list[str]]:
    """The cells of every table row."""
    return [
        [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"
    ]


def examples(text: str) -> list[Any]:
    """The JSON blocks, read."""
    return [json.loads(block) for block in re.findall(r"^```json\n(.*?)^```", text, re.MULTILINE | re.DOTALL)]


def settings_with_values() -> dict[str, str]:
    """The first two columns of the tables of settings: a name, and its values over one row or more."""
    found: dict[str, str] = {}
    name = ""
    for row in rows(section("Settings")):
        if len(row) == 3 and row[0] not in ("setting", "---"):
            name = row[0].strip("`") or name
            found[name] = found.get(name, "") + " " + row[1]
    return found


def test_every_setting_is_explained_with_all_its_values_the_classic_one_first() -> None:
    explained = settings_with_values()
    assert explained.keys() == SETTINGS.keys() - {"effects"}
    for name, written in explained.items():
        setting = SETTINGS[name]
        if setting.kind is SettingKind.CHOICE:
            expected = [
                str(value).lower() if isinstance(value, bool) else str(value) for value in setting.values
            ]
            assert re.findall(r"`(\w+)`", written) == expected
        elif setting.kind is SettingKind.NUMBER:
            assert [int(number) for number in re.findall(r"\d+", written)] == [
                setting.default,
                setting.lowest,
                setting.highest,
            ]


def test_every_effect_is_explained() -> None:
    explained = " ".join(row[0] for row in rows(section("What cards do")) if len(row) == 2)
    assert {effect.value for effect in Effect} - set(re.findall(r"\w+", explained)) == {
        "take2",
        "take3",
        "take4",
    }
    assert "`take1` … `take5`" in explained


def preset_as_written(cell: str) -> dict[str, Any]:
    """A cell such as «`draw` one_then_play, `effects` 8 none, 7♠ take4» as a document's overrides."""
    document: dict[str, Any] = {}
    for name, value in re.findall(r"`(\w+)` ([^`]+?)(?:, (?=`)|$)", cell):
        if name == "effects":
            pairs = (pair.split() for pair in value.split(", "))
            document[name] = {key.translate(str.maketrans("♠♥♦♣", "SHDC")): effect for key, effect in pairs}
        elif name == "transfer":
            document[name] = value.split(" and ")
        else:
            document[name] = int(value) if value.isdecimal() else value
    return document


def test_every_preset_is_written_as_it_is() -> None:
    written = {row[0].strip("`"): row[2] for row in rows(section("Presets"))[2:]}
    assert list(written) == list(PRESETS)
    for preset, cell in written.items():
        classic_but = Rules.from_document(preset_as_written(cell))
        assert replace(classic_but, preset=preset) == Rules.from_document({"preset": preset})


def test_every_reason_is_explained_once_and_has_its_place_in_the_order() -> None:
    tables = rows(section("Reasons of refusal"))
    split = tables.index(["reason", "when"])
    order, explained = (
        re.findall(r"`(\w+)`", " ".join(" ".join(row[column:]) for row in part))
        for column, part in ((1, tables[:split]), (0, [[row[0]] for row in tables[split:]]))
    )
    assert sorted(explained) == sorted(reason.value for reason in Reason)
    assert set(order) == set(explained)


def test_the_position_that_is_shown_can_be_played() -> None:
    (position,) = (example for example in examples(PAGE) if "players" in example)
    answer = replay(position)
    assert answer["ok"], answer["error"]


def test_the_answer_that_is_shown_has_the_parts_that_answers_have() -> None:
    (shown,) = (example for example in examples(PAGE) if "state" in example)
    answer = replay({"players": ["p1", "p2"], "moves": [{"deal": None, "seed": "5e" * 32}, "p3 draw"]})
    assert shown.keys() == answer.keys()
    assert shown["state"].keys() == answer["state"].keys()
    assert shown["error"].keys() >= {"move", "reason"}


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\(#([^)]*)\)", PAGE))))
def test_links_within_the_page_lead_to_its_headings(link: str) -> None:
    headings = re.findall(r"^#+ (.*)$", PAGE, re.MULTILINE)
    assert link in {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
