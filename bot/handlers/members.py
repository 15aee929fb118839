"""People's status in groups: from updates, and from look-ups where there are none.

In the group itself, Telegram ensures that only members can act. Private chats say nothing about membership,
and `chat_member` updates come only where the bot is an admin. So a person is looked up before they sit down
or chat at a table from a private chat, and occasionally while they play. A person who is no longer in the
group leaves its tables.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from telegram import ChatMember, ChatMemberRestricted
from telegram.constants import ChatMemberStatus

from bot.handlers.bot_permissions import is_present
from bot.handlers.member_cache import MemberStatus
from bot.handlers.services import Services
from bot.tables import transitions
from bot.tables.refusals import Refusal, Refused


def status_of(member: ChatMember) -> MemberStatus:
    """Convert Telegram's object to a status."""
    if not is_present(member):
        return MemberStatus.OUT
    if isinstance(member, ChatMemberRestricted) and not member.can_send_messages:
        return MemberStatus.MUTED
    return MemberStatus.FREE


async def member_status(services: Services, chat_id: int, user_id: int) -> MemberStatus | None:
    """Return this person's status in the group; None if Telegram has never reported it.

    This may make an API call, so callers must not let people trigger it at will. If the look-up fails, which
    is possible where the bot is no admin (https://core.telegram.org/bots/api#getchatmember), the last status
    counts.
    """
    members = services.members
    if not members.is_fresh(chat_id, user_id, services.now()):
        members.learn(chat_id, user_id, await _ask(services, chat_id, user_id), services.now())
    return members.last_status(chat_id, user_id)


async def require_member(services: Services, chat_id: int, user_id: int) -> None:
    """Raise Refusal (not_member) if this person is, or was last known to be, out of the group.

    An unknown status passes: invitations and subscriptions are obtained in the group, and are dropped as soon
    as Telegram reports that the person has left.
    """
    if chat_id < 0 and not await _check_member(services, chat_id, user_id):
        raise Refusal(Refused.NOT_MEMBER)


async def require_unmuted(services: Services, chat_id: int, user_id: int) -> None:
    """Raise Refusal (not_member, muted) if this person is, or was last known to be, out or muted.

    An unknown status passes: otherwise nobody could chat where a group hides its members. A person once known
    to be muted stays so until Telegram reports otherwise. In a group closed by its default permissions only
    admins may write, whatever a member's own exceptions say (TDLib:
    DialogParticipantStatus::apply_restrictions); rights_unknown if it is not known who they are.
    """
    await require_member(services, chat_id, user_id)
    if chat_id > 0:
        return
    if services.members.last_status(chat_id, user_id) is MemberStatus.MUTED:
        raise Refusal(Refused.MUTED)
    if await services.lookups.is_closed(chat_id):
        admins = await services.lookups.admins(chat_id)
        if admins is None:
            raise Refusal(Refused.RIGHTS_UNKNOWN)
        if user_id not in admins:
            raise Refusal(Refused.MUTED)


def watch(services: Services, chat_id: int, user_id: int) -> None:
    """Look this person up in the background if their status has not been confirmed for long.

    If the look-up fails, nothing changes.
    """
    if chat_id < 0 and services.members.is_due(chat_id, user_id, services.now()):
        services.background.start(_check_all(services, chat_id, [user_id]))


async def check_membership(services: Services, table_id: str) -> None:
    """Look up everybody at a table, after they were seated without pressing a button, as in a rematch.

    People whose status is unknown stay.
    """
    chat_id = await services.queries.chat_of(table_id)
    view = await services.queries.view(table_id, None)
    people = [player.user_id for player in view.players if player.level is None]
    await _check_all(services, chat_id, people)


async def handle_departure(services: Services, chat_id: int, user_id: int) -> None:
    """Remove a person who has left the group from its tables, and drop their invitations and subscription."""
    services.members.learn(chat_id, user_id, MemberStatus.OUT, services.now())
    await services.storage.subscriptions.remove(user_id, chat_id)
    await services.storage.invites.drop(user_id, chat_id)
    await services.tables.change_in(chat_id, transitions.depart, user_id)


async def _check_all(services: Services, chat_id: int, people: Sequence[int]) -> None:
    await asyncio.gather(*(_check_member(services, chat_id, user_id) for user_id in people))


async def _check_member(services: Services, chat_id: int, user_id: int) -> bool:
    """Return whether this person is in the group, as far as known; handle their departure if not."""
    if await member_status(services, chat_id, user_id) is not MemberStatus.OUT:
        return True
    await handle_departure(services, chat_id, user_id)
    return False


async def _ask(services: Services, chat_id: int, user_id: int) -> MemberStatus | None:
    """Look up a status; None if Telegram does not answer.

    A person who has not been banned from a public group counts as `FREE` without being a member, because
    everybody can read such a group and comment under a channel's post without joining.
    """
    member = await services.lookups.member(chat_id, user_id)
    if member is None:
        return None
    status = status_of(member)
    if status is MemberStatus.OUT and member.status != ChatMemberStatus.BANNED:
        chat = await services.storage.chats.get(chat_id)
        return MemberStatus.FREE if chat is not None and chat.username else status
    return status
