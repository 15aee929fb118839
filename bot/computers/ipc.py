"""The messages between the bot and its worker processes: pickled objects in frames, over pipes.

A frame is four bytes of length, big-endian, and as many bytes of pickle. An empty frame, sent to a worker,
cancels the request. Both ends are ours, and nothing else uses the pipes.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field
from typing import Final

from engine import TurnMove, View
from engine.players import Level

HEAD_BYTES: Final = 4
NO_LONGER_WANTED: Final = bytes(HEAD_BYTES)


@dataclass(frozen=True, slots=True)
class ThinkRequest:
    """A request for a move: `view` is what the player sees, `seed` its randomness; a search may take
    `seconds`.
    """

    level: Level
    view: View = field(repr=False)
    seed: int = field(repr=False)
    seconds: float


@dataclass(frozen=True, slots=True)
class ThinkResponse:
    """The move; None if the player failed, with the name of the exception in `fault`."""

    move: TurnMove | None = field(repr=False)
    fault: str = ""


def frame(what: ThinkRequest | ThinkResponse) -> bytes:
    """Return the frame for an object."""
    body = pickle.dumps(what, pickle.HIGHEST_PROTOCOL)
    return len(body).to_bytes(HEAD_BYTES) + body


def length_of(head: bytes) -> int:
    """Return the body's length from a frame's header."""
    return int.from_bytes(head)


def request_in(body: bytes) -> ThinkRequest:
    """Return the request in a frame's body."""
    question = pickle.loads(body)  # noqa: S301 - from the bot, by a pipe that only it holds
    assert isinstance(question, ThinkRequest)
    return question


def response_in(body: bytes) -> ThinkResponse:
    """Return the response in a frame's body."""
    answer = pickle.loads(body)  # noqa: S301 - from a process that the bot itself has started
    assert isinstance(answer, ThinkResponse)
    return answer
