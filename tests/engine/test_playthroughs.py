"""A whole match for each preset and a snapshot for each schema equal their golden files."""

import json
from pathlib import Path

import pytest

from engine import PRESETS, dump_match, load_match
from engine.codec import SCHEMA, UPGRADES
from tests.builders import SEED, play, position
from tests.engine.playthrough import FOLDER, path_of, play_through

SNAPSHOTS = {number: FOLDER / f"schema-{number}.json" for number in range(1, SCHEMA + 1)}


@pytest.mark.parametrize("preset", PRESETS)
def test_a_presets_match_is_played_as_it_was_written_down(preset: str) -> None:
    assert path_of(preset).exists(), "write it: python -m tests.engine.playthrough --write"
    assert play_through(preset).splitlines() == path_of(preset).read_text("utf-8").splitlines()


def test_every_match_written_down_is_some_presets() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(PRESETS)


def test_the_matches_written_down_show_what_presets_are_about() -> None:
    told = {preset: path_of(preset).read_text("utf-8") for preset in PRESETS}
    assert all(" leaves" in text and " joins with " in text for text in told.values())
    for words, presets in {
        "covers with": PRESETS,
        "orders": PRESETS,
        "(load)": ["cover_six"],
        "may answer": ["game_108"],
        "shuffled": ["one_card"],
        "(drew_and_passed)": ["take_and_pass"],
        "(found_nothing)": ["one_card", "five_card", "cover_six", "heavy_six", "game_108"],
    }.items():
        assert [preset for preset, text in told.items() if words in text] == list(presets), words


@pytest.mark.parametrize("path", SNAPSHOTS.values(), ids=SNAPSHOTS.keys())
def test_a_snapshot_of_every_schema_is_read(path: Path) -> None:
    """Each was taken after the same moves: a double deck of queens and sixes under rules of its own."""
    match = position(
        "p1 [12]: 6D 6S AC | p2 [-20]: 6C KD | p3 [102 out]: | p4: 6H 7D | p5 [9 left]: | stock: 9H"
        f"| discard: 10C 10D JD | direction: -1 | number: 3 | seed: {SEED} | recycles: 1 | leader: p2",
        preset="game_108",
        recycle="shuffle",
        effects={"K": "take3", "KS": "none", "J": "reverse"},
    )
    expected = play(match, "p1 6D", "p4 6H")
    assert load_match(json.loads(path.read_text("utf-8"))) == expected


def test_there_is_a_way_up_from_every_older_schema() -> None:
    assert set(UPGRADES) == set(range(1, SCHEMA))


def test_the_newest_snapshot_is_what_is_written_today() -> None:
    document = json.loads(SNAPSHOTS[SCHEMA].read_text("utf-8"))
    assert dump_match(load_match(document)) == document
