"""The parts of a running sandbox, built once and passed to whatever works on them."""

import secrets
import string
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from sandbox.callbacks import Callbacks
from sandbox.clock import Clock
from sandbox.events import PeopleChanged
from sandbox.faults import Faults
from sandbox.flood import FloodLimits
from sandbox.model import Bot, Json
from sandbox.updates import UpdateQueue
from sandbox.webhook import Webhook
from sandbox.world import World

BOT_ID = 8_101_000_101
CALL_LOG_LENGTH = 50_000


@dataclass(frozen=True, slots=True)
class Notification:
    """A notification of a person."""

    chat: int
    message_id: int
    title: str
    text: str
    at: int


@dataclass
class Sandbox:
    """Everything but the HTTP layer.

    ``adopts_token`` lets the first bot that calls bring its own token; otherwise only the world's is valid.
    """

    world: World
    clock: Clock
    updates: UpdateQueue
    limits: FloodLimits
    faults: Faults
    callbacks: Callbacks
    webhook: Webhook
    adopts_token: bool
    entropy: Callable[[int], bytes] = secrets.token_bytes
    """Random bytes, for the ids of files."""
    calls: deque[Json] = field(default_factory=lambda: deque(maxlen=CALL_LOG_LENGTH))
    call_count: int = 0
    bot_is: Literal["up", "down", "starting"] = "up"
    """Whether the bot is running, as far as known; a starting bot is up with its first call."""
    notifications: dict[int, list[Notification]] = field(default_factory=dict)

    def take_token(self, token: str) -> None:
        """Set the bot's token; the number before its colon is the bot's id."""
        self.world.bot.id, self.world.bot.token = int(token.partition(":")[0]), token
        self.adopts_token = False

    def bot_ended(self) -> None:
        """Note that the bot has ended."""
        self._set_bot("down")

    def bot_starts(self) -> None:
        """Note that the bot is being restarted, if it was down."""
        if self.bot_is == "down":
            self._set_bot("starting")

    def bot_calls(self) -> None:
        """Note that the bot has made a call, which completes its start."""
        if self.bot_is == "starting":
            self._set_bot("up")

    def _set_bot(self, state: Literal["up", "down", "starting"]) -> None:
        self.bot_is = state
        self.world.emit(PeopleChanged())

    def tell(self, kind: str, content: Json) -> None:
        """Queue an update of this kind for the bot, and note the people it introduces."""
        self.meet(content)
        self.updates.put(kind, content)

    def meet(self, told: Any) -> None:
        """Mark every User in an update as known to the bot."""
        if isinstance(told, list):
            for part in told:
                self.meet(part)
        elif isinstance(told, dict):
            if told.get("is_bot") is False and told["id"] in self.world.users:
                self.world.users[told["id"]].met = True
            self.meet(list(told.values()))

    def reset(self) -> None:
        """Start an empty world without faults. The bot, its texts and menus, and the call log stay."""
        self.world.clear()
        self.updates.reset()
        self.limits.reset()
        self.faults.clear()
        self.callbacks.reset()
        self.notifications.clear()


def new_token() -> str:
    """Return a token of the usual form for this sandbox."""
    alphabet = string.ascii_letters + string.digits
    return f"{BOT_ID}:" + "".join(secrets.choice(alphabet) for _ in range(35))


def build(*, token: str | None = None, flood: bool = True, clock: Clock | None = None) -> Sandbox:
    """Build an empty world and its services. Without ``token`` the first caller's token is adopted."""
    clock = clock or Clock()
    bot = Bot(BOT_ID, token or new_token(), "sandbox_bot", "Sandbox Bot")
    updates = UpdateQueue(clock)
    return Sandbox(
        world=World(bot),
        clock=clock,
        updates=updates,
        limits=FloodLimits(clock, enabled=flood),
        faults=Faults(updates),
        callbacks=Callbacks(clock),
        webhook=Webhook(updates, clock),
        adopts_token=token is None,
    )
