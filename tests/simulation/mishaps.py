"""What goes wrong in a simulated evening, and when.

All of it follows from the seed. Every mishap has its number and its own randomness, so that one can be
left out without another being changed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Coroutine
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from sandbox import groups, people
from sandbox.faults import Fault
from sandbox.model import BOT
from tests.simulation.people import Group, buttons_of

if TYPE_CHECKING:
    from tests.simulation.evening import Evening

CALLS = (
    "sendMessage",
    "sendPhoto",
    "editMessageText",
    "editMessageMedia",
    "deleteMessage",
    "answerCallbackQuery",
)
COMMANDS = ("/table", "/hand", "/score", "/rules", "/settings", "/help", "/leave", "/top", "спасибо за игру")


@dataclass(frozen=True, slots=True)
class Mishap:
    """Something that goes wrong, so many seconds after the beginning."""

    number: int
    at: float
    kind: str


Strike = Callable[["Evening", Random], Coroutine[Any, Any, None]]
MISHAPS: dict[str, Strike] = {}
"""What each kind does. It lasts until it has ended, or is cancelled: then it puts everything right."""


def mishap(kind: str) -> Callable[[Strike], Strike]:
    """Register a function as the mishap of that name."""

    def register(strike: Strike) -> Strike:
        MISHAPS[kind] = strike
        return strike

    return register


def schedule(seed: str, kinds: Collection[str], begin: float, end: float, number: int) -> list[Mishap]:
    """Mishaps between two moments, numbered from `number` on, some ten seconds apart."""
    chance = Random(f"{seed} mishaps from {number}")
    found: list[Mishap] = []
    at = begin
    ordered = [kind for kind in MISHAPS if kind in kinds]
    while ordered and (at := at + chance.expovariate(1 / 10)) < end:
        found.append(Mishap(number + len(found), at, chance.choice(ordered)))
    return found


# ------------------------------------------------------------------------------------------------- network


@mishap("slow")
async def _slow(evening: Evening, chance: Random) -> None:
    await _weather(evening, chance, "delay", chance.choice((0.5, 3.0, 8.0)))


@mishap("loss")
async def _loss(evening: Evening, chance: Random) -> None:
    await _weather(evening, chance, "lost", chance.uniform(0.1, 0.7))


@mishap("repetition")
async def _repetition(evening: Evening, chance: Random) -> None:
    await _weather(evening, chance, "repeated", chance.uniform(0.1, 0.7))


@mishap("no connection")
async def _no_connection(evening: Evening, chance: Random) -> None:
    await _weather(evening, chance, "refused", chance.uniform(0.3, 1.0))


async def _weather(evening: Evening, chance: Random, what: str, value: float) -> None:
    weather = evening.simulation.network.weather
    before = getattr(weather, what)
    setattr(weather, what, before + value)
    try:
        await asyncio.sleep(chance.uniform(3, 30))
    finally:
        setattr(weather, what, max(0.0, getattr(weather, what) - value))


# ------------------------------------------------------------------------------------------------ Telegram


@mishap("429")
async def _too_many_requests(evening: Evening, chance: Random) -> None:
    chat = evening.a_chat(chance) if chance.random() < 0.8 else None
    await _fault(evening, chance, Fault(chat=chat, status=429, retry_after=chance.randint(1, 30)))


@mishap("500")
async def _server_error(evening: Evening, chance: Random) -> None:
    await _fault(evening, chance, Fault(method=chance.choice(CALLS), status=500, every=chance.randint(1, 3)))


@mishap("502")
async def _down(evening: Evening, chance: Random) -> None:
    await _fault(evening, chance, Fault(status=502))


@mishap("no updates")
async def _no_updates(evening: Evening, chance: Random) -> None:
    await _fault(evening, chance, Fault(method="getUpdates", status=500))


@mishap("hanging call")
async def _hang(evening: Evening, chance: Random) -> None:
    seconds = chance.choice((0.3, 1.0, 7.0))
    fault = Fault(method=chance.choice(CALLS), every=2)
    if chance.random() < 0.5:
        fault.hang = seconds
    else:
        fault.hang_answer = seconds
    await _fault(evening, chance, fault)


@mishap("lost answer")
async def _lost_answer(evening: Evening, chance: Random) -> None:
    await _fault(evening, chance, Fault(method=chance.choice(CALLS), lose_answer=True, every=2))


async def _fault(evening: Evening, chance: Random, fault: Fault) -> None:
    fault.times = chance.randint(1, 6)
    evening.sandbox.faults.add(fault)
    try:
        await asyncio.sleep(chance.uniform(1, 20))
    finally:
        fault.times = 0


@mishap("updates twice")
async def _updates_twice(evening: Evening, chance: Random) -> None:
    await _disturb(evening, chance, duplicated=chance.uniform(0.2, 1.0), delay=0.0)


@mishap("updates late")
async def _updates_late(evening: Evening, chance: Random) -> None:
    await _disturb(evening, chance, duplicated=0.0, delay=chance.uniform(1, 20))


async def _disturb(evening: Evening, chance: Random, *, duplicated: float, delay: float) -> None:
    evening.sandbox.faults.disturb_updates(duplicated=duplicated, delay=delay)
    try:
        await asyncio.sleep(chance.uniform(3, 30))
    finally:
        evening.sandbox.faults.disturb_updates(duplicated=0.0, delay=0.0)


# -------------------------------------------------------------------------------------------------- people


@mishap("block")
async def _block(evening: Evening, chance: Random) -> None:
    group = evening.a_group(chance)
    user = chance.choice(group.users)
    people.block(evening.sandbox, user, blocked=True)
    try:
        await asyncio.sleep(chance.uniform(1, 90))
    finally:
        people.start(evening.sandbox, user, None)


@mishap("press twice")
async def _press_twice(evening: Evening, chance: Random) -> None:
    group = evening.a_group(chance)
    user = chance.choice(group.users)
    options = list(group.options(user))
    if options:
        option = chance.choice(options)
        for _ in range(chance.randint(2, 4)):
            group.tap(user, *option)
            await asyncio.sleep(chance.choice((0.0, 0.05, 0.5)))


@mishap("any button")
async def _any_button(evening: Evening, chance: Random) -> None:
    """Somebody presses whatever stands on some message, old or new."""
    group = evening.a_group(chance)
    user = chance.choice(group.users)
    chat = chance.choice((user, group.chat))
    messages = [it for it in evening.sandbox.world.chats[chat].messages.values() if it.sender == BOT]
    options = [(it, *button) for it in messages[-30:] for button in buttons_of(it)]
    if options:
        group.tap(user, *chance.choice(options))


@mishap("write")
async def _write(evening: Evening, chance: Random) -> None:
    group = evening.a_group(chance)
    user = chance.choice(group.users)
    for _ in range(chance.choice((1, 1, 1, 6))):
        group.try_to(people.send, user, chance.choice((group.chat, user)), chance.choice(COMMANDS))
        await asyncio.sleep(chance.uniform(0, 2))


@mishap("deleted message")
async def _delete(evening: Evening, chance: Random) -> None:
    group = evening.a_group(chance)
    message = next(group.newest(chance.choice((group.chat, *group.users))), None)
    if message is not None:
        people.delete(evening.sandbox, message.chat, message.message_id)


@mishap("leave")
async def _leave(evening: Evening, chance: Random) -> None:
    """Somebody but the creator leaves the group, and comes back."""
    group = evening.a_group(chance)
    await _stand(evening, group, chance.choice(group.users[1:]), "left", chance)


@mishap("bot removed")
async def _bot_removed(evening: Evening, chance: Random) -> None:
    await _stand(evening, evening.a_group(chance), BOT, "left", chance)


@mishap("missing right")
async def _missing_right(evening: Evening, chance: Random) -> None:
    await _stand(evening, evening.a_group(chance), BOT, "restricted", chance)


async def _stand(evening: Evening, group: Group, who: int, status: Any, chance: Random) -> None:
    chat = evening.sandbox.world.chats[group.chat]
    rights = (
        {chance.choice(("can_send_messages", "can_send_photos")): False} if status == "restricted" else None
    )
    groups.set_status(evening.sandbox, chat, who, status, rights)
    try:
        await asyncio.sleep(chance.uniform(1, 60))
    finally:
        groups.set_status(evening.sandbox, chat, who, "member")


# ------------------------------------------------------------------------------------------------- process


@mishap("kill")
async def _kill(evening: Evening, chance: Random) -> None:
    """The process is killed at one of its next inputs or outputs."""
    evening.kill_in(chance.choice((1, 2, 3, 5, 8, 20, 50)) + chance.randint(0, 10), chance.uniform(0, 20))


@mishap("restart")
async def _restart(evening: Evening, chance: Random) -> None:
    await evening.restart(chance.uniform(0, 5))
