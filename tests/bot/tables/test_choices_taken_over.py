"""When a table applies the choices of its group and people: at once, except a running match's rules."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.settings import TableSettings
from bot.tables import transitions
from bot.tables.context import TransitionContext
from bot.tables.lifecycle import Deadline, DeadlineKind
from bot.tables.model import Table
from bot.tables.refusals import Refusal, Refused
from engine import Draw, Rules, parse_card
from tests.bot.tables.tables import (
    ANYA,
    BORIS,
    GENA,
    NEXT_SEED,
    NOW,
    PACE,
    TURN,
    VERA,
    ctx,
    dealt,
    lobby,
    playing,
    stamp,
)

FIVE_EACH = TableSettings(Rules.from_document({"hand_size": 8}), turn_seconds=30, cut=True)
"""Rules with seats for three."""


def test_an_open_lobby_plays_by_what_its_group_has_chosen_last() -> None:
    table = lobby(BORIS)
    changed = transitions.apply_settings(table, ctx(), FIVE_EACH).table
    assert changed == replace(table, settings=FIVE_EACH)
    begun = transitions.start(changed, ctx(), ANYA.user_id, is_admin=False).table
    assert begun.match is not None
    assert begun.match.rules == FIVE_EACH.rules


def test_a_running_match_keeps_the_rules_it_began_with_and_takes_over_all_else() -> None:
    table = dealt(BORIS)
    assert transitions.apply_settings(table, ctx(), FIVE_EACH).table == table
    chosen = replace(FIVE_EACH, talk=False, stand_in=True, hints=True)
    kept = replace(table.settings, talk=False, stand_in=True, hints=True)
    assert transitions.apply_settings(table, ctx(), chosen).table == replace(table, settings=kept)


def test_a_match_that_is_over_takes_over_nothing() -> None:
    over = transitions.stop(dealt(BORIS), ctx(), ANYA.user_id, is_admin=False).table
    with pytest.raises(Refusal) as refusal:
        transitions.apply_settings(over, ctx(), FIVE_EACH)
    assert refusal.value.reason is Refused.TABLE_OVER


def test_a_lobby_whose_group_the_bot_is_out_of_takes_over_all() -> None:
    asleep = transitions.bot_removed(lobby(BORIS), ctx()).table
    assert transitions.apply_settings(asleep, ctx(), FIVE_EACH).table == replace(asleep, settings=FIVE_EACH)


def test_a_lobby_takes_over_no_rules_that_have_no_seat_for_somebody_in_it() -> None:
    assert transitions.apply_settings(lobby(BORIS, VERA), ctx(), FIVE_EACH).table.settings == FIVE_EACH
    with pytest.raises(Refusal) as refusal:
        transitions.apply_settings(lobby(BORIS, VERA, GENA), ctx(), FIVE_EACH)
    assert refusal.value.reason is Refused.TOO_MANY_SEATED


def test_a_rematch_plays_by_what_the_group_has_chosen_since() -> None:
    over = transitions.stop(dealt(BORIS, VERA), ctx(), ANYA.user_id, is_admin=False).table
    again = transitions.open_rematch("t2", over, ANYA.user_id, FIVE_EACH, ctx())
    assert again.settings == FIVE_EACH


def test_a_rematch_keeps_its_rules_where_the_new_ones_have_no_seat_for_somebody() -> None:
    over = transitions.stop(dealt(BORIS, VERA, GENA), ctx(), ANYA.user_id, is_admin=False).table
    again = transitions.open_rematch("t2", over, ANYA.user_id, FIVE_EACH, ctx())
    assert again.settings == over.settings
    assert len(again.players) == 4


# ------------------------------------------------------------------------------------- moves made by hand


def by_hand(*user_ids: int, now: float = NOW) -> TransitionContext:
    return TransitionContext(now, NEXT_SEED, PACE, frozenset(user_ids))


def nothing_fits_boris(chosen: TransitionContext) -> Table:
    """Аня has played a card that Борис can't match, so Борис has to draw."""
    table = playing({"p1": ["9S", "KD"], "p2": ["7D", "10C"]}, stock=["8H", "9D", "QD"])
    return transitions.lay(table, chosen, ANYA.user_id, stamp(table), parse_card("9S"), None).table


def test_who_moves_by_hand_is_waited_for_though_he_has_nothing_to_decide() -> None:
    table = nothing_fits_boris(by_hand(BORIS.user_id))
    assert table.deadline == Deadline(DeadlineKind.TURN, NOW + TURN)
    drawn = transitions.take(table, by_hand(BORIS.user_id), BORIS.user_id, stamp(table)).table
    assert drawn.deadline == Deadline(DeadlineKind.TURN, NOW + TURN)


def test_moving_by_hand_is_everybodys_own_choice() -> None:
    table = nothing_fits_boris(by_hand(ANYA.user_id))
    assert table.deadline == Deadline(DeadlineKind.FORCED, NOW + PACE.forced)


def test_who_moves_by_hand_and_does_not_has_the_least_move_made_when_time_is_out() -> None:
    table = nothing_fits_boris(by_hand(BORIS.user_id))
    assert table.deadline is not None
    late = transitions.expire(table, by_hand(BORIS.user_id, now=NOW + TURN), table.deadline)
    assert late.moves[0] == transitions.AppliedMove(Draw(1), None)
