"""What passes between the bot and the processes that think for it: Python objects in frames, over pipes.

A frame is four bytes of length, big-endian, and as many bytes of pickle. An empty frame, sent to a process,
means that its answer is no longer wanted. Both ends are ours, and a pipe has no others.
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
    """What to play: `view` is what the player sees, `seed` its randomness; a search may take `seconds`."""

    level: Level
    view: View = field(repr=False)
    seed: int = field(repr=False)
    seconds: float


@dataclass(frozen=True, slots=True)
class ThinkResponse:
    """The move; None where the player has failed, with the name of the exception in `fault`."""

    move: TurnMove | None = field(repr=False)
    fault: str = ""


def frame(what: ThinkRequest | ThinkResponse) -> bytes:
    """The frame that carries this."""
    body = pickle.dumps(what, pickle.HIGHEST_PROTOCOL)
    return len(body).to_bytes(HEAD_BYTES) + body


def length_of(head: bytes) -> int:
    """How many bytes follow this head."""
    return int.from_bytes(head)


def request_in(body: bytes) -> ThinkRequest:
    """The question that a frame's body carries."""
    question = pickle.loads(body)  # noqa: S301 - from the bot, by a pipe that only it holds
    assert isinstance(question, ThinkRequest)
    return question


def response_in(body: bytes) -> ThinkResponse:
    """The answer that a frame's body carries."""
    answer = pickle.loads(body)  # noqa: S301 - from a process that the bot itself has started
    assert isinstance(answer, ThinkResponse)
    return answer
