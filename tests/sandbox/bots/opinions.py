"""Inline keyboards: asks how the soup was, shows the answer in place of the buttons, and keeps count."""

from collections import Counter
from typing import Any

from telegram import InlineKeyboardButton, InlineKeyboardMarkup, Update
from telegram.ext import CallbackQueryHandler, CommandHandler

from tests.sandbox.bots.running import application

ANSWERS = {"good": "👍 Good", "cold": "🥶 Cold", "salty": "🧂 Salty"}
counts: Counter[str] = Counter()


async def ask(update: Update, _: Any) -> None:
    """Put the question."""
    buttons = [InlineKeyboardButton(words, callback_data=f"soup:{key}") for key, words in ANSWERS.items()]
    assert update.effective_message is not None
    keyboard = InlineKeyboardMarkup([buttons[:2], buttons[2:]])
    await update.effective_message.reply_text("How was the soup?", reply_markup=keyboard)


async def take_answer(update: Update, _: Any) -> None:
    """Count an answer, thank for it, and show it."""
    query = update.callback_query
    assert query is not None
    assert query.data is not None
    key = query.data.removeprefix("soup:")
    if key not in ANSWERS:
        await query.answer("That is not on the menu", show_alert=True)
        return
    counts[key] += 1
    await query.answer("Thank you!")
    name = query.from_user.first_name
    await query.edit_message_text(f"{name}: {ANSWERS[key]} (so far {counts[key]})")


def main() -> None:
    """Run until stopped."""
    bot = application()
    bot.add_handler(CommandHandler("soup", ask))
    bot.add_handler(CallbackQueryHandler(take_answer, pattern="^soup:"))
    bot.run_polling()


if __name__ == "__main__":
    main()
