"""Sets the bot's profile in Telegram: the command menus for each kind of chat, and the descriptions.

Everything is set for each language and once without one, for everybody else, unless it is what was set last.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from telegram import (
    Bot,
    BotCommandScope,
    BotCommandScopeAllChatAdministrators,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
)

from bot.locales import Translator, pick_language
from bot.screens.help import Scope, commands, description, short_description
from bot.storage.presented import PresentedStore

_SCOPES: dict[Scope, BotCommandScope] = {
    Scope.PRIVATE: BotCommandScopeAllPrivateChats(),
    Scope.GROUP: BotCommandScopeAllGroupChats(),
    Scope.ADMINS: BotCommandScopeAllChatAdministrators(),
}


@dataclass(frozen=True, slots=True)
class _Profile:
    """The profile for readers of one language; "" stands for all other languages."""

    language_code: str
    menus: tuple[tuple[Scope, tuple[tuple[str, str], ...]], ...]
    description: str
    short_description: str


async def present(bot: Bot, catalogues: Mapping[str, Translator], presented: PresentedStore) -> None:
    """Set the profile unless it is unchanged. Raises TelegramError."""
    profiles = tuple(_profiles(catalogues))
    digest = hashlib.sha256(repr((bot.token, profiles)).encode()).hexdigest()
    if await presented.get() == digest:
        return
    for profile in profiles:
        language = profile.language_code
        for scope, menu in profile.menus:
            await bot.set_my_commands(menu, scope=_SCOPES[scope], language_code=language)
        await bot.set_my_description(profile.description, language_code=language)
        await bot.set_my_short_description(profile.short_description, language_code=language)
    await presented.put(digest)


def _profiles(catalogues: Mapping[str, Translator]) -> Iterator[_Profile]:
    everybody = catalogues[pick_language(None, None)]
    for language_code, tr in [("", everybody), *catalogues.items()]:
        menus = tuple((scope, commands(tr, scope)) for scope in _SCOPES)
        yield _Profile(language_code, menus, description(tr), short_description(tr))
