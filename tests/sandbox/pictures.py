"""Small picture files for tests; only their headers are valid."""

import struct


def png(width: int = 2, height: int = 2) -> bytes:
    """The head of a PNG of this size."""
    return b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", width, height) + b"\x08\x02\0\0\0"


def jpeg(width: int = 2, height: int = 2) -> bytes:
    """The head of a JPEG of this size, with a segment before the frame's."""
    frame = b"\xff\xc2\0\x0b\x08" + struct.pack(">HH", height, width) + b"\1\1\x11\0"
    return b"\xff\xd8\xff\xe0\0\x04\0\0" + frame
