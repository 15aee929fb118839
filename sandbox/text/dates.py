"""How a moment is shown: the formats of ``date_time`` entities (TDLib, ``FormattedDate.cpp``)."""

import re

FORMAT = re.compile(r"[tTdDwW]*")


class WrongDateFormatError(ValueError):
    """No format; the message is Telegram's word for it."""


def date_format(written: str) -> str:
    """A format as Telegram writes it back.

    ``r`` for «in two hours»; or a weekday (``w``), a short or long date (``d``, ``D``) and a short or long
    time (``t``, ``T``), in this order; or nothing, for the text as it stands.

    Raises:
        WrongDateFormatError: if it is none.
    """
    if written in ("r", "R"):
        return "r"
    if not FORMAT.fullmatch(written):
        raise WrongDateFormatError("Invalid date format used")
    # A part that is asked for in both lengths is short.
    date = next((letter for letter in "dD" if letter in written), "")
    time = next((letter for letter in "tT" if letter in written), "")
    return ("w" if "w" in written.lower() else "") + date + time
