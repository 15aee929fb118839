"""Look-ups of members: shared, cached briefly, and distinct from an answer that never came."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import telegram

from bot.handlers import lookups
from bot.handlers.lookups import FRESH_SECONDS, MEMBER_BURST, PAUSE_SECONDS, Lookups
from tests.e2e.telegram import Telegram

ADMINS = "getChatAdministrators"


class Group:
    """A group in a sandbox, what the bot looks up there, and a clock that tests set."""

    def __init__(self, sandbox: Telegram, bot: telegram.Bot, chat: int, creator: int) -> None:
        self.sandbox, self.chat, self.creator = sandbox, chat, creator
        self.now = 1e9
        self.lookups = Lookups(bot, lambda: self.now)

    async def asked(self) -> int:
        """Return how often the bot has asked Telegram for the admins, answered or not."""
        return len(await self.sandbox.calls(0, ADMINS))


@pytest.fixture
async def group() -> AsyncIterator[Group]:
    async with (
        Telegram.in_process() as sandbox,
        telegram.Bot(sandbox.token, base_url=f"{sandbox.url}/bot") as bot,
    ):
        creator, other = await sandbox.new_user("Аня"), await sandbox.new_user("Борис")
        chat = await sandbox.new_group("Клуб", [creator, other], creator=creator)
        yield Group(sandbox, bot, chat, creator)


async def test_many_questions_at_once_are_one_call_whose_answer_is_used_for_a_while(group: Group) -> None:
    answers = await asyncio.gather(*(group.lookups.admins(group.chat) for _ in range(20)))
    assert answers == [frozenset({group.creator})] * 20
    group.now += FRESH_SECONDS - 1
    await group.lookups.admins(group.chat)
    assert await group.asked() == 1
    group.now += 1
    await group.lookups.admins(group.chat)
    assert await group.asked() == 2
    group.lookups.forget(group.chat)
    await group.lookups.admins(group.chat)
    assert await group.asked() == 3


async def test_who_presses_all_the_time_is_asked_about_once_in_a_while(group: Group) -> None:
    for _ in range(60):
        member = await group.lookups.member(group.chat, group.creator)
        assert member is not None
    assert len(await group.sandbox.calls(0, "getChatMember")) == MEMBER_BURST + 1
    group.now += FRESH_SECONDS
    await group.lookups.member(group.chat, group.creator)
    assert len(await group.sandbox.calls(0, "getChatMember")) == MEMBER_BURST + 2


async def test_an_answer_that_was_on_its_way_when_something_changed_is_not_used_any_more(
    group: Group,
) -> None:
    await group.sandbox.fault(method=ADMINS, hang=3600)
    earlier = asyncio.create_task(group.lookups.admins(group.chat))
    await group.lookups.admins(group.chat, patience=0)
    group.lookups.forget(group.chat)
    await group.sandbox.fault()
    assert await group.lookups.admins(group.chat) == await earlier == frozenset({group.creator})
    assert await group.asked() == 2


@pytest.mark.parametrize("retry_after", [None, 30])
async def test_what_telegram_does_not_say_is_not_known_and_asked_again_when_it_may_be(
    group: Group, retry_after: int | None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("PTB_TIMEDELTA", "true")  # else the library warns that this will be so one day
    if retry_after is None:
        await group.sandbox.fault(method=ADMINS, status=502)
    else:
        await group.sandbox.fault(method=ADMINS, status=429, retry_after=retry_after)
    assert await group.lookups.admins(group.chat) is None
    (line,) = [it for it in caplog.records if it.name == "bot.handlers.lookups"]
    assert (vars(line)["chat"], line.levelname) == (group.chat, "WARNING")
    asked = await group.asked()
    await group.sandbox.fault()
    pause = retry_after or PAUSE_SECONDS
    group.now += pause - 0.5
    assert await group.lookups.admins(group.chat) is None
    assert await group.asked() == asked
    group.now += 0.5
    assert await group.lookups.admins(group.chat) == frozenset({group.creator})


async def test_who_does_not_wait_is_told_that_it_is_not_known_and_the_answer_is_there_later(
    group: Group,
) -> None:
    await group.sandbox.fault(method=ADMINS, hang=3600)
    assert await group.lookups.admins(group.chat, patience=0) is None
    await group.sandbox.fault()
    assert await group.lookups.admins(group.chat) == frozenset({group.creator})
    assert await group.lookups.admins(group.chat, patience=0) == frozenset({group.creator})


async def test_a_group_that_closes_and_opens_is_noticed_though_no_update_tells_of_it(group: Group) -> None:
    assert await group.lookups.is_closed(group.chat) is False
    await group.sandbox.act("permissions", chat=group.chat, permissions={"can_send_messages": False})
    group.now += FRESH_SECONDS
    for _ in range(20):
        assert await group.lookups.is_closed(group.chat) is True
    assert len(await group.sandbox.calls(0, "getChat")) == 2
    await group.sandbox.fault(method="getChat", status=502)
    group.now += FRESH_SECONDS
    assert await group.lookups.is_closed(group.chat) is None


@pytest.mark.parametrize("failure", [RuntimeError("a bug"), TimeoutError(), KeyError("status")])
async def test_a_look_up_that_breaks_is_one_that_was_not_answered(
    group: Group, failure: Exception, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def break_down(*_args: object, **_kwargs: object) -> None:
        raise failure

    with monkeypatch.context() as patched:
        patched.setattr(telegram.Bot, "get_chat_administrators", break_down)
        assert await group.lookups.admins(group.chat) is None
    assert "a look-up broke" in caplog.text
    group.now += PAUSE_SECONDS
    assert await group.lookups.admins(group.chat) == frozenset({group.creator})


async def test_no_more_is_remembered_or_under_way_than_there_is_room_for(
    group: Group, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lookups, "MOST_REMEMBERED", 4)
    for user_id in range(10):
        await group.lookups.member(group.chat, user_id)
    assert len(group.lookups._entries) <= 4
    assert len(group.lookups._member_questions) <= 4
    await group.lookups.admins(group.chat)
    await group.sandbox.fault(method="getChatMember", hang=3600)
    waiting = [asyncio.create_task(group.lookups.member(group.chat, user_id)) for user_id in range(10)]
    done, pending = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    assert {task.result() for task in done} == {None}, "those beyond are not asked"
    assert len(pending) == 4
    await group.sandbox.fault()
    await asyncio.gather(*waiting)
    assert await group.lookups.admins(group.chat) == frozenset({group.creator})
