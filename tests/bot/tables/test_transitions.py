"""Transitions: their results, their refusals, and the deadlines they set."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.settings import TableSettings
from bot.tables import transitions
from bot.tables.codec import dump_table, load_table
from bot.tables.lifecycle import Deadline, DeadlineKind, Ending, TablePhase
from bot.tables.model import Table
from bot.tables.player import Player
from bot.tables.refusals import Refusal, Refused
from bot.tables.view import view_table
from engine import Deal, Draw, Join, Pass, Play, Reason, Rules, Stamp, Status, parse_card
from engine.players import Level
from engine.shuffle import commitment
from tests.bot.tables.tables import (
    ANYA,
    BORIS,
    GENA,
    NEXT_SEED,
    NOW,
    PACE,
    SEED,
    TURN,
    VERA,
    ctx,
    dealt,
    expire,
    lobby,
    mover,
    playing,
    refused,
    stamp,
)


def lay(table: Table, player: Player, card: str, suit: int | None = None, now: float = NOW) -> Table:
    return transitions.lay(table, ctx(now), player.user_id, stamp(table), parse_card(card), suit).table


def names(table: Table) -> list[str]:
    return [player.name for player in table.players]


# ------------------------------------------------------------------------------------------------- the lobby


def silent(table: Table) -> Table:
    """The lobby when there has been no sign of its host for as long as the pace says."""
    assert table.deadline == Deadline(DeadlineKind.HOST, NOW + PACE.host)
    return expire(table, NOW + PACE.host).table


def test_a_lobby_closes_an_hour_after_anybody_has_moved_in_it() -> None:
    table = silent(lobby())
    assert table.deadline == Deadline(DeadlineKind.LOBBY, NOW + PACE.lobby)
    table = transitions.sit(table, ctx(NOW + 600), BORIS.user_id, BORIS.name).table
    assert table.deadline == Deadline(DeadlineKind.LOBBY, NOW + 600 + PACE.lobby)
    closed = expire(table, NOW + 600 + PACE.lobby).table
    assert (closed.phase, closed.ending, closed.deadline) == (TablePhase.OVER, Ending.EXPIRED, None)


def test_in_place_of_a_silent_host_anybody_who_sits_there_deals_and_is_host() -> None:
    table = silent(lobby(BORIS))
    assert view_table(table, None, "").host_silent
    assert refused(lambda: transitions.start(table, ctx(), GENA.user_id, is_admin=False)) is (
        Refused.MAY_NOT_DEAL
    )
    begun = transitions.start(table, ctx(), BORIS.user_id, is_admin=False).table
    assert (begun.phase, begun.host, names(begun)) == (TablePhase.PLAYING, BORIS.user_id, ["Аня", "Борис"])
    assert load_table(dump_table(table, NOW)) == table


def test_the_hosts_own_sign_and_nobody_elses_ends_the_silence() -> None:
    table = silent(lobby(BORIS))
    later = NOW + PACE.host + 60
    assert transitions.mark_present(table, ctx(later), BORIS.user_id).table is table
    assert transitions.sit(table, ctx(later), VERA.user_id, VERA.name).table.host_silent
    back = transitions.mark_present(table, ctx(later), ANYA.user_id).table
    assert (back.host_silent, back.deadline) == (False, Deadline(DeadlineKind.HOST, later + PACE.host))
    again = transitions.mark_present(back, ctx(later + 1), ANYA.user_id).table
    assert again is back, "what tells nothing new is no change"
    assert refused(lambda: transitions.start(back, ctx(), BORIS.user_id, is_admin=False)) is (
        Refused.MAY_NOT_DEAL
    )


def test_others_who_come_do_not_put_the_hosts_silence_off() -> None:
    table = transitions.sit(lobby(), ctx(NOW + 170), BORIS.user_id, BORIS.name).table
    assert table.deadline == Deadline(DeadlineKind.HOST, NOW + PACE.host)


def test_a_host_who_leaves_the_group_is_followed_at_once() -> None:
    table = transitions.depart(silent(lobby(BORIS)), ctx(NOW + 600), ANYA.user_id).table
    assert (table.host, table.host_silent) == (BORIS.user_id, False)
    assert table.deadline == Deadline(DeadlineKind.HOST, NOW + 600 + PACE.host)
    assert transitions.start(
        transitions.sit(table, ctx(), VERA.user_id, VERA.name).table, ctx(), BORIS.user_id, is_admin=False
    ).moves


def test_where_a_lobby_closes_sooner_it_waits_for_nothing_else() -> None:
    hasty = replace(ctx(), timings=replace(PACE, lobby=60))
    table = transitions.open_lobby("t1", -100, 0, ANYA, TableSettings(), hasty)
    assert table.deadline == Deadline(DeadlineKind.LOBBY, NOW + 60)
    assert transitions.sit(table, hasty, BORIS.user_id, BORIS.name).table.deadline == table.deadline


def test_nobody_sits_down_twice() -> None:
    assert (
        refused(lambda: transitions.sit(lobby(BORIS), ctx(), BORIS.user_id, BORIS.name))
        is Refused.ALREADY_SEATED
    )


def test_a_full_lobby_takes_nobody_more() -> None:
    guests = [Player(n, f"guest {n}") for n in range(2, Rules().max_seats + 1)]
    assert refused(lambda: transitions.sit(lobby(*guests), ctx(), 99, "late")) is Refused.TABLE_FULL


def test_when_the_host_gets_up_the_next_one_is_host() -> None:
    table = transitions.stand(lobby(BORIS, VERA), ctx(), ANYA.user_id).table
    assert (names(table), table.host) == (["Борис", "Вера"], BORIS.user_id)


def test_the_last_one_to_get_up_closes_the_lobby() -> None:
    table = transitions.stand(lobby(), ctx(), ANYA.user_id).table
    assert (table.phase, table.ending, table.deadline) == (TablePhase.OVER, Ending.DESERTED, None)


def test_who_does_not_sit_cannot_get_up() -> None:
    assert refused(lambda: transitions.stand(lobby(), ctx(), GENA.user_id)) is Refused.NOT_SEATED


@pytest.mark.parametrize(
    ("table", "who", "is_admin", "reason"),
    [
        (lobby(), ANYA, False, Refused.NEED_TWO),
        (lobby(BORIS), BORIS, False, Refused.MAY_NOT_DEAL),
        (lobby(BORIS), GENA, False, Refused.MAY_NOT_DEAL),
        (dealt(BORIS), ANYA, False, Refused.NOT_IN_LOBBY),
    ],
)
def test_a_match_starts_from_a_lobby_of_two_by_its_host(
    table: Table, who: Player, is_admin: bool, reason: Refused
) -> None:
    def start() -> object:
        return transitions.start(table, ctx(), who.user_id, is_admin=is_admin)

    assert refused(start) is reason


def test_an_admin_may_start_for_the_host() -> None:
    change = transitions.start(lobby(BORIS), ctx(), GENA.user_id, is_admin=True)
    assert change.table.phase is TablePhase.PLAYING
    assert change.moves == (transitions.AppliedMove(Deal(SEED), GENA.user_id),)


# ------------------------------------------------------------------------------------------------- the round


def test_a_turn_waits_for_its_player_as_long_as_the_pace_says() -> None:
    assert dealt(BORIS).deadline == Deadline(DeadlineKind.TURN, NOW + TURN)


def test_a_button_of_another_moment_is_stale() -> None:
    table = playing({"p1": ["9S", "KD"], "p2": ["7D", "10C"]}, stock=["8H", "QD"])
    later = lay(table, ANYA, "9S")
    old = stamp(table)
    assert refused(lambda: transitions.take(later, ctx(), ANYA.user_id, old)) is Refused.STALE
    assert refused(lambda: transitions.take(later, ctx(), BORIS.user_id, Stamp(2, 1))) is Refused.STALE


def test_only_who_is_to_move_may_press() -> None:
    table = playing({"p1": ["9S", "KD"], "p2": ["7D", "10C"]}, stock=["8H", "QD"])
    now = stamp(table)
    assert refused(lambda: transitions.take(table, ctx(), BORIS.user_id, now)) is Refused.NOT_YOUR_TURN
    assert refused(lambda: transitions.take(table, ctx(), GENA.user_id, now)) is Refused.NOT_SEATED


def test_what_the_engine_refuses_keeps_its_reason_and_changes_nothing() -> None:
    table = playing({"p1": ["9S", "KD"], "p2": ["7D", "10C"]}, stock=["8H", "QD"])
    with pytest.raises(Refusal) as refusal:
        transitions.take(table, ctx(), ANYA.user_id, stamp(table))
    assert (refusal.value.reason, refusal.value.move) == (Reason.DRAW_NOT_ALLOWED, Draw(0))


def test_a_draw_without_an_alternative_makes_itself_after_a_pause() -> None:
    table = lay(playing({"p1": ["9S", "KD"], "p2": ["7D", "10C"]}, stock=["8H", "9D", "QD"]), ANYA, "9S")
    assert table.deadline == Deadline(DeadlineKind.FORCED, NOW + PACE.forced)
    drawn = expire(table, NOW + 1)
    assert drawn.moves == (transitions.AppliedMove(Draw(1), None),)


def test_the_one_card_found_by_a_bound_draw_lays_itself() -> None:
    table = lay(playing({"p1": ["9S", "KD"], "p2": ["7D", "10C"]}, stock=["8H", "9D", "QD"]), ANYA, "9S")
    found = expire(table, NOW + 1).table
    assert found.deadline == Deadline(DeadlineKind.FORCED, NOW + 1 + PACE.forced)
    assert expire(found, NOW + 2).moves == (transitions.AppliedMove(Play(1, parse_card("9D")), None),)


def test_a_queen_found_by_a_bound_draw_waits_for_her_player() -> None:
    table = lay(playing({"p1": ["9S", "KD"], "p2": ["7D", "10C"]}, stock=["8H", "QD", "9D"]), ANYA, "9S")
    found = expire(table, NOW + 1).table
    assert found.deadline == Deadline(DeadlineKind.TURN, NOW + 1 + TURN)


def test_a_lone_playable_card_of_an_open_choice_is_never_laid_by_itself() -> None:
    table = lay(playing({"p1": ["9S", "KD"], "p2": ["7S", "10C"]}, stock=["8H", "9D"]), ANYA, "9S")
    assert table.deadline == Deadline(DeadlineKind.TURN, NOW + TURN)


def test_when_time_is_out_a_card_that_must_be_laid_is_the_one_worth_most() -> None:
    table = playing({"p1": ["9S", "AS", "KD"], "p2": ["7D", "10C"], "p3": ["6H", "6C"]}, stock=["8H", "QD"])
    assert expire(table, NOW + 60).moves == (transitions.AppliedMove(Play(0, parse_card("AS")), None),)


def test_when_time_is_out_the_whole_turn_is_played_to_its_end() -> None:
    """After the draw there is no other minute to choose between the card and a pass."""
    table = playing(
        {"p1": ["9D", "KD"], "p2": ["7D", "10C"]},
        stock=["QH", "8H"],
        rules={"draw": "one_then_play", "voluntary_draw": "always"},
        top="JH",
    )
    change = expire(table, NOW + 60)
    assert change.moves == (transitions.AppliedMove(Draw(0), None), transitions.AppliedMove(Pass(0), None))
    assert mover(change.table) == BORIS


def test_a_deadline_that_is_not_the_tables_any_more_changes_nothing() -> None:
    table = dealt(BORIS)
    assert table.deadline is not None
    other = replace(table.deadline, at=table.deadline.at - 1)
    assert transitions.expire(table, ctx(NOW + 90), other).table is table


# -------------------------------------------------------------------------------------------- between rounds


def won(table: Table | None = None) -> Table:
    """Аня has just won the round."""
    return lay(table or playing({"p1": ["9S"], "p2": ["7D", "10C"]}, stock=["8H", "QD"]), ANYA, "9S")


def test_after_a_round_the_next_is_dealt_by_the_clock() -> None:
    table = won()
    assert (table.phase, table.deadline) == (
        TablePhase.BETWEEN,
        Deadline(DeadlineKind.NEXT_DEAL, NOW + PACE.next_deal),
    )
    assert [result.points for result in table.rounds] == [((0, 0), (1, 17))]
    next_round = expire(table, NOW + 20).table
    assert next_round.phase is TablePhase.PLAYING
    assert stamp(next_round) == Stamp(2, 0)
    assert len(next_round.history) == 1


def test_a_seated_player_may_deal_earlier_and_nobody_else() -> None:
    table = won()
    assert transitions.deal_next(table, ctx(), BORIS.user_id, 1).table.phase is TablePhase.PLAYING
    deal = transitions.deal_next
    assert refused(lambda: deal(table, ctx(), GENA.user_id, 1)) is Refused.NOT_SEATED
    assert refused(lambda: deal(table, ctx(), BORIS.user_id, 2)) is Refused.NOT_BETWEEN


def test_a_second_press_does_not_deal_twice() -> None:
    table = transitions.deal_next(won(), ctx(), BORIS.user_id, 1).table
    again = transitions.deal_next
    assert refused(lambda: again(table, ctx(), BORIS.user_id, 1)) is Refused.NOT_BETWEEN


def test_every_deal_uses_the_seed_that_was_sealed_before_it() -> None:
    """The commitment shown between rounds is the one of the next deal."""
    between = won()
    sealed = view_table(between, None, "").next_commitment
    table = expire(between, NOW + 20).table
    assert table.match is not None
    assert table.match.round is not None
    assert table.match.round.commitment == sealed == commitment(SEED)
    assert table.next_seed == NEXT_SEED


# ---------------------------------------------------------------------------------------- coming and going


def test_who_sits_down_in_mid_round_gets_a_seat_before_the_next_deal() -> None:
    waiting = transitions.sit(
        playing({"p1": ["9S"], "p2": ["7D", "10C"]}, stock=["8H"]), ctx(), VERA.user_id, VERA.name
    ).table
    assert waiting.waiting == (VERA,)
    change = transitions.deal_next(won(waiting), ctx(), VERA.user_id, 1)
    assert [made.move for made in change.moves] == [Join("p3"), Deal(SEED)]
    assert names(change.table) == ["Аня", "Борис", "Вера"]
    assert change.table.waiting == ()


def test_who_still_waits_when_the_match_ends_is_remembered_but_was_not_in_it() -> None:
    waiting = transitions.sit(dealt(BORIS), ctx(), VERA.user_id, VERA.name).table
    over = transitions.stop(waiting, ctx(), ANYA.user_id, is_admin=False).table
    assert over.waiting == (VERA,)
    assert dump_table(waiting, NOW).people == (1, 2, 3)
    assert dump_table(over, NOW).people == (1, 2)
    again = transitions.open_rematch("t2", over, ANYA.user_id, TableSettings(), ctx())
    assert names(again) == ["Аня", "Борис", "Вера"]


def test_who_left_gets_his_old_seat_back() -> None:
    table = transitions.leave(dealt(BORIS, VERA), ctx(), BORIS.user_id).table
    back = transitions.sit(table, ctx(), BORIS.user_id, BORIS.name).table
    assert back.waiting == (BORIS,)
    assert back.match is not None
    ended = replace(back, match=back.match._replace(round=None), phase=TablePhase.BETWEEN)
    again = transitions.deal_next(ended, ctx(), None, 1).table
    assert names(again) == ["Аня", "Борис", "Вера"]
    assert again.match is not None
    assert again.match.seats[1].status is Status.IN


def test_who_is_out_cannot_sit_down_again() -> None:
    table = won(playing({"p1": ["9S"], "p2": ["7D"], "p3": ["AD"]}, stock=["8H"], scores={"p3": 100}))
    assert refused(lambda: transitions.sit(table, ctx(), VERA.user_id, VERA.name)) is Refused.YOU_ARE_OUT
    assert refused(lambda: transitions.leave(table, ctx(), VERA.user_id)) is Refused.NOTHING_TO_LEAVE


def test_somebody_elses_leaving_gives_the_mover_no_new_time_and_no_stale_button() -> None:
    table = dealt(BORIS, VERA)
    other = next(player for player in table.players if player != mover(table))
    left = transitions.leave(table, ctx(NOW + 30), other.user_id).table
    assert (left.deadline, stamp(left)) == (table.deadline, stamp(table))


def test_when_the_mover_leaves_the_next_has_his_whole_time() -> None:
    table = dealt(BORIS, VERA)
    left = transitions.leave(table, ctx(NOW + 30), mover(table).user_id).table
    assert left.deadline == Deadline(DeadlineKind.TURN, NOW + 30 + TURN)


def test_when_the_host_leaves_the_match_the_next_seat_is_host() -> None:
    table = transitions.leave(dealt(BORIS, VERA), ctx(), ANYA.user_id).table
    assert table.host == BORIS.user_id


def test_the_last_one_left_wins() -> None:
    table = transitions.leave(dealt(BORIS), ctx(), BORIS.user_id).table
    assert (table.phase, table.ending) == (TablePhase.OVER, Ending.FINISHED)
    assert table.match is not None
    assert table.match.winner == 0


def test_leaving_between_rounds_does_not_put_off_the_next_deal() -> None:
    table = won(playing({"p1": ["9S"], "p2": ["7D"], "p3": ["6D"]}, stock=["8H", "QD"]))
    left = transitions.leave(table, ctx(NOW + 10), VERA.user_id).table
    assert (left.phase, left.deadline) == (TablePhase.BETWEEN, table.deadline)


# ------------------------------------------------------------------------------------------------- the end


def test_the_host_or_an_admin_stops_a_match() -> None:
    table = dealt(BORIS)
    assert refused(lambda: transitions.stop(table, ctx(), BORIS.user_id, is_admin=False)) is Refused.NOT_HOST
    stopped = transitions.stop(table, ctx(NOW + 9), ANYA.user_id, is_admin=False).table
    assert (stopped.phase, stopped.ending, stopped.ended_at) == (TablePhase.OVER, Ending.STOPPED, NOW + 9)
    assert transitions.stop(table, ctx(), GENA.user_id, is_admin=True).table.phase is TablePhase.OVER


@pytest.mark.parametrize(
    "attempt",
    [
        lambda table: transitions.sit(table, ctx(), GENA.user_id, GENA.name),
        lambda table: transitions.stand(table, ctx(), ANYA.user_id),
        lambda table: transitions.start(table, ctx(), ANYA.user_id, is_admin=True),
        lambda table: transitions.take(table, ctx(), ANYA.user_id, stamp(table)),
        lambda table: transitions.deal_next(table, ctx(), ANYA.user_id, 1),
        lambda table: transitions.leave(table, ctx(), ANYA.user_id),
        lambda table: transitions.stop(table, ctx(), ANYA.user_id, is_admin=True),
    ],
)
def test_a_table_that_is_over_changes_no_more(attempt: Callable[[Table], object]) -> None:
    over = transitions.stop(dealt(BORIS), ctx(), ANYA.user_id, is_admin=False).table
    assert refused(lambda: attempt(over)) is Refused.TABLE_OVER


def test_a_rematch_seats_those_who_stayed() -> None:
    table = transitions.leave(dealt(BORIS, VERA), ctx(), BORIS.user_id).table
    over = transitions.stop(table, ctx(), ANYA.user_id, is_admin=False).table
    assert transitions.rematch(over, ctx(), VERA.user_id).table.rematched
    again = transitions.open_rematch("t2", over, VERA.user_id, over.settings, ctx())
    assert (names(again), again.host, again.phase) == (["Аня", "Вера"], VERA.user_id, TablePhase.LOBBY)


def test_a_rematch_seats_those_who_waited_and_any_of_them_may_ask_for_it() -> None:
    table = transitions.sit(dealt(BORIS), ctx(), VERA.user_id, VERA.name).table
    table = transitions.leave(table, ctx(), BORIS.user_id).table  # which ends the match
    assert table.phase is TablePhase.OVER
    assert transitions.rematch(table, ctx(), VERA.user_id).table.rematched
    again = transitions.open_rematch("t2", table, VERA.user_id, table.settings, ctx())
    assert (names(again), again.host) == (["Аня", "Вера"], VERA.user_id)


def test_a_rematch_with_too_few_seats_keeps_who_asks_and_people_before_computers() -> None:
    ada = Player(-1, "Ада", level=Level.EASY)
    table = dealt(BORIS, ada, rules=Rules.from_document({"hand_size": 8}))  # three seats
    over = transitions.stop(table, ctx(), ANYA.user_id, is_admin=False).table
    crowded = replace(over, waiting=(VERA, GENA))
    again = transitions.open_rematch("t2", crowded, GENA.user_id, crowded.settings, ctx())
    assert names(again) == ["Аня", "Борис", "Гена"]


def test_a_rematch_is_for_those_who_played_and_once() -> None:
    table = dealt(BORIS)
    over = transitions.stop(table, ctx(), ANYA.user_id, is_admin=False).table
    assert refused(lambda: transitions.rematch(table, ctx(), ANYA.user_id)) is Refused.MATCH_RUNNING
    assert refused(lambda: transitions.rematch(over, ctx(), GENA.user_id)) is Refused.NOT_SEATED
    twice = transitions.rematch(over, ctx(), ANYA.user_id).table
    assert refused(lambda: transitions.rematch(twice, ctx(), ANYA.user_id)) is Refused.STALE


def test_a_rematch_is_not_for_who_was_asked_to_leave() -> None:
    playing = dealt(BORIS, VERA)
    table = transitions.kick(playing, ctx(), ANYA.user_id, VERA.user_id, is_admin=False).table
    over = transitions.stop(table, ctx(), ANYA.user_id, is_admin=False).table
    assert refused(lambda: transitions.rematch(over, ctx(), VERA.user_id)) is Refused.NOT_SEATED
    assert transitions.rematch(over, ctx(), BORIS.user_id).table.rematched


# -------------------------------------------------------------------------------------------- without a clock


def test_without_a_clock_nothing_waits_for_a_player() -> None:
    assert dealt(BORIS, turn_seconds=None).deadline is None


def test_without_a_clock_the_next_round_is_dealt_by_a_press_alone() -> None:
    table = playing({"p1": ["9S"], "p2": ["7D", "10C"]}, stock=["8H", "QD"])
    table = replace(table, settings=replace(table.settings, turn_seconds=None))
    between = won(table)
    assert (between.phase, between.deadline) == (TablePhase.BETWEEN, None)
    assert transitions.deal_next(between, ctx(), BORIS.user_id, 1).table.phase is TablePhase.PLAYING
