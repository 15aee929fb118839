"""The call that each message needs: none, an edit, a new message, a deletion; and when it notifies."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.messages.desired import DesiredMessage, board_key
from bot.messages.rate_limit import Priority
from bot.messages.reconcile import (
    ACTIVE_SECONDS,
    PROMPT_SECONDS,
    RENOTIFY_SECONDS,
    RESULT_SECONDS,
    UNHURRIED_SECONDS,
    Action,
    Mode,
    Step,
)
from bot.messages.table_messages import (
    LONGEST_PAUSE_SECONDS,
    UNCERTAIN_SECONDS,
    UNKNOWN,
    TableMessages,
    superseded_key,
)
from bot.screens.screen import Screen
from bot.storage.shown import Shown
from tests.bot.messages.small_tables import (
    ANYA,
    BOARD,
    GROUP,
    HAND,
    MY_TURN,
    NOW,
    WAITING,
    desired,
    shown,
    steps,
)


def test_what_is_right_needs_no_call() -> None:
    assert steps({HAND: desired(WAITING)}, [shown(HAND, WAITING)]) == []


def test_what_is_missing_is_sent() -> None:
    assert steps({HAND: desired(WAITING)}, []) == [(HAND, Action.SEND, 0.0)]


def test_an_old_result_that_is_missing_is_not_sent() -> None:
    assert steps({BOARD: desired(WAITING, GROUP, is_needed=False)}, []) == []


def test_what_differs_is_edited() -> None:
    assert steps({HAND: desired(WAITING)}, [shown(HAND, Screen("old"))]) == [(HAND, Action.EDIT, 0.0)]


def test_a_turns_start_is_a_new_message() -> None:
    assert steps({HAND: desired(MY_TURN)}, [shown(HAND, WAITING)]) == [(HAND, Action.SEND, 0.0)]


def test_who_has_just_pressed_gets_an_edit_instead() -> None:
    active_at = NOW - ACTIVE_SECONDS
    have = [shown(HAND, WAITING)]
    assert steps({HAND: desired(MY_TURN)}, have, active_at=active_at) == [(HAND, Action.EDIT, 0.0)]
    assert steps({HAND: desired(MY_TURN)}, have, active_at=active_at - 1) == [(HAND, Action.SEND, 0.0)]


def test_who_does_not_move_after_a_quiet_edit_is_rung_after_all() -> None:
    have = [shown(HAND, MY_TURN, Mode.QUIET)]
    assert steps({HAND: desired(MY_TURN)}, have) == [(HAND, Action.SEND, NOW + RENOTIFY_SECONDS)]


@pytest.mark.parametrize(
    ("mode", "is_active"), [(Mode.NOTIFIED, False), (Mode.NOTIFIED, True), (Mode.QUIET, True)]
)
def test_a_turn_that_goes_on_rings_no_more(mode: Mode, is_active: bool) -> None:
    set_desired = {HAND: desired(Screen("cover it", notifies=True))}
    active_at = NOW if is_active else None
    assert steps(set_desired, [shown(HAND, MY_TURN, mode)], active_at=active_at) == [(HAND, Action.EDIT, 0.0)]


def test_each_reminder_is_a_new_message() -> None:
    set_desired = {HAND: desired(Screen("still your turn", notifies=True, recalls=1))}
    have = shown(HAND, MY_TURN, Mode.NOTIFIED)
    assert steps(set_desired, [have]) == [(HAND, Action.SEND, 0.0)]
    assert steps(set_desired, [have], active_at=NOW) == [(HAND, Action.EDIT, 0.0)]
    assert steps(set_desired, [replace(have, recalls=1)]) == [(HAND, Action.EDIT, 0.0)]


def test_the_next_turn_after_a_reminder_rings_like_any_other() -> None:
    have = replace(shown(HAND, WAITING, Mode.NOTIFIED), recalls=2)
    assert steps({HAND: desired(MY_TURN)}, [have]) == [(HAND, Action.EDIT, 0.0)]


def test_a_groups_message_never_asks_for_a_ring_by_itself() -> None:
    set_desired = {BOARD: desired(MY_TURN, GROUP)}
    assert steps(set_desired, [shown(BOARD, MY_TURN, chat=GROUP)]) == []


def test_a_message_in_a_chat_that_was_left_is_sent_to_the_new_one() -> None:
    set_desired = {BOARD: desired(WAITING, -200)}
    assert steps(set_desired, [shown(BOARD, WAITING, chat=GROUP)]) == [(BOARD, Action.SEND, 0.0)]


@pytest.mark.parametrize(
    ("key", "action"),
    [
        (board_key(0), Action.DELETE),
        (HAND, Action.DELETE),
        ("old:hand:1:7", Action.DELETE),
        (BOARD, Action.REMOVE_KEYBOARD),
        ("end", Action.REMOVE_KEYBOARD),
    ],
)
def test_what_is_no_longer_wanted_goes_but_results_only_lose_their_buttons(key: str, action: Action) -> None:
    assert steps({}, [shown(key, WAITING)]) == [(key, action, 0.0)]


def test_a_result_in_its_final_form_is_left_alone() -> None:
    final = desired(WAITING, GROUP, is_needed=False)
    assert steps({BOARD: final}, [shown(BOARD, MY_TURN, chat=GROUP)]) == [(BOARD, Action.EDIT, 0.0)]
    assert steps({BOARD: final}, [shown(BOARD, WAITING, chat=GROUP)]) == [(BOARD, Action.FORGET, 0.0)]


NEXT_BOARD = board_key(2)


def next_round(result_mode: Mode) -> TableMessages:
    """The round is over and the next one dealt; the group's last message shows the table or the result."""
    final = DesiredMessage(
        GROUP, 0, Screen("final"), Priority.HISTORY, silent=True, is_needed=False, is_result=True
    )
    set_desired = {NEXT_BOARD: desired(WAITING, GROUP), BOARD: final, HAND: desired(MY_TURN)}
    return TableMessages(
        "t1", desired=set_desired, shown={BOARD: shown(BOARD, Screen("old"), result_mode, GROUP)}
    )


