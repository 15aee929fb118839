"""Pictures and documents: uploads, captions, edits from one to the other, downloads."""

import json
from typing import Any

import httpx
import pytest

from tests.e2e.telegram import Json
from tests.patience import PATIENCE
from tests.sandbox.pictures import jpeg, png
from tests.sandbox.telegram import CheckedTelegram


async def upload(
    telegram: CheckedTelegram, method: str, name: str, content: bytes, file_name: str = "a.png", **fields: Any
) -> Json:
    """Call a method with one file in a multipart body; returns the whole answer."""
    data = {key: value if isinstance(value, str) else json.dumps(value) for key, value in fields.items()}
    async with httpx.AsyncClient(timeout=PATIENCE) as http:
        url = f"{telegram.url}/bot{telegram.token}/{method}"
        answer: Json = (await http.post(url, data=data, files={name: (file_name, content)})).json()
        return answer


@pytest.mark.parametrize("content", [png(320, 200), jpeg(320, 200)], ids=["png", "jpeg"])
async def test_a_picture_is_sent_once_and_used_again_by_its_id(
    telegram: CheckedTelegram, ada: int, content: bytes
) -> None:
    """From DOCS, «Sending files»."""
    message = (await upload(telegram, "sendPhoto", "photo", content, chat_id=ada, caption="a <i>x</i>"))[
        "result"
    ]
    (size,) = message["photo"]
    assert (size["width"], size["height"], size["file_size"]) == (320, 200, len(content))
    assert message["caption"] == "a <i>x</i>"

    again = await telegram.ok(
        "sendPhoto", chat_id=ada, photo=size["file_id"], caption="<i>x</i>", parse_mode="HTML"
    )
    assert again["photo"] == [size]
    assert (again["caption"], again["caption_entities"]) == (
        "x",
        [{"type": "italic", "offset": 0, "length": 1}],
    )


async def test_a_file_may_be_attached_under_a_name(telegram: CheckedTelegram, ada: int) -> None:
    """From DOCS, «Sending files»: attach://<file_attach_name>."""
    answer = await upload(telegram, "sendPhoto", "table", png(), chat_id=ada, photo="attach://table")
    assert answer["ok"]
    answer = await upload(telegram, "sendPhoto", "table", png(), chat_id=ada, photo="attach://chair")
    assert not answer["ok"]


WRONG_PICTURES = [
    (b"not a picture", "IMAGE_PROCESS_FAILED"),
    (png(0, 0), "PHOTO_INVALID_DIMENSIONS"),
    (png(2100, 100), "PHOTO_INVALID_DIMENSIONS"),
    (png(6000, 5000), "PHOTO_INVALID_DIMENSIONS"),
    (png() + b"\0" * (10 * 1024 * 1024), "file is too big for a photo; the maximum size is 10485760 bytes"),
]


@pytest.mark.parametrize(
    ("content", "words"), WRONG_PICTURES, ids=["no picture", "nothing", "a stripe", "huge", "heavy"]
)
async def test_pictures_are_refused(telegram: CheckedTelegram, ada: int, content: bytes, words: str) -> None:
    """From DOCS, sendPhoto: 10 MB, width and height together 10000, ratio 20."""
    answer = await upload(telegram, "sendPhoto", "photo", content, chat_id=ada)
    assert answer["description"] == f"Bad Request: {words}"


async def test_a_picture_must_be_there(telegram: CheckedTelegram, ada: int) -> None:
    """From SERVER, get_input_photo; and the sandbox reaches no other servers."""
    for wrong, words in [
        ({}, "there is no photo in the request"),
        ({"photo": "xyz"}, "wrong remote file identifier specified: Wrong string length"),
        ({"photo": "https://example.org/a.png"}, "failed to get HTTP URL content"),
    ]:
        assert await telegram.refusal("sendPhoto", chat_id=ada, **wrong) == f"Bad Request: {words}"


