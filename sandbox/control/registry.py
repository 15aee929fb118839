"""How a control route is written: a function of the sandbox and a request's fields, under its name."""

import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from sandbox.errors import ControlError
from sandbox.model import Json
from sandbox.state import Sandbox


class Body:
    """A request's fields, each taken with the type it must have; what is left over at the end is refused."""

    def __init__(self, fields: Json) -> None:
        self._fields = dict(fields)

    def __contains__(self, name: str) -> bool:
        return self._fields.get(name) is not None

    def take(self, name: str, *kinds: type, default: Any = ...) -> Any:
        """A field of one of these types; required unless there is a default.

        Raises:
            ControlError: if it is missing or of another type.
        """
        value = self._fields.pop(name, None)
        if value is None:
            if default is ...:
                raise ControlError(f"{name} is missing")
            return default
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise ControlError(f"{name} must be {' or '.join(kind.__name__ for kind in kinds)}")
        return value

    def rest(self) -> Json:
        """All that has not been taken yet."""
        rest, self._fields = self._fields, {}
        return rest

    def check_empty(self) -> None:
        """Refuse what nobody took."""
        if self._fields:
            raise ControlError(f"unknown: {', '.join(sorted(self._fields))}")


Route = Callable[[Sandbox, Body], Any] | Callable[[Sandbox, Body], Awaitable[Any]]
ACTIONS: dict[str, Route] = {}
QUESTIONS: dict[str, Route] = {}


def action(name: str) -> Callable[[Route], Route]:
    """Register what answers ``POST /control/<name>``."""

    def register(route: Route) -> Route:
        ACTIONS[name] = route
        return route

    return register


def question(name: str) -> Callable[[Route], Route]:
    """Register what answers ``GET /control/<name>``."""

    def register(route: Route) -> Route:
        QUESTIONS[name] = route
        return route

    return register


async def perform(routes: dict[str, Route], sandbox: Sandbox, name: str, fields: Json) -> Any:
    """Do what a route does.

    Raises:
        ControlError: if there is no such route, or it refuses.
    """
    route = routes.get(name)
    if route is None:
        raise ControlError(f"no route {name}; there are: {', '.join(sorted(routes))}", 404)
    body = Body(fields)
    result = route(sandbox, body)
    return await result if inspect.isawaitable(result) else result