def test_the_next_round_waits_for_a_result_that_has_not_been_told() -> None:
    table_messages = next_round(Mode.PLAIN)
    due = {step.key: step.due_at for step in table_messages.steps(NOW, {})}
    assert due == {BOARD: 0.0, NEXT_BOARD: NOW + RESULT_SECONDS, HAND: NOW + RESULT_SECONDS}
    assert (
        next(step for step in table_messages.steps(NOW, {}) if step.key == BOARD).priority is Priority.GROUP
    )
    table_messages.put(shown(BOARD, Screen("final"), Mode.RESULT, GROUP))
    assert {step.key: step.due_at for step in table_messages.steps(NOW, {})} == {
        BOARD: 0.0,
        NEXT_BOARD: 0.0,
        HAND: 0.0,
    }


def test_a_result_that_has_been_told_is_closed_when_there_is_time() -> None:
    steps = {step.key: step for step in next_round(Mode.RESULT).steps(NOW, {})}
    assert {key: step.due_at for key, step in steps.items()} == {BOARD: 0.0, NEXT_BOARD: 0.0, HAND: 0.0}
    assert steps[BOARD].priority is Priority.HISTORY


def test_a_result_that_cannot_be_told_keeps_nobody_waiting() -> None:
    table_messages = next_round(Mode.PLAIN)
    table_messages.pause(BOARD, NOW, 5.0)
    due = {step.key: step.due_at for step in table_messages.steps(NOW, {})}
    assert due == {BOARD: NOW + 5, NEXT_BOARD: 0.0, HAND: 0.0}


def test_what_cannot_be_deleted_loses_its_buttons() -> None:
    assert steps({}, [shown(HAND, WAITING, Mode.FIXED)]) == [(HAND, Action.REMOVE_KEYBOARD, 0.0)]


def test_a_link_to_a_successor_waits_until_that_is_sent() -> None:
    old = shown(superseded_key(shown(BOARD, WAITING, chat=GROUP)), WAITING, Mode.FIXED, GROUP)
    assert steps({BOARD: desired(WAITING, GROUP)}, [old]) == [(BOARD, Action.SEND, 0.0)]
    there = replace(shown(BOARD, WAITING, chat=GROUP), message_id=6)
    assert steps({BOARD: desired(WAITING, GROUP)}, [old, there]) == [(old.key, Action.REMOVE_KEYBOARD, 0.0)]
    assert steps({BOARD: desired(WAITING, GROUP, is_needed=False)}, [old]) == [
        (old.key, Action.REMOVE_KEYBOARD, 0.0)
    ]


