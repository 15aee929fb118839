"""Validates URLs as Telegram does, with its messages.

Follows TDLib's ``LinkManager::check_link`` for the cases that bots meet.
"""

import re

from sandbox.model import Json

TELEGRAM_SCHEMES = re.compile(r"(?:tg|ton|tonsite)://\S+", re.IGNORECASE)
SCHEME = re.compile(r"([a-z][a-z0-9+.-]*)://", re.IGNORECASE)
HTTP_URL = re.compile(r"(?:(https?)://)?((?:[\w-]+\.)+[\w-]{2,}|[\d.]+)(:\d+)?([/?#]\S*)?", re.IGNORECASE)
USER_LINK = re.compile(r"tg://user\?id=([0-9]{1,18})")


class WrongLinkError(ValueError):
    """An invalid URL; the message is Telegram's reason."""


def checked_link(url: str) -> str:
    """Return a URL as Telegram stores it, with a scheme and a path.

    Raises:
        WrongLinkError: if it is invalid.
    """
    if not url.strip():
        raise WrongLinkError("URL host is empty")
    if TELEGRAM_SCHEMES.fullmatch(url):
        return url
    scheme = SCHEME.match(url)
    if scheme and scheme.group(1).lower() not in ("http", "https"):
        raise WrongLinkError("Unsupported URL protocol")
    match = HTTP_URL.fullmatch(url)
    if match is None:
        raise WrongLinkError("Wrong HTTP URL")
    protocol, host, port, rest = match.groups()
    path = rest if rest and rest.startswith("/") else f"/{rest or ''}"
    return f"{(protocol or 'http').lower()}://{host.lower()}{port or ''}{path}"


def link_entity(url: str) -> Json | None:
    """Return a marked link's entity: a mention for ``tg://user?id=…``, None for an invalid URL."""
    user = USER_LINK.fullmatch(url)
    if user:
        return {"type": "text_mention", "user": {"id": int(user.group(1))}}
    try:
        return {"type": "text_link", "url": checked_link(url)}
    except WrongLinkError:
        return None
