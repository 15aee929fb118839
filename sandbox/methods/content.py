"""What methods that send and methods that edit have in common: texts, keyboards, pictures, documents."""

import mimetypes
import secrets
import struct
from dataclasses import dataclass

from sandbox.errors import bad_request
from sandbox.html_mode import parse_html
from sandbox.markup import inline_keyboard
from sandbox.methods.registry import Call
from sandbox.model import File, Json, Photo
from sandbox.parameters import Upload
from sandbox.texts import clean, trimmed, utf16_length, with_found_entities

MAX_TEXT = 4096
MAX_CAPTION = 1024
MAX_PHOTO_BYTES = 10 * 1024 * 1024
MAX_DOCUMENT_BYTES = 50 * 1024 * 1024
MAX_PHOTO_SIDES, MAX_PHOTO_RATIO = 10_000, 20
SETTABLE_ENTITIES = frozenset(
    {
        "bold",
        "italic",
        "underline",
        "strikethrough",
        "spoiler",
        "blockquote",
        "expandable_blockquote",
        "code",
        "pre",
        "text_link",
        "text_mention",
        "custom_emoji",
        "date_time",
    }
)
"""What a bot may mark itself; the rest Telegram finds in the text and ignores in ``entities``."""


@dataclass(frozen=True, slots=True)
class Markup:
    """A reply_markup: an inline keyboard that belongs to the message, or a wish about the reply keyboard."""

    buttons: list[list[Json]] | None
    keyboard: Json | None


def text_of(call: Call) -> tuple[str, list[Json]]:
    """The ``text`` parameter with its entities.

    Raises:
        ApiError: 400, if it is empty, too long or cannot be parsed.
    """
    if not call["text"]:
        raise bad_request("message text is empty")
    text, entities = formatted(call["text"], call.get("parse_mode"), call.get("entities"))
    if not text:
        raise bad_request("text must be non-empty")
    if len(text) > MAX_TEXT:
        raise bad_request("message is too long")
    return text, entities


def caption_of(parameters: Json) -> tuple[str | None, list[Json]]:
    """The ``caption`` of a method's or an InputMedia's parameters, None if there is none.

    Raises:
        ApiError: 400, if it is too long or cannot be parsed.
    """
    caption, entities = formatted(
        parameters.get("caption", ""), parameters.get("parse_mode"), parameters.get("caption_entities")
    )
    if len(caption) > MAX_CAPTION:
        raise bad_request("message caption is too long")
    return caption or None, entities


def formatted(source: str, parse_mode: str | None, given: list[Json] | None) -> tuple[str, list[Json]]:
    """A text as Telegram stores it: parsed, cleaned, without the blanks around it, with all its entities."""
    mode = (parse_mode or "").lower()
    entities: list[Json] = []
    if mode == "html":
        source, entities = parse_html(source)
    elif mode:
        raise bad_request("unsupported parse_mode")
    elif given:
        entities = _checked_entities(source, given)
    text, entities = trimmed(clean(source), entities)
    return text, with_found_entities(text, entities)


def _checked_entities(text: str, given: list[Json]) -> list[Json]:
    end = utf16_length(text)
    for entity in given:
        offset, length = entity["offset"], entity["length"]
        if offset < 0 or length < 0:
            raise bad_request("receive an entity with incorrect offset or length")
        if offset + length > end:
            raise bad_request(
                f"entity beginning at UTF-16 offset {offset} ends after the end of the text"
                f" at UTF-16 offset {end}"
            )
    kept = [entity for entity in given if entity["type"] in SETTABLE_ENTITIES and entity["length"] > 0]
    return sorted(kept, key=lambda entity: (entity["offset"], -entity["length"]))


def markup_of(call: Call) -> Markup:
    """The ``reply_markup`` parameter.

    Raises:
        ApiError: 400, if it is an inline keyboard that Telegram would not take.
    """
    markup = call.get("reply_markup")
    if markup is None:
        return Markup(None, None)
    if "inline_keyboard" in markup:
        return Markup(inline_keyboard(markup) or None, None)
    return Markup(None, markup)


def photo_of(call: Call, media: str | Upload) -> Photo:
    """A picture that was uploaded now, or before.

    Raises:
        ApiError: 400, if it is no picture, or none that Telegram takes.
    """
    content = call.content(media)
    if isinstance(content, str):
        file = _known_file(call, content)
    else:
        if len(content.content) > MAX_PHOTO_BYTES:
            raise bad_request("file is too big for a photo; the maximum size is 10485760 bytes")
        file = _keep(call, content)
    size = image_size(file.content)
    if size is None:
        raise bad_request("IMAGE_PROCESS_FAILED")
    width, height = size
    if width + height > MAX_PHOTO_SIDES or max(size) > MAX_PHOTO_RATIO * min(size):
        raise bad_request("PHOTO_INVALID_DIMENSIONS")
    return Photo(file.file_id, width, height)


def document_of(call: Call, media: str | Upload) -> str:
    """The file id of a document that was uploaded now, or before."""
    content = call.content(media)
    if isinstance(content, str):
        return _known_file(call, content).file_id
    if not content.content:
        raise bad_request("file must be non-empty")
    if len(content.content) > MAX_DOCUMENT_BYTES:
        raise bad_request("file is too big")
    return _keep(call, content).file_id


def _known_file(call: Call, file_id: str) -> File:
    if file_id.startswith(("http://", "https://")):
        raise bad_request("failed to get HTTP URL content")
    file = call.world.files.get(file_id)
    if file is None:
        raise bad_request("wrong remote file identifier specified: Wrong string length")
    return file


def _keep(call: Call, upload: Upload) -> File:
    guessed = mimetypes.guess_type(upload.name)[0]
    mime = upload.mime_type if upload.mime_type != "application/octet-stream" else guessed
    file = File(
        file_id=f"AgACAgIAAxk{secrets.token_urlsafe(32)}",
        unique_id=f"AQAD{secrets.token_urlsafe(8)}",
        name=upload.name or "file",
        mime_type=mime or "application/octet-stream",
        content=upload.content,
    )
    call.world.files[file.file_id] = file
    return file


def image_size(content: bytes) -> tuple[int, int] | None:
    """Width and height of a PNG or a JPEG from its head, None for anything else."""
    if content.startswith(b"\x89PNG\r\n\x1a\n") and len(content) >= 24:
        width, height = struct.unpack(">II", content[16:24])
        return width, height
    if not content.startswith(b"\xff\xd8"):
        return None
    position = 2
    while position + 9 < len(content) and content[position] == 0xFF:
        marker = content[position + 1]
        length = int.from_bytes(content[position + 2 : position + 4], "big")
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", content[position + 5 : position + 9])
            return width, height
        position += 2 + length
    return None
