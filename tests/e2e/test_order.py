"""The order of messages: an answer before its effects, a result before the next round."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.buttons import Sit, StartMatch
from tests.e2e.looks import RESULT_SIGN
from tests.e2e.players import Club, button_for
from tests.e2e.recording import Version
from tests.e2e.running import Running, running

pytestmark = pytest.mark.asyncio(loop_scope="module")

ANSWER = "answerCallbackQuery"
CHANGES = ("sendMessage", "editMessageText", "editMessageReplyMarkup", "deleteMessage")


async def test_a_press_is_answered_before_any_message_changes(bot: Running) -> None:
    club = await Club.gathered(bot, 3, strangers=1)
    newcomer = club.strangers[0]
    await newcomer.start()
    await club.until(lambda: list(bot.telegram.newest(newcomer.user_id)), "the bot has greeted him")
    lobby = await club.message_with(Sit)
    for person, kind in ((newcomer, Sit), (club.host, StartMatch)):
        await club.settled()
        so_far = await last_call(bot)
        await person.press(lobby, button_for(lobby, kind))
        await club.settled()
        assert (await calls_since(bot, so_far))[0] == ANSWER
    club.people.append(newcomer)
    for _ in range(12):
        await club.until_it_is_quiet()
        so_far = await last_call(bot)
        await club.next_tap()
        await club.settled()
        assert (await calls_since(bot, so_far))[0] == ANSWER


async def test_a_slow_answer_keeps_the_messages_waiting(bot: Running) -> None:
    """Otherwise people would see the table change before the button stops spinning."""
    club = await Club.dealt(bot, 2)
    await bot.telegram.fault(method=ANSWER, hang=0.3, times=1)
    await club.until_it_is_quiet()
    so_far = await last_call(bot)
    await club.next_tap()
    await bot.telegram.fault()
    await club.settled()
    assert (await calls_since(bot, so_far))[0] == ANSWER


async def test_a_result_is_told_before_the_next_rounds_hands_even_to_a_slow_group(tmp_path: Path) -> None:
    """The next round is dealt at once, while the call that shows the result takes its time."""
    async with running(tmp_path, NEXT_DEAL_SECONDS="0") as bot:
        club = await Club.dealt(bot, 3)
        await bot.telegram.fault(method="editMessageText", chat=club.chat, hang=0.3)
        await club.play(until=lambda: is_round(club, 2))
        await bot.telegram.fault()
        await club.settled()
        texts = [it for it in bot.telegram.record if isinstance(it, Version) and it.message.from_bot]
        told = [it.message.text.startswith(RESULT_SIGN) for it in texts if it.message.chat == club.chat]
        assert any(told)
        result = next(
            place
            for place, it in enumerate(texts)
            if it.message.chat == club.chat and it.message.text.startswith(RESULT_SIGN)
        )
        hands = next(
            place for place, it in enumerate(texts) if it.message.chat > 0 and "Раунд 2" in it.message.text
        )
        assert result < hands


async def test_everybody_learns_the_last_move_before_the_next_round_begins(bot: Running) -> None:
    club = await Club.dealt(bot, 3)
    await club.play_round()
    for person in club.people:
        assert person.newest.text.startswith(RESULT_SIGN)


# --------------------------------------------------------------------------------------------------- helpers


async def last_call(bot: Running) -> int:
    """The number of the bot's last call."""
    number: int = (await bot.telegram.calls())[-1]["n"]
    return number


async def calls_since(bot: Running, number: int) -> list[str]:
    """The later calls by which people see something happen, in the order in which they ended."""
    return [call["method"] for call in await bot.telegram.calls(number, ANSWER, *CHANGES)]


def is_round(club: Club, number: int) -> bool:
    messages = [it for person in club.people for it in club.running.telegram.newest(person.user_id)]
    return any(f"Раунд {number} ·" in it.text for it in messages)
