"""All features of the bot. Importing this module registers their handlers."""

from __future__ import annotations

from typing import Any

from telegram.ext import Application, ContextTypes

from bot.handlers import (  # noqa: F401 - imported to register their handlers
    choosing,
    computers,
    confirmations,
    deal_verification,
    dispatch,
    failures,
    leaderboards,
    lobby,
    members,
    membership,
    onboarding,
    pins,
    play,
    repost,
    rule_sets,
    scores,
    settings,
    solo,
    subscriptions,
    table_talk,
    topics,
    voting,
)
from bot.handlers.registry import add_registered_handlers
from bot.handlers.services import Services


def add_handlers(
    application: Application[Any, ContextTypes.DEFAULT_TYPE, Any, Any, Any, Any], services: Services
) -> None:
    """Add the handlers of all features to the application."""
    application.add_handler(dispatch.handler(services))
    add_registered_handlers(application, services)
    application.add_error_handler(failures.log_failure)
