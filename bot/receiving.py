"""Sets up polling or a webhook as configured, and the HTTP server for monitoring.

Also has the connections to the Bot API, and the first calls, which are repeated until they are answered.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack
from typing import Any

from telegram import Update
from telegram.error import BadRequest, Forbidden, InvalidToken, NetworkError, RetryAfter
from telegram.ext import Application

from bot import webhook
from bot.config import Settings
from bot.machine import THIS_MACHINE, Machine
from bot.metrics import Metrics
from bot.starting import UNKNOWN_TOKEN, CannotStart, cannot_listen, is_loopback, usable_environment
from bot.transport import Transport
from bot.updates import polling, webhook_watch
from bot.updates.intake import Intake
from bot.updates.liveness import Liveness
from bot.updates.polling import Poller
from bot.updates.webhook_watch import WebhookWatch

log = logging.getLogger(__name__)

ALLOWED_UPDATES = [Update.MESSAGE, Update.CALLBACK_QUERY, Update.MY_CHAT_MEMBER, Update.CHAT_MEMBER]
LONGEST_PAUSE_SECONDS = 5.0
"""The longest pause between attempts to reach Telegram at the start."""


def connections(
    settings: Settings, at_once: int, kept_open: int, machine: Machine = THIS_MACHINE
) -> Transport:
    """Create connections to the Bot API, through the environment's proxy unless the API is on this machine.

    Raises CannotStart if the environment's proxy or certificates cannot be used.
    """
    with usable_environment():
        return Transport(
            at_once,
            kept_open,
            trust_env=not is_loopback(settings.bot_api_url),
            connect=machine.connect,
            now=machine.monotonic,
        )


def webhook_secret(settings: Settings) -> str:
    """The secret that Telegram sends with every update, derived from the token."""
    return hashlib.sha256(b"webhook " + settings.bot_token.get_secret_value().encode()).hexdigest()


def liveness_of(settings: Settings, machine: Machine) -> Liveness:
    """The liveness with the limits of polling or the webhook."""
    module = webhook_watch if settings.webhook_url else polling
    return Liveness(module.EXPECTED_SECONDS, module.LONGEST_SECONDS, machine.monotonic)


def metrics_of(liveness: Liveness, calls: Transport) -> Metrics:
    """The metrics, with gauges for the updates and the connections."""
    metrics = Metrics()
    metrics.watch(
        "bot_updates_age_seconds", "Seconds since updates were last known to arrive", lambda: liveness.age
    )
    metrics.watch(
        "bot_call_connections_renewals",
        "Times that all connections for calls were replaced",
        lambda: calls.renewals,
    )
    return metrics


async def take_updates(
    stack: AsyncExitStack,
    settings: Settings,
    application: Application[Any, Any, Any, Any, Any, Any],
    liveness: Liveness,
    metrics: Metrics,
    is_well: Callable[[], bool],
    machine: Machine,
) -> Coroutine[Any, Any, None]:
    """Set up the webhook or polling, and the HTTP server if there is a port. Raises CannotStart.

    Returns the coroutine that has to run while the bot does.
    """
    bot, secret = application.bot, webhook_secret(settings)
    intake = Intake(bot, application.update_queue, metrics)
    if settings.port is not None:
        try:
            server = webhook.serve(
                intake,
                liveness,
                metrics,
                secret,
                settings.listen_address,
                settings.port,
                is_well,
            )
        except OSError as error:
            raise CannotStart(cannot_listen(settings.listen_address, settings.port, error)) from None
        stack.push_async_callback(server.close_all_connections)
        stack.callback(server.stop)
    if settings.webhook_url:
        url = webhook.address(settings.webhook_url)
        watch = WebhookWatch(bot, url, secret, ALLOWED_UPDATES, liveness, intake, metrics)
        try:
            await until_answered(watch.set)
        except BadRequest as error:
            raise CannotStart(f"WEBHOOK_URL: Telegram refuses it ({error})") from None
        work = watch.run()
    else:
        await until_answered(bot.delete_webhook)
        transport = connections(settings, 1, 1, machine)
        stack.push_async_callback(transport.shutdown)
        poller = Poller(bot, transport, intake, liveness, metrics, ALLOWED_UPDATES, now=machine.monotonic)
        stack.push_async_callback(poller.close)
        work = poller.run()
    liveness.stamp()
    return work


async def until_answered(call: Callable[[], Awaitable[object]]) -> None:
    """Make a call that the start depends on, and repeat it while Telegram cannot be reached.

    Raises BadRequest if Telegram refuses the call, CannotStart if it does not know the token.
    """
    pause = 1.0
    while True:
        try:
            await call()
        except BadRequest:
            raise  # in the library it is a NetworkError
        except (InvalidToken, Forbidden):  # their texts contain the token
            raise CannotStart(f"BOT_TOKEN: {UNKNOWN_TOKEN}") from None
        except (NetworkError, RetryAfter) as error:
            log.warning("Telegram cannot be reached: %s", error)
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
        else:
            return
