"""Break the engine in every way that the properties' docstrings name, and see the property fail.

    python -m tests.engine.breakages [PROPERTY…]

Each breakage patches functions of the engine in a process of its own, which then runs the property. One that
still holds for the broken engine proves nothing; this command then says so and exits with status 1. It takes
some minutes, so it is not a part of the suite: run it after a change to the properties.
"""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from engine import Illegal, Play, Reason, codec, game, legality, notation, rules, scoring, view
from engine.effects import Effect
from engine.round_builder import RoundBuilder

VARIABLE = "BREAKAGE"
"""Names, in a test process's environment, the property whose breakage is applied there."""


class Breakage(NamedTuple):
    """With `broken` applied, `property_` fails in `test`."""

    property_: str
    broken: Callable[[], None]
    test: str = "TestMatches"


def wrap(owner: Any, name: str, broken: Callable[..., Any]) -> None:
    """Put `broken`, which gets the sound function as its first argument, in the place of `owner.name`."""
    sound = getattr(owner, name)
    setattr(owner, name, lambda *args, **kwargs: broken(sound, *args, **kwargs))


def _take_without_removing() -> None:
    def take(sound: Any, builder: RoundBuilder, *args: Any) -> None:
        stock = builder.stock
        sound(builder, *args)
        builder.stock = stock

    wrap(RoundBuilder, "take", take)


def _accept_a_suit_for_any_card() -> None:
    def play(sound: Any, match: Any, move: Any) -> Any:
        try:
            return sound(match, move)
        except Illegal as refusal:
            if refusal.reason is not Reason.SUIT_NOT_ALLOWED:
                raise
            return sound(match, replace(move, suit=None))

    transitions = dict(game._TRANSITIONS)
    transitions[Play] = lambda match, move: play(game._play, match, move)
    game._TRANSITIONS = transitions  # type: ignore[misc]


def _change_the_rules_when_refusing() -> None:
    def reason_not_to_move(sound: Any, match: Any, seat: int) -> Any:
        reason = sound(match, seat)
        if reason is Reason.NOT_YOUR_TURN:
            object.__setattr__(match.rules, "limit", match.rules.limit + 1)
        return reason

    wrap(game, "_reason_not_to_move", reason_not_to_move)


def _never_let_pass() -> None:
    def may_draw_or_pass(
        sound: Any, of_rules: Any, piles: Any, must_cover: bool, pending: int | None, *rest: Any
    ) -> tuple[bool, bool]:
        may_draw, may_pass = sound(of_rules, piles, must_cover, pending, *rest)
        can_lay = rest[-1]
        return may_draw, may_pass and (can_lay or pending is not None)

    wrap(legality, "may_draw_or_pass", may_draw_or_pass)
    wrap(game, "may_draw_or_pass", may_draw_or_pass)


def _forget_passes() -> None:
    def load_round(sound: Any, *args: Any) -> Any:
        loaded = sound(*args)
        return loaded._replace(counters=loaded.counters._replace(passes=0))

    wrap(codec, "_load_round", load_round)


def _show_what_was_found() -> None:
    wrap(
        view,
        "_round_view",
        lambda sound, match, running, seat: replace(sound(match, running, seat), found=running.turn.found),
    )


def _recycle_late() -> None:
    due = RoundBuilder.recycle_if_due

    def after_turn_move(sound: Any, builder: RoundBuilder) -> Any:
        wrap(RoundBuilder, "recycle_if_due", lambda _due, _builder: False)
        after = sound(builder)
        RoundBuilder.recycle_if_due = due  # type: ignore[method-assign]
        return after

    wrap(game, "_after_turn_move", after_turn_move)


def _double_the_bonus() -> None:
    def won_round_points(sound: Any, of_rules: Any, hands: Any, winner: int, last_card: Any) -> Any:
        points = sound(of_rules, hands, winner, last_card)
        factor = 2 if of_rules.double_on_queen_finish else 1
        return tuple((seat, factor * scored if seat == winner else scored) for seat, scored in points)

    wrap(scoring, "won_round_points", won_round_points)
    wrap(game, "won_round_points", won_round_points)


def _write_no_cut() -> None:
    wrap(
        notation,
        "_deal_text",
        lambda sound, move: {name: 0 if name == "cut" else value for name, value in sound(move).items()},
    )


def _play_for_ever() -> None:
    wrap(
        game,
        "_is_blocked",
        lambda sound, playing, _, passes, wilds: sound(playing, 0, passes, wilds),
    )


def _drop_entries_that_silence_a_rank() -> None:
    def effects_changed(sound: Any, *tables: Any) -> dict[str, str]:
        return {key: effect for key, effect in sound(*tables).items() if effect != Effect.NONE}

    wrap(rules, "_effects_changed", effects_changed)


BREAKAGES = (
    Breakage("each_card_exists_once", _take_without_removing),
    Breakage("what_is_legal_is_what_is_accepted", _accept_a_suit_for_any_card),
    Breakage("a_refused_move_changes_nothing", _change_the_rules_when_refusing),
    Breakage("somebody_can_move_while_a_round_runs", _never_let_pass),
    Breakage("a_dump_is_read_back_equal", _forget_passes),
    Breakage("nobody_sees_what_is_hidden_from_them", _show_what_was_found),
    Breakage("a_recycling_is_never_overdue", _recycle_late),
    Breakage("test_totals_follow_from_the_rounds", _double_the_bonus, "test_totals_follow_from_the_rounds"),
    Breakage("teardown", _write_no_cut),
    Breakage(
        "test_every_round_ends_and_so_does_every_match",
        _play_for_ever,
        "test_every_round_ends_and_so_does_every_match",
    ),
    Breakage(
        "test_rules_are_written_and_read_back_equal",
        _drop_entries_that_silence_a_rank,
        "test_rules_are_written_and_read_back_equal",
    ),
)


def pytest_configure() -> None:
    """As a plugin of pytest: break what the environment names."""
    for breakage in BREAKAGES:
        if breakage.property_ == os.environ[VARIABLE]:
            breakage.broken()


def main(names: Sequence[str]) -> int:
    """Try the breakages of these properties, or all of them."""
    held = 0
    for breakage in BREAKAGES:
        if names and breakage.property_ not in names:
            continue
        failure = first_failure(breakage)
        expected = failure is not None and breakage.property_ in failure
        held += not expected
        print(
            f"{'fails, as it should' if expected else 'NOT AS IT SHOULD'}: {breakage.property_}", flush=True
        )
        if not expected:
            print(failure or "  the property still holds")
    return min(held, 1)


def first_failure(breakage: Breakage) -> str | None:
    """Return pytest's first failure with the broken engine; None if the test passes."""
    test = f"tests/engine/test_properties.py::{breakage.test}"
    options = ["-q", "-p", "no:cacheprovider", "-p", __spec__.name, "--hypothesis-profile=first_failure"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, test],
        env=os.environ | {VARIABLE: breakage.property_},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    return None if done.returncode == 0 else re.sub(r"(?m)^", "  ", done.stdout)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
