"""Describes what prevents the bot from starting, in a line for its host.

httpx reads `HTTPS_PROXY`, `ALL_PROXY`, `SSL_CERT_FILE` and similar variables by itself
(https://www.python-httpx.org/environment_variables/), and raises if it cannot use them.
"""

from __future__ import annotations

import errno
import ipaddress
import os
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx

UNKNOWN_TOKEN = "Telegram knows no bot with this token"  # noqa: S105 (words, not a token)
_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")


class CannotStart(Exception):
    """The bot cannot start with this configuration; the text says why and contains no secret."""


def is_loopback(url: str) -> bool:
    """Whether this URL points to the machine itself, for which no proxy should be used."""
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


@contextmanager
def usable_environment() -> Iterator[None]:
    """Turn exceptions of creating HTTP clients into CannotStart if the environment is at fault."""
    try:
        yield
    except OSError as error:
        raise CannotStart(f"SSL_CERT_FILE, SSL_CERT_DIR: no certificates there ({error.strerror})") from None
    except (ValueError, ImportError, RuntimeError, httpx.InvalidURL):
        named = ", ".join(name for name in os.environ if name.upper() in _PROXIES) or "the proxy"
        raise CannotStart(
            f"{named}: no proxy that the bot can use; it takes http:// and https://, and socks5:// once"
            ' "httpx[socks]" is installed'
        ) from None


def proxy_for(url: str) -> str:
    """The variable and the address of the proxy for this URL, without credentials; empty if there is none."""
    scheme = urlsplit(url).scheme
    if is_loopback(url) or proxy_bypass(urlsplit(url).hostname or ""):
        return ""
    proxies = getproxies()
    name = scheme if scheme in proxies else "all"
    if name not in proxies:
        return ""
    where = proxies[name].rpartition("@")[2].rpartition("//")[2]
    return f"{name.upper()}_PROXY: {where}"


def cannot_listen(host: str, port: int, error: OSError) -> str:
    """Say why nothing can listen at this address, and what to do about it."""
    if error.errno == errno.EADDRINUSE:
        remedy = "set another PORT, or stop the program that listens there"
    elif error.errno == errno.EACCES:
        remedy = "set PORT to 1024 or more"
    else:
        remedy = "set LISTEN_ADDRESS to an address of this machine, 127.0.0.1 or 0.0.0.0"
    return f"PORT: cannot listen at {host}:{port} ({error.strerror}); {remedy}"
