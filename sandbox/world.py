"""The world's contents and the few operations that change them.

Knows nothing of HTTP, updates or permissions: all checks happen before anything changes here.
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

from sandbox.errors import ControlError
from sandbox.events import Deleted, Edited, Event, PeopleChanged, Posted
from sandbox.model import BOT, PRESENT, Bot, Chat, ChatType, File, Member, Message, User

FIRST_USER_ID = 100_001
FIRST_GROUP_ID = -4_000_001
FIRST_SUPERGROUP_ID = -1_002_000_000_001
"""Ids by kind: people above zero, groups below it, supergroups below -10¹²."""


@dataclass
class World:
    """All people, chats, messages and files, and the listeners for changes."""

    bot: Bot
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    """Identifies this world: in another one the same ids stand for other people."""
    users: dict[int, User] = field(default_factory=dict)
    chats: dict[int, Chat] = field(default_factory=dict)
    files: dict[str, File] = field(default_factory=dict)
    box_message_id: int = 0
    """The last id in private chats and basic groups, which share one numbering: each account has one «message
    box» (core.telegram.org/api/updates: pts is per account, and per channel for supergroups).
    """
    last_user_id: int = FIRST_USER_ID - 1
    last_group_id: int = FIRST_GROUP_ID + 1
    last_supergroup_id: int = FIRST_SUPERGROUP_ID + 1
    """No id is used twice, even after :meth:`clear`, because a bot remembers ids."""
    listeners: list[Callable[[Event], None]] = field(default_factory=list)

    def emit(self, event: Event) -> None:
        """Pass an event to all listeners."""
        for listener in self.listeners:
            listener(event)

    def clear(self) -> None:
        """Start an empty world, which keeps only the bot and its profile."""
        self.id = secrets.token_hex(8)
        self.users.clear()
        self.chats.clear()
        self.files.clear()

    # ------------------------------------------------------------------------------------------ people, chats

    def add_user(
        self, first_name: str, last_name: str | None, username: str | None, language: str | None
    ) -> User:
        """Add a person with an empty private chat."""
        self.last_user_id += 1
        user = User(self.last_user_id, first_name, last_name, username, language)
        self.users[user.id] = user
        self.chats[user.id] = Chat(user.id, "private", bot=Member("member"))
        self.emit(PeopleChanged())
        return user

    def add_chat(self, kind: ChatType, title: str, *, is_forum: bool) -> Chat:
        """Add an empty group or supergroup."""
        if kind == "supergroup":
            self.last_supergroup_id -= 1
            chat_id = self.last_supergroup_id
        else:
            self.last_group_id -= 1
            chat_id = self.last_group_id
        chat = Chat(chat_id, kind, title, is_forum)
        self.chats[chat_id] = chat
        self.emit(PeopleChanged())
        return chat

    def user(self, user_id: int) -> User:
        """Return the person with that id.

        Raises:
            ControlError: if there is none.
        """
        user = self.users.get(user_id)
        if user is None:
            raise ControlError(f"no user {user_id}", 404)
        return user

    def chat(self, chat_id: int) -> Chat:
        """Return the chat with that id; a private chat has its person's id.

        Raises:
            ControlError: if there is none.
        """
        chat = self.chats.get(chat_id)
        if chat is None:
            raise ControlError(f"no chat {chat_id}", 404)
        return chat

    def member(self, chat: Chat, who: int) -> Member:
        """Return somebody's membership (:data:`BOT` for the bot's); «left» for people who were never in the
        chat.
        """
        if who == BOT:
            return chat.bot
        if chat.type == "private":
            return Member("member" if who == chat.id else "left")
        return chat.members.get(who) or Member("left")

    def audience(self, chat: Chat) -> list[int]:
        """Return the people who see a chat's messages."""
        if chat.type == "private":
            return [chat.id]
        return [user for user, member in chat.members.items() if member.status in PRESENT]

    def full_name(self, who: int) -> str:
        """Return a person's or the bot's name as clients show it."""
        if who == BOT:
            return self.bot.first_name
        user = self.users[who]
        return f"{user.first_name} {user.last_name}" if user.last_name else user.first_name

    def chat_title(self, chat: Chat) -> str:
        """Return a chat's title as a person sees it."""
        return chat.title or self.bot.first_name

    def add_file(self, file: File) -> None:
        """Store the bytes of an upload."""
        self.files[file.file_id] = file

    # ----------------------------------------------------------------------------------------------- messages

    def next_message_id(self, chat: Chat) -> int:
        """Return a new id: supergroups number their own messages, all other chats share one numbering."""
        if chat.type == "supergroup":
            chat.last_message_id += 1
        else:
            self.box_message_id += 1
            chat.last_message_id = self.box_message_id
        return chat.last_message_id

    def post(self, message: Message) -> Message:
        """Add a message to its chat as the newest."""
        chat = self.chats[message.chat]
        chat.messages[message.message_id] = message
        if message.sender != BOT:
            chat.read_up_to[message.sender] = message.message_id
        self.emit(Posted(message))
        return message

    def edited(self, message: Message) -> None:
        """Note that a message was changed in place."""
        self.emit(Edited(message))

    def delete(self, chat: Chat, message_ids: list[int]) -> list[int]:
        """Delete those of the given messages that exist; return them."""
        gone = [message_id for message_id in message_ids if chat.messages.pop(message_id, None) is not None]
        if gone:
            chat.pinned = [message_id for message_id in chat.pinned if message_id not in gone]
            self.emit(Deleted(chat.id, tuple(gone)))
        return gone
