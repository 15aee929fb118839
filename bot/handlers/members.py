"""How people stand in a group: what updates tell, and what Telegram is asked where none has come.

In the group itself Telegram sees to it that only members are heard. What is pressed or written in private
says nothing of it, and `chat_member` updates come only where the bot is an admin. So Telegram is asked before
somebody sits down from a private chat and before words go from there to the table, and now and then while
somebody plays. Whoever turns out to be gone leaves the group's tables.
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


def standing_of(member: ChatMember) -> MemberStatus:
    """What Telegram's object says."""
    if not is_present(member):
        return MemberStatus.OUT
    if isinstance(member, ChatMemberRestricted) and not member.can_send_messages:
        return MemberStatus.MUTED
    return MemberStatus.FREE


async def look_up(services: Services, chat_id: int, user_id: int) -> MemberStatus | None:
    """How this person stands in the group; None where Telegram has never told.

    Each call may cost one of Telegram's: callers see to it that nobody can have it made at will. Where
    Telegram does not tell now (it need not where the bot is no admin:
    https://core.telegram.org/bots/api#getchatmember), its last word counts.
    """
    members = services.members
    if not members.is_settled(chat_id, user_id, services.now()):
        members.learn(chat_id, user_id, await _ask(services, chat_id, user_id), services.now())
    return members.last(chat_id, user_id)


async def require_member(services: Services, chat_id: int, user_id: int) -> None:
    """Raises Refusal: not_member, where Telegram says or has said last that this person is out of the group.

    Not known passes: whoever holds an invitation or a bell got it in the group, and both are gone as soon as
    Telegram tells of the departure.
    """
    if chat_id < 0 and not await _stays(services, chat_id, user_id):
        raise Refusal(Refused.NOT_MEMBER)


async def require_unmuted(services: Services, chat_id: int, user_id: int) -> None:
    """Raises Refusal: not_member, or muted where Telegram says or has said last that they may not write.

    Not known passes: else nobody could talk where a group hides its members. Whoever was known to be muted
    stays so until Telegram tells otherwise.
    """
    await require_member(services, chat_id, user_id)
    if chat_id < 0 and services.members.last(chat_id, user_id) is MemberStatus.MUTED:
        raise Refusal(Refused.MUTED)


def watch(services: Services, chat_id: int, user_id: int) -> None:
    """Have Telegram asked, beside everything else, if nothing has been heard for long.

    Not known changes nothing: a player is not punished for what Telegram keeps to itself.
    """
    if chat_id < 0 and services.members.is_due(chat_id, user_id, services.now()):
        services.background.start(_look_at(services, chat_id, [user_id]))


async def look_over(services: Services, table_id: str) -> None:
    """Ask about everybody who was put at a table without pressing for it, as in a rematch.

    Not known changes nothing: they stay.
    """
    chat_id = await services.queries.chat_of(table_id)
    view = await services.queries.view(table_id, None)
    people = [player.user_id for player in view.players if player.level is None]
    await _look_at(services, chat_id, people)


async def dismiss(services: Services, chat_id: int, user_id: int) -> None:
    """Let somebody who is out of the group leave its tables; what let them in from private is void."""
    services.members.learn(chat_id, user_id, MemberStatus.OUT, services.now())
    await services.storage.subscriptions.remove(user_id, chat_id)
    await services.storage.invites.drop(user_id, chat_id)
    await services.tables.change_in(chat_id, transitions.depart, user_id)


async def _look_at(services: Services, chat_id: int, people: Sequence[int]) -> None:
    await asyncio.gather(*(_stays(services, chat_id, user_id) for user_id in people))


async def _stays(services: Services, chat_id: int, user_id: int) -> bool:
    """Is this person in the group, as far as is known? Whoever is not leaves its tables."""
    if await look_up(services, chat_id, user_id) is not MemberStatus.OUT:
        return True
    await dismiss(services, chat_id, user_id)
    return False


async def _ask(services: Services, chat_id: int, user_id: int) -> MemberStatus | None:
    """Telegram's answer; None where it gives none.

    Who is outside of a public group has not been thrown out, and may take part in it all the same: everybody
    reads such a group, and comments under a channel's post without joining.
    """
    member = await services.lookups.member(chat_id, user_id)
    if member is None:
        return None
    standing = standing_of(member)
    if standing is MemberStatus.OUT and member.status != ChatMemberStatus.BANNED:
        chat = await services.storage.chats.get(chat_id)
        return MemberStatus.FREE if chat is not None and chat.username else standing
    return standing
