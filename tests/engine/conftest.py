"""For all tests of the engine: empty caches before each; a profile for `tests.engine.breakages`."""

from hypothesis import Phase, settings

from engine.cards import sorted_deck
from engine.events import card_laid, turn_passed, turn_skipped
from engine.matching import card_lookup
from engine.state import ring_of

settings.register_profile("first_failure", phases=[Phase.generate], database=None)


def pytest_runtest_setup() -> None:
    """What a test sees is computed in its own run, also where others have played before.

    A run of mutation tests learns from this which tests reach a function whose results are cached.
    """
    for cached in (card_laid, card_lookup, ring_of, sorted_deck, turn_passed, turn_skipped):
        cached.cache_clear()
