"""Deep links: gives everybody a personal link, and tells the inviter who came by it."""

from telegram import InlineKeyboardButton, InlineKeyboardMarkup, LinkPreviewOptions, Update
from telegram.ext import CommandHandler, ContextTypes, filters
from telegram.helpers import create_deep_linked_url, mention_html

from tests.sandbox.bots.running import application

Context = ContextTypes.DEFAULT_TYPE


async def come_by_invitation(update: Update, context: Context) -> None:
    """Somebody followed a link."""
    assert update.message is not None
    assert update.effective_user is not None
    assert context.args
    host = int(context.args[0].removeprefix("from-"))
    visitor = update.effective_user
    await update.message.reply_text("Welcome! Your host has been told.")
    text = f"{mention_html(visitor.id, visitor.first_name)} is here"
    await context.bot.send_message(host, text, parse_mode="HTML")


async def invite(update: Update, context: Context) -> None:
    """A link, once in the text and once as a button; in a group only as a button."""
    assert update.message is not None
    assert update.effective_user is not None
    link = create_deep_linked_url(context.bot.username, f"from-{update.effective_user.id}")
    button = InlineKeyboardMarkup([[InlineKeyboardButton("Come in", url=link)]])
    text = f"Your link: {link}" if update.message.chat.type == "private" else "You are invited"
    no_preview = LinkPreviewOptions(is_disabled=True)
    await update.message.reply_text(text, reply_markup=button, link_preview_options=no_preview)


def main() -> None:
    """Run until stopped."""
    bot = application()
    bot.add_handler(CommandHandler("start", come_by_invitation, filters.Regex(r"^/start from-\d+$")))
    bot.add_handler(CommandHandler(["start", "invite"], invite))
    bot.run_polling()


if __name__ == "__main__":
    main()
