"""No schedule of calls breaks Telegram's limits, and a chat that must be silent is silent alone."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.presenter.budget import Budget, Limits, Rate

GROUPS = (-1, -2)
PEOPLE = (1, 2, 3)

wishes = st.lists(
    st.tuples(st.sampled_from(GROUPS + PEOPLE), st.floats(min_value=0, max_value=5, allow_nan=False)),
    max_size=200,
)
"""(chat, seconds since the wish before)"""


def most_within(window: float, times: list[float]) -> int:
    """The most of these moments that any window of so many seconds holds."""
    return max((sum(start <= at < start + window for at in times) for start in times), default=0)


def granted(schedule: list[tuple[int, float]]) -> list[tuple[int, float]]:
    """When each wish may go out, if each waits for its room."""
    budget, now, calls = Budget(), 1000.0, []
    for chat, pause in schedule:
        now += pause
        now = max(now, budget.chat_ready_at(chat), budget.overall_ready_at())
        budget.spend(chat, now)
        calls.append((chat, now))
    return calls


@given(wishes)
def test_no_schedule_breaks_a_limit(schedule: list[tuple[int, float]]) -> None:
    calls = granted(schedule)
    assert most_within(1.0, [at for _, at in calls]) <= 30
    for group in GROUPS:
        assert most_within(60.0, [at for chat, at in calls if chat == group]) <= 20
    for person in PEOPLE:
        of_person = [at for chat, at in calls if chat == person]
        assert most_within(10.0, of_person) <= 10 + Limits().private.burst


def test_a_quiet_chat_has_its_whole_burst() -> None:
    budget = Budget(Limits(private=Rate(burst=3, per_second=1.0)))
    for _ in range(3):
        assert budget.chat_ready_at(1) <= 50.0
        budget.spend(1, 50.0)
    assert budget.chat_ready_at(1) == 51.0


def test_a_flood_answer_silences_that_chat_alone() -> None:
    budget = Budget()
    budget.hold(-1, 200.0)
    budget.spend(-1, 100.0)
    assert budget.chat_ready_at(-1) == 200.0
    assert budget.chat_ready_at(-2) <= 100.0
    assert budget.overall_ready_at() <= 100.0


def test_budgets_of_quiet_chats_are_forgotten() -> None:
    budget = Budget()
    for chat in range(1, 5000):
        budget.spend(chat, chat * 10.0)
    assert len(budget._chats) <= 1025
