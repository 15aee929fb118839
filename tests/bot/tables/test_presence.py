"""Presence: misses and the autopilot, reminders, sleeping tables, nudges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.tables import transitions
from bot.tables.lifecycle import Deadline, DeadlineKind, Ending, TablePhase
from bot.tables.model import Table
from bot.tables.player import AWAY_AFTER, Player
from bot.tables.refusals import Refused
from bot.tables.shuffling import cutter_of
from engine import Draw, Leave, Pass, parse_card
from tests.bot.tables.tables import (
    ANYA,
    BORIS,
    GENA,
    NOW,
    PACE,
    TURN,
    VERA,
    away,
    ctx,
    dealt,
    expire,
    lobby,
    mover,
    playing,
    refused,
    stamp,
)

DAY = 86_400


def three() -> Table:
    """Аня is to move; everybody has something to lay, so nothing makes itself."""
    hands = {"p1": ["9S", "9C", "KD"], "p2": ["9H", "10S", "7D"], "p3": ["9D", "6S", "6C"]}
    return playing(hands, stock=["8H", "QD", "AH", "AC", "KH", "KC"])


def misses(table: Table) -> list[int]:
    return [player.misses for player in table.players]


# -------------------------------------------------------------------------------------- missing one's turn


def test_two_missed_turns_in_a_row_make_a_player_away() -> None:
    once = expire(three()).table
    assert misses(once) == [1, 0, 0]
    assert not once.players[0].is_away
    table = replace(three(), players=once.players)
    twice = expire(table).table
    assert misses(twice) == [2, 0, 0]
    assert twice.players[0].is_away


def test_whoever_is_marked_present_has_missed_no_turn() -> None:
    missed = replace(three(), players=(replace(ANYA, misses=1), BORIS, VERA))
    assert misses(transitions.mark_present(missed, ctx(), ANYA.user_id).table) == [0, 0, 0]


def test_a_press_of_somebody_elses_changes_nothing_for_who_is_away() -> None:
    table = away(three(), BORIS)
    assert transitions.mark_present(table, ctx(), GENA.user_id).table is table
    assert transitions.mark_present(table, ctx(), VERA.user_id).table is table


def test_who_is_away_is_played_for_after_a_moment_with_the_least_moves() -> None:
    table = away(three(), ANYA)
    assert table.deadline == Deadline(DeadlineKind.AUTOPILOT, NOW + PACE.autopilot)
    played = expire(table, NOW + PACE.autopilot)
    assert [made.actor for made in played.moves] == [None]
    assert mover(played.table).user_id == BORIS.user_id
    assert misses(played.table) == [AWAY_AFTER, 0, 0]


def test_the_autopilot_plays_a_whole_turn_at_once() -> None:
    table = away(
        playing(
            {"p1": ["9D", "KD"], "p2": ["7D", "10C"]},
            stock=["QH", "8H"],
            rules={"draw": "one_then_play", "voluntary_draw": "always"},
            top="JH",
        ),
        ANYA,
    )
    assert [made.move for made in expire(table).moves] == [Draw(0), Pass(0)]


def test_the_autopilot_never_plays_for_somebody_who_is_there() -> None:
    """Coming back gives the player the whole time, and ends the autopilot's deadline."""
    table = away(three(), ANYA)
    back = transitions.mark_present(table, ctx(NOW + 2), ANYA.user_id).table
    assert back.deadline == Deadline(DeadlineKind.TURN, NOW + 2 + TURN)
    assert table.deadline is not None
    assert transitions.expire(back, ctx(NOW + 3), table.deadline).table is back


def test_somebody_elses_coming_back_gives_nobody_more_time() -> None:
    table = away(three(), BORIS)
    back = transitions.mark_present(table, ctx(NOW + 20), BORIS.user_id).table
    assert back.deadline == three().deadline


def test_even_a_move_without_a_choice_is_the_autopilots_for_who_is_away() -> None:
    table = playing({"p1": ["9S", "KD"], "p2": ["7D", "10C"]}, stock=["8H", "9D", "QD"])
    table = away(table, BORIS)
    laid = transitions.lay(table, ctx(), ANYA.user_id, stamp(table), parse_card("9S"), None).table
    assert laid.deadline == Deadline(DeadlineKind.AUTOPILOT, NOW + PACE.autopilot)


