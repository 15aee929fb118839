"""All kinds of messages that the bot sends, and what ends each; a message that nothing ends stays.

No message is sent without a kind. A table's message has its kind by its key (`desired`). Any other has a
slot: its kind and, where a chat can have several of a kind, what distinguishes them: a person, a table. Each
slot's message is stored (`storage.replies`), so that it ends after a restart too. `executor` ends messages
that belong to a table, `handlers.endings` all others.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, StrEnum, auto
from typing import Final, NewType

Slot = NewType("Slot", str)
"""A kind, optionally with what distinguishes its messages in one chat: «score», «stats:5»."""


class End(Enum):
    """An end of a message: it is deleted then, or loses its buttons if it is too old for that."""

    STATE = auto()
    """Its table's state no longer wants it; until then it is edited along with the state."""
    NEXT = auto()
    """The next message of its slot replaces it."""
    PRESS = auto()
    """It is answered or dismissed."""
    STAGE = auto()
    """Its table goes on: from the lobby to the match, or to its end."""
    OVER = auto()
    """Its table is over."""
    SEATED = auto()
    """The person it is for has a place at its table."""
    UNSEATED = auto()
    """Its reader has no place at its table any more."""
    DEAL = auto()
    """Its reader is dealt cards, and a hand takes its place at the bottom of the chat."""
    MATCH = auto()
    """A match begins in its group or topic."""
    LANGUAGE = auto()
    """Its chat chooses another language."""


class Kind(StrEnum):
    """The kinds. Their values are stored."""

    # A table's messages.
    LOBBY = "lobby"
    ROUND = "round"
    """It becomes its round's result, and loses its buttons when the next one is dealt."""
    VOTE = "vote"
    MATCH_END = "end"
    HAND = "hand_message"

    # Answers to commands and texts.
    SCORE = "score"
    CHART = "chart"
    RULES = "rules"
    HELP = "help"
    FAIR = "fair"
    TOP = "top"
    STATS = "stats"
    HANDS_SENT = "hand"
    OWN_TABLES = "tables"
    """A link to one's tables, or to a first one."""
    WELCOME = "welcome"
    TALK = "talk"
    """The outcome of a text that somebody wrote in private."""
    SUBSCRIPTION = "bell"
    """The confirmation of a subscription or its end."""
    PRIVATE_ONLY = "private"
    ANONYMOUS_SENDER = "masked"
    WRITE_FORBIDDEN = "barred"
    REFUSAL = "refusal"
    """Why a command was refused; also for internal errors."""
    FILE = "file"
    LATE = "late"
    """An answer that came too late for its press."""

    # Menus, questions and links onwards.
    SETTINGS = "settings"
    LANGUAGES = "language"
    COMPUTERS = "computers"
    OPPONENTS = "play"
    LESSON = "lesson"
    LEAVE_QUESTION = "ask:leave"
    KICK_QUESTION = "ask:kick"
    STOP_QUESTION = "ask:stop"
    TALK_QUESTION = "ask:talk"
    INVITATION = "invitation"
    """For a person who wants to sit down and has not started the bot."""

    # Unsolicited messages.
    TABLE_OPENED = "call"
    """The notification that a table has been opened."""
    SEATED = "seated"
    GROUP_WELCOME = "group_welcome"
    ALERT = "alert"


_QUESTION = {End.NEXT, End.PRESS}

ENDS: Final[Mapping[Kind, frozenset[End]]] = {
    kind: frozenset(ends)
    for kind, ends in {
        Kind.LOBBY: {End.STATE},
        Kind.ROUND: set[End](),
        Kind.VOTE: {End.STATE},
        Kind.MATCH_END: set[End](),
        Kind.HAND: {End.STATE},
        Kind.SCORE: {End.NEXT},
        Kind.CHART: {End.NEXT},
        Kind.RULES: {End.NEXT},
        Kind.HELP: {End.NEXT},
        Kind.FAIR: {End.NEXT},
        Kind.TOP: {End.NEXT},
        Kind.STATS: {End.NEXT},
        Kind.HANDS_SENT: {End.NEXT},
        Kind.OWN_TABLES: {End.NEXT, End.DEAL},
        Kind.WELCOME: {End.NEXT, End.DEAL},
        Kind.TALK: {End.NEXT, End.DEAL},
        Kind.SUBSCRIPTION: {End.NEXT},
        Kind.PRIVATE_ONLY: {End.NEXT},
        Kind.ANONYMOUS_SENDER: {End.NEXT},
        Kind.WRITE_FORBIDDEN: {End.NEXT},
        Kind.REFUSAL: {End.NEXT},
        Kind.FILE: set[End](),
        Kind.LATE: {End.NEXT},
        Kind.SETTINGS: {End.NEXT, End.PRESS, End.MATCH, End.LANGUAGE},
        Kind.LANGUAGES: {End.NEXT, End.MATCH, End.LANGUAGE},
        Kind.COMPUTERS: {End.NEXT, End.PRESS, End.STAGE, End.LANGUAGE},
        Kind.OPPONENTS: {End.NEXT, End.PRESS, End.DEAL, End.LANGUAGE},
        Kind.LESSON: {End.NEXT, End.DEAL},
        Kind.LEAVE_QUESTION: _QUESTION | {End.OVER},
        Kind.KICK_QUESTION: _QUESTION | {End.OVER},
        Kind.STOP_QUESTION: _QUESTION | {End.STAGE},
        Kind.TALK_QUESTION: _QUESTION | {End.OVER},
        Kind.INVITATION: {End.NEXT, End.STAGE, End.SEATED},
        Kind.TABLE_OPENED: {End.NEXT, End.PRESS, End.STAGE},
        Kind.SEATED: {End.NEXT, End.STAGE, End.DEAL, End.UNSEATED},
        Kind.GROUP_WELCOME: set[End](),
        Kind.ALERT: set[End](),
    }.items()
}


def slot(kind: Kind, *apart: object) -> Slot:
    """Return the slot of a message of this kind: with a person's id, a table's, or another discriminator."""
    return Slot(":".join([kind, *map(str, apart)]))


def kind_of(of: str) -> Kind | None:
    """Return the kind of a slot; None for a kind of an earlier version of the bot that no longer exists."""
    head, _, rest = of.partition(":")
    for word in (f"{head}:{rest.partition(':')[0]}", head):
        if word in tuple(Kind):
            return Kind(word)
    return None


def kinds_ended_by(*ends: End) -> frozenset[Kind]:
    """Return the kinds that any of these ends."""
    return frozenset(kind for kind, its in ENDS.items() if its.intersection(ends))
