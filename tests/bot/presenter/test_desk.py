"""Which call each message needs: nothing, an edit, a new message, a deletion; and when a phone rings."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.presenter.budget import Priority
from bot.presenter.desk import DOUBT_SECONDS, LONGEST_PAUSE_SECONDS, Desk, retired_key
from bot.presenter.steps import (
    LOOKING_SECONDS,
    NUDGE_SECONDS,
    PROMPT_SECONDS,
    RESULT_SECONDS,
    UNHURRIED_SECONDS,
    Action,
    Mode,
    Step,
)
from bot.presenter.wanted import Wanted, board_key, hand_key
from bot.screens.picture import SeatPicture, TablePicture
from bot.screens.screen import Screen
from bot.storage.shown import Shown

GROUP, ANYA = -100, 1
NOW = 1_000.0
HAND, BOARD = hand_key(ANYA), board_key(1)
MY_TURN, WAITING = Screen("your turn", rings=True), Screen("wait")


def wanted(screen: Screen, chat: int = ANYA, *, is_needed: bool = True) -> Wanted:
    priority = Priority.MOVER if screen.rings else Priority.WATCHER if is_needed else Priority.HISTORY
    return Wanted(chat, 0, screen, priority, silent=not screen.rings, is_needed=is_needed)


def shown(key: str, screen: Screen, mode: Mode = Mode.PLAIN, chat: int = ANYA, at: float = NOW) -> Shown:
    return Shown("t1", key, chat, 5, screen.digest, mode, at)


def steps(
    want: dict[str, Wanted], have: list[Shown], *, now: float = NOW, looked_at: float | None = None
) -> list[tuple[str, Action, float]]:
    desk = Desk("t1", wanted=want, shown={one.key: one for one in have})
    found = desk.steps(now, {} if looked_at is None else {ANYA: looked_at})
    return [(step.key, step.action, step.due_at) for step in found]


def test_what_is_right_needs_no_call() -> None:
    assert steps({HAND: wanted(WAITING)}, [shown(HAND, WAITING)]) == []


def test_what_is_missing_is_sent() -> None:
    assert steps({HAND: wanted(WAITING)}, []) == [(HAND, Action.SEND, 0.0)]


def test_an_old_result_that_is_missing_is_not_sent() -> None:
    assert steps({BOARD: wanted(WAITING, GROUP, is_needed=False)}, []) == []


def test_what_differs_is_edited() -> None:
    assert steps({HAND: wanted(WAITING)}, [shown(HAND, Screen("old"))]) == [(HAND, Action.EDIT, 0.0)]


def test_a_turns_start_is_a_new_message() -> None:
    assert steps({HAND: wanted(MY_TURN)}, [shown(HAND, WAITING)]) == [(HAND, Action.SEND, 0.0)]


def test_who_has_just_pressed_gets_an_edit_instead() -> None:
    looked_at = NOW - LOOKING_SECONDS
    have = [shown(HAND, WAITING)]
    assert steps({HAND: wanted(MY_TURN)}, have, looked_at=looked_at) == [(HAND, Action.EDIT, 0.0)]
    assert steps({HAND: wanted(MY_TURN)}, have, looked_at=looked_at - 1) == [(HAND, Action.SEND, 0.0)]


def test_who_does_not_move_after_a_quiet_edit_is_rung_after_all() -> None:
    have = [shown(HAND, MY_TURN, Mode.QUIET)]
    assert steps({HAND: wanted(MY_TURN)}, have) == [(HAND, Action.SEND, NOW + NUDGE_SECONDS)]


@pytest.mark.parametrize(("mode", "is_looking"), [(Mode.RUNG, False), (Mode.RUNG, True), (Mode.QUIET, True)])
def test_a_turn_that_goes_on_rings_no_more(mode: Mode, is_looking: bool) -> None:
    want = {HAND: wanted(Screen("cover it", rings=True))}
    looked_at = NOW if is_looking else None
    assert steps(want, [shown(HAND, MY_TURN, mode)], looked_at=looked_at) == [(HAND, Action.EDIT, 0.0)]


def test_each_time_somebody_is_called_again_is_a_new_message() -> None:
    want = {HAND: wanted(Screen("still your turn", rings=True, recalls=1))}
    have = shown(HAND, MY_TURN, Mode.RUNG)
    assert steps(want, [have]) == [(HAND, Action.SEND, 0.0)]
    assert steps(want, [have], looked_at=NOW) == [(HAND, Action.EDIT, 0.0)]
    assert steps(want, [replace(have, recalls=1)]) == [(HAND, Action.EDIT, 0.0)]


def test_the_next_turn_of_who_was_called_again_rings_no_more_than_any_other() -> None:
    have = replace(shown(HAND, WAITING, Mode.RUNG), recalls=2)
    assert steps({HAND: wanted(MY_TURN)}, [have]) == [(HAND, Action.EDIT, 0.0)]


def test_a_groups_message_never_asks_for_a_ring_by_itself() -> None:
    want = {BOARD: wanted(MY_TURN, GROUP)}
    assert steps(want, [shown(BOARD, MY_TURN, chat=GROUP)]) == []


def test_a_message_in_a_chat_that_was_left_is_sent_to_the_new_one() -> None:
    want = {BOARD: wanted(WAITING, -200)}
    assert steps(want, [shown(BOARD, WAITING, chat=GROUP)]) == [(BOARD, Action.SEND, 0.0)]


@pytest.mark.parametrize(
    ("key", "action"),
    [
        (board_key(0), Action.DELETE),
        (HAND, Action.DELETE),
        ("old:hand:1:7", Action.DELETE),
        (BOARD, Action.STRIP),
        ("end", Action.STRIP),
    ],
)
def test_what_is_no_longer_wanted_goes_but_results_only_lose_their_buttons(key: str, action: Action) -> None:
    assert steps({}, [shown(key, WAITING)]) == [(key, action, 0.0)]


def test_a_result_in_its_final_form_is_left_alone() -> None:
    final = wanted(WAITING, GROUP, is_needed=False)
    assert steps({BOARD: final}, [shown(BOARD, MY_TURN, chat=GROUP)]) == [(BOARD, Action.EDIT, 0.0)]
    assert steps({BOARD: final}, [shown(BOARD, WAITING, chat=GROUP)]) == [(BOARD, Action.FORGET, 0.0)]


NEXT_BOARD = board_key(2)


def next_round(result_mode: Mode) -> Desk:
    """The round is over and the next one dealt; the group's last message shows the table or the result."""
    final = Wanted(GROUP, 0, Screen("final"), Priority.HISTORY, silent=True, is_needed=False, is_result=True)
    want = {NEXT_BOARD: wanted(WAITING, GROUP), BOARD: final, HAND: wanted(MY_TURN)}
    return Desk("t1", wanted=want, shown={BOARD: shown(BOARD, Screen("old"), result_mode, GROUP)})


