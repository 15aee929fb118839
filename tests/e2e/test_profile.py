"""The bot's profile: command menus, descriptions, a welcome in a group."""

from __future__ import annotations

import pytest

from bot.buttons import ReadRules
from bot.screens.help import Scope, commands, description, group_welcome, short_description
from tests.e2e.committed import BOT_USERNAME, CATALOGUES
from tests.e2e.looks import Look
from tests.e2e.players import Club, has_button
from tests.e2e.running import Running

pytestmark = pytest.mark.asyncio(loop_scope="module")

LANGUAGES = pytest.mark.parametrize("language", ["ru", "en"])


async def menu(bot: Running, chat: int, person: int) -> list[tuple[str, str]]:
    """The commands that somebody is offered in a chat."""
    return [
        (it["command"], it["description"])
        for it in await bot.telegram.ask("commands", chat=chat, **{"as": person})
    ]


@LANGUAGES
async def test_everybody_is_offered_commands_in_his_language_and_admins_the_settings_too(
    bot: Running, language: str
) -> None:
    words = CATALOGUES[language]
    club = await Club.gathered(bot, 1, language=language, strangers=1)
    person, admin = club.host.user_id, club.strangers[0].user_id

    async def are_set() -> bool:  # that of admins is the last
        return await menu(bot, club.chat, admin) == list(commands(words, Scope.ADMINS))

    await bot.telegram.until(are_set)
    assert await menu(bot, club.chat, person) == list(commands(words, Scope.GROUP))
    assert await menu(bot, person, person) == list(commands(words, Scope.PRIVATE))


@LANGUAGES
async def test_the_bot_describes_itself_in_every_language(bot: Running, language: str) -> None:
    words = CATALOGUES[language]

    async def is_set() -> bool:
        told = await bot.telegram.api("getMyShortDescription", language_code=language)
        return bool(told["result"]["short_description"] == short_description(words))

    await bot.telegram.until(is_set)
    told = await bot.telegram.api("getMyDescription", language_code=language)
    assert told["result"]["description"] == description(words)


@LANGUAGES
async def test_a_group_that_the_bot_comes_into_is_welcomed_once_with_one_button(
    bot: Running, language: str
) -> None:
    club = await Club.founded(bot, 2, language=language)
    welcome = await club.message_with(ReadRules)
    assert Look.of_message(welcome) == Look.of_screen(group_welcome(CATALOGUES[language], BOT_USERNAME))
    await bot.telegram.set_member(club.chat, "bot", "administrator")
    await club.gather()
    welcomes = [it for it in bot.telegram.newest(club.chat) if has_button(it, ReadRules)]
    assert [it.message_id for it in welcomes] == [welcome.message_id]
    assert len(welcome.buttons) == 1
