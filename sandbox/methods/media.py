"""Validates uploaded pictures and documents, and looks up earlier ones by their file id."""

import base64
import mimetypes
import re
import struct

from sandbox.errors import bad_request
from sandbox.methods.registry import Call
from sandbox.model import File, Photo
from sandbox.parameters import Upload
from sandbox.schema.sizes import MAX_DOCUMENT_BYTES, MAX_PHOTO_BYTES, MAX_PHOTO_RATIO, MAX_PHOTO_SIDES

ANY_BYTES = "application/octet-stream"
MIME_TYPE = re.compile(r"[\w.+-]+/[\w.+-]+", re.ASCII)


def photo_of(call: Call, media: str | Upload) -> Photo:
    """Return a picture that was uploaded now or before.

    Raises:
        ApiError: 400 if it is not a picture, or not one that Telegram accepts.
    """
    content = call.content(media)
    if isinstance(content, str):
        file = _known_file(call, content)
    else:
        if len(content.content) > MAX_PHOTO_BYTES:
            raise bad_request(f"file is too big for a photo; the maximum size is {MAX_PHOTO_BYTES} bytes")
        file = _keep(call, content)
    size = image_size(file.content)
    if size is None:
        raise bad_request("IMAGE_PROCESS_FAILED")
    width, height = size
    if min(size) == 0 or width + height > MAX_PHOTO_SIDES or max(size) > MAX_PHOTO_RATIO * min(size):
        raise bad_request("PHOTO_INVALID_DIMENSIONS")
    return Photo(file.file_id, width, height)


def document_of(call: Call, media: str | Upload) -> str:
    """Return the file id of a document that was uploaded now or before.

    Raises:
        ApiError: 400 if it is empty, too large, or unknown.
    """
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
        raise bad_request(
            "failed to get HTTP URL content"
        )  # the sandbox downloads nothing from outside loopback
    file = call.world.files.get(file_id)
    if file is None:
        raise bad_request("wrong remote file identifier specified: Wrong string length")
    return file


def _keep(call: Call, upload: Upload) -> File:
    guessed = mimetypes.guess_type(upload.name)[0]
    says_nothing = upload.mime_type == ANY_BYTES or not MIME_TYPE.fullmatch(upload.mime_type)
    mime = guessed if says_nothing else upload.mime_type
    file = File(
        file_id=f"AgACAgIAAxk{_name(call, 32)}",
        unique_id=f"AQAD{_name(call, 8)}",
        name=upload.name or "file",
        mime_type=mime or ANY_BYTES,
        content=upload.content,
    )
    call.world.add_file(file)
    return file


def _name(call: Call, length: int) -> str:
    return base64.urlsafe_b64encode(call.sandbox.entropy(length)).rstrip(b"=").decode()


def image_size(content: bytes) -> tuple[int, int] | None:
    """Return width and height of a PNG or a JPEG from its header, None for anything else."""
    if content.startswith(b"\x89PNG\r\n\x1a\n") and len(content) >= 24:
        width, height = struct.unpack(">II", content[16:24])
        return width, height
    if not content.startswith(b"\xff\xd8"):
        return None
    position = 2
    while position + 9 < len(content) and content[position] == 0xFF:
        marker = content[position + 1]
        length = int.from_bytes(content[position + 2 : position + 4], "big")
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):  # all kinds of frame headers
            height, width = struct.unpack(">HH", content[position + 5 : position + 9])
            return width, height
        position += 2 + length
    return None
