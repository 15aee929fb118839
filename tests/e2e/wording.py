"""The texts of refusals, for tests that expect them."""

from __future__ import annotations

from tests.e2e.committed import CATALOGUES
from tests.e2e.telegram import PressAnswer

RUSSIAN = CATALOGUES["ru"]
ENGLISH = CATALOGUES["en"]


def told(answer: PressAnswer, key: str, **params: object) -> bool:
    """Return whether a press was answered by the Russian refusal with this key, and nothing else."""
    refusal = RUSSIAN.plain(f"refusal.{key}", **params)
    return answer.answered and answer.url is None and answer.text == refusal


def beginning(key: str, **params: object) -> str:
    """Return the beginning of the Russian refusal with this key, up to a command (in groups it has @bot)."""
    return RUSSIAN.plain(f"refusal.{key}", **params).split("/")[0]
