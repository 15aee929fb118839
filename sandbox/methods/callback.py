"""The method that answers a callback query."""

from urllib.parse import parse_qs, urlsplit

from sandbox.callbacks import CallbackAnswer
from sandbox.errors import bad_request
from sandbox.events import PressAnswered
from sandbox.methods.registry import Call, method
from sandbox.schema.sizes import MAX_CALLBACK_ANSWER


@method("answerCallbackQuery")
def answer_callback_query(call: Call) -> bool:
    """Answer with a toast, an alert, a link to the bot's private chat, or nothing. Not limited."""
    text, url = call.get("text") or None, call.get("url") or None
    if text is not None and len(text) > MAX_CALLBACK_ANSWER:
        raise bad_request("MESSAGE_TOO_LONG")
    if url is not None and not _opens_the_bot(url, call.world.bot.username):
        raise bad_request("URL_INVALID")
    answer = CallbackAnswer(text, call.get("show_alert", False), url)
    query = call.sandbox.callbacks.answer(call["callback_query_id"], answer)
    where = query.user, query.chat, query.message_id, query.page
    call.world.emit(PressAnswered(*where, text, answer.show_alert, url))
    return True


def _opens_the_bot(url: str, username: str) -> bool:
    """Return whether it is ``t.me/<itself>?start=…``, all that it may open (answerCallbackQuery, url)."""
    parts = urlsplit(url)
    is_ours = parts.hostname in ("t.me", "telegram.me") and parts.path.strip("/").lower() == username.lower()
    return is_ours and bool(parse_qs(parts.query).get("start"))