def test_an_absent_player_is_not_waited_for_to_cut_the_deck() -> None:
    table = transitions.start(lobby(BORIS, VERA, cut=True), ctx(), ANYA.user_id, is_admin=False).table
    everyone = replace(table, players=tuple(replace(player, misses=2) for player in table.players))
    here = next(player for player in (ANYA, BORIS, VERA) if player.user_id != asked(table))
    woken = transitions.mark_present(replace(everyone, phase=TablePhase.ASLEEP), ctx(), here.user_id).table
    assert woken.deadline == Deadline(DeadlineKind.CUT, NOW + PACE.autopilot)
    assert table.deadline == Deadline(DeadlineKind.CUT, NOW + PACE.cut)


def asked(table: Table) -> int:
    return table.players[cutter_of(table)].user_id


# ---------------------------------------------------------------------------------------------- reminders


@pytest.mark.parametrize("seconds", [120, DAY])
def test_from_two_minutes_on_a_player_is_reminded_half_way_and_the_end_stays(seconds: int) -> None:
    table = dealt(BORIS, VERA, turn_seconds=seconds)
    assert table.deadline == Deadline(DeadlineKind.REMINDER, NOW + seconds / 2)
    assert (table.turn_ends, table.recalls) == (NOW + seconds, 0)
    reminded = expire(table, NOW + seconds / 2 + 3).table
    assert reminded.deadline == Deadline(DeadlineKind.TURN, NOW + seconds)
    assert (reminded.turn_ends, reminded.recalls) == (NOW + seconds, 1)
    assert stamp(reminded) == stamp(table)


def test_after_the_reminder_the_turn_ends_in_its_time() -> None:
    table = expire(dealt(BORIS, VERA, turn_seconds=120), NOW + 60).table
    first = mover(table).user_id
    ended = expire(table, NOW + 120).table
    assert sorted(misses(ended)) == [0, 0, 1]
    assert mover(ended).user_id != first
    assert ended.recalls == 0


@pytest.mark.parametrize("seconds", [30, 60])
def test_a_brisk_turn_has_no_reminder(seconds: int) -> None:
    assert dealt(BORIS, turn_seconds=seconds).deadline == Deadline(DeadlineKind.TURN, NOW + seconds)


# ---------------------------------------------------------------------------------------- asleep and awake


def test_when_everybody_is_away_the_table_falls_asleep_and_waits_for_nothing() -> None:
    table = away(three(), ANYA, BORIS, VERA)
    assert (table.phase, table.deadline) == (TablePhase.ASLEEP, None)
    assert table.match == three().match


def test_a_table_whose_players_all_let_their_time_run_out_falls_asleep() -> None:
    table = three()
    now = NOW
    for _ in range(20):
        if table.deadline is None:
            break
        now = table.deadline.at
        table = expire(table, now).table
    assert (table.phase, table.deadline) == (TablePhase.ASLEEP, None)


@pytest.mark.parametrize("player", [ANYA, BORIS, VERA])
def test_any_players_press_wakes_it_where_it_was(player: Player) -> None:
    table = away(three(), ANYA, BORIS, VERA)
    woken = transitions.mark_present(table, ctx(NOW + 500), player.user_id).table
    assert (woken.phase, woken.match) == (TablePhase.PLAYING, table.match)
    mine = player == ANYA
    patience = (DeadlineKind.TURN, TURN) if mine else (DeadlineKind.AUTOPILOT, PACE.autopilot)
    assert woken.deadline == Deadline(patience[0], NOW + 500 + patience[1])


def test_a_stranger_does_not_wake_it() -> None:
    table = away(three(), ANYA, BORIS, VERA)
    assert transitions.mark_present(table, ctx(), GENA.user_id).table is table


def between() -> Table:
    """Аня has won the round, and all have gone."""
    table = playing({"p1": ["9S"], "p2": ["7D", "10C"]}, stock=["8H", "QD"])
    won = transitions.lay(table, ctx(), ANYA.user_id, stamp(table), parse_card("9S"), None).table
    return away(won, ANYA, BORIS)