def test_the_next_round_waits_for_a_result_that_has_not_been_told() -> None:
    desk = next_round(Mode.PLAIN)
    due = {step.key: step.due_at for step in desk.steps(NOW, {})}
    assert due == {BOARD: 0.0, NEXT_BOARD: NOW + RESULT_SECONDS, HAND: NOW + RESULT_SECONDS}
    assert next(step for step in desk.steps(NOW, {}) if step.key == BOARD).priority is Priority.GROUP
    desk.put(shown(BOARD, Screen("final"), Mode.RESULT, GROUP))
    assert {step.key: step.due_at for step in desk.steps(NOW, {})} == {BOARD: 0.0, NEXT_BOARD: 0.0, HAND: 0.0}


def test_a_result_that_has_been_told_is_closed_when_there_is_time() -> None:
    steps = {step.key: step for step in next_round(Mode.RESULT).steps(NOW, {})}
    assert {key: step.due_at for key, step in steps.items()} == {BOARD: 0.0, NEXT_BOARD: 0.0, HAND: 0.0}
    assert steps[BOARD].priority is Priority.HISTORY


def test_a_result_that_cannot_be_told_keeps_nobody_waiting() -> None:
    desk = next_round(Mode.PLAIN)
    desk.pause(BOARD, NOW, 5.0)
    due = {step.key: step.due_at for step in desk.steps(NOW, {})}
    assert due == {BOARD: NOW + 5, NEXT_BOARD: 0.0, HAND: 0.0}


def test_what_cannot_be_deleted_loses_its_buttons() -> None:
    assert steps({}, [shown(HAND, WAITING, Mode.FIXED)]) == [(HAND, Action.STRIP, 0.0)]


def test_what_tells_the_way_to_its_successor_waits_until_that_is_there() -> None:
    old = shown(retired_key(shown(BOARD, WAITING, chat=GROUP)), WAITING, Mode.FIXED, GROUP)
    assert steps({BOARD: wanted(WAITING, GROUP)}, [old]) == [(BOARD, Action.SEND, 0.0)]
    there = replace(shown(BOARD, WAITING, chat=GROUP), message_id=6)
    assert steps({BOARD: wanted(WAITING, GROUP)}, [old, there]) == [(old.key, Action.STRIP, 0.0)]
    assert steps({BOARD: wanted(WAITING, GROUP, is_needed=False)}, [old]) == [(old.key, Action.STRIP, 0.0)]


