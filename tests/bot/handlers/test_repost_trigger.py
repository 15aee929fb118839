"""When messages in the group move a table to the bottom of the chat."""

from __future__ import annotations

from bot.handlers.repost_trigger import MESSAGES, RepostTrigger

PLACE = (-100, 0)
NOW = 1_000_000.0
SECONDS = 60.0


def counted(trigger: RepostTrigger, times: int, at: float = NOW) -> list[bool]:
    return [trigger.count(PLACE, at) for _ in range(times)]


def test_fifteen_messages_bring_the_table_down() -> None:
    trigger = RepostTrigger(SECONDS)
    trigger.reset(PLACE, NOW)
    assert counted(trigger, MESSAGES, NOW + SECONDS) == [False] * (MESSAGES - 1) + [True]


def test_but_no_more_than_once_a_minute() -> None:
    trigger = RepostTrigger(SECONDS)
    trigger.reset(PLACE, NOW)
    assert not any(counted(trigger, 3 * MESSAGES, NOW + SECONDS - 1))
    assert trigger.count(PLACE, NOW + SECONDS)


def test_a_table_that_has_come_down_is_not_buried() -> None:
    trigger = RepostTrigger(SECONDS)
    counted(trigger, MESSAGES - 1)
    trigger.reset(PLACE, NOW)
    assert counted(trigger, MESSAGES, NOW + SECONDS)[-2:] == [False, True]


def test_talk_in_one_topic_buries_nothing_in_another() -> None:
    trigger = RepostTrigger(SECONDS)
    counted(trigger, MESSAGES - 1)
    assert not trigger.count((-100, 7), NOW)
    assert trigger.count(PLACE, NOW)


def test_after_a_restart_the_count_begins_anew() -> None:
    """Nothing is known of when the table came; the first fifteen messages bring it down."""
    assert counted(RepostTrigger(SECONDS), MESSAGES) == [False] * (MESSAGES - 1) + [True]


def test_however_many_groups_talk_little_is_remembered() -> None:
    trigger = RepostTrigger(SECONDS)
    for chat in range(2 * RepostTrigger.MOST_PLACES):
        trigger.count((-chat, 0), NOW)
    assert len(trigger._places) <= RepostTrigger.MOST_PLACES
