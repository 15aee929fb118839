"""Whoever asks for something all the time keeps nobody waiting: neither the table, nor who asks once.

Time is passed in. In the first tests the calls are numbers, then they are simulated; in the others they are
made, to a sandbox.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable
from math import inf
from statistics import median

import pytest

from bot.messages.kinds import Kind
from bot.messages.outbox import Outbox, Superseded
from bot.messages.rate_limit import Priority, Rate, RateLimiter
from bot.messages.reconcile import GENEROUS_SECONDS
from bot.messages.renewals import Renewals
from bot.messages.requests import LONGEST_SHARE_SECONDS, SHARE_SECONDS, Requests
from bot.messages.scheduler import PendingCall, choose
from bot.screens.screen import Screen
from tests.bot.messages.manual_scheduler import ManualScheduler
from tests.bot.messages.simulated_chat import GROUP as CHAT
from tests.bot.messages.simulated_chat import SimulatedChat
from tests.bot.messages.test_pictures import ExecutorHarness, harness
from tests.bot.messages.test_rate_limit import most_within

__all__ = ["harness"]

GROUP = -1
TICK = 0.05
STEADY_SECONDS = 300.0
ANYA, BORIS, VERA = 1, 2, 3


@pytest.mark.parametrize("moves_per_second", [0.1, 0.3, 1.0, 5.0])
@pytest.mark.parametrize("others", [1, 8])
def test_a_table_is_never_four_seconds_behind_and_yet_all_others_have_their_turn(
    moves_per_second: float, others: int
) -> None:
    """There is always an answer of each of them to be given, and something of the past to be removed."""
    rate_limiter, calls, waited = RateLimiter(), [], []
    since = dict.fromkeys([*range(others), "history"], 0.0)
    served: Counter[object] = Counter()
    now, next_move, table_since = 1000.0, 1000.0, inf
    while now < 1000.0 + STEADY_SECONDS:
        if now >= next_move:
            next_move += 1 / moves_per_second
            table_since = min(table_since, now)
        pending: dict[object, PendingCall] = {
            who: PendingCall(
                chat_id=GROUP,
                priority=Priority.HISTORY if who == "history" else Priority.ANSWER,
                since=at,
                generous_until=inf,
            )
            for who, at in since.items()
        }
        if table_since < inf:
            generous_until = table_since + GENEROUS_SECONDS
            pending["table"] = PendingCall(
                chat_id=GROUP, priority=Priority.GROUP, since=table_since, generous_until=generous_until
            )
        started = choose(pending.values(), rate_limiter, set(), now).start
        for who in [who for who, call in pending.items() if call in started]:
            calls.append(now)
            served[who] += 1
            if who == "table":
                waited.append(now - table_since)
                table_since = inf
            else:
                since[who] = now
        now += TICK
    assert max(waited) < 4
    assert most_within(60.0, calls) <= 20
    assert all(served[who] for who in since)


def test_a_table_goes_first_while_nobody_has_waited_for_long() -> None:
    rate_limiter = RateLimiter()
    table = PendingCall(chat_id=GROUP, priority=Priority.GROUP, since=100.0)
    answer = PendingCall(chat_id=GROUP, priority=Priority.ANSWER, since=99.0, generous_until=inf)
    old = PendingCall(chat_id=GROUP, priority=Priority.HISTORY, since=90.0, generous_until=inf)
    assert choose([old, answer, table], rate_limiter, set(), 100.0).start == [table]
    assert choose([old, answer], rate_limiter, set(), 100.0).start == [answer]
    assert choose([old, answer], rate_limiter, set(), 101.0).start == []  # the last call is left to the table
    assert choose([table], rate_limiter, set(), 101.0).start == [table]
    assert choose([old, answer, table], rate_limiter, set(), 111.0).start == [answer]
    assert choose([old, table], rate_limiter, set(), 151.0).start == [old, table]


def test_an_answer_to_who_seldom_asks_goes_first_and_leaves_a_call_to_the_table() -> None:
    def answer(since: float, asked_before: float, *, goes_first: bool) -> PendingCall:
        return PendingCall(
            chat_id=GROUP,
            priority=Priority.ANSWER,
            since=since,
            generous_until=inf,
            asked_before=asked_before,
            goes_first=goes_first,
        )

    table = PendingCall(chat_id=GROUP, priority=Priority.GROUP, since=99.0)
    old = PendingCall(chat_id=GROUP, priority=Priority.HISTORY, since=10.0, generous_until=inf)
    often = answer(90.0, 89.0, goes_first=False)
    seldom, more_seldom = answer(100.0, 80.0, goes_first=True), answer(100.0, 50.0, goes_first=True)
    waiting = [often, old, table, seldom, more_seldom]
    rate_limiter = RateLimiter()
    assert choose(waiting, rate_limiter, set(), 100.0).start == [more_seldom]
    assert choose([seldom, often], rate_limiter, set(), 100.0).start == [seldom]
    assert choose([seldom, often], rate_limiter, set(), 100.0).start == []
    assert choose([seldom, often, table], rate_limiter, set(), 100.0).start == [table]


@pytest.mark.parametrize(
    ("writers", "pressers", "typical", "longest"),
    [(0, 0, 5, 20), (1, 0, 10, 28), (0, 1, 10, 20), (3, 2, 10, 28)],
)
async def test_who_asks_once_is_answered_soon_whoever_floods(
    writers: int, pressers: int, typical: float, longest: float
) -> None:
    """Beside a table that changes every 1.7 s, which is never 4 s behind."""
    chat = SimulatedChat(1.7)
    flooding = [chat.writer(person, 1.0) for person in range(1, 1 + writers)]
    flooding += [chat.presser(person, 0.5) for person in range(11, 11 + pressers)]
    await chat.run(600.0, chat.asker(99, 30.0), *flooding)
    assert max(chat.table.delays) < 4
    assert most_within(60.0, chat.calls) <= 20
    assert len(chat.waited) >= chat.asked - 1 == 19
    assert median(chat.waited) <= typical
    assert max(chat.waited) <= longest
    await chat.close()


async def test_a_menu_shows_the_last_choice_however_its_owner_floods() -> None:
    chat = SimulatedChat(1.7)
    menu = await chat.gateway.send(CHAT, 0, Screen("menu"))
    others = [chat.presser(person, 0.5) for person in (11, 12, 13, 14)]
    await chat.run(60.0, *others)
    for second in range(60):
        chat.outbox.redraw(CHAT, menu, Screen(f"choice {second}"), asked_by=ANYA)
        chat.spawn(chat.answer(ANYA, Kind.HELP, chat.now))
        await chat.run(1.0, *others)
    await chat.run(300.0)
    assert chat.gateway.shown[menu] == "choice 59"
    await chat.close()


def test_a_table_comes_down_twice_at_once_and_then_now_and_then() -> None:
    renewals = Renewals(Rate(burst=2, per_second=1 / 30))
    assert [renewals.may_now("t", 100.0 + second) for second in range(9)] == [True, True, *[False] * 7]
    assert renewals.may_now("other", 109.0)
    assert renewals.next_at == 130.0
    assert renewals.take_due(129.0) == []
    assert renewals.take_due(130.0) == ["t"]
    assert renewals.take_due(131.0) == []
    assert not renewals.may_now("t", 131.0)
    assert renewals.next_at == 160.0
    assert renewals.take_due(160.0) == ["t"]
    assert renewals.may_now("t", 300.0)


class ManualOutbox:
    """An outbox whose calls have their turn when the test says so."""

    def __init__(self, harness: ExecutorHarness, rate_limiter: RateLimiter) -> None:
        self.scheduler = ManualScheduler(rate_limiter, harness.now)
        self.outbox = Outbox(harness.gateway, self.scheduler, lambda: self.scheduler.moment)
        self.harness = harness
        self.chat = harness.chat
        self.answered: list[str] = []

    def ask(self, person: int, text: str, kind: Kind = Kind.SCORE) -> asyncio.Task[int]:
        """Ask for an answer as this person; return its message id."""

        async def answer() -> int:
            message_id = await self.outbox.say(self.chat, 0, Screen(text), kind=kind, asked_by=person)
            self.answered.append(text)
            return message_id

        return asyncio.create_task(answer())

    async def go_on(self, seconds: float = 0.0) -> None:
        """Let time pass and make the calls that have their turn by then."""
        self.scheduler.moment += seconds
        await self.scheduler.start_in_turn(self.outbox)

    async def calls(self, work: Awaitable[None]) -> list[str]:
        """The methods called while this is done."""
        before = len(await self.harness.sandbox.calls())
        await work
        return [call["method"] for call in (await self.harness.sandbox.calls())[before:]]


async def test_a_person_waits_for_the_newest_answer_alone(harness: ExecutorHarness) -> None:
    queue = ManualOutbox(harness, RateLimiter())
    kinds = (Kind.SCORE, Kind.RULES)
    asked = [queue.ask(ANYA, f"answer {number}", kinds[number % 2]) for number in range(20)]
    other = queue.ask(BORIS, "to Boris")
    outcomes = await asyncio.gather(*asked[:-1], return_exceptions=True)
    assert all(isinstance(outcome, Superseded) for outcome in outcomes)
    await queue.go_on(60.0)
    await asyncio.gather(asked[-1], other)
    assert queue.answered == ["to Boris", "answer 19"]


async def test_in_private_a_person_has_each_of_a_few_different_answers(harness: ExecutorHarness) -> None:
    queue = ManualOutbox(harness, RateLimiter())
    queue.chat = await harness.sandbox.new_user("Anya")
    await harness.sandbox.start(queue.chat)
    kinds = (Kind.SCORE, Kind.RULES, Kind.TOP)
    asked = [queue.ask(ANYA, kind, kind) for kind in kinds]
    for _ in kinds:
        await queue.go_on(60.0)
    await asyncio.gather(*asked)
    assert queue.answered == list(kinds)


async def test_a_menu_is_brought_up_to_date_whatever_else_is_asked_for(harness: ExecutorHarness) -> None:
    queue = ManualOutbox(harness, RateLimiter())
    said = queue.ask(ANYA, "menu")
    await queue.go_on()
    message_id = await said

    async def press_and_ask() -> None:
        queue.outbox.redraw(harness.chat, message_id, Screen("chosen"), asked_by=ANYA)
        answers = [queue.ask(ANYA, kind, kind) for kind in (Kind.COMPUTERS, Kind.RULES, Kind.TOP)]
        for _ in range(4):
            await queue.go_on(60.0)
        await asyncio.gather(*answers, return_exceptions=True)

    assert sorted(await queue.calls(press_and_ask())) == ["editMessageText", "sendMessage"]
    assert queue.answered == ["menu", Kind.TOP]


async def test_who_has_just_asked_lets_others_go_first(harness: ExecutorHarness) -> None:
    queue = ManualOutbox(harness, RateLimiter())
    tasks = [queue.ask(person, f"first to {person}") for person in (ANYA, BORIS)]
    await queue.go_on()
    tasks += [queue.ask(person, f"second to {person}") for person in (ANYA, BORIS)]
    await asyncio.sleep(0)
    queue.scheduler.moment += 4.0
    tasks.append(queue.ask(VERA, "to Vera"))
    await queue.go_on()
    assert queue.answered == ["first to 1", "first to 2", "to Vera"]
    await queue.go_on(60.0)
    await asyncio.gather(*tasks)
    assert queue.answered[3:] == ["second to 1", "second to 2"]


def test_who_asks_all_the_time_has_no_share_left_until_they_stop() -> None:
    requests = Requests()
    asked = [requests.make(100.0 + second, GROUP, ANYA, Kind.SCORE).is_seldom for second in range(6)]
    assert asked == [True, True, True, False, False, False]
    assert requests.make(105.0, GROUP, BORIS, Kind.SCORE).is_seldom
    assert requests.make(105.0, GROUP - 1, ANYA, Kind.SCORE).is_seldom
    assert requests.make(105.0 + LONGEST_SHARE_SECONDS, GROUP, ANYA, Kind.SCORE).is_seldom
    seldom = [requests.make(1000.0 + SHARE_SECONDS * n, GROUP, VERA, Kind.SCORE) for n in range(20)]
    assert all(request.is_seldom for request in seldom)


async def test_what_a_message_shows_already_is_not_edited(harness: ExecutorHarness) -> None:
    queue = ManualOutbox(harness, RateLimiter())
    said = queue.ask(ANYA, "page one")
    await queue.go_on()
    message_id = await said

    async def turn(*pages: str) -> None:
        for page in pages:
            queue.outbox.redraw(harness.chat, message_id, Screen(page), asked_by=ANYA)
        await queue.go_on(60.0)

    assert await queue.calls(turn("page one")) == []
    assert await queue.calls(turn("page two", "page one")) == []
    assert await queue.calls(turn("page one", "page three", "page two")) == ["editMessageText"]
    assert await queue.calls(turn("page two")) == []
    await harness.sandbox.act("delete", chat=harness.chat, message_id=message_id)
    assert await queue.calls(turn("page one")) == ["editMessageText"]
    assert await queue.calls(turn("page one")) == ["editMessageText"]  # whether it shows that is not known


async def test_a_message_that_is_to_go_is_not_edited_before(harness: ExecutorHarness) -> None:
    queue = ManualOutbox(harness, RateLimiter())
    said = queue.ask(ANYA, "menu")
    await queue.go_on()
    message_id = await said

    async def close() -> None:
        queue.outbox.redraw(harness.chat, message_id, Screen("next page"), asked_by=ANYA)
        removal = asyncio.create_task(queue.outbox.remove(harness.chat, message_id, asked_by=ANYA))
        await queue.go_on(60.0)
        await removal

    assert await queue.calls(close()) == ["deleteMessage"]
