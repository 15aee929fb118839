"""The world's records: people, chats, messages, files, and the one bot.

Plain dataclasses whose fields are JSON values, so that they can be stored as they are. Knows nothing of the
formats of the Bot API and the page; those are in :mod:`sandbox.objects` and :mod:`sandbox.control.views`.
"""

from dataclasses import dataclass, field
from typing import Any, Literal

Json = dict[str, Any]
"""A JSON object."""

BOT: Literal[0] = 0
"""Stands for the bot in place of a person's id; its real id depends on its token."""

GENERAL: Literal[1] = 1
"""The thread of a forum's «General» topic, which always exists."""

ChatType = Literal["private", "group", "supergroup"]
Status = Literal["creator", "administrator", "member", "restricted", "left", "kicked"]

PRESENT: frozenset[Status] = frozenset({"creator", "administrator", "member", "restricted"})
STATUSES: frozenset[Status] = PRESENT | {"left", "kicked"}

ADMIN_RIGHTS = (
    "can_manage_chat",
    "can_delete_messages",
    "can_manage_video_chats",
    "can_restrict_members",
    "can_promote_members",
    "can_change_info",
    "can_invite_users",
    "can_post_stories",
    "can_edit_stories",
    "can_delete_stories",
    "can_send_welcome_messages",
    "can_pin_messages",
    "can_manage_topics",
)
"""The rights of a group's administrator (Bot API: ChatMemberAdministrator)."""

PERMISSIONS = (
    "can_send_messages",
    "can_send_audios",
    "can_send_documents",
    "can_send_photos",
    "can_send_videos",
    "can_send_video_notes",
    "can_send_voice_notes",
    "can_send_polls",
    "can_send_other_messages",
    "can_add_web_page_previews",
    "can_react_to_messages",
    "can_edit_tag",
    "can_change_info",
    "can_invite_users",
    "can_pin_messages",
    "can_manage_topics",
)
"""The permissions of a member (Bot API: ChatPermissions)."""

NOT_FOR_EVERYONE = frozenset({"can_change_info", "can_pin_messages", "can_manage_topics"})
"""Permissions that members of a new group lack; Telegram's clients leave them to admins."""


@dataclass(slots=True)
class User:
    """A person. ``started`` and ``blocked`` determine whether the bot may write to them.

    ``deactivated``: the account was deleted for good; groups still list it. ``met``: the bot knows of this
    person from an update or a list of administrators.
    """

    id: int
    first_name: str
    last_name: str | None = None
    username: str | None = None
    language_code: str | None = None
    started: bool = False
    blocked: bool = False
    deactivated: bool = False
    met: bool = False


@dataclass(slots=True)
class Member:
    """A membership in a group; ``rights`` of an administrator or a restricted member."""

    status: Status
    rights: dict[str, bool] = field(default_factory=dict)


@dataclass(slots=True)
class Photo:
    """A picture in a message; ``file`` is the id of its :class:`File`."""

    file: str
    width: int
    height: int


@dataclass(slots=True)
class Message:
    """A message; ``message_id`` is unique only together with ``chat``.

    ``sender`` is a person, :data:`BOT`, or the person behind an anonymous admin or a channel if
    ``sender_chat`` is set. ``service`` is ``{"kind": …}`` for Telegram's service messages. ``keyboard`` is a
    reply keyboard or the instruction to remove one; unlike ``buttons`` it is not part of the message that
    others see.
    """

    chat: int
    message_id: int
    date: int
    sender: int
    sender_chat: Json | None = None
    text: str | None = None
    entities: list[Json] = field(default_factory=list)
    photo: Photo | None = None
    document: str | None = None
    caption: str | None = None
    caption_entities: list[Json] = field(default_factory=list)
    caption_above: bool = False
    spoiler: bool = False
    buttons: list[list[Json]] | None = None
    keyboard: Json | None = None
    thread: int | None = None
    reply_to: int | None = None
    automatic_forward: bool = False
    quote: Json | None = None
    link_preview: Json | None = None
    protected: bool = False
    silent: bool = False
    edit_date: int | None = None
    reactions: dict[str, list[Json]] = field(default_factory=dict)
    service: Json | None = None


@dataclass(slots=True)
class Chat:
    """A chat with its messages. A private chat has its person's id, and its ``members`` are empty.

    ``bot`` is the bot's membership; a group where it never was is not ``known_to_bot``. People who were never
    in a group are in none of its lists. ``closed_topics`` may contain :data:`GENERAL`, which ``topics`` never
    does. ``hidden_members``: only administrators get the list of members.
    """

    id: int
    type: ChatType
    title: str | None = None
    is_forum: bool = False
    bot: Member = field(default_factory=lambda: Member("left"))
    known_to_bot: bool = False
    members: dict[int, Member] = field(default_factory=dict)
    permissions: dict[str, bool] = field(
        default_factory=lambda: {name: name not in NOT_FOR_EVERYONE for name in PERMISSIONS}
    )
    topics: dict[int, str] = field(default_factory=dict)
    closed_topics: list[int] = field(default_factory=list)
    hidden_members: bool = False
    pinned: list[int] = field(default_factory=list)
    upgraded_to: int | None = None
    last_message_id: int = 0
    read_up_to: dict[int, int] = field(default_factory=dict)
    messages: dict[int, Message] = field(default_factory=dict)


@dataclass(slots=True)
class File:
    """The bytes of an upload, under the ids that the bot knows."""

    file_id: str
    unique_id: str
    name: str
    mime_type: str
    content: bytes

    @property
    def path(self) -> str:
        """The path that ``getFile`` returns, below ``/file/bot<token>/``."""
        folder = "photos" if self.mime_type.startswith("image/") else "documents"
        suffix = self.name[self.name.rfind(".") :] if "." in self.name else ""
        return f"{folder}/{self.unique_id}{suffix}"


@dataclass(slots=True)
class Bot:
    """The one bot of this world. Texts and menus are stored by language, commands by scope and language."""

    id: int
    token: str
    username: str
    first_name: str
    names: dict[str, str] = field(default_factory=dict)
    descriptions: dict[str, str] = field(default_factory=dict)
    short_descriptions: dict[str, str] = field(default_factory=dict)
    commands: dict[str, list[Json]] = field(default_factory=dict)
    menu_buttons: dict[int, Json] = field(default_factory=dict)
