# ruff: noqa: S310 - the Bot API's address comes from who starts this bot, not from anybody's messages
"""A bot that shows everything the sandbox's page can show: texts, pictures, buttons, answers, pins, refusals.

It speaks the Bot API with the standard library alone, and has nothing to do with the game. Run it with
``BOT_TOKEN`` and ``BOT_API_URL`` in the environment.
"""

import json
import os
import struct
import threading
import urllib.error
import urllib.request
import zlib
from typing import Any

Json = dict[str, Any]

API = f"{os.environ['BOT_API_URL']}{os.environ['BOT_TOKEN']}"
POLL_SECONDS = 20

COMMANDS = {
    "buttons": "Every kind of button",
    "text": "Every kind of text",
    "photo": "A picture with a caption",
    "document": "A file",
    "count": "A counter that edits itself",
    "pin": "Pin a message",
    "quiet": "A message that does not ring",
    "add": "Add me to a group",
    "refused": "A call that is refused",
}
DESCRIPTION = "I show what this page can show.\nPress Start, then try my commands."

RICH_TEXT = (
    "<b>bold</b> <i>italic</i> <u>underlined</u> <s>struck</s> <b>bold <i>and italic</i></b>\n"
    '<code>code</code> and <a href="https://example.org/">a link</a> and <tg-spoiler>a secret</tg-spoiler>\n'
    '<pre><code class="language-python">print("hello")</code></pre>'
    "<blockquote>A quotation of somebody wise.</blockquote>"
    "<blockquote expandable>A long quotation,\nof five lines,\nof which only three\nare shown at first,\n"
    "until somebody asks.</blockquote>"
    'It is <tg-time unix="1700000000" format="wDT">some time</tg-time>, 👩‍👩‍👧 later. '
    "&lt;b&gt;not bold&lt;/b&gt; @anya /count"
)


def call(method: str, **parameters: Any) -> Any:
    """Call the Bot API; a refusal is returned as it came."""
    request = urllib.request.Request(
        f"{API}/{method}", json.dumps(parameters).encode(), {"Content-Type": "application/json"}
    )
    try:
        with urllib.request.urlopen(request, timeout=POLL_SECONDS + 10) as response:
            return json.load(response)["result"]
    except urllib.error.HTTPError as error:
        return json.load(error)


def upload(method: str, kind: str, name: str, content: bytes, **parameters: str) -> Any:
    """Call a method that takes a file, which goes as multipart/form-data."""
    boundary = "showcase-boundary"
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'.encode()
        for key, value in parameters.items()
    ]
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="{kind}"; filename="{name}"\r\n'
    body = b"".join([*parts, head.encode(), b"\r\n", content, f"\r\n--{boundary}--\r\n".encode()])
    headers = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
    with urllib.request.urlopen(urllib.request.Request(f"{API}/{method}", body, headers)) as response:
        return json.load(response)["result"]