def test_nothing_is_removed_before_it_is_known_what_is_wanted() -> None:
    assert Desk("t1", shown={HAND: shown(HAND, WAITING)}).steps(NOW, {}) == []


def test_nothing_is_sent_before_it_is_known_what_is_shown() -> None:
    assert Desk("t1", wanted={HAND: wanted(MY_TURN)}).steps(NOW, {}) == []


def the_step(desk: Desk, now: float = NOW) -> Step:
    (step,) = desk.steps(now, {})
    return step


def test_a_key_with_a_call_under_way_waits_for_it() -> None:
    desk = Desk("t1", wanted={HAND: wanted(MY_TURN)}, shown={})
    desk.begin(the_step(desk), NOW, {})
    assert desk.steps(NOW, {}) == []
    assert not desk.is_settled
    desk.end(HAND)
    assert the_step(desk).action is Action.SEND


@pytest.mark.parametrize(("have", "may_be_there"), [([], True), ([shown(HAND, WAITING, Mode.RUNG)], False)])
def test_only_a_new_message_may_be_there_before_it_is_known(have: list[Shown], may_be_there: bool) -> None:
    """While a message is edited, another one that is not on record is one too many."""
    desk = Desk("t1", wanted={HAND: wanted(MY_TURN)}, shown={one.key: one for one in have})
    desk.begin(the_step(desk), NOW, {})
    assert desk.is_sending_to(ANYA) is may_be_there
    assert not desk.is_sending_to(GROUP)
    desk.end(HAND)
    assert not desk.is_sending_to(ANYA)


def test_who_looks_by_the_time_the_step_has_its_turn_gets_an_edit() -> None:
    desk = Desk("t1", wanted={HAND: wanted(MY_TURN)}, shown={HAND: shown(HAND, WAITING)})
    step = the_step(desk)
    assert step.action is Action.SEND
    assert desk.begin(step, NOW + 1, {ANYA: NOW + 1}) is Action.EDIT


def test_the_need_is_as_old_as_the_difference() -> None:
    desk = Desk("t1", wanted={HAND: wanted(WAITING)}, shown={HAND: shown(HAND, Screen("old"))})
    assert the_step(desk).since == NOW
    desk.want({HAND: wanted(Screen("newer"))}, 2)
    assert the_step(desk, NOW + 5).since == NOW
    desk.put(shown(HAND, Screen("newer")))
    assert desk.steps(NOW + 6, {}) == []
    desk.want({HAND: wanted(WAITING)}, 3)
    assert the_step(desk, NOW + 7).since == NOW + 7


def test_each_failure_in_a_row_makes_the_pause_longer_up_to_a_minute() -> None:
    desk = Desk("t1", wanted={HAND: wanted(WAITING)}, shown={})
    pauses = []
    for _ in range(9):
        until = desk.pause(HAND, NOW, 1.0)
        assert the_step(desk).due_at == until
        pauses.append(until - NOW)
    assert pauses == [1, 2, 4, 8, 16, 32, *[LONGEST_PAUSE_SECONDS] * 3]
    desk.put(shown(HAND, Screen("old")))
    assert the_step(desk).due_at == 0.0
    assert desk.pause(HAND, NOW, 1.0) == NOW + 1


def test_after_an_edit_of_which_nothing_was_heard_what_is_shown_is_shown_once_more() -> None:
    """The lost one may arrive late, after the next, and undo it."""
    desk = Desk("t1", wanted={HAND: wanted(WAITING)}, shown={HAND: shown(HAND, Screen("old"))})
    desk.begin(the_step(desk), NOW, {})
    desk.doubt(HAND, NOW)
    desk.end(HAND)
    step = the_step(desk)
    assert (step.action, step.due_at) == (Action.EDIT, 0.0)
    desk.begin(step, NOW + 1, {})
    desk.put(shown(HAND, WAITING))
    desk.end(HAND)
    again = the_step(desk, NOW + 2)
    assert (again.action, again.due_at) == (Action.EDIT, NOW + DOUBT_SECONDS)
    desk.begin(again, NOW + DOUBT_SECONDS, {})
    desk.put(shown(HAND, WAITING))
    desk.end(HAND)
    assert desk.steps(NOW + DOUBT_SECONDS + 1, {}) == []


