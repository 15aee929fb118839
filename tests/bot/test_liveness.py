"""What is known of updates: until when all have arrived and been handled, and when it is to be found out."""

from __future__ import annotations

import math

from bot.updates.liveness import HANDLING_SECONDS, Liveness


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_what_has_arrived_is_handled_a_little_later() -> None:
    clock = Clock()
    liveness = Liveness(8.0, 30.0, clock)
    clock.now += 5.0
    liveness.stamp()
    assert (liveness.age, liveness.lag) == (0.0, 5.0)
    clock.now += HANDLING_SECONDS
    assert (liveness.age, liveness.lag) == (HANDLING_SECONDS, HANDLING_SECONDS)


def test_when_nothing_has_arrived_nothing_is_to_be_handled() -> None:
    clock = Clock()
    liveness = Liveness(8.0, 30.0, clock)
    clock.now += 5.0
    liveness.stamp(brought_updates=False)
    assert liveness.lag == 0.0


def test_an_empty_round_does_not_hurry_what_came_just_before() -> None:
    clock = Clock()
    liveness = Liveness(8.0, 30.0, clock)
    clock.now += 5.0
    liveness.stamp()
    clock.now += HANDLING_SECONDS / 2
    liveness.stamp(brought_updates=False)
    assert liveness.lag == 5.0 + HANDLING_SECONDS / 2
    clock.now += HANDLING_SECONDS / 2
    assert liveness.lag == HANDLING_SECONDS / 2


def test_where_something_arrives_all_the_time_it_is_not_waited_for_long() -> None:
    clock = Clock()
    liveness = Liveness(8.0, 30.0, clock)
    for _ in range(100):
        clock.now += 0.1
        liveness.stamp()
    assert HANDLING_SECONDS <= liveness.lag < HANDLING_SECONDS + 0.2
    assert len(liveness._stamps) < 20


def test_it_is_to_be_found_out_until_something_has_arrived_after_the_moment() -> None:
    clock = Clock()
    liveness = Liveness(8.0, 30.0, clock)
    assert liveness.wanted_in == math.inf
    liveness.want(3.0)
    clock.now += 2.0
    liveness.stamp()
    assert liveness.wanted_in == 1.0
    clock.now += 2.0
    assert liveness.wanted_in == -1.0
    liveness.stamp()
    assert liveness.wanted_in == math.inf
