"""What must be so in a simulated evening, whatever goes wrong.

At once: each card is there once at every step of the log, the log leads to what is stored, nobody loses a
turn before its time, an accepted press is in the log, no message names a card that its reader may not know,
and the bot logs no error. And within the time that Telegram's limits allow: everybody sees what is committed,
every press is answered, no deadline is overdue, and the bot knows who can be reached.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from bot.buttons import BackToHand, Lay, PassTurn, Take
from bot.storage import Storage
from bot.tables.automatic_moves import forced_move, is_mid_turn
from engine import Draw, Move, Pass, Play, turn_stamp
from sandbox import people
from sandbox.control.views import message_view
from sandbox.model import BOT
from tests.e2e.committed import Committed, copied, latest, misplaced_cards, steps
from tests.e2e.looks import compare
from tests.e2e.sights import Message, read_message
from tests.simulation.people import IN_PRIVATE, Group, Press, buttons_of

if TYPE_CHECKING:
    from tests.simulation.evening import Evening

SETTLING_SECONDS = 240.0
"""At most. A call that has failed again and again is made again after a minute."""
LOOK_SECONDS = 2.0
OVERDUE_SECONDS = 15.0
SURELY_DECIDED_SECONDS = 1.5
"""A press that is answered by then is answered with what came of it."""
HELP_SECONDS = 20.0
NEWEST = 200
"""Messages of a chat that are looked at."""
AUTOPILOT_SECONDS = 3.0


class Broken(AssertionError):
    """Something is not as it must be. `kind` is the same for the same kind of fault."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(f"{kind}: {text}")
        self.kind = kind


async def check(evening: Evening) -> None:
    """Wait until everything is as it should be. Raises Broken."""
    now = evening.simulation.loop.time
    give_up_at = now() + SETTLING_SECONDS
    help_at = now()
    left = list(evening.groups)
    while True:
        if evening.simulation.trace.faults:
            raise Broken("an error was logged", evening.simulation.trace.faults[0])
        problems: list[tuple[str, str]] = []
        async with copied(evening.simulation.database) as storage:
            for group in list(left):
                state = await latest(storage, group.chat)
                if state is not None and state.table.match is not None:
                    for kind, text in at_once(state, group):
                        raise Broken(kind, f"{text} (table {state.table.id}, chat {group.chat})")
                found = await in_time(evening, storage, group, state)
                problems += [(kind, f"chat {group.chat}: {text}") for kind, text in found]
                if not found and not press_something(group):
                    left.remove(group)
                elif now() >= help_at:
                    help_along(group, state)
        if not left:
            return
        if now() > give_up_at:
            raise Broken(*problems[0])
        if now() >= help_at:
            help_at += HELP_SECONDS
        await asyncio.sleep(LOOK_SECONDS)


# ---------------------------------------------------------------------------------------------------- at once


def at_once(state: Committed, group: Group) -> Iterator[tuple[str, str]]:
    """What is wrong with what is committed, and can't be right later."""
    played = steps(state)
    if played and played[-1].after != state.match:
        yield "the log does not lead to what is stored", f"after {len(played)} moves"
    for problem in misplaced_cards(state):
        yield "a card is misplaced", problem
    yield from _unjust(state)
    made: dict[tuple[int, int], tuple[int | None, Move]] = {
        turn_stamp(step.before): (step.actor, step.move)
        for step in played
        if isinstance(step.move, Play | Draw | Pass)
    }
    for press in group.presses:
        asked = _move_asked_for(press, state)
        if asked is not None and _accepted(press) and made.get(asked[0]) != asked[1]:
            yield "an accepted press is not in the log", f"{press.user} asked for {press.asked}"


def _move_asked_for(press: Press, state: Committed) -> tuple[tuple[int, int], tuple[int, Move]] | None:
    """The moment, the person and the move; None if it is no move at this table."""
    seat = state.table.seat_of(press.user)
    match press.asked:
        case Lay(table=table, stamp=stamp, card=card, suit=suit) if seat is not None:
            move: Move = Play(seat, card, suit)
        case Take(table=table, stamp=stamp) if seat is not None:
            move = Draw(seat)
        case PassTurn(table=table, stamp=stamp) if seat is not None:
            move = Pass(seat)
        case _:
            return None
    return ((stamp.round, stamp.move), (press.user, move)) if table == state.table.id else None