def test_while_a_table_sleeps_between_rounds_none_is_dealt() -> None:
    assert (between().phase, between().deadline) == (TablePhase.ASLEEP, None)


def test_it_wakes_between_rounds_and_a_press_on_the_deal_deals() -> None:
    woken = transitions.mark_present(between(), ctx(NOW + 9), BORIS.user_id).table
    assert woken.phase is TablePhase.BETWEEN
    assert woken.deadline == Deadline(DeadlineKind.NEXT_DEAL, NOW + 9 + PACE.next_deal)
    assert transitions.deal_next(woken, ctx(), BORIS.user_id, 1).table.phase is TablePhase.PLAYING


def test_who_sits_down_at_a_sleeping_table_wakes_it_and_is_waited_for() -> None:
    """The bot plays for the absent until the round ends, and then the newcomer is dealt in."""
    table = transitions.sit(away(three(), ANYA, BORIS, VERA), ctx(), GENA.user_id, GENA.name).table
    assert table.phase is TablePhase.PLAYING
    assert transitions.stand(table, ctx(), GENA.user_id).table.phase is TablePhase.ASLEEP
    table = transitions.sit(between(), ctx(), GENA.user_id, GENA.name).table
    assert table.phase is TablePhase.BETWEEN
    assert len(expire(table).table.players) == 3


def test_when_the_only_one_there_leaves_the_others_sleep() -> None:
    table = away(three(), BORIS, VERA)
    assert table.phase is TablePhase.PLAYING
    left = transitions.leave(table, ctx(), ANYA.user_id).table
    assert (left.phase, left.deadline) == (TablePhase.ASLEEP, None)


def test_the_last_round_may_end_by_the_autopilot() -> None:
    table = away(playing({"p1": ["9S", "KD"], "p2": ["7S"]}, stock=["8H"], scores={"p1": 100}), BORIS)
    table = transitions.lay(table, ctx(), ANYA.user_id, stamp(table), parse_card("9S"), None).table
    over = expire(table).table
    assert over.match is not None
    while over.phase is TablePhase.PLAYING and over.deadline is not None:
        over = expire(over, over.deadline.at).table
    assert (over.phase, over.ending) == (TablePhase.OVER, Ending.FINISHED)


# ------------------------------------------------------------------------------ leaving the group, thrown out


def test_who_leaves_the_group_gets_up_from_its_lobby() -> None:
    table = transitions.depart(lobby(BORIS), ctx(), ANYA.user_id).table
    assert [player.user_id for player in table.players] == [BORIS.user_id]
    assert table.host == BORIS.user_id


def test_who_leaves_the_group_gives_up_his_waiting_place() -> None:
    table = transitions.sit(three(), ctx(), GENA.user_id, GENA.name).table
    assert transitions.depart(table, ctx(), GENA.user_id).table.waiting == ()


def test_who_is_out_of_the_group_leaves_the_match_and_a_host_without_cards_makes_room() -> None:
    gone = transitions.depart(three(), ctx(), BORIS.user_id)
    assert gone.moves == (transitions.AppliedMove(Leave(1), BORIS.user_id),)
    assert gone.table == transitions.leave(three(), ctx(), BORIS.user_id).table
    assert transitions.depart(gone.table, ctx(), BORIS.user_id).table is gone.table
    host_left = transitions.leave(three(), ctx(), ANYA.user_id).table
    assert host_left.host == BORIS.user_id
    stuck = replace(host_left, host=ANYA.user_id)
    assert transitions.depart(stuck, ctx(), ANYA.user_id).table == host_left


def test_a_strangers_leaving_the_group_is_nothing_to_the_table() -> None:
    table = three()
    assert transitions.depart(table, ctx(), GENA.user_id).table is table