def picture(width: int = 320, height: int = 200) -> bytes:
    """A PNG with a gradient (PNG specification, chunks IHDR, IDAT, IEND)."""
    rows = b"".join(
        b"\0" + bytes(value for x in range(width) for value in (40 + x * 200 // width, 90 + y // 2, 190))
        for y in range(height)
    )

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    size = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", size)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


class Showcase:
    """What the bot does for each command and each button."""

    def __init__(self, username: str) -> None:
        self.username = username

    def on_message(self, message: Json) -> None:
        """Answer a command; in a private chat, also anything else."""
        text = message.get("text", "")
        where = {"chat_id": message["chat"]["id"]}
        if message.get("is_topic_message"):
            where["message_thread_id"] = message["message_thread_id"]
        if not text.startswith("/"):
            if text and message["chat"]["type"] == "private":
                call(
                    "sendMessage",
                    **where,
                    text=f"You said: {text}",
                    reply_parameters={"message_id": message["message_id"]},
                )
            return
        command, _, argument = text[1:].partition(" ")
        handler = getattr(self, f"on_{command.partition('@')[0]}", None)
        if handler is not None:
            handler(where, message, argument)

    def on_start(self, where: Json, _: Json, payload: str) -> None:
        """Say what the deep link carried."""
        call("sendMessage", **where, text=f"Started with {payload}" if payload else "Hello!")

    def on_buttons(self, where: Json, _: Json, __: str) -> None:
        """Every kind of button, one message."""
        link = f"https://t.me/{self.username}"
        rows: list[list[Json]] = [
            [
                {"text": "Toast", "callback_data": "toast", "style": "success"},
                {"text": "Alert", "callback_data": "alert", "style": "danger"},
            ],
            [
                {"text": "Slow", "callback_data": "slow", "style": "primary"},
                {"text": "Silent", "callback_data": "silent"},
            ],
            [
                {"text": "Copy", "copy_text": {"text": "copied words"}},
                {"text": "Deep link", "url": f"{link}?start=from_button"},
            ],
            [{"text": "My chat", "url": link}, {"text": "Answer with a link", "callback_data": "link"}],
        ]
        call("sendMessage", **where, text="Press one", reply_markup={"inline_keyboard": rows})

    def on_text(self, where: Json, _: Json, __: str) -> None:
        """Every kind of text."""
        call("sendMessage", **where, text=RICH_TEXT, parse_mode="HTML")

    def on_photo(self, where: Json, _: Json, __: str) -> None:
        """A picture with a caption and a button."""
        keyboard = {"inline_keyboard": [[{"text": "Nice", "callback_data": "toast"}]]}
        fields = {key: str(value) for key, value in where.items()}
        upload(
            "sendPhoto",
            "photo",
            "sky.png",
            picture(),
            **fields,
            caption="A <b>sky</b>",
            parse_mode="HTML",
            reply_markup=json.dumps(keyboard),
        )

    def on_document(self, where: Json, _: Json, __: str) -> None:
        """A small text file."""
        upload(
            "sendDocument",
            "document",
            "notes.txt",
            b"some notes\n",
            **{key: str(value) for key, value in where.items()},
        )

    def on_count(self, where: Json, _: Json, __: str) -> None:
        """A message that its button edits."""
        call("sendMessage", **where, text="Count: 0", reply_markup=counter(0))

    def on_pin(self, where: Json, _: Json, __: str) -> None:
        """A message of its own, pinned."""
        sent = call("sendMessage", **where, text="An important message")
        call(
            "pinChatMessage",
            chat_id=where["chat_id"],
            message_id=sent["message_id"],
            disable_notification=True,
        )

    def on_quiet(self, where: Json, _: Json, __: str) -> None:
        """A message that does not ring."""
        call("sendMessage", **where, text="Hush", disable_notification=True)

    def on_add(self, where: Json, _: Json, __: str) -> None:
        """A button that adds the bot to a group."""
        url = f"https://t.me/{self.username}?startgroup=hello"
        call(
            "sendMessage",
            **where,
            text="Take me along",
            reply_markup={"inline_keyboard": [[{"text": "Add to a group", "url": url}]]},
        )

    def on_refused(self, where: Json, _: Json, __: str) -> None:
        """A call that Telegram refuses."""
        call("editMessageText", chat_id=where["chat_id"], message_id=999999, text="too late")

    def on_where(self, where: Json, message: Json, _: str) -> None:
        """A link to the message before the command."""
        link = f"https://t.me/c/{str(where['chat_id'])[4:]}/{message['message_id'] - 1}"
        call(
            "sendMessage",
            chat_id=message["from"]["id"],
            text="Back there",
            reply_markup={"inline_keyboard": [[{"text": "To the group", "url": link}]]},
        )

    def on_press(self, query: Json) -> None:
        """Answer a press."""
        data = query["data"]
        answer: Json = {}
        if data == "toast":
            answer = {"text": "A toast for you"}
        elif data == "alert":
            answer = {"text": "An alert\nof two lines", "show_alert": True}
        elif data == "slow":
            answer = {"text": "At last"}
        elif data == "link":
            answer = {"url": f"https://t.me/{self.username}?start=from_answer"}
        elif data.startswith("count:"):
            count = int(data.partition(":")[2]) + 1
            place = {"chat_id": query["message"]["chat"]["id"], "message_id": query["message"]["message_id"]}
            call("editMessageText", **place, text=f"Count: {count}", reply_markup=counter(count))
        call("answerCallbackQuery", callback_query_id=query["id"], **answer)


def counter(count: int) -> Json:
    """The keyboard of a counter."""
    return {"inline_keyboard": [[{"text": f"Count on from {count}", "callback_data": f"count:{count}"}]]}


def main() -> None:
    """Introduce the bot, then answer for ever."""
    me = call("getMe")
    bot = Showcase(me["username"])
    call("setMyDescription", description=DESCRIPTION)
    call(
        "setMyCommands", commands=[{"command": name, "description": text} for name, text in COMMANDS.items()]
    )
    offset = 0
    while True:
        for update in call("getUpdates", offset=offset, timeout=POLL_SECONDS):
            offset = update["update_id"] + 1
            if "message" in update:
                bot.on_message(update["message"])
            elif "edited_message" in update:
                edited = update["edited_message"]
                call("sendMessage", chat_id=edited["chat"]["id"], text=f"You changed it to: {edited['text']}")
            elif "callback_query" in update:
                # An answer that is held up must not hold up the others.
                threading.Thread(target=bot.on_press, args=(update["callback_query"],), daemon=True).start()


if __name__ == "__main__":
    main()
