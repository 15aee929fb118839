"""Messages with pictures: edited like texts, but never turned back into one."""

from __future__ import annotations

from dataclasses import replace

from bot.messages.reconcile import Action, Mode
from bot.messages.table_messages import UNCERTAIN_SECONDS, TableMessages
from bot.screens.picture import SeatPicture, TablePicture
from bot.screens.screen import Screen
from bot.storage.shown import Shown
from tests.bot.messages.small_tables import BOARD, GROUP, NOW, WAITING, desired, shown, steps

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
    set_desired = {BOARD: desired(PICTURED, GROUP)}
    assert steps(set_desired, [with_picture(PICTURED)]) == []
    assert steps(set_desired, [shown(BOARD, WAITING, chat=GROUP)]) == [(BOARD, Action.EDIT, 0.0)]
    other = Screen("table", picture=replace(PICTURE, stock=3))
    assert steps(set_desired, [with_picture(other)]) == [(BOARD, Action.EDIT, 0.0)]


def test_a_text_takes_a_pictures_place_in_a_new_message_unless_it_is_history() -> None:
    result = Screen("result")
    assert steps({BOARD: desired(result, GROUP)}, [with_picture(PICTURED)]) == [(BOARD, Action.SEND, 0.0)]
    shown_in_group = with_picture(PICTURED, Mode.RESULT)
    assert steps({BOARD: desired(result, GROUP, is_needed=False)}, [shown_in_group]) == [
        (BOARD, Action.REMOVE_KEYBOARD, 0.0)
    ]


def test_while_an_edit_may_still_take_effect_nothing_is_sure() -> None:
    table_messages = TableMessages(
        "t1", desired={BOARD: desired(PICTURED, GROUP)}, shown={BOARD: with_picture(PICTURED)}
    )
    assert table_messages.is_sure_of(BOARD)
    table_messages.mark_uncertain(BOARD, NOW)
    (step,) = table_messages.steps(NOW, {})
    assert not table_messages.is_sure_of(BOARD)
    assert step.due_at == NOW + UNCERTAIN_SECONDS
    table_messages.begin(step, step.due_at, {})
    assert not table_messages.is_sure_of(BOARD)  # what is under way makes it right whatever there is
    table_messages.put(with_picture(PICTURED))
    table_messages.end(BOARD)
    assert table_messages.is_sure_of(BOARD)
