"""Changes of groups: creation, titles, members, permissions, the upgrade to a supergroup."""

from typing import Any

from sandbox.access import is_admin, is_present
from sandbox.delivery import post
from sandbox.errors import ControlError
from sandbox.events import PeopleChanged
from sandbox.model import (
    ADMIN_RIGHTS,
    BOT,
    PERMISSIONS,
    PRESENT,
    STATUSES,
    Chat,
    ChatType,
    Json,
    Member,
    Message,
    Status,
)
from sandbox.objects import chat as chat_object
from sandbox.objects import chat_member_as
from sandbox.objects import user as user_object
from sandbox.schema.sizes import MAX_TITLE
from sandbox.state import Sandbox


def create(
    sandbox: Sandbox,
    kind: ChatType,
    title: str,
    members: list[int],
    *,
    admins: list[int],
    creator: int | None,
    is_forum: bool,
    bot: Status | None,
) -> Chat:
    """Create a group. Its creator is the first member unless named; ``bot`` is the bot's status in it, if
    any.

    Raises:
        ControlError: if a named user does not exist, or the group makes no sense.
    """
    if not title.strip():
        raise ControlError("a group needs a title")
    if is_forum and kind != "supergroup":
        raise ControlError("only a supergroup can be a forum")
    if bot is not None and bot not in PRESENT:
        raise ControlError(f"the bot cannot be {bot} in a new group")
    everybody = list(dict.fromkeys([*([creator] if creator else []), *members, *admins]))
    for person in everybody:
        sandbox.world.user(person)
    chat = sandbox.world.add_chat(kind, title.strip(), is_forum=is_forum)
    owner = creator or next(iter(everybody), None)
    for person in everybody:
        is_owner, is_one_of_admins = person == owner, person in admins
        status: Status = "creator" if is_owner else "administrator" if is_one_of_admins else "member"
        chat.members[person] = Member(status, all_rights() if is_one_of_admins and not is_owner else {})
    if owner is not None:
        write_service(sandbox, chat, owner, {"kind": f"{kind}_chat_created"})
    if bot is not None:
        set_status(sandbox, chat, BOT, bot)
    sandbox.world.emit(PeopleChanged())
    return chat


def all_rights() -> dict[str, bool]:
    """Return the rights that clients give a new admin: all but the right to promote others."""
    return {right: right != "can_promote_members" for right in ADMIN_RIGHTS}


def set_status(
    sandbox: Sandbox, chat: Chat, who: int, status: Status, rights: dict[str, bool] | None = None
) -> None:
    """Change somebody's membership or rights; ``who`` may be :data:`BOT`.

    Raises:
        ControlError: if the change is impossible.
    """
    world = sandbox.world
    if chat.type == "private":
        raise ControlError("nobody joins or leaves a private chat")
    if status not in STATUSES:
        raise ControlError(f"no such status: {status}")
    if status == "restricted" and chat.type != "supergroup":
        raise ControlError("only a supergroup restricts one member; see permissions for a group's")
    if status == "creator" and who == BOT:
        raise ControlError("a bot owns no groups")
    before = world.member(chat, who)
    after = Member(status, _rights(status, rights))
    actor = who if status == "left" and who != BOT else whoever_decides(chat, who)
    if status == "creator":
        for person, member in chat.members.items():
            if member.status == "creator":
                chat.members[person] = Member("administrator", all_rights())
    if who == BOT:
        chat.bot, chat.known_to_bot = after, True
    else:
        chat.members[who] = after
    _tell_of_membership(sandbox, chat, who, actor, before, after)
    world.emit(PeopleChanged())


def _rights(status: Status, rights: dict[str, bool] | None) -> dict[str, bool]:
    known = {
        "administrator": (*ADMIN_RIGHTS, "is_anonymous"),
        "creator": ("is_anonymous",),
        "restricted": PERMISSIONS,
    }
    names = known.get(status, ())
    for right, value in (rights or {}).items():
        if right not in names:
            raise ControlError(f"{status} has no right {right}")
        if not isinstance(value, bool):
            raise ControlError(f"{right} must be true or false")
    given = all_rights() if status == "administrator" else {}
    return given | (rights or {})


