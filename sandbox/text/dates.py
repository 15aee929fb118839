"""Formats of ``date_time`` entities (TDLib, ``FormattedDate.cpp``)."""

import re

FORMAT = re.compile(r"[tTdDwW]*")


class WrongDateFormatError(ValueError):
    """An invalid format; the message is Telegram's."""


def date_format(written: str) -> str:
    """Return a format as Telegram writes it back.

    ``r`` is relative («in two hours»). Otherwise a weekday (``w``), a short or long date (``d``, ``D``) and a
    short or long time (``t``, ``T``), in this order; empty for the text as it is.

    Raises:
        WrongDateFormatError: if it is invalid.
    """
    if written in ("r", "R"):
        return "r"
    if not FORMAT.fullmatch(written):
        raise WrongDateFormatError("Invalid date format used")
    # A part requested in both lengths is short.
    date = next((letter for letter in "dD" if letter in written), "")
    time = next((letter for letter in "tT" if letter in written), "")
    return ("w" if "w" in written.lower() else "") + date + time
