"""Tables as pictures: sent with a caption, edited in place, uploaded once, text as a fallback."""

from __future__ import annotations

from collections import Counter
from io import BytesIO
from pathlib import Path

import httpx
import pytest
from PIL import Image

from bot.buttons import Choose, OpenSettings, Peek, Rematch, StopMatch
from tests.e2e.menus import Menu
from tests.e2e.players import Club, button_for, has_button
from tests.e2e.recording import Call
from tests.e2e.running import Running, running
from tests.e2e.telegram import Message
from tests.e2e.wording import RUSSIAN
from tests.patience import PATIENCE

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def chosen(club: Club, look: str) -> Menu:
    """The group's menu, in which this look has been chosen."""
    menu = await Menu.of_group(club)
    await menu.press(OpenSettings("look"))
    await menu.press(Choose("look", look))
    return menu


NOT_MODIFIED = "message is not modified"


def methods_in_group(club: Club, since: int) -> Counter[str]:
    """The calls to the group in the record after a number that have changed something, by method.

    The others must have asked for what was so already: to take the buttons of a result that has none, or to
    edit once more after a start, in case an edit was under way when the bot was stopped.
    """
    record = club.running.telegram.record[since:]
    calls = [it for it in record if isinstance(it, Call) and it.chat == club.chat]
    refused = [(it.method, it.error) for it in calls if it.error is not None]
    assert [it for it in refused if NOT_MODIFIED not in it[1]] == []
    return Counter(it.method for it in calls if it.error is None)


def tables(club: Club) -> list[Message]:
    """The messages that a round in play has in the group."""
    return [it for it in club.running.telegram.newest(club.chat) if has_button(it, Peek)]


async def picture_of(club: Club, message: Message) -> bytes:
    """The file in a message."""
    async with httpx.AsyncClient(base_url=club.running.telegram.url, timeout=PATIENCE) as http:
        response = await http.get(message.raw["photo"]["url"])
        return response.content


async def test_a_match_is_played_with_pictures_and_a_restart_in_its_midst_sends_nothing(
    tmp_path: Path,
) -> None:
    """Each change of the table is one call at most, and each round one message."""
    rules = '{"preset": "classic", "limit": 50}'
    async with running(tmp_path, DEFAULT_RULES=rules, TURN_SECONDS="0") as bot:
        record = bot.telegram.record
        club = await Club.gathered(bot, 2, seed="look")
        await chosen(club, "picture")
        begun = len(record)
        await club.deal()
        content = await picture_of(club, club.board)
        assert Image.open(BytesIO(content)).size[0] == 1000
        assert len(content) < 100_000
        await club.play(until=lambda: sum(len(it.taps) for it in club.people) > 6)
        await club.until_it_is_quiet()
        board, stopped = club.board, len(record)
        await bot.bot.stop()
        await bot.bot.start()
        await club.settled()
        await club.host.press(club.board, button_for(club.board, Peek))  # the bot is there, and has looked
        assert methods_in_group(club, stopped).keys() <= {"getChatMember"}
        assert club.board == board
        await club.play()
        state = await club.settled()
        made = methods_in_group(club, begun)
        assert made["sendPhoto"] == len(state.table.rounds) + 1  # and the end of the match
        changes = len(state.log) + len(state.table.rounds)  # a result changes once more: it loses its buttons
        assert made["editMessageMedia"] + made["editMessageCaption"] <= changes
        assert made["editMessageText"] <= 1  # the lobby
        assert [it for it in (await club.compare())[1].surplus if it.raw["photo"] is not None] == []


async def test_the_look_changes_in_the_midst_of_a_round_and_a_text_takes_a_pictures_place(
    bot: Running,
) -> None:
    club = await Club.dealt(bot, 2)
    text = club.board
    menu = await chosen(club, "four_colours")
    await club.settled()
    picture = club.board
    assert (picture.message_id, picture.raw["photo"] is not None) == (text.message_id, True)
    await menu.press(Choose("look", "text"))
    await club.settled()
    assert club.board.message_id > picture.message_id
    assert club.board.raw["photo"] is None
    assert len(tables(club)) == 1


async def test_a_match_that_is_stopped_keeps_its_last_picture(bot: Running) -> None:
    club = await Club.gathered(bot, 2)
    await chosen(club, "picture")
    await club.deal()
    await club.until_it_is_quiet()
    board, since = club.board, len(bot.telegram.record)
    question = await club.ask(club.host, club.chat, "/stop", RUSSIAN.plain("stop.ask"))
    await club.host.press(question, button_for(question, StopMatch))
    over = await club.message_with(Rematch)
    await club.settled()
    assert over.text.startswith(RUSSIAN.plain("match.stopped"))
    assert (over.message_id, over.raw["photo"]) == (board.message_id, board.raw["photo"])
    assert "editMessageCaption" in methods_in_group(club, since)


async def test_a_group_without_media_gets_text_until_its_rights_change(bot: Running) -> None:
    club = await Club.gathered(bot, 2)
    await bot.telegram.act("permissions", chat=club.chat, permissions={"can_send_photos": False})
    await chosen(club, "picture")
    await club.deal()
    assert club.board.raw["photo"] is None
    since = len(bot.telegram.record)
    await club.play(until=lambda: sum(len(it.taps) for it in club.people) > 3)
    await club.settled()
    methods = methods_in_group(club, since)
    assert methods.keys() <= {"editMessageText", "sendMessage", "deleteMessage"}  # nothing is tried again
    await bot.telegram.set_member(club.chat, "bot", "administrator")
    await club.until(lambda: club.board.raw["photo"] is not None, "the table is a picture")
    await club.settled()
    assert len(tables(club)) == 1
