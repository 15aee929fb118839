"""How a method is written: a function of a :class:`Call`, registered under the name the Bot API gives it."""

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
    """One request of the bot: parameters that are right by their types, and what was attached."""

    sandbox: Sandbox
    parameters: Json
    attached: Mapping[str, Upload]

    @property
    def world(self) -> World:
        """The sandbox's world."""
        return self.sandbox.world

    def get(self, name: str, default: Any = None) -> Any:
        """A parameter, or ``default`` if it was left out."""
        return self.parameters.get(name, default)

    def __getitem__(self, name: str) -> Any:
        return self.parameters[name]

    def content(self, media: str | Upload) -> Upload | str:
        """What a media parameter stands for: an upload, attached or direct, or a file's id or address."""
        if isinstance(media, Upload):
            return media
        if media.startswith("attach://"):
            upload = self.attached.get(media.removeprefix("attach://"))
            if upload is None:
                raise bad_request("there is no file in the request for the attached name")
            return upload
        return media


Method = Callable[[Call], Any] | Callable[[Call], Awaitable[Any]]

METHODS: dict[str, Method] = {}


def method(name: str) -> Callable[[Method], Method]:
    """Register a function as the method of that name."""

    def register(function: Method) -> Method:
        METHODS[name] = function
        return function

    return register
