"""Registers control routes: functions of the sandbox and a request's fields, by name."""

import inspect
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from sandbox.errors import ControlError
from sandbox.model import Json
from sandbox.state import Sandbox

NUMBER = re.compile(r"-?[0-9]{1,18}")


class Body:
    """The fields of a request, each read with its required type."""

    def __init__(self, fields: Json) -> None:
        self.fields = fields

    def take(self, name: str, *kinds: type, default: Any = ...) -> Any:
        """Return a field of one of these types; it is required unless there is a default.

        Raises:
            ControlError: if it is missing or of another type.
        """
        value = self.fields.get(name)
        if value is None:
            if default is ...:
                raise ControlError(f"{name} is missing")
            return default
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise ControlError(f"{name} must be {' or '.join(kind.__name__ for kind in kinds)}")
        return value

    def take_ids(self, name: str) -> list[int]:
        """Return a field with a list of user ids; empty if it is missing.

        Raises:
            ControlError: if it is not a list of numbers.
        """
        ids = self.take(name, list, default=[])
        if not all(isinstance(item, int) and not isinstance(item, bool) for item in ids):
            raise ControlError(f"{name} must list people's ids")
        return list(ids)

    def take_number(self, name: str, default: Any = ...) -> Any:
        """Return a number from a query string, where numbers are text.

        Raises:
            ControlError: if it is not a number, or missing without a default.
        """
        text = self.take(name, str, default=default)
        if not isinstance(text, str):
            return text
        if not NUMBER.fullmatch(text):
            raise ControlError(f"{name} must be a number")
        return int(text)


Function = Callable[[Sandbox, Body], Any] | Callable[[Sandbox, Body], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Route:
    """A route's function and the fields it accepts."""

    function: Function
    fields: frozenset[str]


ACTIONS: dict[str, Route] = {}
QUESTIONS: dict[str, Route] = {}


def action(name: str, fields: str = "") -> Callable[[Function], Function]:
    """Register the function for ``POST /control/<name>``, with the names of its fields."""
    return _register(ACTIONS, name, fields)


def question(name: str, fields: str = "") -> Callable[[Function], Function]:
    """Register the function for ``GET /control/<name>``, with the names of its fields."""
    return _register(QUESTIONS, name, fields)


def _register(routes: dict[str, Route], name: str, fields: str) -> Callable[[Function], Function]:
    def register(function: Function) -> Function:
        routes[name] = Route(function, frozenset(fields.split()))
        return function

    return register


async def perform(routes: dict[str, Route], sandbox: Sandbox, name: str, fields: Json) -> Any:
    """Call a route.

    Raises:
        ControlError: if the route or a field is unknown, or the route refuses.
    """
    route = routes.get(name)
    if route is None:
        raise ControlError(f"no route {name}; there are: {', '.join(sorted(routes))}", 404)
    unknown = fields.keys() - route.fields
    if unknown:
        known = ", ".join(sorted(route.fields)) or "none"
        raise ControlError(f"{name} knows no {', '.join(sorted(unknown))}; its fields are: {known}")
    result = route.function(sandbox, Body(fields))
    return await result if inspect.isawaitable(result) else result
