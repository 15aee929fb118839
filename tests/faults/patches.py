"""Patches for `breakages`, each of which removes a guard against faults."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import aiosqlite

from bot import webhook
from bot.buttons import LeaveMatch
from bot.handlers.answer import HANDLERS
from bot.handlers.update_processor import PerPersonUpdateProcessor
from bot.messages.gateway import MessageGone
from bot.messages.reconciler import Reconciler
from bot.messages.recovery import RETRY_SECONDS, Recovery
from bot.messages.shown_cache import ShownCache
from bot.messages.table_messages import TableMessages
from bot.storage.connection import SerialConnection
from bot.storage.errors import StorageError
from bot.storage.people import PeopleStore
from bot.tables.service import Tables
from bot.updates import intake


def wrap(owner: Any, name: str, broken: Callable[..., Any]) -> None:
    """Replace `owner.name` by `broken`, which gets the original as its first argument."""
    sound = getattr(owner, name)
    setattr(owner, name, lambda *args, **kwargs: broken(sound, *args, **kwargs))


def skipped(owner: Any, name: str) -> Callable[[], None]:
    """A breakage in which `owner.name` does nothing."""

    async def nothing() -> None:
        pass

    def broken(sound: Any, *_args: Any, **_kwargs: Any) -> Any:
        return nothing() if asyncio.iscoroutinefunction(sound) else None

    return lambda: wrap(owner, name, broken)


def replaced(owner: Any, name: str, value: Any) -> Callable[[], None]:
    """A breakage in which `owner.name` is something else."""
    return lambda: setattr(owner, name, value)


def raise_what_is_logged(logger: logging.Logger) -> Callable[[], None]:
    """A breakage in which what would be logged as an exception ends the loop around it."""

    def broken(_sound: Any, *_args: Any, **_kwargs: Any) -> None:
        raise  # noqa: PLE0704 - called in an `except` block

    return lambda: wrap(logger, "exception", broken)


def pass_over_nothing() -> None:
    """Let an update that cannot be read end the intake."""

    def shape_of(_sound: Any, part: Any) -> Any:
        raise ValueError(part)

    wrap(intake, "shape_of", shape_of)


def commit_to_any_revision() -> None:
    """Commit a table whatever its stored revision."""

    def execute(sound: Any, connection: Any, sql: str, *args: Any) -> Any:
        return sound(connection, sql.replace("AND revision = ?", "AND ? >= 0"), *args)

    wrap(aiosqlite.Connection, "execute", execute)


def lock_nothing() -> None:
    """Give each change of a table a lock of its own."""

    def change_locked(sound: Any, tables: Any, *args: Any) -> Any:
        tables._locks = SimpleNamespace(setdefault=lambda _table_id, lock: lock)
        return sound(tables, *args)

    wrap(Tables, "_change_locked", change_locked)


class EqualToAll:
    """Equals everything."""

    def __eq__(self, _other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


def tell_before_the_commit() -> None:
    """Call the listeners before the commit too."""

    async def change_locked(sound: Any, tables: Any, table_id: str, *args: Any) -> None:
        tables._tell(table_id)
        await sound(tables, table_id, *args)

    wrap(Tables, "_change_locked", change_locked)


def remember_no_update() -> None:
    """Handle an update as often as it comes."""

    def remember(sound: Any, processor: Any, *args: Any) -> None:
        sound(processor, *args)
        processor._lately = deque(maxlen=0)

    wrap(PerPersonUpdateProcessor, "__init__", remember)


def wait_for_no_earlier_update() -> None:
    """Do not wait for the person's earlier update."""

    def impatient(sound: Any, processor: Any, *_args: Any) -> None:
        sound(processor, 0.0)

    wrap(PerPersonUpdateProcessor, "__init__", impatient)


def cancel_transactions() -> None:
    """Let the cancellation of a caller reach the transaction."""

    async def run(_sound: Any, connection: Any, work: Any) -> Any:
        return await connection._transaction(work)

    wrap(SerialConnection, "run", run)


def commit_what_failed() -> None:
    """Commit a failed transaction."""

    async def rollback(_sound: Any, connection: Any) -> None:
        await connection.execute("COMMIT")

    wrap(aiosqlite.Connection, "rollback", rollback)


def let_anybody_answer() -> None:
    """Take an answer to a question as that of the person who was asked."""
    sound = HANDLERS[LeaveMatch]

    def leave(services: Any, press: Any, asked: Any) -> Any:
        return sound(services, press, replace(asked, user_id=press.visitor.user_id))

    HANDLERS[LeaveMatch] = leave


def forget_who_has_blocked() -> None:
    """Store that people are reachable, never that they are not."""

    async def set_reachable(sound: Any, people: Any, user_id: int, *, reachable: bool) -> None:
        if reachable:
            await sound(people, user_id, reachable=reachable)

    wrap(PeopleStore, "set_reachable", set_reachable)


async def yes(*_args: Any) -> bool:
    """Answer yes."""
    return True


def wait_for_ever_for_a_body() -> None:
    """Let a request take for ever."""

    def server(sound: Any, *args: Any, body_timeout: float, **options: Any) -> Any:
        del body_timeout
        return sound(*args, **options)

    wrap(webhook, "HTTPServer", server)


def forget_superseded_messages() -> None:
    """Take a superseded message off the record."""

    async def replace(_sound: Any, cache: ShownCache, messages: TableMessages, new: Any) -> None:
        await cache.put(messages, new)

    wrap(ShownCache, "replace", replace)


def forget_what_was_not_written() -> None:
    """Drop what could not be written."""

    async def write_waiting(sound: Any, cache: Any) -> None:
        try:
            await sound(cache)
        except StorageError:
            cache._waiting = {}
            raise

    wrap(ShownCache, "_write_waiting", write_waiting)


def repeat_an_edit_once() -> None:
    """Repeat an uncertain edit once, even if that fails."""

    def end(sound: Any, messages: Any, key: str) -> None:
        messages._repeated.pop(key, None)
        sound(messages, key)

    wrap(TableMessages, "end", end)


def count_what_cannot_be_rendered() -> None:
    """Count tables that are left for a while among those that wait."""

    def count_stale(_sound: Any, it: Any) -> int:
        return sum(messages.stale_since is not None for messages in it._table_messages.values())

    wrap(Reconciler, "_count_stale", count_stale)


def retry(messages: TableMessages, key: str, now: float) -> None:
    """Try again after a second."""
    messages.pause(key, now, RETRY_SECONDS)


def edit_what_is_gone() -> None:
    """Keep a message on record that is gone."""

    async def recover(sound: Any, it: Any, failure: Any, attempt: Any) -> None:
        if isinstance(failure, MessageGone):
            retry(attempt.messages, attempt.key, it._now())
        else:
            await sound(it, failure, attempt)

    wrap(Recovery, "recover", recover)


def delete_what_is_too_old() -> None:
    """Try to delete a message again that is too old for that."""

    async def record(_sound: Any, it: Any, _failure: Any, attempt: Any) -> None:
        retry(attempt.messages, attempt.key, it._now())

    wrap(Recovery, "_record_undeletable", record)
