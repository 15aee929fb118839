"""Changes of a forum's topics: opening, renaming, closing and deleting."""

from sandbox.access import is_admin, may
from sandbox.errors import ControlError
from sandbox.events import PeopleChanged
from sandbox.groups import whoever_decides, write_service
from sandbox.model import BOT, GENERAL, Chat, Json
from sandbox.schema.sizes import MAX_TITLE
from sandbox.state import Sandbox
from sandbox.world import World


def add(sandbox: Sandbox, chat: Chat, name: str) -> int:
    """Add a topic to a forum; its thread is the id of the service message that opens it."""
    _check_forum(chat)
    thread = chat.last_message_id + 1
    chat.topics[thread] = name
    _tell(sandbox, chat, thread, {"kind": "forum_topic_created", "name": name})
    return thread


def rename(sandbox: Sandbox, chat: Chat, thread: int, name: str) -> None:
    """Rename a topic."""
    _check_topic(chat, thread)
    name = name.strip()
    if not name:
        raise ControlError("a topic needs a name")
    if len(name) > MAX_TITLE:
        raise ControlError(f"the name is longer than {MAX_TITLE} characters")
    if name != chat.topics[thread]:
        chat.topics[thread] = name
        _tell(sandbox, chat, thread, {"kind": "forum_topic_edited", "name": name})


def close(sandbox: Sandbox, chat: Chat, thread: int, *, closed: bool) -> None:
    """Restrict a topic to members who manage topics, or open it again."""
    if thread == GENERAL:
        _check_forum(chat)
    else:
        _check_topic(chat, thread)
    if closed == (thread in chat.closed_topics):
        return
    if closed:
        chat.closed_topics.append(thread)
    else:
        chat.closed_topics.remove(thread)
    _tell(sandbox, chat, thread, {"kind": "forum_topic_closed" if closed else "forum_topic_reopened"})


def delete(sandbox: Sandbox, chat: Chat, thread: int) -> list[int]:
    """Delete a topic with all its messages; return those. The bot gets no update."""
    _check_topic(chat, thread)
    del chat.topics[thread]
    if thread in chat.closed_topics:
        chat.closed_topics.remove(thread)
    written = [message.message_id for message in chat.messages.values() if message.thread == thread]
    sandbox.world.emit(PeopleChanged())
    return sandbox.world.delete(chat, written)


def may_write(world: World, chat: Chat, who: int, thread: int | None) -> bool:
    """Return whether a member may write in a topic; without a thread, in a forum's «General»."""
    if not chat.is_forum or (thread or GENERAL) not in chat.closed_topics:
        return True
    return is_admin(world.member(chat, who).status) and may(world, chat, who, "can_manage_topics")


def _tell(sandbox: Sandbox, chat: Chat, thread: int, service: Json) -> None:
    where = None if thread == GENERAL else thread
    write_service(sandbox, chat, whoever_decides(chat, BOT), service, thread=where)
    sandbox.world.emit(PeopleChanged())


def _check_forum(chat: Chat) -> None:
    if not chat.is_forum:
        raise ControlError(f"chat {chat.id} is no forum")


def _check_topic(chat: Chat, thread: int) -> None:
    _check_forum(chat)
    if thread not in chat.topics:
        raise ControlError(f"no topic {thread} in chat {chat.id}", 404)
