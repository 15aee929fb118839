"""A conversation that asks for a name, a season and a reason; /cancel leaves it at any step."""

from typing import Any

from telegram import ReplyKeyboardMarkup, ReplyKeyboardRemove, Update
from telegram.ext import CommandHandler, ContextTypes, ConversationHandler, MessageHandler, filters

from tests.sandbox.bots.running import application

NAME, SEASON, REASON = range(3)
SEASONS = ["Spring", "Summer", "Autumn", "Winter"]
Context = ContextTypes.DEFAULT_TYPE


async def begin(update: Update, _: Context) -> int:
    """Ask for the name."""
    assert update.message is not None
    await update.message.reply_text("Hello! What shall I call you?")
    return NAME


async def take_name(update: Update, context: Context) -> int:
    """Keep the name, ask for the season."""
    assert update.message is not None
    notes = _notes(context)
    notes["name"] = update.message.text or ""
    keyboard = ReplyKeyboardMarkup([SEASONS[:2], SEASONS[2:]], one_time_keyboard=True, resize_keyboard=True)
    await update.message.reply_text(f"Which season do you like, {notes['name']}?", reply_markup=keyboard)
    return SEASON


async def take_season(update: Update, context: Context) -> int:
    """Keep the season, ask for the reason."""
    assert update.message is not None
    _notes(context)["season"] = update.message.text or ""
    await update.message.reply_text(
        "And why? /skip if you would rather not say", reply_markup=ReplyKeyboardRemove()
    )
    return REASON


async def ask_for_season_again(update: Update, _: Context) -> int:
    """Anything else is no season."""
    assert update.message is not None
    await update.message.reply_markdown_v2(f"*Please* one of {', '.join(SEASONS)}")
    return SEASON


async def take_reason(update: Update, context: Context) -> int:
    """Say it all back, with or without a reason."""
    assert update.message is not None
    notes = _notes(context)
    text = update.message.text or ""
    reason = "" if text.startswith("/") else f", because <i>{text}</i>"
    await update.message.reply_html(f"<b>{notes['name']}</b> likes {notes['season']}{reason}")
    return ConversationHandler.END


async def cancel(update: Update, _: Context) -> int:
    """Leave it."""
    assert update.message is not None
    await update.message.reply_text("Another time, then", reply_markup=ReplyKeyboardRemove())
    return ConversationHandler.END


def _notes(context: Context) -> dict[Any, Any]:
    assert context.user_data is not None
    return context.user_data


def main() -> None:
    """Run until stopped."""
    text = filters.TEXT & ~filters.COMMAND
    conversation = ConversationHandler(
        entry_points=[CommandHandler("start", begin)],
        states={
            NAME: [MessageHandler(text, take_name)],
            SEASON: [
                MessageHandler(filters.Regex(f"^({'|'.join(SEASONS)})$"), take_season),
                MessageHandler(text, ask_for_season_again),
            ],
            REASON: [MessageHandler(text, take_reason), CommandHandler("skip", take_reason)],
        },
        fallbacks=[CommandHandler("cancel", cancel)],
    )
    bot = application()
    bot.add_handler(conversation)
    bot.run_polling()


if __name__ == "__main__":
    main()
