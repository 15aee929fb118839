"""What goes out when, for any history of changes: within the limits, the most urgent first, nothing for ever.

The piece that schedules is run against a network that exists as a list of calls under way: time is a number,
and chance decides what changes, how long calls take and which of them fail.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.messages.desired import DesiredMessage, board_key, hand_key
from bot.messages.rate_limit import Limits, Priority, RateLimiter
from bot.messages.reconcile import UNHURRIED_SECONDS, Action, Mode, Step
from bot.messages.scheduler import PendingCall, choose
from bot.messages.table_messages import TableMessages, superseded_key
from bot.screens.screen import Screen
from bot.storage.shown import Shown
from tests.bot.messages.test_rate_limit import most_within

START = 1_000_000.0
MOVES = 25
"""Of a round, its end included."""


@dataclass
class Started:
    """A call that went out."""

    at: float
    step: Step
    action: Action


@dataclass
class World:
    """Tables of four, their messages, and a Telegram that carries out calls after a while.

    `states[t]` counts the changes of table t.
    """

    tables: int
    chance: random.Random
    failing: float = 0.0
    now: float = START
    rate_limiter: RateLimiter = field(default_factory=RateLimiter)
    busy: set[int] = field(default_factory=set)
    calls: list[Started] = field(default_factory=list)
    waited: dict[Priority, float] = field(default_factory=dict)
    """The longest that a need of each priority has waited for its call."""
    selfish: list[Step] = field(default_factory=list)
    """Calls that left no room for the player to move."""

    def __post_init__(self) -> None:
        self.all_messages = [TableMessages(f"t{table}", shown={}) for table in range(self.tables)]
        self.states = [0] * self.tables
        self.under_way: list[tuple[float, Step, Action, DesiredMessage | None]] = []
        self.message_id = 0
        for table in range(self.tables):
            self._want(table)

    def people(self, table: int) -> range:
        return range(10 * table + 1, 10 * table + 5)

    def change(self, table: int) -> None:
        """A move: another state, and somebody else's turn; or a round ends, or the next is dealt."""
        self.states[table] += 1
        self._want(table)

    def _want(self, table: int) -> None:
        number, move = divmod(self.states[table], MOVES)
        is_over = move == MOVES - 1
        state = f"state {self.states[table]}"
        group = -(10 * table + 9)
        priority = Priority.GROUP
        desired = {
            board_key(number): DesiredMessage(
                group, 0, Screen(state), priority, silent=True, is_result=is_over
            )
        }
        if number and not is_over:
            final = Screen(f"end of {number - 1}")
            desired[board_key(number - 1)] = DesiredMessage(
                group, 0, final, Priority.HISTORY, silent=True, is_needed=False, is_result=True
            )
        for place, person in enumerate(self.people(table)):
            is_mover = place == move % 4 and not is_over
            screen = Screen(f"{state} for {person}", notifies=is_mover)
            priority = Priority.MOVER if is_mover else Priority.WATCHER
            desired[hand_key(person)] = DesiredMessage(person, 0, screen, priority, silent=not is_mover)
        self.all_messages[table].set_desired(desired, self.states[table])

    def run_steadily(self, seconds: int) -> None:
        """Let time pass, in which every table makes a move a second."""
        for _ in range(seconds):
            for table in range(self.tables):
                self.change(table)
            self.run(1.0, 0.0)

    def run(self, seconds: float, changes_per_second: float) -> None:
        """Let time pass, in which changes come at random."""
        end = self.now + seconds
        next_change = self._next_change(changes_per_second)
        while self.now < end:
            again_at = self._choose()
            over = min((at for at, *_ in self.under_way), default=math.inf)
            self.now = min(end, next_change, over, math.inf if again_at is None else again_at)
            if self.now == next_change:
                self.change(self.chance.randrange(self.tables))
                next_change = self._next_change(changes_per_second)
            for item in [item for item in self.under_way if item[0] <= self.now]:
                self.under_way.remove(item)
                self._finish(*item[1:])

    def _next_change(self, per_second: float) -> float:
        return self.now + self.chance.expovariate(per_second) if per_second else math.inf

    def _choose(self) -> float | None:
        pending = [
            step for table_messages in self.all_messages for step in table_messages.steps(self.now, {})
        ]
        choice = choose(pending, self.rate_limiter, self.busy, self.now)
        for step in choice.start:
            self._check_room(step)
            waited = self.now - step.since
            self.waited[step.priority] = max(waited, self.waited.get(step.priority, 0.0))
            table_messages = self.all_messages[int(step.table_id[1:])]
            action = table_messages.begin(step, self.now, {})
            if step.takes_call:
                self.calls.append(Started(self.now, step, action))
            desired = (table_messages.desired or {}).get(step.key)
            self.under_way.append((self.now + self.chance.uniform(0.01, 0.3), step, action, desired))
        return choice.again_at

    def _check_room(self, step: Step) -> None:
        """Check that after any other call there is room for one to every mover."""
        somebody_else = 10 * self.tables + 1
        chats = {Priority.MOVER: [], Priority.GROUP: [somebody_else]}.get(
            step.priority, [somebody_else, step.chat_id]
        )
        if step.takes_call and any(
            self.rate_limiter.ready_at(chat, Priority.MOVER, 0.0) > self.now for chat in chats
        ):
            self.selfish.append(step)

    def _finish(self, step: Step, action: Action, desired: DesiredMessage | None) -> None:
        table_messages = self.all_messages[int(step.table_id[1:])]
        if self.chance.random() < self.failing:
            if self.chance.random() < 0.5:
                self.rate_limiter.hold(step.chat_id, self.now + self.chance.uniform(1, 5))
            else:
                table_messages.pause(step.key, self.now, 1.0)
        elif action in (Action.SEND, Action.EDIT):
            assert desired is not None
            assert table_messages.shown is not None
            before = table_messages.shown.get(step.key)
            if action is Action.SEND:
                self.message_id += 1
                if before is not None:
                    table_messages.put(replace(before, key=superseded_key(before)))
            message_id = self.message_id if action is Action.SEND or before is None else before.message_id
            plain = Mode.RESULT if desired.is_result else Mode.PLAIN
            mode = Mode.NOTIFIED if desired.screen.notifies else plain
            table_messages.put(
                Shown(
                    table_messages.table_id,
                    step.key,
                    desired.chat_id,
                    message_id,
                    desired.screen.digest,
                    mode,
                    self.now,
                )
            )
        else:
            table_messages.drop(step.key)
        table_messages.end(step.key)
        if step.takes_chat:
            self.busy.discard(step.chat_id)

    @property
    def is_shown(self) -> bool:
        """Return whether everybody sees what is desired, and nothing else."""
        return all(
            {key: shown.digest for key, shown in (table_messages.shown or {}).items()}
            == {
                key: desired.screen.digest
                for key, desired in (table_messages.desired or {}).items()
                if desired.is_needed
            }
            for table_messages in self.all_messages
        )

    def times(self, chat: int | None = None) -> list[float]:
        return [call.at for call in self.calls if chat in (None, call.step.chat_id)]


