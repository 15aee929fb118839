"""`python -m bot check`: reports whether the bot can be used as configured, and what needs attention.

It examines the configuration, the token, the database and the webhook without changing anything, also while
the bot is running. Its output contains no token.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from urllib.parse import urlsplit

from telegram import Bot, User, WebhookInfo
from telegram.error import BadRequest, Forbidden, InvalidToken, TelegramError

from bot import webhook
from bot.config import Settings, unknown_names
from bot.receiving import ALLOWED_UPDATES, connections
from bot.starting import UNKNOWN_TOKEN, CannotStart, cannot_listen, is_loopback, proxy_for
from bot.storage.errors import StorageError
from bot.storage.inspection import NEWEST_SCHEMA, Inspection, inspect
from bot.transport import NotTelegram

LEAST_FREE = 100 * 1024 * 1024
"""Less free disk space than this (bytes) needs attention."""
MANY_PENDING = 100
"""More pending updates than this are not explained by a restart."""


class Severity(IntEnum):
    """The severity of a finding; the worst one is the exit status."""

    GOOD = 0
    MEND = 1
    """The bot works, or will once this has passed, but it needs attention."""
    UNUSABLE = 2
    """The bot cannot start or cannot be played with."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check."""

    severity: Severity
    subject: str
    words: str

    def __str__(self) -> str:
        return f"{_SIGNS[self.severity]:<8} {self.subject:<14} {self.words}"


_SIGNS = {Severity.GOOD: "ok", Severity.MEND: "mend", Severity.UNUSABLE: "unusable"}


async def check(settings: Settings, *, least_free: int = LEAST_FREE) -> list[Finding]:
    """Return all findings for settings that are valid in themselves. Raises nothing."""
    try:
        found: Inspection | StorageError = inspect(settings.database_path)
    except StorageError as error:
        found = error
    is_running = isinstance(found, Inspection) and found.holder is not None
    return [
        *_check_settings(settings, is_running=is_running),
        *_check_database(settings.database_path, found, least_free),
        *await _check_telegram(settings),
    ]


# -------------------------------------------------------------------------------------------- configuration


def _check_settings(settings: Settings, *, is_running: bool) -> Iterator[Finding]:
    api = urlsplit(settings.bot_api_url)
    for problem in unknown_names():
        yield Finding(Severity.MEND, "configuration", problem)
    if api.scheme != "https" and not is_loopback(settings.bot_api_url):
        yield Finding(Severity.MEND, "configuration", "BOT_API_URL: the token goes over the net unencrypted")
    if not settings.telegram_limits and api.hostname == "api.telegram.org":
        yield Finding(Severity.MEND, "configuration", "TELEGRAM_LIMITS: Telegram has limits; keep to them")
    if settings.webhook_url.startswith("http://") and api.hostname == "api.telegram.org":
        yield Finding(
            Severity.UNUSABLE, "configuration", "WEBHOOK_URL: Telegram pushes to https:// addresses alone"
        )
    if settings.port is not None and not is_running:
        yield from _check_port(settings.listen_address, settings.port)
    updates = f"pushed to {settings.webhook_url}" if settings.webhook_url else "asked for"
    yield Finding(Severity.GOOD, "configuration", f"is valid; updates are {updates}")


def _check_port(host: str, port: int) -> Iterator[Finding]:
    """Check whether the bot can listen there, by doing so for an instant."""
    try:
        family, kind, protocol, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with closing(socket.socket(family, kind, protocol)) as listener:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(where)
    except OSError as error:
        yield Finding(Severity.UNUSABLE, "configuration", cannot_listen(host, port, error))


# ------------------------------------------------------------------------------------------------- database


def _check_database(path: Path, found: Inspection | StorageError, least_free: int) -> Iterator[Finding]:
    if isinstance(found, StorageError):
        yield Finding(Severity.UNUSABLE, "database", str(found))
        return
    path = path.resolve()
    if not found.is_writable:
        yield Finding(Severity.UNUSABLE, "database", f"{path}: may not be written by this user")
    if not found.is_private:
        yield Finding(
            Severity.MEND, "database", f"{path}: others can read everybody's cards; run chmod 600 on it"
        )
    yield Finding(Severity.GOOD, "database", f"{path}: {_state_of(found)}")
    megabytes = found.free // (1024 * 1024)
    if found.free < least_free:
        yield Finding(Severity.MEND, "disk", f"only {megabytes} MB are free; without room nobody can move")
    else:
        yield Finding(Severity.GOOD, "disk", f"{megabytes} MB are free")
    if found.holder is not None:
        yield Finding(Severity.GOOD, "lock", f"process {found.holder or '(unknown)'} has the database open")
    else:
        yield Finding(Severity.GOOD, "lock", "nobody has the database open")


