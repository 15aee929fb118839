"""What is broken on purpose fits the code as it is; the commands that break it are too slow for the suite."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults import breakages as of_faults

ROOT = Path(__file__).parent.parent

PLACES = [(it.module, it.sound) for it in of_faults.BREAKAGES]
TESTS = {it.test for it in of_faults.BREAKAGES}


@pytest.mark.parametrize(("module", "sound"), PLACES, ids=lambda text: text.strip()[:60])
def test_what_is_to_be_broken_stands_once_in_its_module(module: str, sound: str) -> None:
    assert (ROOT / module).read_text("utf-8").count(sound) == 1


@pytest.mark.parametrize("test", sorted(TESTS))
def test_the_test_that_is_to_fail_is_there(test: str) -> None:
    path, _, name = test.partition("::")
    assert (ROOT / path).exists()
    if name:
        text = (ROOT / path).read_text("utf-8")
        assert f"def {name.partition('[')[0]}(" in text or f"{name} = " in text
