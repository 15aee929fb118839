"""Kicking and stopping, at once or by a vote; how votes are counted and end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.tables import transitions
from bot.tables.codec import dump_table, load_table
from bot.tables.lifecycle import Ending, TablePhase
from bot.tables.model import Table
from bot.tables.player import Player
from bot.tables.refusals import Refused
from bot.tables.view import view_table
from bot.tables.vote import Verdict
from engine import Status
from tests.bot.tables.tables import (
    ANYA,
    BORIS,
    GENA,
    NOW,
    PACE,
    VERA,
    away,
    ctx,
    dealt,
    lobby,
    refused,
)

STRANGER = Player(99, "Зина")


def four() -> Table:
    return dealt(BORIS, VERA, GENA)


def call(table: Table, caller: Player, target: Player | None = None) -> Table:
    user_id = None if target is None else target.user_id
    return transitions.call_vote(table, ctx(), caller.user_id, user_id).table


def cast(table: Table, voter: Player, *, aye: bool) -> transitions.Change:
    table = transitions.mark_present(table, ctx(), voter.user_id).table
    assert table.vote is not None
    return transitions.cast_vote(table, ctx(), voter.user_id, table.vote.number, aye=aye)


def status(table: Table, player: Player) -> Status:
    assert table.match is not None
    seat = table.seat_of(player.user_id)
    assert seat is not None
    return table.match.seats[seat].status


def verdict(table: Table) -> Verdict | None:
    assert table.vote is not None
    return table.vote.verdict


# ---------------------------------------------------------------------------------------------------- at once


def kick(table: Table, by: Player, target: Player, *, is_admin: bool = False) -> transitions.Change:
    return transitions.kick(table, ctx(), by.user_id, target.user_id, is_admin=is_admin)


def test_the_host_or_an_admin_asks_somebody_to_leave_at_once() -> None:
    by_host = kick(four(), ANYA, BORIS)
    assert status(by_host.table, BORIS) is Status.LEFT
    assert [made.actor for made in by_host.moves] == [ANYA.user_id]
    by_admin = kick(four(), STRANGER, ANYA, is_admin=True).table
    assert (status(by_admin, ANYA), by_admin.host) == (Status.LEFT, BORIS.user_id)


def test_nobody_else_does() -> None:
    assert refused(lambda: kick(four(), BORIS, ANYA)) is Refused.NOT_HOST
    stop = transitions.stop
    assert refused(lambda: stop(four(), ctx(), BORIS.user_id, is_admin=False)) is Refused.NOT_HOST


def test_only_who_is_there_to_leave_is_asked_to() -> None:
    left = transitions.leave(four(), ctx(), BORIS.user_id).table
    assert refused(lambda: kick(left, ANYA, BORIS)) is Refused.NOT_AT_TABLE
    assert refused(lambda: kick(four(), ANYA, STRANGER)) is Refused.NOT_AT_TABLE


def test_of_two_only_one_who_is_away_is_kicked_even_by_the_host() -> None:
    """Otherwise the host would win by it."""
    two = dealt(BORIS)
    assert refused(lambda: kick(two, ANYA, BORIS, is_admin=True)) is Refused.TWO_ARE_LEFT
    assert refused(lambda: call(two, ANYA, BORIS)) is Refused.TWO_ARE_LEFT
    gone = kick(away(two, BORIS), ANYA, BORIS).table
    assert (gone.phase, gone.ending) == (TablePhase.OVER, Ending.FINISHED)


def test_from_a_lobby_a_guest_gets_up_and_another_is_host() -> None:
    table = kick(lobby(BORIS, VERA), ANYA, BORIS).table
    assert [player.user_id for player in table.players] == [ANYA.user_id, VERA.user_id]
    assert kick(table, STRANGER, ANYA, is_admin=True).table.host == VERA.user_id


# -------------------------------------------------------------------------------------------------- by a vote


def test_a_vote_takes_more_than_half_of_the_others() -> None:
    """Of four, three vote: two of them decide. Who asks for the vote is for it."""
    table = call(four(), BORIS, ANYA)
    assert (verdict(table), status(table, ANYA)) == (None, Status.IN)
    passed = cast(table, VERA, aye=True)
    assert (verdict(passed.table), status(passed.table, ANYA)) == (Verdict.PASSED, Status.LEFT)
    assert [made.actor for made in passed.moves] == [None]
    assert passed.table.host == BORIS.user_id


def test_exactly_half_is_not_enough() -> None:
    table = call(dealt(BORIS, VERA), BORIS, ANYA)
    assert verdict(table) is None
    assert verdict(cast(table, VERA, aye=False).table) is Verdict.FAILED


def test_a_vote_that_cannot_pass_any_more_is_over() -> None:
    table = cast(call(four(), BORIS, ANYA), VERA, aye=False).table
    assert verdict(table) is None
    table = cast(table, GENA, aye=False).table
    assert (verdict(table), status(table, ANYA)) == (Verdict.FAILED, Status.IN)


def test_one_may_think_better_of_it_and_counts_once() -> None:
    table = cast(cast(call(four(), BORIS, ANYA), BORIS, aye=True).table, BORIS, aye=False).table
    assert table.vote is not None
    assert (table.vote.ayes, table.vote.noes) == ((), (BORIS.user_id,))
    assert verdict(cast(table, VERA, aye=True).table) is None


def test_who_is_away_is_asked_and_comes_back_by_voting() -> None:
    """Of four one is concerned and one away: that one is named, and their no counts."""
    table = call(away(four(), GENA), BORIS, ANYA)
    view = view_table(table, None, "")
    assert view.vote is not None
    assert (view.vote.needed, view.vote.awaited) == (2, (GENA.name,))
    back = cast(table, GENA, aye=False).table
    assert (back.players[3].misses, verdict(back)) == (0, None)
    assert verdict(cast(back, VERA, aye=False).table) is Verdict.FAILED
    assert verdict(cast(back, VERA, aye=True).table) is Verdict.PASSED


def test_one_who_is_awake_does_not_decide_alone_while_others_are_away() -> None:
    table = call(away(four(), VERA, GENA), BORIS, ANYA)
    assert (verdict(table), status(table, ANYA)) == (None, Status.IN)
    closed = transitions.close_vote(table, ctx(NOW + PACE.vote)).table
    assert (verdict(closed), status(closed, ANYA)) == (Verdict.FAILED, Status.IN)


def test_two_decide_when_the_absent_have_not_answered_in_the_votes_whole_time() -> None:
    five = dealt(BORIS, VERA, GENA, STRANGER)
    table = cast(call(away(five, GENA, STRANGER), BORIS, ANYA), VERA, aye=True).table
    assert (verdict(table), status(table, ANYA)) == (None, Status.IN)
    closed = transitions.close_vote(table, ctx(NOW + PACE.vote)).table
    assert (verdict(closed), status(closed, ANYA)) == (Verdict.PASSED, Status.LEFT)
    shown = view_table(closed, None, "").vote
    assert shown is not None
    assert (shown.ayes, shown.needed, shown.awaited) == (2, 2, ())
    assert load_table(dump_table(closed, NOW)) == closed


@pytest.mark.parametrize("table", [away(dealt(BORIS), ANYA), lobby(BORIS)])
def test_a_vote_of_one_is_not_opened(table: Table) -> None:
    assert refused(lambda: call(table, BORIS, ANYA)) is Refused.TOO_FEW_VOTERS


@pytest.mark.parametrize("is_admin", [False, True])
def test_nobody_asks_himself_to_leave(is_admin: bool) -> None:
    assert refused(lambda: kick(four(), ANYA, ANYA, is_admin=is_admin)) is Refused.YOURSELF
    assert refused(lambda: call(four(), BORIS, BORIS)) is Refused.YOURSELF


def test_a_stranger_calls_no_vote() -> None:
    assert refused(lambda: call(four(), STRANGER, ANYA)) is Refused.NOT_A_VOTER


@pytest.mark.parametrize("caller", [ANYA, STRANGER])
def test_neither_the_one_concerned_nor_a_stranger_has_a_vote(caller: Player) -> None:
    table = call(four(), BORIS, ANYA)
    assert refused(lambda: cast(table, caller, aye=True)) is Refused.NOT_A_VOTER


def test_there_is_one_vote_at_a_time_and_what_is_over_is_over() -> None:
    table = call(four(), BORIS, ANYA)
    assert refused(lambda: call(table, VERA, GENA)) is Refused.VOTE_RUNNING
    over = cast(table, VERA, aye=True).table
    assert refused(lambda: cast(over, GENA, aye=True)) is Refused.STALE
    again = call(over, VERA, GENA)
    assert again.vote is not None
    assert again.vote.number == 2
    assert refused(lambda: transitions.cast_vote(again, ctx(), BORIS.user_id, 1, aye=True)) is Refused.STALE


def test_the_table_itself_is_ended_by_more_than_half_of_all() -> None:
    table = cast(call(four(), BORIS), VERA, aye=True).table
    assert verdict(table) is None
    stopped = cast(table, GENA, aye=True).table
    assert (stopped.phase, stopped.ending) == (TablePhase.OVER, Ending.STOPPED)
    assert view_table(stopped, None, "").is_ended_by_vote
    by_host = transitions.stop(call(four(), BORIS), ctx(), ANYA.user_id, is_admin=False).table
    assert not view_table(by_host, None, "").is_ended_by_vote


def test_a_lobby_votes_too() -> None:
    table = call(lobby(BORIS, VERA), BORIS, ANYA)
    assert verdict(table) is None
    kicked = cast(table, VERA, aye=True).table
    assert [player.user_id for player in kicked.players] == [BORIS.user_id, VERA.user_id]
    view = view_table(kicked, None, "")
    assert view.vote is not None
    assert view.vote.target == ANYA.name


# ---------------------------------------------------------------------------------------------- how it ends


def test_after_its_time_a_vote_has_failed() -> None:
    table = call(four(), BORIS, ANYA)
    assert table.vote is not None
    assert table.vote.closes_at == NOW + PACE.vote
    closed = transitions.close_vote(table, ctx(NOW + PACE.vote)).table
    assert (verdict(closed), status(closed, ANYA)) == (Verdict.FAILED, Status.IN)


def test_who_leaves_by_himself_ends_the_vote_on_him() -> None:
    table = call(four(), BORIS, ANYA)
    assert verdict(transitions.leave(table, ctx(), ANYA.user_id).table) is Verdict.FAILED
    waiting = call(lobby(BORIS, VERA), BORIS, ANYA)
    assert verdict(transitions.stand(waiting, ctx(), ANYA.user_id).table) is Verdict.FAILED


def test_who_has_become_one_of_two_is_not_kicked_any_more() -> None:
    table = call(dealt(BORIS, VERA), BORIS, ANYA)
    table = transitions.leave(table, ctx(), VERA.user_id).table
    assert verdict(transitions.close_vote(table, ctx(NOW + PACE.vote)).table) is Verdict.FAILED


def test_a_table_that_falls_asleep_has_no_vote_and_no_deadline() -> None:
    table = away(call(four(), BORIS, ANYA), ANYA, BORIS, VERA, GENA)
    assert table.vote is not None
    assert (table.phase, table.vote.closes_at, verdict(table)) == (TablePhase.ASLEEP, None, Verdict.FAILED)


def test_a_vote_is_written_down_and_moved_on_like_any_deadline() -> None:
    table = replace(cast(call(four(), BORIS, ANYA), VERA, aye=False).table, revision=3)
    assert load_table(dump_table(table, NOW)) == table
    later = load_table(replace(dump_table(table, NOW), vote_at=NOW + 500))
    assert later.vote is not None
    assert later.vote.closes_at == NOW + 500
    postponed = transitions.postpone(table, ctx(), 30).table
    assert postponed.vote is not None
    assert postponed.vote.closes_at == NOW + PACE.vote + 30


def removed_by(how: str, table: Table) -> Table:
    """Борис has been asked to leave, by the host, an admin or a vote."""
    if how == "vote":
        return cast(call(table, VERA, BORIS), GENA, aye=True).table
    user_id = ANYA.user_id if how == "host" else STRANGER.user_id
    is_admin = how == "admin"
    return transitions.kick(table, ctx(), user_id, BORIS.user_id, is_admin=is_admin).table


@pytest.mark.parametrize("how", ["host", "admin", "vote"])
@pytest.mark.parametrize("is_lobby", [False, True])
def test_who_was_asked_to_leave_sits_down_again_when_let_back(how: str, is_lobby: bool) -> None:
    table = removed_by(how, lobby(BORIS, VERA, GENA) if is_lobby else four())
    assert [player.user_id for player in table.removed] == [BORIS.user_id]
    assert load_table(dump_table(table, NOW)) == table
    assert refused(lambda: transitions.sit(table, ctx(), BORIS.user_id, BORIS.name)) is Refused.REMOVED
    by_themselves = [
        lambda: transitions.let_back(table, ctx(), BORIS.user_id, BORIS.user_id, is_admin=False),
        lambda: transitions.let_back(table, ctx(), VERA.user_id, BORIS.user_id, is_admin=False),
    ]
    assert [refused(attempt) for attempt in by_themselves] == [Refused.NOT_HOST] * 2
    back = transitions.let_back(table, ctx(), ANYA.user_id, BORIS.user_id, is_admin=False).table
    seated = transitions.sit(back, ctx(), BORIS.user_id, BORIS.name).table
    assert seated.player(BORIS.user_id) is not None
    again = refused(lambda: transitions.let_back(back, ctx(), ANYA.user_id, BORIS.user_id, is_admin=False))
    assert again is Refused.NOT_REMOVED


def test_a_vote_lets_somebody_back_or_keeps_them_out() -> None:
    table = removed_by("host", four())
    voted = transitions.call_vote(table, ctx(), VERA.user_id, BORIS.user_id, returns=True).table
    assert refused(lambda: cast(voted, BORIS, aye=True)) is Refused.NOT_A_VOTER
    passed = cast(voted, GENA, aye=True).table
    assert (verdict(passed), passed.removed) == (Verdict.PASSED, ())
    transitions.sit(passed, ctx(), BORIS.user_id, BORIS.name)
    failed = transitions.close_vote(voted, ctx(NOW + PACE.vote)).table
    assert (verdict(failed), failed.removed) == (Verdict.FAILED, table.removed)
    decided = transitions.let_back(voted, ctx(), ANYA.user_id, BORIS.user_id, is_admin=False).table
    assert (verdict(decided), decided.removed) == (Verdict.PASSED, ())


def test_who_has_left_by_themselves_or_the_next_match_needs_nobody() -> None:
    left = transitions.leave(four(), ctx(), BORIS.user_id).table
    transitions.sit(left, ctx(), BORIS.user_id, BORIS.name)
    over = transitions.stop(removed_by("host", four()), ctx(), ANYA.user_id, is_admin=False).table
    again = transitions.open_rematch("t2", over, ANYA.user_id, over.settings, ctx())
    transitions.sit(again, ctx(), BORIS.user_id, BORIS.name)
