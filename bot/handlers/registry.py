"""The registry of handlers for commands, other messages and member changes, filled by the features.

Buttons have their own registry, `bot.handlers.answer.on`.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias, TypeVar

from telegram import Update
from telegram.ext import Application, BaseHandler, ChatMemberHandler, ContextTypes, MessageHandler, filters

from bot.handlers.services import Services

Handler: TypeAlias = BaseHandler[Update, ContextTypes.DEFAULT_TYPE, None]
MakeHandler: TypeAlias = Callable[[Services], Handler]
HandleUpdate: TypeAlias = Callable[[Services, Update], Coroutine[Any, Any, None]]
Handle = TypeVar("Handle", bound=HandleUpdate)

_commands: dict[str, MakeHandler] = {}
_messages: list[MakeHandler] = []
_listeners: list[MakeHandler] = []


def register_command(name: str, make: MakeHandler) -> None:
    """Add the handler of `/name`, which precedes those of messages. Raises ValueError if there is one."""
    if name in _commands:
        raise ValueError(f"/{name} has a handler already")
    _commands[name] = make


def on_message(which: filters.BaseFilter, *, also_handled: bool = False) -> Callable[[Handle], Handle]:
    """Register the decorated function as a handler of these messages.

    Only the first matching handler is called, and then all matching ones with `also_handled`.
    """

    def register(handle: Handle) -> Handle:
        registered = _listeners if also_handled else _messages
        registered.append(lambda services: MessageHandler(which, _bound(services, handle)))
        return handle

    return register


def on_member_change(which: int) -> Callable[[Handle], Handle]:
    """Register the decorated function as the handler of `which`, a constant of `ChatMemberHandler`."""

    def register(handle: Handle) -> Handle:
        _messages.append(lambda services: ChatMemberHandler(_bound(services, handle), which))
        return handle

    return register


def add_registered_handlers(
    application: Application[Any, ContextTypes.DEFAULT_TYPE, Any, Any, Any, Any], services: Services
) -> None:
    """Add all registered handlers to the application."""
    application.add_handlers([make(services) for make in (*_commands.values(), *_messages)])
    for group, make in enumerate(_listeners, start=1):
        application.add_handler(make(services), group)


def _bound(
    services: Services, handle: HandleUpdate
) -> Callable[[Update, ContextTypes.DEFAULT_TYPE], Coroutine[Any, Any, None]]:
    async def on_update(update: Update, _context: ContextTypes.DEFAULT_TYPE) -> None:
        await handle(services, update)

    return on_update
