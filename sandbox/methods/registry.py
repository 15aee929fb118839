"""Registers methods: functions of a :class:`Call`, under the Bot API's names."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sandbox.errors import bad_request
from sandbox.model import Json
from sandbox.parameters import Upload
from sandbox.state import Sandbox
from sandbox.world import World


@dataclass(frozen=True, slots=True)
class Call:
    """One request of the bot: parameters of the right types, and its uploads."""

    sandbox: Sandbox
    parameters: Json
    attached: Mapping[str, Upload]

    @property
    def world(self) -> World:
        """The sandbox's world."""
        return self.sandbox.world

    def get(self, name: str, default: Any = None) -> Any:
        """Return a parameter, or ``default`` if it is missing."""
        return self.parameters.get(name, default)

    def __getitem__(self, name: str) -> Any:
        return self.parameters[name]

    def content(self, media: str | Upload) -> Upload | str:
        """Return what a media parameter refers to: an upload, a file id, or a URL."""
        if isinstance(media, Upload):
            return media
        if media.startswith("attach://"):
            upload = self.attached.get(media.removeprefix("attach://"))
            if upload is None:
                raise bad_request("there is no file in the request for the attached name")
            return upload
        return media


MethodHandler = Callable[[Call], Any] | Callable[[Call], Awaitable[Any]]

METHODS: dict[str, MethodHandler] = {}


def method(name: str) -> Callable[[MethodHandler], MethodHandler]:
    """Register a function as the method of that name."""

    def register(function: MethodHandler) -> MethodHandler:
        METHODS[name] = function
        return function

    return register