quickly = settings(max_examples=25, deadline=None)

histories = st.builds(
    World,
    tables=st.integers(1, 8),
    chance=st.integers().map(random.Random),
    failing=st.sampled_from([0.0, 0.0, 0.1, 0.4]),
)


@quickly
@given(histories, st.lists(st.sampled_from([0.0, 0.2, 1.0, 5.0, 20.0]), min_size=1, max_size=4))
def test_whatever_changes_the_limits_hold_and_what_is_last_wanted_is_at_last_shown(
    world: World, rates: list[float]
) -> None:
    for rate in rates:
        world.run(15, rate)
    assert most_within(1.0, world.times()) <= 30
    for table in range(world.tables):
        assert most_within(60.0, world.times(-(10 * table + 9))) <= 20
        for person in world.people(table):
            assert most_within(10.0, world.times(person)) <= 10 + Limits().private.burst
    world.run(600, 0.0)
    assert world.is_shown


@quickly
@given(histories)
def test_who_is_to_move_never_waits_behind_those_who_watch(world: World) -> None:
    world.run(20, 10.0)
    assert world.selfish == []


@pytest.mark.parametrize("tables", [1, 4])
def test_at_one_move_a_second_at_each_table_nobody_waits_long(tables: int) -> None:
    world = World(tables, random.Random(tables))
    world.run_steadily(240)
    assert world.waited[Priority.MOVER] <= 1.0
    assert world.waited[Priority.GROUP] <= 4.0


def test_when_all_calls_are_in_use_those_who_watch_are_the_first_to_wait() -> None:
    world = World(30, random.Random(1))
    world.run(60, 6.0)
    assert world.waited[Priority.MOVER] < 2.0
    assert world.waited[Priority.GROUP] < 4.0
    assert world.waited[Priority.WATCHER] > UNHURRIED_SECONDS / 2


def calls_per_move(tables: int) -> float:
    """Return all calls per move when every table makes a move in five seconds."""
    world = World(tables, random.Random(5))
    world.run(60, tables / 5)
    before, states = len(world.calls), sum(world.states)
    world.run(300, tables / 5)
    return (len(world.calls) - before) / (sum(world.states) - states)


def test_when_it_is_crowded_fewer_calls_are_made_for_each_move() -> None:
    """Here every turn begins with a new message, which real matches seldom need; so both are upper bounds."""
    assert calls_per_move(4) < 7
    assert calls_per_move(20) < 4.5


def test_of_equal_needs_the_oldest_goes_first() -> None:
    """Else the same tables would be served again and again when calls are short."""
    pending = [
        PendingCall(chat_id=chat, priority=Priority.GROUP, since=since)
        for chat, since in ((-1, 9.0), (-2, 7.0), (-3, 8.0))
    ]
    choice = choose(pending, RateLimiter(), set(), 10.0)
    assert [call.chat_id for call in choice.start] == [-2, -3, -1]


def test_a_chat_has_one_call_at_a_time() -> None:
    pending = [
        PendingCall(chat_id=-1, priority=Priority.GROUP, since=0.0),
        PendingCall(chat_id=-1, priority=Priority.GROUP, since=1.0),
    ]
    busy: set[int] = set()
    first = choose(pending, RateLimiter(), busy, 10.0)
    assert (first.start, first.again_at) == (pending[:1], None)
    assert choose(pending, RateLimiter(), busy, 10.0).start == []


def test_what_takes_no_call_needs_no_room() -> None:
    rate_limiter = RateLimiter()
    rate_limiter.hold(-1, 20.0)
    call = PendingCall(chat_id=-1, priority=Priority.HISTORY, since=0.0, takes_call=False)
    assert choose([call], rate_limiter, set(), 10.0).start == [call]
