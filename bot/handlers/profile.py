"""How the bot presents itself in Telegram: menus of commands for each kind of chat, and its descriptions.

Each is set for every language there is, and once without a language, for everybody else.
"""

from __future__ import annotations

from collections.abc import Mapping

from telegram import (
    Bot,
    BotCommandScope,
    BotCommandScopeAllChatAdministrators,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
)

from bot.locales import Words, pick_language
from bot.screens.help import Scope, commands, description, short_description

_SCOPES: dict[Scope, BotCommandScope] = {
    Scope.PRIVATE: BotCommandScopeAllPrivateChats(),
    Scope.GROUP: BotCommandScopeAllGroupChats(),
    Scope.ADMINS: BotCommandScopeAllChatAdministrators(),
}


async def present(bot: Bot, catalogues: Mapping[str, Words]) -> None:
    """Set all of it. Raises the library's errors."""
    everybody = catalogues[pick_language(None, None)]
    for language_code, words in [("", everybody), *catalogues.items()]:
        for scope, of_telegram in _SCOPES.items():
            await bot.set_my_commands(commands(words, scope), scope=of_telegram, language_code=language_code)
        await bot.set_my_description(description(words), language_code=language_code)
        await bot.set_my_short_description(short_description(words), language_code=language_code)
