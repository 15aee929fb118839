"""What is stored of a visitor, whatever Telegram says."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from telegram import Chat, Message, Update, User

from bot.handlers.visitor import identify
from tests.bot.handlers.forged_world import building


async def test_a_deleted_account_which_has_no_name_is_met_like_anybody_else(tmp_path: Path) -> None:
    async with building(tmp_path / "101.sqlite3") as world:
        user = User(4711, "", is_bot=False)
        message = Message(1, datetime.now(UTC), Chat(-1, "supergroup"), from_user=user)
        visitor = await identify(Update(1, message=message), world.services)
        assert visitor is not None
        assert visitor.tr.name(visitor.name) == visitor.tr.plain("name.unseen")