@pytest.mark.parametrize(("key", "due_at"), [(BOARD, NOW + UNCERTAIN_SECONDS), (HAND, 0.0)])
def test_buttons_are_removed_when_no_uncertain_edit_can_bring_them_back(key: str, due_at: float) -> None:
    """A message that is deleted stays deleted."""
    table_messages = TableMessages("t1", desired={}, shown={key: shown(key, WAITING)})
    table_messages.mark_uncertain(key, NOW)
    assert the_step(table_messages).due_at == due_at


def test_nothing_is_removed_before_it_is_known_what_is_wanted() -> None:
    assert TableMessages("t1", shown={HAND: shown(HAND, WAITING)}).steps(NOW, {}) == []


def test_nothing_is_sent_before_it_is_known_what_is_shown() -> None:
    assert TableMessages("t1", desired={HAND: desired(MY_TURN)}).steps(NOW, {}) == []


def the_step(table_messages: TableMessages, now: float = NOW) -> Step:
    (step,) = table_messages.steps(now, {})
    return step


def test_a_key_with_a_call_under_way_waits_for_it() -> None:
    table_messages = TableMessages("t1", desired={HAND: desired(MY_TURN)}, shown={})
    table_messages.begin(the_step(table_messages), NOW, {})
    assert table_messages.steps(NOW, {}) == []
    assert not table_messages.is_up_to_date
    table_messages.end(HAND)
    assert the_step(table_messages).action is Action.SEND


@pytest.mark.parametrize(
    ("have", "may_be_there"), [([], True), ([shown(HAND, WAITING, Mode.NOTIFIED)], False)]
)
def test_only_a_new_message_may_be_there_before_it_is_known(have: list[Shown], may_be_there: bool) -> None:
    """While a message is edited, another one that is not on record is one too many."""
    table_messages = TableMessages(
        "t1", desired={HAND: desired(MY_TURN)}, shown={one.key: one for one in have}
    )
    table_messages.begin(the_step(table_messages), NOW, {})
    assert table_messages.is_sending_to(ANYA) is may_be_there
    assert not table_messages.is_sending_to(GROUP)
    table_messages.end(HAND)
    assert not table_messages.is_sending_to(ANYA)


def test_who_looks_by_the_time_the_step_has_its_turn_gets_an_edit() -> None:
    table_messages = TableMessages("t1", desired={HAND: desired(MY_TURN)}, shown={HAND: shown(HAND, WAITING)})
    step = the_step(table_messages)
    assert step.action is Action.SEND
    assert table_messages.begin(step, NOW + 1, {ANYA: NOW + 1}) is Action.EDIT


def test_the_need_is_as_old_as_the_difference() -> None:
    table_messages = TableMessages(
        "t1", desired={HAND: desired(WAITING)}, shown={HAND: shown(HAND, Screen("old"))}
    )
    assert the_step(table_messages).since == NOW
    table_messages.set_desired({HAND: desired(Screen("newer"))}, 2)
    assert the_step(table_messages, NOW + 5).since == NOW
    table_messages.put(shown(HAND, Screen("newer")))
    assert table_messages.steps(NOW + 6, {}) == []
    table_messages.set_desired({HAND: desired(WAITING)}, 3)
    assert the_step(table_messages, NOW + 7).since == NOW + 7


def test_each_failure_in_a_row_makes_the_pause_longer_up_to_a_minute() -> None:
    table_messages = TableMessages("t1", desired={HAND: desired(WAITING)}, shown={})
    pauses = []
    for _ in range(9):
        until = table_messages.pause(HAND, NOW, 1.0)
        assert the_step(table_messages).due_at == until
        pauses.append(until - NOW)
    assert pauses == [1, 2, 4, 8, 16, 32, *[LONGEST_PAUSE_SECONDS] * 3]
    table_messages.put(shown(HAND, Screen("old")))
    assert the_step(table_messages).due_at == 0.0
    assert table_messages.pause(HAND, NOW, 1.0) == NOW + 1


