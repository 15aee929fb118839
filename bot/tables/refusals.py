"""Refusals: the reasons why a table does not do what somebody asked. Their texts are keyed by the reason.

A refusal is a normal answer, not an error: nothing has changed, and the person gets a toast. Refusals of the
engine (`engine.Reason`) use the same exception.
"""

from __future__ import annotations

from enum import StrEnum

from engine import Move, Reason


class Refused(StrEnum):
    """Reasons that concern tables rather than cards."""

    TABLE_GONE = "table_gone"
    """No such table, or invalid button data."""
    TABLE_OVER = "table_over"
    ELSEWHERE = "elsewhere"
    """The table belongs to another chat than the one of the press."""
    STALE = "stale"
    """The button belongs to an earlier state."""
    NOT_SEATED = "not_seated"
    STRANGER = "stranger"
    """Wants to see a hand without a seat in the running match, but could take one."""
    NOT_DEALT_IN = "not_dealt_in"
    """Waits for the next deal."""
    NOT_HOST = "not_host"
    MAY_NOT_DEAL = "may_not_deal"
    """Only the host and admins start the match, unless the host is silent."""
    NOT_ADMIN = "not_admin"
    RIGHTS_UNKNOWN = "rights_unknown"
    """The request needs admin rights, and Telegram did not say whether the person has them."""
    PLACE_TAKEN = "place_taken"
    """Another table runs in the place this one should move to."""
    TABLE_FULL = "table_full"
    TOO_MANY_SEATED = "too_many_seated"
    """More people sit in the lobby than the requested rules have seats for."""
    ALREADY_SEATED = "already_seated"
    NOT_IN_LOBBY = "not_in_lobby"
    NEED_TWO = "need_two"
    NO_PRIVATE_CHAT = "no_private_chat"
    NO_TABLE = "no_table"
    IN_GROUP = "in_group"
    """A command about a group's table was sent in private."""
    AT_NO_TABLE = "at_no_table"
    NO_MATCH_YET = "no_match_yet"
    """Has finished no match yet."""
    UNKNOWN_COMMAND = "unknown_command"
    NO_CARDS = "no_cards"
    """Is seated, but has not been dealt any cards yet."""
    MATCH_RUNNING = "match_running"
    NOT_BETWEEN = "not_between"
    YOU_ARE_OUT = "you_are_out"
    NOT_YOUR_TURN = "not_your_turn"
    NOTHING_TO_LEAVE = "nothing_to_leave"
    KEEP_IT = "keep_it"
    """In the tutorial: a card that fits, but is needed later."""
    REMOVED = "removed"
    """Was asked to leave this table and has not been let back."""
    NOT_REMOVED = "not_removed"
    """The person to be let back may already sit down."""
    NOT_AT_TABLE = "not_at_table"
    """The person to be asked to leave has already left."""
    ALONE = "alone"
    """There is nobody else to ask to leave."""
    YOURSELF = "yourself"
    """People can't ask themselves to leave; leaving has its own question."""
    NOT_AT_YOUR_TABLE = "not_at_your_table"
    """Only people at a table may add and remove computer players."""
    TWO_ARE_LEFT = "two_are_left"
    """With two players left, only one who is away may be kicked."""
    VOTE_RUNNING = "vote_running"
    NOT_A_VOTER = "not_a_voter"
    TOO_FEW_VOTERS = "too_few_voters"
    """Nobody else could vote, and one person alone decides nothing."""
    NO_TALK = "no_talk"
    """The group has turned table talk off."""
    NOBODY_LISTENS = "nobody_listens"
    """At a solo table nobody reads table talk."""
    TOO_SOON = "too_soon"
    """Said something only a moment ago."""
    NOT_MEMBER = "not_member"
    """Is not in the group of the table any more."""
    MUTED = "muted"
    """May not write in the group, so may not talk at its table either."""
    BANISHED = "banished"
    """The bot is not in the group, so its table does not go on."""
    NO_NUDGE = "no_hurry"
    """There is nobody to nudge, or it is too early to do so (again)."""
    NOT_ASKED = "not_asked"
    """The question is for somebody else."""
    NO_HINTS = "no_hints"
    """The group plays without hints."""
    NO_ROUNDS = "no_rounds"
    """No round has been finished, so there is nothing to draw."""
    NOT_YOURS = "not_yours"
    """The record belongs to somebody else."""
    NO_NAME = "no_name"
    """The name for saved rules is empty or invisible."""
    TOO_MANY_RULE_SETS = "too_many_rule_sets"
    RULES_GONE = "rules_gone"
    """Saved rules that were deleted, or a link to rules that never existed."""
    INVITE_GONE = "invite_gone"
    """A deep link made for somebody else, or for a table that is over."""


class Refusal(Exception):
    """The table stays as it is. `move` is the refused move, if the engine refused one.

    `who` is the name of the person who may do what was refused, if there is one.
    """

    def __init__(self, reason: Refused | Reason, move: Move | None = None, who: str = "") -> None:
        super().__init__(str(reason))
        self.reason = reason
        self.move = move
        self.who = who
