"""The rate limiter: no schedule breaks Telegram's limits, and a blocked chat blocks no other."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.messages.rate_limit import Limits, Priority, Rate, RateLimiter

GROUPS = (-1, -2)
PEOPLE = (1, 2, 3)

wishes = st.lists(
    st.tuples(
        st.sampled_from(GROUPS + PEOPLE),
        st.sampled_from(Priority),
        st.floats(min_value=0, max_value=5, allow_nan=False),
        st.just(False),
    ),
    max_size=200,
)
"""(chat, priority, seconds since the wish before, is the bot started anew before it)"""


def most_within(window: float, times: list[float]) -> int:
    """The most of these moments, which are in order, that any window of so many seconds holds."""
    most = first = 0
    for last, at in enumerate(times):
        while times[first] <= at - window:
            first += 1
        most = max(most, last - first + 1)
    return most


def granted(schedule: list[tuple[int, Priority, float, bool]]) -> list[tuple[int, float]]:
    """Return when each call may be made, if each waits for its turn."""
    rate_limiter, now, calls = RateLimiter(), 1000.0, []
    for chat, priority, pause, is_new_start in schedule:
        if is_new_start:
            rate_limiter = RateLimiter(silent_since=now)
        now += pause
        now = max(now, rate_limiter.ready_at(chat, priority, 0.0))
        rate_limiter.spend(chat, now)
        calls.append((chat, now))
    return calls


@given(wishes)
def test_no_schedule_breaks_a_limit(schedule: list[tuple[int, Priority, float, bool]]) -> None:
    calls = granted(schedule)
    assert most_within(1.0, [at for _, at in calls]) <= 30
    for group in GROUPS:
        assert most_within(60.0, [at for chat, at in calls if chat == group]) <= 20
    for person in PEOPLE:
        of_person = [at for chat, at in calls if chat == person]
        assert most_within(10.0, of_person) <= 10 + Limits().private.burst


def test_a_quiet_chat_has_its_whole_burst() -> None:
    rate_limiter = RateLimiter(Limits(private=Rate(burst=3, per_second=1.0)))
    for _ in range(3):
        assert rate_limiter.ready_at(1, Priority.MOVER, 0.0) <= 50.0
        rate_limiter.spend(1, 50.0)
    assert rate_limiter.ready_at(1, Priority.MOVER, 0.0) == 51.0


@pytest.mark.parametrize("calls_before", range(0, 40, 3))
def test_a_new_start_in_the_midst_of_a_rush_breaks_no_limit(calls_before: int) -> None:
    """Without memory of what went out before, a second burst would follow the first within a minute."""
    rush = [(-1, Priority.GROUP, 0.0, number == calls_before) for number in range(60)]
    assert most_within(60.0, [at for _, at in granted(rush)]) <= 20
    crowd = [(number, Priority.MOVER, 0.0, number == calls_before) for number in range(60)]
    assert most_within(1.0, [at for _, at in granted(crowd)]) <= 30


def test_what_an_earlier_process_sent_counts_as_all_that_was_allowed() -> None:
    """Between two of its starts the bot would otherwise have a whole burst again, and break the limit."""
    rate_limiter = RateLimiter(Limits(private=Rate(burst=3, per_second=1.0)), silent_since=50.0)
    assert rate_limiter.ready_at(1, Priority.MOVER, 0.0) == 51.0
    rate_limiter.spend(1, 51.0)
    assert rate_limiter.ready_at(1, Priority.MOVER, 0.0) == 52.0
    assert rate_limiter.ready_at(2, Priority.MOVER, 0.0) == 51.0


def test_who_watches_leaves_room_for_who_is_to_move() -> None:
    rate_limiter = RateLimiter()
    now = 50.0
    for _ in range(20):
        now = max(now, rate_limiter.ready_at(1, Priority.WATCHER, inf))
        rate_limiter.spend(1, now)
    assert rate_limiter.ready_at(1, Priority.MOVER, 0.0) <= now


def test_what_is_history_leaves_room_for_the_table() -> None:
    rate_limiter = RateLimiter()
    now = 50.0
    for _ in range(20):
        now = max(now, rate_limiter.ready_at(-1, Priority.HISTORY, inf))
        rate_limiter.spend(-1, now)
    assert rate_limiter.ready_at(-1, Priority.GROUP, 0.0) <= now


def test_a_table_is_never_more_than_four_seconds_from_its_next_call() -> None:
    rate_limiter = RateLimiter()
    now = 50.0
    for _ in range(100):
        rate_limiter.spend(-1, now)
        assert rate_limiter.ready_at(-1, Priority.GROUP, 0.0) - now < 4
        now = max(now, rate_limiter.ready_at(-1, Priority.GROUP, 0.0))


def test_a_flood_answer_silences_that_chat_alone() -> None:
    rate_limiter = RateLimiter()
    rate_limiter.hold(-1, 200.0)
    rate_limiter.spend(-1, 100.0)
    assert rate_limiter.ready_at(-1, Priority.MOVER, 0.0) == 200.0
    assert rate_limiter.ready_at(-2, Priority.MOVER, 0.0) <= 100.0


def test_it_is_crowded_from_half_of_the_rate_on_until_a_quarter() -> None:
    """What is saved when it is crowded brings the load below a half, and must not end the saving by that."""
    rate_limiter = RateLimiter(Limits(overall=Rate(burst=5, per_second=10.0)))
    now = 100.0

    def spend_for_a_minute(per_second: float) -> list[bool]:
        nonlocal now
        states = []
        for _ in range(round(60 * per_second)):
            now += 1 / per_second
            rate_limiter.spend(1, now)
            states.append(rate_limiter.is_crowded(now))
        return states

    assert not any(spend_for_a_minute(4.5))
    assert spend_for_a_minute(6.5)[-1]
    assert all(spend_for_a_minute(3.5))
    assert not spend_for_a_minute(1.5)[-1]
    assert not any(spend_for_a_minute(3.5))


def test_budgets_of_quiet_chats_are_forgotten() -> None:
    rate_limiter = RateLimiter()
    for chat in range(1, 5000):
        rate_limiter.spend(chat, chat * 10.0)
    assert len(rate_limiter._chats) <= 65