def test_without_the_bot_in_the_group_a_table_sleeps_and_nobody_wakes_it() -> None:
    table = transitions.bot_removed(three(), ctx()).table
    assert (table.phase, table.deadline) == (TablePhase.ASLEEP, None)
    noticed = transitions.mark_present(table, ctx(), ANYA.user_id).table
    assert noticed.phase is TablePhase.ASLEEP
    now = stamp(table)
    attempts: list[Callable[[], object]] = [
        lambda: transitions.lay(table, ctx(), ANYA.user_id, now, parse_card("9S"), None),
        lambda: transitions.deal_next(table, ctx(), ANYA.user_id, 1),
        lambda: transitions.sit(table, ctx(), GENA.user_id, GENA.name),
    ]
    assert {refused(attempt) for attempt in attempts} == {Refused.BANISHED}


def test_brought_back_it_goes_on_with_a_whole_turn() -> None:
    table = transitions.bot_removed(three(), ctx()).table
    back = transitions.bot_returned(table, ctx(NOW + 900)).table
    assert (back.phase, back.match) == (TablePhase.PLAYING, three().match)
    assert back.deadline == Deadline(DeadlineKind.TURN, NOW + 900 + TURN)


def test_a_lobby_sleeps_and_wakes_too() -> None:
    table = transitions.bot_removed(lobby(BORIS), ctx()).table
    assert (table.phase, table.deadline) == (TablePhase.ASLEEP, None)
    alone = transitions.depart(table, ctx(), BORIS.user_id).table
    assert (alone.phase, alone.deadline, len(alone.players)) == (TablePhase.ASLEEP, None, 1)
    back = transitions.bot_returned(table, ctx(NOW + 9)).table
    assert (back.phase, back.deadline) == (
        TablePhase.LOBBY,
        Deadline(DeadlineKind.HOST, NOW + 9 + PACE.host),
    )


def test_what_is_over_is_over_whoever_goes_or_comes() -> None:
    over = transitions.stop(three(), ctx(), ANYA.user_id, is_admin=False).table
    for change in (
        transitions.mark_present(over, ctx(), ANYA.user_id),
        transitions.depart(over, ctx(), ANYA.user_id),
        transitions.bot_removed(over, ctx()),
        transitions.bot_returned(over, ctx()),
    ):
        assert change.table is over


def test_a_rematch_begins_with_everybody_there() -> None:
    over = transitions.stop(away(three(), BORIS), ctx(), ANYA.user_id, is_admin=False).table
    again = transitions.open_rematch("t2", over, ANYA.user_id, over.settings, ctx())
    assert misses(again) == [0, 0, 0]


# ------------------------------------------------------------------------------------------------ hurrying on


def test_without_a_clock_a_player_is_hurried_on_from_a_minute_on_and_once_a_minute() -> None:
    table = dealt(BORIS, turn_seconds=None)
    assert refused(lambda: transitions.nudge(table, ctx(NOW + PACE.nudge - 1), 3)) is Refused.NO_NUDGE
    once = transitions.nudge(table, ctx(NOW + PACE.nudge), VERA.user_id).table
    assert once.recalls == 1
    assert refused(lambda: transitions.nudge(once, ctx(NOW + PACE.nudge + 59), 3)) is Refused.NO_NUDGE
    assert transitions.nudge(once, ctx(NOW + 2 * PACE.nudge), VERA.user_id).table.recalls == 2


def test_the_next_player_has_his_own_minute() -> None:
    hands = {"p1": ["9S", "KD"], "p2": ["9D", "10C"]}
    table = playing(hands, stock=["8H", "QD"])
    table = replace(table, settings=replace(table.settings, turn_seconds=None), recalls=2, waited_since=NOW)
    laid = transitions.lay(table, ctx(NOW + 300), ANYA.user_id, stamp(table), parse_card("9S"), None).table
    assert (laid.recalls, laid.waited_since) == (0, NOW + 300)


def test_where_a_clock_runs_nobody_is_hurried_on() -> None:
    assert refused(lambda: transitions.nudge(three(), ctx(NOW + 600), 1)) is Refused.NO_NUDGE
    assert refused(lambda: transitions.nudge(lobby(BORIS), ctx(NOW + 600), 1)) is Refused.NO_NUDGE


def test_without_a_clock_who_has_left_the_group_holds_nobody_up() -> None:
    table = dealt(BORIS, turn_seconds=None)
    gone = away(table, mover(table))
    assert gone.deadline == Deadline(DeadlineKind.AUTOPILOT, NOW + PACE.autopilot)
