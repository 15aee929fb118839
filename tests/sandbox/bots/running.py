"""Starts each of these bots: token and address from the environment, then long polling."""

import os
from typing import Any

from telegram.ext import Application, ApplicationBuilder


def application() -> Application[Any, Any, Any, Any, Any, Any]:
    """An application for the token and the Bot API that the environment names."""
    builder = ApplicationBuilder().token(os.environ["BOT_TOKEN"]).base_url(os.environ["BOT_API_URL"])
    return builder.build()