def _accepted(press: Press) -> bool:
    """It was answered at once, with nothing to read; what takes long is answered before it is decided."""
    if press.answered_at is None or press.answered_at - press.at > SURELY_DECIDED_SECONDS:
        return False
    answer = press.query.answer.result()
    return answer is not None and answer.text is None


def _unjust(state: Committed) -> Iterator[tuple[str, str]]:
    """Turns that the clock has ended too early."""
    began_at, limit = 0.0, state.table.settings.turn_seconds
    own_turns: dict[int, bool] = {}
    for step in steps(state):
        before = step.before.round
        if before is not None and isinstance(step.move, Play | Draw | Pass):
            seat = before.turn.seat
            if step.actor is None and forced_move(step.before) is None and not is_mid_turn(step.before):
                took = step.at - began_at
                was_there = own_turns.get(seat, False)
                least = limit if was_there and limit is not None else AUTOPILOT_SECONDS
                if took < least - 0.01:
                    yield (
                        "a turn was ended too early",
                        f"{step.move} at {turn_stamp(step.before)} after {took:.2f} s",
                    )
            if not is_mid_turn(step.before):
                own_turns[seat] = step.actor is not None
        after = step.after.round
        if isinstance(step.move, Play | Draw | Pass) or (before and before.turn.seat) != (
            after and after.turn.seat
        ):
            began_at = step.at  # somebody else who leaves gives the mover no new time


# --------------------------------------------------------------------------------------------------- in time


async def in_time(
    evening: Evening, storage: Storage, group: Group, state: Committed | None
) -> list[tuple[str, str]]:
    """What is not as it should be yet."""
    world, loop = evening.sandbox.world, evening.simulation.loop
    found = [
        ("a press is not answered", f"{press.user} asked for {press.asked}")
        for press in group.presses
        if press.answered_at is None and press.at >= evening.calm_since
    ]
    for user, person in (await storage.people.get_many(group.users)).items():
        if person.reachable != (world.users[user].started and not world.users[user].blocked):
            found.append(("the bot does not know who can be reached", f"{user}: {person.reachable}"))
    if state is None:
        return found
    deadline = state.table.deadline
    if deadline is not None and deadline.at < loop.wall() - OVERDUE_SECONDS:
        found.append(("a deadline is overdue", f"{deadline.kind} by {loop.wall() - deadline.at:.0f} s"))
    comparison = compare(_Onlooker(group), state)
    found += [("a message does not show what is so", text) for text in comparison.missing]
    for message in comparison.surplus:
        stored = world.chats[message.chat].messages[message.message_id]
        can_be_played_from = any(isinstance(asked, IN_PRIVATE) for _, asked in buttons_of(stored))
        if (
            can_be_played_from
            and (message.chat, message.message_id) not in evening.simulation.network.unheard
        ):
            found.append(("a second hand", f"{message.message_id} in {message.chat}: {message.text}"))
    return found


def press_something(group: Group) -> bool:
    """Have somebody go on in a group that has come to rest, once after each storm; it must be answered."""
    options = [(user, *option) for user in group.users for option in group.options(user)]
    if group.has_gone_on or not options:
        return False
    group.has_gone_on = True
    group.tap(*options[0])
    return True


def help_along(group: Group, state: Committed | None) -> None:
    """People put right what only they can: they ask for what was deleted, and leave the choice of a suit."""
    for user in group.users:
        for message, data, asked in group.options(user):
            if isinstance(asked, BackToHand):
                group.tap(user, message, data, asked)
    for shown in () if state is None else state.shown.values():
        if shown.message_id not in group.sandbox.world.chats[shown.chat_id].messages:
            user, command = (shown.chat_id, "/hand") if shown.chat_id > 0 else (group.users[0], "/table")
            group.try_to(people.send, user, shown.chat_id, command)


@dataclass(frozen=True, slots=True)
class _Onlooker:
    """Sees what a group's people see."""

    group: Group

    def newest(self, chat: int) -> Iterator[Message]:
        """The bot's newest messages in a chat, the newest first."""
        world = self.group.sandbox.world
        for message in islice(reversed(world.chats[chat].messages.values()), NEWEST):
            if message.sender == BOT and message.service is None:
                yield read_message(chat, message_view(world, message))
