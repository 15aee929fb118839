"""Subscriptions: subscribers are notified when a table is opened."""

from __future__ import annotations

import pytest

from bot.buttons import (
    JoinFromNotification,
    Sit,
    StopMatch,
    Subscribe,
    Unsubscribe,
)
from tests.e2e.players import Club, Person, button_for
from tests.e2e.recording import Ring
from tests.e2e.running import Running
from tests.e2e.telegram import Message
from tests.e2e.wording import RUSSIAN, told

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_subscribers_are_notified_once_a_day_and_sit_down_or_unsubscribe(bot: Running) -> None:
    club = await Club.founded(bot, 4, strangers=1)
    opener, by_command, by_button, muting = club.people
    for person in club.people:
        await person.start()
    asked = RUSSIAN.plain("bell.on", name=by_command.name, bot="sandbox_bot").split(",")[0]
    await club.ask(by_command, club.chat, "/bell", asked)
    await club.ask(muting, club.chat, "/bell", f"🔔 {muting.name}")
    await opener.send(club.chat, "/game")
    await club.message_with(Sit)
    calls = RUSSIAN.plain("bell.rings", group="Книжный клуб")
    first = await club.until(lambda: found(by_command, calls), "the first one is called")
    call = await club.until(lambda: found(muting, calls), "so is the one who wants no more of it")
    tap = await muting.press(call, button_for(call, Unsubscribe))
    assert tap.answer.text == RUSSIAN.plain("done.bell_off")
    await club.until(lambda: found(muting, calls) is None, "it says so")
    mute = Unsubscribe((await club.committed()).table.id)
    assert told(await muting.forge(muting.newest, mute), "elsewhere"), "there is nothing to mute"
    await close_table(club, opener)
    closed = await club.message_with(Subscribe)
    await club.until(lambda: found(by_command, calls) is None, "the call goes with its lobby")
    late = await by_command.forge(first, JoinFromNotification(mute.table))
    assert told(late, "table_over")
    tap = await by_button.press(closed, button_for(closed, Subscribe))
    assert tap.answer.text == RUSSIAN.plain("done.bell_on")
    assert found(by_button, calls) is None
    await opener.send(club.chat, "/game")
    await club.message_with(Sit)
    second = await club.until(lambda: found(by_button, calls), "the second one is called to the next table")
    await club.until(lambda: by_button.user_id in rung(bot, calls), "the phone rings")
    called = [by_command.user_id, by_button.user_id, muting.user_id]
    assert sorted(rung(bot, calls)) == sorted(called), "once a day"
    tap = await by_button.press(second, button_for(second, JoinFromNotification))
    assert tap.answer.text == RUSSIAN.plain("done.seated")
    await club.until(lambda: club.lobby_lists([opener, by_button]), "he sits")
    await club.until(lambda: found(by_button, calls) is None, "the call has become the way to the table")
    await club.deal()
    seated = RUSSIAN.plain("seated.now", group="Книжный клуб")
    await club.until(lambda: found(by_button, seated) is None, "that gives way to the hand")


def rung(bot: Running, text: str) -> list[int]:
    """Return the people notified of a message with this text, once for each time."""
    return [it.user for it in bot.telegram.record if isinstance(it, Ring) and it.text == text]


async def close_table(club: Club, host: Person) -> None:
    """The lobby is closed before anything is dealt."""
    question = await club.ask(host, club.chat, "/stop", RUSSIAN.plain("stop.ask_lobby"))
    await host.press(question, button_for(question, StopMatch))


def found(person: Person, text: str) -> Message | None:
    """The message in somebody's private chat that reads so."""
    return next((it for it in person.running.telegram.newest(person.user_id) if it.text == text), None)


async def test_who_leaves_the_group_is_notified_no_more(bot: Running) -> None:
    club = await Club.founded(bot, 3)
    gone = club.people[1]
    for person in club.people:
        await person.start()
    for person in (gone, club.people[2]):
        await club.ask(person, club.chat, "/bell", f"🔔 {person.name}")
    await bot.telegram.set_member(club.chat, gone.user_id, "left")
    await club.host.send(club.chat, "/game")
    calls = RUSSIAN.plain("bell.rings", group="Книжный клуб")
    await club.until(lambda: found(club.people[2], calls), "who is there is called")
    assert found(gone, calls) is None


async def test_a_subscription_needs_a_private_chat_and_the_same_command_ends_it(bot: Running) -> None:
    club = await Club.founded(bot, 2)
    await club.ask(club.host, club.chat, "/bell", RUSSIAN.plain("refusal.no_private_chat"))
    await club.host.start()
    await club.ask(club.host, club.chat, "/bell", f"🔔 {club.host.name}")
    await club.ask(club.host, club.chat, "/bell", f"🔕 {club.host.name}")
