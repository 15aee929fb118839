"""What each way of changing a table does, who is refused, and what the clock waits for afterwards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.callbacks import Stamp
from bot.tables import transitions
from bot.tables.lifecycle import Deadline, DeadlineKind, Ending, Phase
from bot.tables.model import Table
from bot.tables.player import Player
from bot.tables.refusals import Refusal, Refused
from engine import Deal, Draw, Join, Pass, Play, Reason, Rules, Status, parse_card
from tests.bot.tables.tables import (
    ANYA,
    BORIS,
    GENA,
    NOW,
    PACE,
    SEED,
    VERA,
    dealt,
    lobby,
    mover,
    playing,
    stamp,
)


def refused(attempt: Callable[[], object]) -> Refused | Reason:
    with pytest.raises(Refusal) as refusal:
        attempt()
    return refusal.value.reason


def lay(table: Table, player: Player, card: str, suit: int | None = None, now: float = NOW) -> Table:
    return transitions.lay(table, player.user_id, stamp(table), parse_card(card), suit, PACE, now).table


def expire(table: Table, now: float) -> transitions.Change:
    assert table.deadline is not None
    return transitions.expire(table, table.deadline, SEED, PACE, now)


def names(table: Table) -> list[str]:
    return [player.name for player in table.players]


# ------------------------------------------------------------------------------------------------- the lobby


def test_a_lobby_closes_an_hour_after_anybody_has_moved_in_it() -> None:
    table = transitions.sit(lobby(), BORIS, PACE, NOW + 600).table
    assert table.deadline == Deadline(DeadlineKind.LOBBY, NOW + 600 + PACE.lobby)
    closed = expire(table, NOW + 600 + PACE.lobby).table
    assert (closed.phase, closed.ending, closed.deadline) == (Phase.OVER, Ending.EXPIRED, None)


def test_nobody_sits_down_twice() -> None:
    assert refused(lambda: transitions.sit(lobby(BORIS), BORIS, PACE, NOW)) is Refused.ALREADY_SEATED


def test_a_full_lobby_takes_nobody_more() -> None:
    guests = [Player(n, f"guest {n}") for n in range(2, Rules().max_seats + 1)]
    assert refused(lambda: transitions.sit(lobby(*guests), Player(99, "late"), PACE, NOW)) is Refused.TABLE_FULL


def test_when_the_host_gets_up_the_next_one_is_host() -> None:
    table = transitions.stand(lobby(BORIS, VERA), ANYA.user_id, PACE, NOW).table
    assert (names(table), table.host) == (["Борис", "Вера"], BORIS.user_id)


def test_the_last_one_to_get_up_closes_the_lobby() -> None:
    table = transitions.stand(lobby(), ANYA.user_id, PACE, NOW).table
    assert (table.phase, table.ending, table.deadline) == (Phase.OVER, Ending.DESERTED, None)


def test_who_does_not_sit_cannot_get_up() -> None:
    assert refused(lambda: transitions.stand(lobby(), GENA.user_id, PACE, NOW)) is Refused.NOT_SEATED


@pytest.mark.parametrize(
    ("table", "who", "is_admin", "reason"),
    [
        (lobby(), ANYA, False, Refused.NEED_TWO),
        (lobby(BORIS), BORIS, False, Refused.NOT_HOST),
        (lobby(BORIS), GENA, False, Refused.NOT_HOST),
        (dealt(BORIS), ANYA, False, Refused.NOT_IN_LOBBY),
    ],
)
def test_a_match_starts_from_a_lobby_of_two_by_its_host(
    table: Table, who: Player, is_admin: bool, reason: Refused
) -> None:
    def start() -> object:
        return transitions.start(table, who.user_id, is_admin=is_admin, seed=SEED, pace=PACE, now=NOW)

    assert refused(start) is reason


def test_an_admin_may_start_for_the_host() -> None:
    change = transitions.start(lobby(BORIS), GENA.user_id, is_admin=True, seed=SEED, pace=PACE, now=NOW)
    assert change.table.phase is Phase.PLAYING
    assert change.moves == (transitions.Made(Deal(SEED), GENA.user_id),)


# ------------------------------------------------------------------------------------------------- the round


def test_a_turn_waits_for_its_player_as_long_as_the_pace_says() -> None:
    assert dealt(BORIS).deadline == Deadline(DeadlineKind.TURN, NOW + PACE.turn)


def test_a_button_of_another_moment_is_stale() -> None:
    table = playing({"p1": ["9S", "KD"], "p2": ["7D", "10C"]}, stock=["8H", "QD"])
    later = lay(table, ANYA, "9S")
    old = stamp(table)
    assert refused(lambda: transitions.take(later, ANYA.user_id, old, PACE, NOW)) is Refused.STALE
    assert refused(lambda: transitions.take(later, BORIS.user_id, Stamp(2, 1), PACE, NOW)) is Refused.STALE


def test_only_who_is_to_move_may_press() -> None:
    table = playing({"p1": ["9S", "KD"], "p2": ["7D", "10C"]}, stock=["8H", "QD"])
    now = stamp(table)
    assert refused(lambda: transitions.take(table, BORIS.user_id, now, PACE, NOW)) is Refused.NOT_YOUR_TURN
    assert refused(lambda: transitions.take(table, GENA.user_id, now, PACE, NOW)) is Refused.NOT_SEATED


def test_what_the_engine_refuses_keeps_its_reason_and_changes_nothing() -> None:
    table = playing({"p1": ["9S", "KD"], "p2": ["7D", "10C"]}, stock=["8H", "QD"])
    with pytest.raises(Refusal) as refusal:
        transitions.take(table, ANYA.user_id, stamp(table), PACE, NOW)
    assert (refusal.value.reason, refusal.value.move) == (Reason.DRAW_NOT_ALLOWED, Draw(0))


def test_a_draw_without_an_alternative_makes_itself_after_a_pause() -> None:
    table = lay(playing({"p1": ["9S", "KD"], "p2": ["7D", "10C"]}, stock=["8H", "9D", "QD"]), ANYA, "9S")
    assert table.deadline == Deadline(DeadlineKind.FORCED, NOW + PACE.forced)
    drawn = expire(table, NOW + 1)
    assert drawn.moves == (transitions.Made(Draw(1), None),)


def test_the_one_card_found_by_a_bound_draw_lays_itself() -> None:
    table = lay(playing({"p1": ["9S", "KD"], "p2": ["7D", "10C"]}, stock=["8H", "9D", "QD"]), ANYA, "9S")
    found = expire(table, NOW + 1).table
    assert found.deadline == Deadline(DeadlineKind.FORCED, NOW + 1 + PACE.forced)
    assert expire(found, NOW + 2).moves == (transitions.Made(Play(1, parse_card("9D")), None),)


def test_a_queen_found_by_a_bound_draw_waits_for_her_player() -> None:
    table = lay(playing({"p1": ["9S", "KD"], "p2": ["7D", "10C"]}, stock=["8H", "QD", "9D"]), ANYA, "9S")
    found = expire(table, NOW + 1).table
    assert found.deadline == Deadline(DeadlineKind.TURN, NOW + 1 + PACE.turn)


def test_a_lone_playable_card_of_an_open_choice_is_never_laid_by_itself() -> None:
    table = lay(playing({"p1": ["9S", "KD"], "p2": ["7S", "10C"]}, stock=["8H", "9D"]), ANYA, "9S")
    assert table.deadline == Deadline(DeadlineKind.TURN, NOW + PACE.turn)


def test_when_time_is_out_a_card_that_must_be_laid_is_the_one_worth_most() -> None:
    table = playing({"p1": ["9S", "AS", "KD"], "p2": ["7D", "10C"], "p3": ["6H", "6C"]}, stock=["8H", "QD"])
    assert expire(table, NOW + 60).moves == (transitions.Made(Play(0, parse_card("AS")), None),)


def test_when_time_is_out_the_whole_turn_is_played_to_its_end() -> None:
    """After the draw he is not given another minute to choose between the card and a pass."""
    table = playing(
        {"p1": ["9D", "KD"], "p2": ["7D", "10C"]},
        stock=["QH", "8H"],
        rules={"draw": "one_then_play", "voluntary_draw": "always"},
        top="JH",
    )
    change = expire(table, NOW + 60)
    assert change.moves == (transitions.Made(Draw(0), None), transitions.Made(Pass(0), None))
    assert mover(change.table) == BORIS


def test_a_deadline_that_is_not_the_tables_any_more_changes_nothing() -> None:
    table = dealt(BORIS)
    assert table.deadline is not None
    other = replace(table.deadline, at=table.deadline.at - 1)
    assert transitions.expire(table, other, SEED, PACE, NOW + 90).table is table


# -------------------------------------------------------------------------------------------- between rounds


def won(table: Table | None = None) -> Table:
    """Аня has just won the round."""
    return lay(table or playing({"p1": ["9S"], "p2": ["7D", "10C"]}, stock=["8H", "QD"]), ANYA, "9S")


def test_after_a_round_the_next_is_dealt_by_the_clock() -> None:
    table = won()
    assert (table.phase, table.deadline) == (Phase.BETWEEN, Deadline(DeadlineKind.NEXT_DEAL, NOW + PACE.next_deal))
    assert [result.points for result in table.rounds] == [((0, 0), (1, 17))]
    next_round = expire(table, NOW + 20).table
    assert next_round.phase is Phase.PLAYING
    assert stamp(next_round) == Stamp(2, 0)
    assert len(next_round.history) == 1


def test_a_seated_player_may_deal_earlier_and_nobody_else() -> None:
    table = won()
    assert transitions.deal_next(table, BORIS.user_id, 1, SEED, PACE, NOW).table.phase is Phase.PLAYING
    deal = transitions.deal_next
    assert refused(lambda: deal(table, GENA.user_id, 1, SEED, PACE, NOW)) is Refused.NOT_SEATED
    assert refused(lambda: deal(table, BORIS.user_id, 2, SEED, PACE, NOW)) is Refused.NOT_BETWEEN


def test_a_second_press_does_not_deal_twice() -> None:
    table = transitions.deal_next(won(), BORIS.user_id, 1, SEED, PACE, NOW).table
    again = transitions.deal_next
    assert refused(lambda: again(table, BORIS.user_id, 1, SEED, PACE, NOW)) is Refused.NOT_BETWEEN


# ---------------------------------------------------------------------------------------- coming and going


def test_who_sits_down_in_mid_round_gets_a_seat_before_the_next_deal() -> None:
    waiting = transitions.sit(playing({"p1": ["9S"], "p2": ["7D", "10C"]}, stock=["8H"]), VERA, PACE, NOW).table
    assert waiting.waiting == (VERA,)
    change = transitions.deal_next(won(waiting), VERA.user_id, 1, SEED, PACE, NOW)
    assert [made.move for made in change.moves] == [Join("p3"), Deal(SEED)]
    assert names(change.table) == ["Аня", "Борис", "Вера"]
    assert change.table.waiting == ()


def test_who_left_gets_his_old_seat_back() -> None:
    table = transitions.leave(dealt(BORIS, VERA), BORIS.user_id, PACE, NOW).table
    back = transitions.sit(table, BORIS, PACE, NOW).table
    assert back.waiting == (BORIS,)
    assert back.match is not None
    ended = replace(back, match=back.match._replace(round=None), phase=Phase.BETWEEN)
    again = transitions.deal_next(ended, None, 1, SEED, PACE, NOW).table
    assert names(again) == ["Аня", "Борис", "Вера"]
    assert again.match is not None
    assert again.match.seats[1].status is Status.IN


def test_who_is_out_cannot_sit_down_again() -> None:
    table = won(playing({"p1": ["9S"], "p2": ["7D"], "p3": ["AD"]}, stock=["8H"], scores={"p3": 100}))
    assert refused(lambda: transitions.sit(table, VERA, PACE, NOW)) is Refused.YOU_ARE_OUT
    assert refused(lambda: transitions.leave(table, VERA.user_id, PACE, NOW)) is Refused.NOTHING_TO_LEAVE


def test_somebody_elses_leaving_gives_the_mover_no_new_time_and_no_stale_button() -> None:
    table = dealt(BORIS, VERA)
    other = next(player for player in table.players if player != mover(table))
    left = transitions.leave(table, other.user_id, PACE, NOW + 30).table
    assert (left.deadline, stamp(left)) == (table.deadline, stamp(table))


def test_when_the_mover_leaves_the_next_has_his_whole_time() -> None:
    table = dealt(BORIS, VERA)
    left = transitions.leave(table, mover(table).user_id, PACE, NOW + 30).table
    assert left.deadline == Deadline(DeadlineKind.TURN, NOW + 30 + PACE.turn)


def test_when_the_host_leaves_the_match_the_next_seat_is_host() -> None:
    table = transitions.leave(dealt(BORIS, VERA), ANYA.user_id, PACE, NOW).table
    assert table.host == BORIS.user_id


def test_the_last_one_left_wins() -> None:
    table = transitions.leave(dealt(BORIS), BORIS.user_id, PACE, NOW).table
    assert (table.phase, table.ending) == (Phase.OVER, Ending.FINISHED)
    assert table.match is not None
    assert table.match.winner == 0


def test_leaving_between_rounds_does_not_put_off_the_next_deal() -> None:
    table = won(playing({"p1": ["9S"], "p2": ["7D"], "p3": ["6D"]}, stock=["8H", "QD"]))
    left = transitions.leave(table, VERA.user_id, PACE, NOW + 10).table
    assert (left.phase, left.deadline) == (Phase.BETWEEN, table.deadline)


# ------------------------------------------------------------------------------------------------- the end


def test_the_host_or_an_admin_stops_a_match() -> None:
    table = dealt(BORIS)
    assert refused(lambda: transitions.stop(table, BORIS.user_id, is_admin=False, now=NOW)) is Refused.NOT_HOST
    stopped = transitions.stop(table, ANYA.user_id, is_admin=False, now=NOW + 9).table
    assert (stopped.phase, stopped.ending, stopped.ended_at) == (Phase.OVER, Ending.STOPPED, NOW + 9)
    assert transitions.stop(table, GENA.user_id, is_admin=True, now=NOW).table.phase is Phase.OVER


@pytest.mark.parametrize(
    "attempt",
    [
        lambda table: transitions.sit(table, GENA, PACE, NOW),
        lambda table: transitions.stand(table, ANYA.user_id, PACE, NOW),
        lambda table: transitions.start(table, ANYA.user_id, is_admin=True, seed=SEED, pace=PACE, now=NOW),
        lambda table: transitions.take(table, ANYA.user_id, stamp(table), PACE, NOW),
        lambda table: transitions.deal_next(table, ANYA.user_id, 1, SEED, PACE, NOW),
        lambda table: transitions.leave(table, ANYA.user_id, PACE, NOW),
        lambda table: transitions.stop(table, ANYA.user_id, is_admin=True, now=NOW),
    ],
)
def test_a_table_that_is_over_changes_no_more(attempt: Callable[[Table], object]) -> None:
    over = transitions.stop(dealt(BORIS), ANYA.user_id, is_admin=False, now=NOW).table
    assert refused(lambda: attempt(over)) is Refused.TABLE_OVER


def test_a_rematch_seats_those_who_stayed() -> None:
    table = transitions.leave(dealt(BORIS, VERA), BORIS.user_id, PACE, NOW).table
    over = transitions.stop(table, ANYA.user_id, is_admin=False, now=NOW).table
    assert transitions.rematch(over, VERA.user_id).table.rematched
    again = transitions.open_rematch("t2", over, VERA.user_id, PACE, NOW)
    assert (names(again), again.host, again.phase) == (["Аня", "Вера"], VERA.user_id, Phase.LOBBY)


def test_a_rematch_is_for_those_who_played_and_once() -> None:
    table = dealt(BORIS)
    over = transitions.stop(table, ANYA.user_id, is_admin=False, now=NOW).table
    assert refused(lambda: transitions.rematch(table, ANYA.user_id)) is Refused.MATCH_RUNNING
    assert refused(lambda: transitions.rematch(over, GENA.user_id)) is Refused.NOT_SEATED
    twice = transitions.rematch(over, ANYA.user_id).table
    assert refused(lambda: transitions.rematch(twice, ANYA.user_id)) is Refused.STALE
