"""People of the forged world by role, the chats they press in, and the right buttons for its tables."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from bot.buttons import CallbackData, Choose, OpenLesson, SendOff, TryCard
from bot.handlers.answer import Press
from bot.handlers.visitor import Visitor
from bot.settings import CHOICES, HandOrder
from bot.tables.lifecycle import TablePhase
from bot.tables.model import Table
from bot.tables.tutorial import TutorialStep
from engine import Play, Stamp, legal, parse_card, turn_stamp
from tests.bot.handlers.forged_world import ADMIN, ELSEWHERE, STRANGERS, World

MEMBERS = (1, 2, 3, 4)


def people_at(world: World, table: Table) -> dict[str, int]:
    """A person for each role that there is at this table: «called» is a member who asked to be called."""
    found: dict[str, int] = {}
    for user_id in MEMBERS:
        role = _role(table, user_id)
        is_called = role == "member" and (user_id, table.chat_id) in world.subscriptions
        found.setdefault("called" if is_called else role, user_id)
    return {**found, "admin": ADMIN, "stranger": STRANGERS[1]}


def _role(table: Table, user_id: int) -> str:
    seat = table.seat_of(user_id)
    if table.phase is TablePhase.PLAYING:
        assert table.match is not None
        assert table.match.round is not None
        if table.match.round.turn.seat == seat:
            return "mover"
    if user_id == table.host:
        return "host"
    if seat is not None:
        return "seated"
    return "waiting" if table.is_waiting(user_id) else "member"


def chats_of(table: Table, user_id: int) -> dict[str, int]:
    """Return the chats to press in: the table's group, the private chat, another group of theirs."""
    if user_id in STRANGERS:
        return {"private": user_id, "other": ELSEWHERE}
    return {"group": table.chat_id, "private": user_id, "other": -8 if table.chat_id != -8 else -7}


def press_by(world: World, user_id: int, chat_id: int) -> Press:
    """Return a press by this person in this chat, on a message that has no such button."""
    words = world.services.catalogues["ru"]
    visitor = Visitor(user_id, "Имя", chat_id, 0, chat_id > 0, True, words, words, HandOrder.SUIT)
    return Press(visitor, message_id=7, is_on_it=False)


def right_button(world: World, kind: type[CallbackData] | str, table: Table, user_id: int) -> CallbackData:
    """The button of this kind, or for this setting, that this table has for this person at this moment."""
    if isinstance(kind, str):
        return Choose(kind, CHOICES[kind].values[0])
    stamp, card, suit = Stamp(1, 0), 0, None
    if table.match is not None:
        stamp = turn_stamp(table.match)
        if table.match.round is not None:
            moves = legal(table.match, table.match.round.turn.seat)
            play = next((move for move in moves if isinstance(move, Play)), None)
            if play is not None:
                card, suit = play.card, play.suit
    values: dict[str, Any] = {
        "table": table.id,
        "stamp": stamp,
        "round": stamp.round,
        "card": card,
        "suit": suit,
        "user_id": user_id,
        "target": 3,
        "number": 1 if kind is SendOff or table.vote is None else table.vote.number,
        "token": world.token,
        "at": 17,
        "step": 0,
        "opponents": 1,
        "message_id": 7,
        "level": "easy",
        "preset": "classic",
        "chapter": "",
        "language": "ru",
        "setting": "limit",
        "value": "101",
        "key": "K",
        "effect": "skip",
        "rank": "K",
    }
    if kind is TryCard:
        values |= {"step": TutorialStep.MATCH.value, "card": parse_card("JH"), "suit": None}
    made: dict[str, Any] = {}
    for it in fields(kind):
        if it.name == "page":
            made["page"] = 0 if it.type == "int" else "idea" if kind is OpenLesson else ""
        else:
            made[it.name] = values.get(it.name, True)
    return kind(**made)