def test_what_could_not_be_shown_once_more_is_still_to_be() -> None:
    """The repetition was refused, by a flood limit say: what it was for may yet be undone."""
    desk = Desk("t1", wanted={HAND: wanted(WAITING)}, shown={HAND: shown(HAND, WAITING)})
    desk.doubt(HAND, NOW)
    desk.begin(the_step(desk), NOW + DOUBT_SECONDS, {})
    desk.end(HAND)
    again = the_step(desk, NOW + DOUBT_SECONDS)
    assert (again.action, again.due_at) == (Action.EDIT, NOW + DOUBT_SECONDS)
    desk.begin(again, NOW + DOUBT_SECONDS, {})
    desk.drop(HAND)  # it is not there any more
    desk.end(HAND)
    assert the_step(desk).action is Action.SEND


def test_no_doubt_is_left_of_a_message_that_was_replaced() -> None:
    desk = Desk("t1", wanted={HAND: wanted(WAITING)}, shown={HAND: shown(HAND, WAITING)})
    desk.doubt(HAND, NOW)
    desk.put(replace(shown(HAND, WAITING), message_id=6))
    assert desk.steps(NOW, {}) == []


def test_after_a_start_only_what_differs_is_in_doubt() -> None:
    have = {HAND: shown(HAND, Screen("old")), BOARD: shown(BOARD, WAITING, chat=GROUP)}
    desk = Desk("t1", wanted={HAND: wanted(WAITING), BOARD: wanted(WAITING, GROUP)}, shown=have)
    desk.doubt_all_that_differ(NOW)
    desk.put(shown(HAND, WAITING))
    assert [(step.key, step.due_at) for step in desk.steps(NOW, {})] == [(HAND, NOW + DOUBT_SECONDS)]


def test_where_calls_work_again_nothing_waits_for_its_pause() -> None:
    desk = Desk("t1", wanted={HAND: wanted(WAITING), BOARD: wanted(WAITING, GROUP)}, shown={})
    for key in (HAND, BOARD):
        desk.pause(key, NOW, 60.0)
    desk.resume(GROUP)
    assert {step.key: step.due_at for step in desk.steps(NOW, {})} == {HAND: NOW + 60, BOARD: 0.0}


def test_only_a_hand_that_asks_nothing_of_its_reader_can_wait() -> None:
    old, at = Screen("old"), NOW - 1

    def unhurried(screen: Screen, have: list[Shown], chat: int = ANYA) -> float:
        desk = Desk("t1", wanted={HAND: wanted(screen, chat)}, shown={one.key: one for one in have})
        return the_step(desk).unhurried_at

    assert unhurried(WAITING, [shown(HAND, old, at=at)]) == at + UNHURRIED_SECONDS
    assert unhurried(WAITING, [shown(HAND, old, Mode.RUNG, at=at)]) == 0.0, "its buttons are stale"
    assert unhurried(MY_TURN, [shown(HAND, old, at=at)]) == 0.0, "he is to move"
    assert unhurried(WAITING, []) == 0.0, "he has no hand"


def test_what_is_soon_something_else_by_itself_waits_for_that() -> None:
    """A draw and the card that must then be laid come within a second: they are shown together."""

    def due_after(seconds: float, mode: Mode = Mode.PLAIN, *, late: float = 0.0) -> float:
        want = replace(wanted(WAITING, GROUP), passes_at=NOW + late + seconds)
        desk = Desk("t1", wanted={BOARD: want}, shown={BOARD: shown(BOARD, Screen("old"), mode, GROUP)})
        desk.steps(NOW, {})
        desk.want({BOARD: want}, 2)
        return the_step(desk, NOW + late).due_at

    assert due_after(1.0) == NOW + 1.0 + PROMPT_SECONDS
    assert due_after(1.0, late=1.0) == NOW + 2.0 + PROMPT_SECONDS
    assert due_after(1.0, late=2.0) == 0.0, "by then it is shown as it is"
    assert due_after(5.0) == 0.0, "that is too long to wait for"
    assert due_after(1.0, Mode.RUNG) == 0.0, "its buttons are stale"


def test_lateness_is_made_up_for_once() -> None:
    desk = Desk("t1", wanted={HAND: wanted(MY_TURN)}, shown={})
    step = the_step(desk)
    assert desk.excuse(step, NOW + 5, MY_TURN) == 5.0
    assert desk.excuse(step, NOW + 8, MY_TURN) == 3.0
    assert desk.excuse(step, NOW + 7, MY_TURN) == 0.0


