"""The desired messages of a table and what they should show: a pure function of its views.

Each message has a key. The group has `board:<n>` (0 is the lobby; each round has its own, which becomes that
round's result), `vote:<n>` and `end`; each reachable person has `hand:<user id>`. Once the next round is
played, a result is history: it gets its final form, without buttons, and stays in the chat. Any other shown
message that is no longer desired is deleted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from bot.locales import Translator
from bot.messages.kinds import ENDS, Kind
from bot.messages.rate_limit import Priority
from bot.screens.cut import before_first_deal
from bot.screens.hand import hand
from bot.screens.lobby import closed_lobby, lobby
from bot.screens.result import match_end, result, stopped
from bot.screens.screen import Context, Screen
from bot.screens.solo import solo
from bot.screens.table import table
from bot.screens.vote import vote
from bot.settings import HandOrder
from bot.tables.lifecycle import Ending, TablePhase
from bot.tables.queries import TableLocation
from bot.tables.view import TableView

END = "end"

_KINDS = {"board": Kind.ROUND, "vote": Kind.VOTE, END: Kind.MATCH_END, "hand": Kind.HAND}


@dataclass(frozen=True, slots=True)
class DesiredMessage:
    """A message as it should be.

    `silent`: it arrives without a notification. `is_needed`: it is sent if it does not exist. `is_result`: it
    shows how a round has ended. `passes_at`: when an automatic move will change it (unix seconds; 0: none).
    """

    chat_id: int
    thread_id: int
    screen: Screen
    priority: Priority
    silent: bool
    is_needed: bool = True
    is_result: bool = False
    passes_at: float = 0.0


@dataclass(frozen=True, slots=True)
class Reader:
    """A person at the table who gets messages."""

    tr: Translator
    reachable: bool
    sound: bool
    hand_order: HandOrder = HandOrder.SUIT


def board_key(number: int) -> str:
    """The key of the group's message for a round; 0 for the lobby."""
    return f"board:{number}"


def hand_key(user_id: int) -> str:
    """The key of a person's private message."""
    return f"hand:{user_id}"


def kind_of_key(key: str) -> Kind | None:
    """The kind of a table's message; None for a superseded one."""
    return Kind.LOBBY if key == board_key(0) else _KINDS.get(key.partition(":")[0])


def is_for_good(key: str) -> bool:
    """Return whether a message with this key stays in the chat when it is no longer desired."""
    kind = kind_of_key(key)
    return kind is not None and not ENDS[kind]


def desired_messages(
    place: TableLocation,
    group: TableView,
    hands: Mapping[int, TableView],
    tr: Translator,
    readers: Mapping[int, Reader],
    choosing: Mapping[int, int],
    context: Context,
) -> dict[str, DesiredMessage]:
    """Return every desired message, by key.

    `hands` are the views of the people at the table and `readers` what is known of them, by user id;
    `choosing` holds the wild for which somebody is choosing a suit; `tr` is the group's translator.
    """
    desired = _group_messages(place, group, tr, context)
    if group.game is None:
        return desired
    if group.is_solo:  # its board is in the one hand
        return _alone_messages(hands, readers, choosing, context)
    passes_at = _passes_at(group)
    for user_id, view in hands.items():
        reader = readers[user_id]
        # People who wait for a deal get a message only when there will be none, and until a rematch.
        is_told = view.you is not None or (view.phase is TablePhase.OVER and not view.rematched)
        if not (reader.reachable and is_told):
            continue
        own = replace(context, hand_order=reader.hand_order)
        screen = hand(view, reader.tr, own, choosing.get(user_id))
        priority = Priority.MOVER if screen.notifies else Priority.WATCHER
        silent = not (screen.notifies and reader.sound)
        desired[hand_key(user_id)] = DesiredMessage(user_id, 0, screen, priority, silent, passes_at=passes_at)
    return desired


def _passes_at(group: TableView) -> float:
    """Return when an automatic move will change the table; 0: none will."""
    return group.deadline.at if group.forced and group.deadline is not None else 0.0


def _group_messages(
    place: TableLocation, group: TableView, tr: Translator, context: Context
) -> dict[str, DesiredMessage]:
    """Return the desired messages of the group."""
    return {
        found.key: DesiredMessage(
            place.chat_id,
            place.thread_id,
            found.screen,
            Priority.GROUP if found.is_needed else Priority.HISTORY,
            silent=not found.screen.notifies,
            is_needed=found.is_needed,
            is_result=found.is_result,
            passes_at=_passes_at(group),
        )
        for found in (*_group_screens(group, tr, context), *_vote_screens(group, tr))
    }


def _alone_messages(
    hands: Mapping[int, TableView],
    readers: Mapping[int, Reader],
    choosing: Mapping[int, int],
    context: Context,
) -> dict[str, DesiredMessage]:
    """Return the one message of a solo game: the hand, which shows the table too. It never notifies."""
    desired = {}
    for user_id, view in hands.items():
        reader = readers[user_id]
        if not reader.reachable:
            continue
        own = replace(context, hand_order=reader.hand_order)
        screen = solo(view, reader.tr, own, choosing.get(user_id))
        desired[hand_key(user_id)] = DesiredMessage(user_id, 0, screen, Priority.MOVER, silent=True)
    return desired


@dataclass(frozen=True, slots=True)
class _OfGroup:
    """One of the group's messages; see `DesiredMessage`."""

    key: str
    screen: Screen
    is_needed: bool = True
    is_result: bool = False


def _group_screens(view: TableView, tr: Translator, context: Context) -> Iterator[_OfGroup]:
    """Return the group's board and results; none while the bot is not in the group."""
    if view.banished:
        return
    game = view.game
    if game is None:
        screen = (
            closed_lobby(view, tr, context) if view.phase is TablePhase.OVER else lobby(view, tr, context)
        )
        yield _OfGroup(board_key(0), screen)
        return
    board = board_key(game.number)
    if view.phase in (TablePhase.CUTTING, TablePhase.ASLEEP) and game.number == 0:
        yield _OfGroup(board, before_first_deal(view, tr, context))
        return
    match view.phase:
        case TablePhase.PLAYING | TablePhase.ASLEEP if game.round is not None:
            yield _OfGroup(board, table(view, tr, context))
            if view.rounds:
                final = result(view, tr, context, final=True)
                yield _OfGroup(board_key(view.rounds[-1].number), final, is_needed=False, is_result=True)
        case TablePhase.BETWEEN | TablePhase.CUTTING | TablePhase.ASLEEP:
            yield _OfGroup(board, result(view, tr, context), is_result=True)
        case TablePhase.OVER if view.ending is Ending.FINISHED:
            yield _OfGroup(board, result(view, tr, context, final=True), is_result=True)
            yield _OfGroup(END, match_end(view, tr, context))
        case TablePhase.OVER:
            yield _OfGroup(board, stopped(view, tr, context), is_result=True)


def _vote_screens(view: TableView, tr: Translator) -> Iterator[_OfGroup]:
    """Return the open vote, or once its outcome. The end of a table shows its own vote."""
    if view.vote is not None and not view.is_ended_by_vote and not view.banished:
        yield _OfGroup(f"vote:{view.vote.number}", vote(view, tr), is_needed=view.vote.verdict is None)
