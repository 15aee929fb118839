"""Which call each message needs: nothing, an edit, a new message, a deletion; and when a phone rings."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.presenter.desk import LOOKING_SECONDS, NUDGE_SECONDS, Action, Desk, Mode, Step, retired_key
from bot.presenter.wanted import Priority, Wanted, board_key, hand_key
from bot.screens.screen import Screen
from bot.storage.shown import Shown

GROUP, ANYA = -100, 1
NOW = 1_000.0
HAND, BOARD = hand_key(ANYA), board_key(1)
MY_TURN, WAITING = Screen("your turn", rings=True), Screen("wait")


def wanted(screen: Screen, chat: int = ANYA, *, is_needed: bool = True) -> Wanted:
    return Wanted(chat, 0, screen, Priority.WATCHER, silent=not screen.rings, is_needed=is_needed)


def shown(key: str, screen: Screen, mode: Mode = Mode.PLAIN, chat: int = ANYA, at: float = NOW) -> Shown:
    return Shown("t1", key, chat, 5, screen.digest, mode, at)


def steps(
    want: dict[str, Wanted], have: list[Shown], *, now: float = NOW, looked_at: float | None = None
) -> list[tuple[str, Action, float]]:
    desk = Desk("t1", is_loaded=True, wanted=want, shown={one.key: one for one in have})
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
        (BOARD, Action.FORGET),
        ("end", Action.FORGET),
    ],
)
def test_what_is_no_longer_wanted_goes_but_results_stay(key: str, action: Action) -> None:
    assert steps({}, [shown(key, WAITING)]) == [(key, action, 0.0)]


def test_nothing_is_removed_before_it_is_known_what_is_wanted() -> None:
    assert Desk("t1", is_loaded=True, shown={HAND: shown(HAND, WAITING)}).steps(NOW, {}) == []


def test_nothing_is_sent_before_it_is_known_what_is_shown() -> None:
    assert Desk("t1", wanted={HAND: wanted(MY_TURN)}).steps(NOW, {}) == []


def test_a_key_with_a_call_under_way_waits_for_it() -> None:
    desk = Desk("t1", is_loaded=True, wanted={HAND: wanted(MY_TURN)}, under_way={HAND})
    assert desk.steps(NOW, {}) == []


def test_a_key_whose_call_failed_is_held_back() -> None:
    desk = Desk("t1", is_loaded=True, wanted={HAND: wanted(MY_TURN)}, held={HAND: NOW + 2})
    assert desk.steps(NOW, {}) == [Step(HAND, Action.SEND, ANYA, Priority.WATCHER, NOW + 2)]


def test_a_message_that_was_replaced_is_known_until_it_is_deleted() -> None:
    old = shown(BOARD, WAITING, chat=GROUP)
    retired = replace(old, key=retired_key(old))
    desk = Desk("t1", is_loaded=True, shown={retired.key: retired})
    assert desk.replaces(BOARD)
    assert not desk.replaces(HAND)