async def test_captions_have_1024_characters(telegram: CheckedTelegram, ada: int) -> None:
    """From DOCS, sendPhoto and editMessageCaption; the words of edits from the data centre."""
    send: Json = {"chat_id": ada, "parse_mode": "HTML"}
    answer = await upload(telegram, "sendPhoto", "photo", png(), **send, caption=f"<b>{'x' * 1024}</b>")
    message = answer["result"]
    assert len(message["caption"]) == 1024
    answer = await upload(telegram, "sendPhoto", "photo", png(), **send, caption="x" * 1025)
    assert answer["description"] == "Bad Request: message caption is too long"
    edit = {"chat_id": ada, "message_id": message["message_id"], "caption": "x" * 1025}
    assert await telegram.refusal("editMessageCaption", **edit) == "Bad Request: MEDIA_CAPTION_TOO_LONG"


async def test_a_text_can_become_a_picture_but_not_the_other_way_round(
    telegram: CheckedTelegram, ada: int
) -> None:
    """From DOCS, editMessageMedia, and TDLib, MessagesManager::edit_message_text."""
    place: Json = {"chat_id": ada, "message_id": await telegram.say(ada, "soon")}
    media = {"type": "photo", "media": "attach://table", "caption": "now"}
    message = (await upload(telegram, "editMessageMedia", "table", png(), **place, media=media))["result"]
    assert (message["caption"], "photo" in message, "text" in message) == ("now", True, False)
    assert message["message_id"] == place["message_id"]

    refusal = await telegram.refusal("editMessageText", **place, text="later")
    assert refusal == "Bad Request: there is no text in the message to edit"
    message = await telegram.ok("editMessageCaption", **place, caption="then")
    assert message["caption"] == "then"
    message = await telegram.ok("editMessageCaption", **place)
    assert "caption" not in message


async def test_the_same_picture_with_the_same_caption_changes_nothing(
    telegram: CheckedTelegram, ada: int
) -> None:
    """From SERVER, MESSAGE_NOT_MODIFIED."""
    message = (await upload(telegram, "sendPhoto", "photo", png(), chat_id=ada, caption="x"))["result"]
    same = {"type": "photo", "media": message["photo"][0]["file_id"], "caption": "x"}
    edit = {"chat_id": ada, "message_id": message["message_id"], "media": same}
    assert (await telegram.refusal("editMessageMedia", **edit)).startswith(
        "Bad Request: message is not modified"
    )


async def test_a_document_keeps_its_name(telegram: CheckedTelegram, ada: int) -> None:
    """From DOCS, Document."""
    answer = await upload(telegram, "sendDocument", "document", b"1. e4 e5", "игра.txt", chat_id=ada)
    document = answer["result"]["document"]
    assert (document["file_name"], document["mime_type"], document["file_size"]) == (
        "игра.txt",
        "text/plain",
        8,
    )
    empty = await upload(telegram, "sendDocument", "document", b"", "a.txt", chat_id=ada)
    assert empty["description"] == "Bad Request: file must be non-empty"


async def test_what_was_sent_can_be_fetched(telegram: CheckedTelegram, ada: int) -> None:
    """From DOCS, getFile; and by people, from the address that the page shows."""
    message = (await upload(telegram, "sendPhoto", "photo", png(7, 5), chat_id=ada))["result"]
    file = await telegram.ok("getFile", file_id=message["photo"][0]["file_id"])
    shown = (await telegram.messages(ada, ada))[-1].raw["photo"]
    assert (shown["width"], shown["height"]) == (7, 5)
    async with httpx.AsyncClient(base_url=telegram.url, timeout=PATIENCE) as http:
        fetched = await http.get(f"/file/bot{telegram.token}/{file['file_path']}")
        assert (fetched.content, fetched.headers["Content-Type"]) == (png(7, 5), "image/png")
        assert (await http.get(shown["url"])).content == png(7, 5)
        assert (await http.get(f"/file/bot{telegram.token}/photos/none.png")).status_code == 404
        assert (await http.get(f"/file/bot1:x/{file['file_path']}")).status_code == 401
    assert await telegram.refusal("getFile", file_id="x") == "Bad Request: invalid file_id"


async def test_only_known_actions_are_shown(telegram: CheckedTelegram, ada: int) -> None:
    """From SERVER, process_send_chat_action_query."""
    assert await telegram.ok("sendChatAction", chat_id=ada, action="upload_photo") is True
    refusal = await telegram.refusal("sendChatAction", chat_id=ada, action="dancing")
    assert refusal == "Bad Request: wrong parameter action in request"
