"""The world: who and what exists, and the few ways in which it grows.

Knows nothing of HTTP, of updates or of what is allowed: that is decided before anything is changed here.
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
"""How ids tell the kinds apart: people above zero, groups below it, supergroups below -10¹²."""


@dataclass
class World:
    """All people, chats, messages and files, and who wants to hear of changes."""

    bot: Bot
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    """Tells this world from any other: the same ids stand for other people there."""
    users: dict[int, User] = field(default_factory=dict)
    chats: dict[int, Chat] = field(default_factory=dict)
    files: dict[str, File] = field(default_factory=dict)
    box_message_id: int = 0
    """The last id in private chats and basic groups, which share one numbering: each account has one
    «message box» (core.telegram.org/api/updates: pts is per account, and per channel for supergroups)."""
    last_user_id: int = FIRST_USER_ID - 1
    last_group_id: int = FIRST_GROUP_ID + 1
    last_supergroup_id: int = FIRST_SUPERGROUP_ID + 1
    """No id is given twice, not even after :meth:`clear`: a bot remembers those it has met."""
    listeners: list[Callable[[Event], None]] = field(default_factory=list)

    def emit(self, event: Event) -> None:
        """Tell everybody who listens."""
        for listener in self.listeners:
            listener(event)

    def clear(self) -> None:
        """Another world, where only the bot and what it has told about itself is the same."""
        self.id = secrets.token_hex(8)
        self.users.clear()
        self.chats.clear()
        self.files.clear()

    # ------------------------------------------------------------------------------------------ people, chats

    def add_user(
        self, first_name: str, last_name: str | None, username: str | None, language: str | None
    ) -> User:
        """A new person with an empty private chat."""
        self.last_user_id += 1
        user = User(self.last_user_id, first_name, last_name, username, language)
        self.users[user.id] = user
        self.chats[user.id] = Chat(user.id, "private", bot=Member("member"))
        self.emit(PeopleChanged())
        return user

    def add_chat(self, kind: ChatType, title: str, *, is_forum: bool) -> Chat:
        """A new, empty group or supergroup."""
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
        """The person of that id.

        Raises:
            ControlError: if there is none.
        """
        user = self.users.get(user_id)
        if user is None:
            raise ControlError(f"no user {user_id}", 404)
        return user

    def chat(self, chat_id: int) -> Chat:
        """The chat of that id; a private chat goes by its person's.

        Raises:
            ControlError: if there is none.
        """
        chat = self.chats.get(chat_id)
        if chat is None:
            raise ControlError(f"no chat {chat_id}", 404)
        return chat

    def member(self, chat: Chat, who: int) -> Member:
        """Somebody's place in a chat (:data:`BOT` for the bot's), «left» for who never was there."""
        if who == BOT:
            return chat.bot
        if chat.type == "private":
            return Member("member" if who == chat.id else "left")
        return chat.members.get(who) or Member("left")

    def audience(self, chat: Chat) -> list[int]:
        """The people who see what is written in a chat."""
        if chat.type == "private":
            return [chat.id]
        return [user for user, member in chat.members.items() if member.status in PRESENT]

    def full_name(self, who: int) -> str:
        """How clients show a person or the bot."""
        if who == BOT:
            return self.bot.first_name
        user = self.users[who]
        return f"{user.first_name} {user.last_name}" if user.last_name else user.first_name

    def chat_title(self, chat: Chat) -> str:
        """What stands over a chat, seen by a person."""
        return chat.title or self.bot.first_name

    def add_file(self, file: File) -> None:
        """Keep bytes that were sent."""
        self.files[file.file_id] = file

    # ----------------------------------------------------------------------------------------------- messages

    def next_message_id(self, chat: Chat) -> int:
        """A fresh id: supergroups number their own messages, everything else shares one numbering."""
        if chat.type == "supergroup":
            chat.last_message_id += 1
        else:
            self.box_message_id += 1
            chat.last_message_id = self.box_message_id
        return chat.last_message_id

    def post(self, message: Message) -> Message:
        """Put a message into its chat, as its newest."""
        chat = self.chats[message.chat]
        chat.messages[message.message_id] = message
        if message.sender != BOT:
            chat.read_up_to[message.sender] = message.message_id
        self.emit(Posted(message))
        return message

    def edited(self, message: Message) -> None:
        """A message in a chat has been changed in place."""
        self.emit(Edited(message))

    def delete(self, chat: Chat, message_ids: list[int]) -> list[int]:
        """Remove what is there of these; returns what was removed."""
        gone = [message_id for message_id in message_ids if chat.messages.pop(message_id, None) is not None]
        if gone:
            chat.pinned = [message_id for message_id in chat.pinned if message_id not in gone]
            self.emit(Deleted(chat.id, tuple(gone)))
        return gone
