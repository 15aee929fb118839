"""Why a table does not do what somebody asked: the reasons that the words for errors hang on.

A refusal is an ordinary answer, not a fault: nothing has changed, and the person is told in a toast. Refusals
of the engine (`engine.Reason`) travel in the same exception.
"""

from __future__ import annotations

from enum import StrEnum

from engine import Move, Reason


class Refused(StrEnum):
    """Reasons that are about tables, not about cards."""

    TABLE_GONE = "table_gone"
    """No such table, or data that no button of ours carries."""
    TABLE_OVER = "table_over"
    ELSEWHERE = "elsewhere"
    """The table stands in another chat than the one in which something was pressed."""
    STALE = "stale"
    """The button belongs to an earlier state."""
    NOT_SEATED = "not_seated"
    STRANGER = "stranger"
    """Wants to see a hand without having a seat in the running match, but could take one."""
    NOT_DEALT_IN = "not_dealt_in"
    """Waits for the next deal."""
    NOT_HOST = "not_host"
    MAY_NOT_DEAL = "may_not_deal"
    """Only the host and admins start the match, unless the host is silent."""
    NOT_ADMIN = "not_admin"
    RIGHTS_UNKNOWN = "rights_unknown"
    """The request needs admin rights, and Telegram did not say whether the person has them."""
    PLACE_TAKEN = "place_taken"
    """Another table runs where this one is to go on."""
    TABLE_FULL = "table_full"
    TOO_MANY_SEATED = "too_many_seated"
    """More people sit in the lobby than the rules that were asked for have seats for."""
    ALREADY_SEATED = "already_seated"
    NOT_IN_LOBBY = "not_in_lobby"
    NEED_TWO = "need_two"
    NO_PRIVATE_CHAT = "no_private_chat"
    NO_TABLE = "no_table"
    IN_GROUP = "in_group"
    """It was typed in private, and is about a group's table."""
    AT_NO_TABLE = "at_no_table"
    NO_MATCH_YET = "no_match_yet"
    """Has played no match to its end."""
    UNKNOWN_COMMAND = "unknown_command"
    NO_CARDS = "no_cards"
    """Is seated, but has not been dealt any cards yet."""
    MATCH_RUNNING = "match_running"
    NOT_BETWEEN = "not_between"
    YOU_ARE_OUT = "you_are_out"
    NOT_YOUR_TURN = "not_your_turn"
    NOTHING_TO_LEAVE = "nothing_to_leave"
    KEEP_IT = "keep_it"
    """In the trial hand: a card that fits, but is needed later."""
    REMOVED = "removed"
    """Was asked to leave this table, and has not been let back."""
    NOT_REMOVED = "not_removed"
    """Whom one wants to let back may sit down already."""
    NOT_AT_TABLE = "not_at_table"
    """Whom one wants to ask to leave has left already."""
    ALONE = "alone"
    """There is nobody else to be asked to leave."""
    YOURSELF = "yourself"
    """One asks oneself to leave: that has a question of its own."""
    NOT_AT_YOUR_TABLE = "not_at_your_table"
    """Only people at a table may invite computer players and send them off."""
    TWO_ARE_LEFT = "two_are_left"
    """With two players left, only one who is away may be kicked."""
    VOTE_RUNNING = "vote_running"
    NOT_A_VOTER = "not_a_voter"
    TOO_FEW_VOTERS = "too_few_voters"
    """Nobody else could vote, and one person alone decides nothing."""
    NO_TALK = "no_talk"
    """The group does not want to read what players write to the bot."""
    NOBODY_LISTENS = "nobody_listens"
    """One plays alone: there is nobody to be told anything."""
    TOO_SOON = "too_soon"
    """Has said something just now."""
    NOT_MEMBER = "not_member"
    """Is not in the group of the table any more."""
    MUTED = "muted"
    """May not write in the group, so may not talk at its table either."""
    BANISHED = "banished"
    """The bot is not in the group, so its table does not go on."""
    NO_NUDGE = "no_hurry"
    """There is nobody to hurry on, or it is too early to do so (again)."""
    NOT_ASKED = "not_asked"
    """The question is somebody else's."""
    NO_HINTS = "no_hints"
    """The group plays without hints."""
    NO_ROUNDS = "no_rounds"
    """No round has been played to its end, so there is nothing to draw."""
    NOT_YOURS = "not_yours"
    """Somebody else's record."""
    NO_NAME = "no_name"
    """Rules are to be saved under no name, or under one of which nothing can be seen."""
    TOO_MANY_RULE_SETS = "too_many_rule_sets"
    RULES_GONE = "rules_gone"
    """Saved rules that were deleted, or a link to rules that never were."""
    INVITE_GONE = "invite_gone"
    """A deep link that was made for somebody else, or for a table that is over."""


class Refusal(Exception):
    """The table stays as it is. `move` is what the engine refused, where it was the engine.

    `who` is the name of the person who may do what was refused, where there is one.
    """

    def __init__(self, reason: Refused | Reason, move: Move | None = None, who: str = "") -> None:
        super().__init__(str(reason))
        self.reason = reason
        self.move = move
        self.who = who