def test_a_nudge_is_not_late_nor_is_what_comes_in_its_place() -> None:
    desk = Desk("t1", wanted={HAND: wanted(MY_TURN)}, shown={HAND: shown(HAND, MY_TURN, Mode.QUIET)})
    assert desk.excuse(the_step(desk), NOW + NUDGE_SECONDS, MY_TURN) == 0.0
    suits = Screen("which suit?", rings=True)
    desk.want({HAND: wanted(suits)}, 2)
    assert desk.excuse(the_step(desk, NOW + 5), NOW + 5.1, suits) < 0.2


def test_a_hand_that_its_reader_has_but_for_the_moments_in_it_is_not_late() -> None:
    """Else a deadline that is moved on, since a hand was late, would be late itself, and so on for ever."""
    first, moved = (
        Screen(f'your turn until <tg-time unix="{unix}" format="T">soon</tg-time>', rings=True)
        for unix in (2_000, 2_005)
    )
    desk = Desk("t1", wanted={HAND: wanted(first)}, shown={})
    assert desk.excuse(the_step(desk), NOW + 5, first) == 5.0
    desk.brought(HAND, first)
    desk.put(shown(HAND, first, Mode.RUNG))
    desk.want({HAND: wanted(moved)}, 2)
    assert desk.excuse(the_step(desk, NOW + 6), NOW + 11, moved) == 0.0
    desk.drop(HAND)  # somebody has deleted it
    assert desk.excuse(the_step(desk, NOW + 12), NOW + 15, moved) == 3.0


def test_a_message_that_was_replaced_is_known_until_it_is_deleted() -> None:
    old = shown(BOARD, WAITING, chat=GROUP)
    retired = replace(old, key=retired_key(old))
    desk = Desk("t1", shown={retired.key: retired})
    assert desk.replaces(BOARD)
    assert not desk.replaces(HAND)


def test_a_desk_on_which_all_is_right_is_settled() -> None:
    desk = Desk("t1", wanted={HAND: wanted(WAITING)}, shown={HAND: shown(HAND, WAITING)})
    assert desk.steps(NOW, {}) == []
    assert desk.is_settled
    desk.stale_since = NOW
    assert not desk.is_settled


# ------------------------------------------------------------------------------------------------- pictures

PICTURE = TablePicture("Round 1", (SeatPicture("Anya", 4, 0),))
PICTURED = Screen("table", picture=PICTURE)


def with_picture(screen: Screen, mode: Mode = Mode.PLAIN) -> Shown:
    assert screen.picture is not None
    return replace(shown(BOARD, screen, mode, chat=GROUP), picture=screen.picture.digest)


def test_the_digest_of_a_text_is_what_it_was_before_there_were_pictures() -> None:
    assert Screen("table").digest == "ee75d4808def1a94"


def test_what_is_drawn_in_the_same_way_is_the_same_picture() -> None:
    assert PICTURED.digest == Screen("table", picture=replace(PICTURE)).digest
    assert PICTURED.digest != Screen("table", picture=replace(PICTURE, stock=3)).digest
    assert PICTURED.digest != Screen("table").digest


def test_a_picture_is_edited_like_a_text() -> None:
    want = {BOARD: wanted(PICTURED, GROUP)}
    assert steps(want, [with_picture(PICTURED)]) == []
    assert steps(want, [shown(BOARD, WAITING, chat=GROUP)]) == [(BOARD, Action.EDIT, 0.0)]
    other = Screen("table", picture=replace(PICTURE, stock=3))
    assert steps(want, [with_picture(other)]) == [(BOARD, Action.EDIT, 0.0)]


def test_a_text_takes_a_pictures_place_in_a_new_message_unless_it_is_history() -> None:
    result = Screen("result")
    assert steps({BOARD: wanted(result, GROUP)}, [with_picture(PICTURED)]) == [(BOARD, Action.SEND, 0.0)]
    told = with_picture(PICTURED, Mode.RESULT)
    assert steps({BOARD: wanted(result, GROUP, is_needed=False)}, [told]) == [(BOARD, Action.STRIP, 0.0)]


def test_while_an_edit_may_still_take_effect_nothing_is_sure() -> None:
    desk = Desk("t1", wanted={BOARD: wanted(PICTURED, GROUP)}, shown={BOARD: with_picture(PICTURED)})
    assert desk.is_sure_of(BOARD)
    desk.doubt(BOARD, NOW)
    (step,) = desk.steps(NOW, {})
    assert not desk.is_sure_of(BOARD)
    assert step.due_at == NOW + DOUBT_SECONDS
    desk.begin(step, step.due_at, {})
    assert not desk.is_sure_of(BOARD)  # what is under way makes it right whatever there is
    desk.put(with_picture(PICTURED))
    desk.end(BOARD)
    assert desk.is_sure_of(BOARD)