def test_an_unanswered_edit_is_repeated() -> None:
    """The lost one may arrive late, after the next, and undo it."""
    table_messages = TableMessages(
        "t1", desired={HAND: desired(WAITING)}, shown={HAND: shown(HAND, Screen("old"))}
    )
    table_messages.begin(the_step(table_messages), NOW, {})
    table_messages.mark_uncertain(HAND, NOW)
    table_messages.end(HAND)
    step = the_step(table_messages)
    assert (step.action, step.due_at) == (Action.EDIT, 0.0)
    table_messages.begin(step, NOW + 1, {})
    table_messages.put(shown(HAND, WAITING))
    table_messages.end(HAND)
    again = the_step(table_messages, NOW + 2)
    assert (again.action, again.due_at) == (Action.EDIT, NOW + UNCERTAIN_SECONDS)
    table_messages.begin(again, NOW + UNCERTAIN_SECONDS, {})
    table_messages.put(shown(HAND, WAITING))
    table_messages.end(HAND)
    assert table_messages.steps(NOW + UNCERTAIN_SECONDS + 1, {}) == []


def test_a_repetition_that_failed_is_still_due() -> None:
    """The repetition was refused, by a flood limit say: what it was for may yet be undone."""
    table_messages = TableMessages("t1", desired={HAND: desired(WAITING)}, shown={HAND: shown(HAND, WAITING)})
    table_messages.mark_uncertain(HAND, NOW)
    table_messages.begin(the_step(table_messages), NOW + UNCERTAIN_SECONDS, {})
    table_messages.end(HAND)
    again = the_step(table_messages, NOW + UNCERTAIN_SECONDS)
    assert (again.action, again.due_at) == (Action.EDIT, NOW + UNCERTAIN_SECONDS)
    table_messages.begin(again, NOW + UNCERTAIN_SECONDS, {})
    table_messages.drop(HAND)  # it is not there any more
    table_messages.end(HAND)
    assert the_step(table_messages).action is Action.SEND


def test_a_replaced_message_is_no_longer_uncertain() -> None:
    table_messages = TableMessages("t1", desired={HAND: desired(WAITING)}, shown={HAND: shown(HAND, WAITING)})
    table_messages.mark_uncertain(HAND, NOW)
    table_messages.put(replace(shown(HAND, WAITING), message_id=6))
    assert table_messages.steps(NOW, {}) == []


def test_a_message_that_is_unknown_on_record_is_shown_twice() -> None:
    """Now, and again when the edit that the last process has left under way can't undo it any more."""
    unknown = replace(shown(HAND, WAITING), digest=UNKNOWN)
    table_messages = TableMessages(
        "t1",
        desired={HAND: desired(WAITING), BOARD: desired(WAITING, GROUP)},
        shown={HAND: unknown, BOARD: shown(BOARD, WAITING, chat=GROUP)},
    )
    table_messages.mark_unknown_uncertain(NOW)
    assert (the_step(table_messages).key, the_step(table_messages).due_at) == (HAND, 0.0)
    table_messages.put(shown(HAND, WAITING))
    assert (the_step(table_messages).key, the_step(table_messages).due_at) == (HAND, NOW + UNCERTAIN_SECONDS)


def test_access_that_is_restored_ends_the_pauses() -> None:
    table_messages = TableMessages(
        "t1", desired={HAND: desired(WAITING), BOARD: desired(WAITING, GROUP)}, shown={}
    )
    for key in (HAND, BOARD):
        table_messages.pause(key, NOW, 60.0)
    table_messages.resume(GROUP)
    assert {step.key: step.due_at for step in table_messages.steps(NOW, {})} == {HAND: NOW + 60, BOARD: 0.0}


def test_only_a_hand_that_asks_nothing_of_its_reader_can_wait() -> None:
    old, at = Screen("old"), NOW - 1

    def unhurried(screen: Screen, have: list[Shown], chat: int = ANYA) -> float:
        table_messages = TableMessages(
            "t1", desired={HAND: desired(screen, chat)}, shown={one.key: one for one in have}
        )
        return the_step(table_messages).unhurried_at

    assert unhurried(WAITING, [shown(HAND, old, at=at)]) == at + UNHURRIED_SECONDS
    assert unhurried(WAITING, [shown(HAND, old, Mode.NOTIFIED, at=at)]) == 0.0, "its buttons are stale"
    assert unhurried(MY_TURN, [shown(HAND, old, at=at)]) == 0.0, "he is to move"
    assert unhurried(WAITING, []) == 0.0, "he has no hand"