def _state_of(found: Inspection) -> str:
    if found.schema is None:
        return "is not there yet, and will be made"
    kilobytes = found.size // 1024
    if found.schema < NEWEST_SCHEMA:
        return f"sound, {kilobytes} kB; the next start brings schema {found.schema} to {NEWEST_SCHEMA}"
    return f"sound, {kilobytes} kB, schema {found.schema}"


# ------------------------------------------------------------------------------------------------- Telegram


async def _check_telegram(settings: Settings) -> list[Finding]:
    """Check the token, the webhook and the owner by asking Telegram."""
    try:
        request, updates = connections(settings, 1, 1), connections(settings, 1, 1)
    except CannotStart as error:
        return [Finding(Severity.UNUSABLE, "configuration", str(error))]
    bot = Bot(
        settings.bot_token.get_secret_value(),
        base_url=settings.bot_api_url,
        request=request,
        get_updates_request=updates,
    )
    findings: list[Finding] = []
    try:
        findings += _check_account(await bot.get_me())
        findings += _check_webhook(await bot.get_webhook_info(), settings)
        if settings.owner_id is not None:
            findings.append(await _check_owner(bot, settings.owner_id))
    except (InvalidToken, Forbidden):  # their texts contain the token
        findings.append(Finding(Severity.UNUSABLE, "token", UNKNOWN_TOKEN))
    except NotTelegram as error:
        findings.append(Finding(Severity.MEND, "Telegram", f"something in between answers: {error}"))
    except TelegramError as error:
        proxy = proxy_for(settings.bot_api_url)
        through = f" through {proxy}" if proxy else ""
        findings.append(
            Finding(Severity.MEND, "Telegram", f"cannot be asked{through} ({type(error).__name__})")
        )
    finally:
        await request.shutdown()
        await updates.shutdown()
    return findings


def _check_account(account: User) -> Iterator[Finding]:
    if account.can_join_groups is False:
        yield Finding(
            Severity.MEND,
            "token",
            "the bot cannot be added to groups: see /setjoingroups in @BotFather",
        )
    yield Finding(Severity.GOOD, "token", f"@{account.username}, id {account.id}")


def _check_webhook(info: WebhookInfo, settings: Settings) -> Iterator[Finding]:
    wanted = webhook.address(settings.webhook_url) if settings.webhook_url else ""
    if info.url != wanted:
        yield Finding(
            Severity.MEND,
            "webhook",
            f"Telegram {_delivery(info.url)}, the configuration says that it {_delivery(wanted)};"
            " the next start sees to that",
        )
    else:
        yield Finding(Severity.GOOD, "webhook", f"Telegram {_delivery(info.url)}")
    if info.url and sorted(info.allowed_updates or ()) != sorted(ALLOWED_UPDATES):
        yield Finding(
            Severity.MEND, "webhook", "not all that is needed is pushed; the next start sees to that"
        )
    if info.url and info.last_error_message:
        at = "" if info.last_error_date is None else f" at {info.last_error_date:%Y-%m-%d %H:%M} UTC"
        yield Finding(Severity.MEND, "webhook", f"the last error{at}: {info.last_error_message}")
    pending = info.pending_update_count
    yield Finding(
        Severity.MEND if pending > MANY_PENDING else Severity.GOOD, "updates", f"{pending} are waiting"
    )


def _delivery(url: str) -> str:
    return f"pushes updates to {url}" if url else "is asked for updates"


async def _check_owner(bot: Bot, owner_id: int) -> Finding:
    try:
        await bot.get_chat(owner_id)
    except (BadRequest, Forbidden):
        return Finding(
            Severity.MEND,
            "owner",
            f"OWNER_ID: {owner_id} cannot be written to; press Start in the bot's chat",
        )
    return Finding(Severity.GOOD, "owner", f"{owner_id} is told of unexpected errors")
