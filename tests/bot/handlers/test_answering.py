"""Telegram's refusals of an answer to a press: an answer that is too late is not an error."""

from __future__ import annotations

import asyncio
import logging

import pytest
import telegram

from bot.handlers.answer import Answer
from bot.handlers.dispatch import _send_answer
from tests.e2e.telegram import Telegram
from tests.patience import PATIENCE


async def test_an_answer_that_is_too_late_is_told_apart_from_a_wrong_one(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "bot.handlers.dispatch")
    async with (
        Telegram.in_process() as sandbox,
        telegram.Bot(sandbox.token, base_url=f"{sandbox.url}/bot") as bot,
    ):
        person = await sandbox.new_user("Аня")
        await sandbox.start(person)
        markup = telegram.InlineKeyboardMarkup([[telegram.InlineKeyboardButton("go", callback_data="go")]])
        sent = await bot.send_message(person, "x", reply_markup=markup)
        pressing = asyncio.create_task(sandbox.press_data(person, person, sent.message_id, "go"))
        updates: tuple[telegram.Update, ...] = ()
        while not any(update.callback_query for update in updates):
            updates = await bot.get_updates(timeout=round(PATIENCE), allowed_updates=["callback_query"])
        query = updates[-1].callback_query
        assert query is not None
        await _send_answer(query, Answer("long " * 100))
        await _send_answer(query, Answer("good"))
        assert (await pressing).text == "good"
        await _send_answer(query, Answer("too late"))
    wrong, late = caplog.records
    assert (wrong.levelno, late.levelno) == (logging.ERROR, logging.INFO)
    assert "answer to a press wrong" in wrong.getMessage()
    assert "too late" in late.getMessage()
    assert vars(wrong)["user"] == vars(late)["user"] == person