def test_a_message_that_an_automatic_move_is_about_to_change_waits_for_it() -> None:
    """A draw and the card that must then be laid come within a second: they are shown together."""

    def due_after(seconds: float, mode: Mode = Mode.PLAIN, *, late: float = 0.0) -> float:
        set_desired = replace(desired(WAITING, GROUP), passes_at=NOW + late + seconds)
        table_messages = TableMessages(
            "t1", desired={BOARD: set_desired}, shown={BOARD: shown(BOARD, Screen("old"), mode, GROUP)}
        )
        table_messages.steps(NOW, {})
        table_messages.set_desired({BOARD: set_desired}, 2)
        return the_step(table_messages, NOW + late).due_at

    assert due_after(1.0) == NOW + 1.0 + PROMPT_SECONDS
    assert due_after(1.0, late=1.0) == NOW + 2.0 + PROMPT_SECONDS
    assert due_after(1.0, late=2.0) == 0.0, "by then it is shown as it is"
    assert due_after(5.0) == 0.0, "that is too long to wait for"
    assert due_after(1.0, Mode.NOTIFIED) == 0.0, "its buttons are stale"


def test_a_delay_is_compensated_once() -> None:
    table_messages = TableMessages("t1", desired={HAND: desired(MY_TURN)}, shown={})
    step = the_step(table_messages)
    assert table_messages.compensate_delay(step, NOW + 5, MY_TURN) == 5.0
    assert table_messages.compensate_delay(step, NOW + 8, MY_TURN) == 3.0
    assert table_messages.compensate_delay(step, NOW + 7, MY_TURN) == 0.0


def test_a_nudge_is_not_late_nor_is_what_comes_in_its_place() -> None:
    table_messages = TableMessages(
        "t1", desired={HAND: desired(MY_TURN)}, shown={HAND: shown(HAND, MY_TURN, Mode.QUIET)}
    )
    assert table_messages.compensate_delay(the_step(table_messages), NOW + RENOTIFY_SECONDS, MY_TURN) == 0.0
    suits = Screen("which suit?", notifies=True)
    table_messages.set_desired({HAND: desired(suits)}, 2)
    assert table_messages.compensate_delay(the_step(table_messages, NOW + 5), NOW + 5.1, suits) < 0.2


def test_a_hand_whose_times_alone_differ_is_not_late() -> None:
    """Else a deadline that is moved on, since a hand was late, would be late itself, and so on for ever."""
    first, moved = (
        Screen(f'your turn until <tg-time unix="{unix}" format="T">soon</tg-time>', notifies=True)
        for unix in (2_000, 2_005)
    )
    table_messages = TableMessages("t1", desired={HAND: desired(first)}, shown={})
    assert table_messages.compensate_delay(the_step(table_messages), NOW + 5, first) == 5.0
    table_messages.delivered(HAND, first)
    table_messages.put(shown(HAND, first, Mode.NOTIFIED))
    table_messages.set_desired({HAND: desired(moved)}, 2)
    assert table_messages.compensate_delay(the_step(table_messages, NOW + 6), NOW + 11, moved) == 0.0
    table_messages.drop(HAND)  # somebody has deleted it
    assert table_messages.compensate_delay(the_step(table_messages, NOW + 12), NOW + 15, moved) == 3.0


def test_a_message_that_was_replaced_is_known_until_it_is_deleted() -> None:
    old = shown(BOARD, WAITING, chat=GROUP)
    superseded = replace(old, key=superseded_key(old))
    table_messages = TableMessages("t1", shown={superseded.key: superseded})
    assert table_messages.replaces(BOARD)
    assert not table_messages.replaces(HAND)


def test_a_table_whose_messages_are_all_right_is_up_to_date() -> None:
    table_messages = TableMessages("t1", desired={HAND: desired(WAITING)}, shown={HAND: shown(HAND, WAITING)})
    assert table_messages.steps(NOW, {}) == []
    assert table_messages.is_up_to_date
    table_messages.stale_since = NOW
    assert not table_messages.is_up_to_date