def whoever_decides(chat: Chat, who: int) -> int:
    """Return who makes a change: the creator, or the first admin, or any member, or the person concerned."""
    for wanted in ({"creator"}, {"administrator"}, {"member"}):
        for person, member in chat.members.items():
            if member.status in wanted and person != who:
                return person
    return who


def _tell_of_membership(
    sandbox: Sandbox, chat: Chat, who: int, actor: int, before: Member, after: Member
) -> None:
    world = sandbox.world
    change = {
        "chat": chat_object(world, chat),
        "from": user_object(world, actor),
        "date": sandbox.clock.unix(),
        "old_chat_member": chat_member_as(world, who, before, chat),
        "new_chat_member": chat_member_as(world, who, after, chat),
    }
    if who == BOT:
        sandbox.tell("my_chat_member", change)
    elif is_admin(chat.bot.status):
        # Bot API: only administrators get chat_member.
        sandbox.tell("chat_member", change)
    was_there, is_there = is_present(before.status), is_present(after.status)
    if is_there and not was_there:
        write_service(sandbox, chat, actor, {"kind": "new_chat_members", "users": [who]})
    elif was_there and not is_there:
        write_service(sandbox, chat, actor, {"kind": "left_chat_member", "user": who})


def set_permissions(sandbox: Sandbox, chat: Chat, permissions: dict[str, Any]) -> None:
    """Set the permissions of all members."""
    if chat.type == "private":
        raise ControlError("a private chat has no permissions")
    for name, value in permissions.items():
        if name not in PERMISSIONS or not isinstance(value, bool):
            raise ControlError(f"no permission {name}: {value!r}")
    chat.permissions |= permissions
    sandbox.world.emit(PeopleChanged())


def rename(sandbox: Sandbox, chat: Chat, title: str) -> None:
    """Rename a group.

    Raises:
        ControlError: if the title is invalid, or the group was upgraded.
    """
    title = title.strip()
    if chat.type == "private" or chat.upgraded_to is not None:
        raise ControlError(f"chat {chat.id} has no title to change")
    if not title:
        raise ControlError("a group needs a title")
    if len(title) > MAX_TITLE:
        raise ControlError(f"the title is longer than {MAX_TITLE} characters")
    if title == chat.title:
        return
    chat.title = title
    write_service(sandbox, chat, whoever_decides(chat, BOT), {"kind": "new_chat_title", "title": title})
    sandbox.world.emit(PeopleChanged())


def hide_members(sandbox: Sandbox, chat: Chat, *, hidden: bool) -> None:
    """Restrict a supergroup's member list to administrators, or open it again."""
    if chat.type != "supergroup":
        raise ControlError("only a supergroup can hide its members")
    chat.hidden_members = hidden
    sandbox.world.emit(PeopleChanged())


def upgrade(sandbox: Sandbox, chat: Chat) -> Chat:
    """Turn a group into a supergroup: create a chat with a new id, and close the old one."""
    if chat.type != "group" or chat.upgraded_to is not None:
        raise ControlError(f"chat {chat.id} is no group that could be upgraded")
    world = sandbox.world
    new = world.add_chat("supergroup", chat.title or "", is_forum=False)
    new.bot, new.known_to_bot = Member(chat.bot.status, dict(chat.bot.rights)), chat.known_to_bot
    new.members = {
        person: Member(member.status, dict(member.rights)) for person, member in chat.members.items()
    }
    new.permissions = dict(chat.permissions)
    actor = whoever_decides(chat, BOT)
    write_service(sandbox, chat, actor, {"kind": "migrate_to_chat_id", "chat": new.id})
    chat.upgraded_to = new.id
    write_service(sandbox, new, actor, {"kind": "migrate_from_chat_id", "chat": chat.id})
    world.emit(PeopleChanged())
    return new


def write_service(
    sandbox: Sandbox, chat: Chat, actor: int, service: Json, *, thread: int | None = None, silent: bool = True
) -> Message:
    """Add a service message, with a notification unless it is silent."""
    message = Message(
        chat=chat.id,
        message_id=sandbox.world.next_message_id(chat),
        date=sandbox.clock.unix(),
        sender=actor,
        thread=thread,
        service=service,
        silent=silent,
    )
    return post(sandbox, message)
