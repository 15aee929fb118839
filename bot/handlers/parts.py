"""What every handler works with: the parts of the bot, put together once in `bot.app`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from telegram import Bot

from bot.locales import Words
from bot.presenter.presenter import Presenter
from bot.storage import Storage
from bot.tables.service import Tables
from bot.tables.settings import TableSettings


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts. `default_settings` are those of groups that have chosen none; `now` gives unix seconds."""

    bot: Bot
    storage: Storage
    tables: Tables
    presenter: Presenter
    catalogues: Mapping[str, Words]
    default_settings: TableSettings
    bot_username: str
    now: Callable[[], float]
