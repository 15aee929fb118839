"""What the world is made of: people, chats, messages, files, and the one bot.

Plain records whose fields are JSON values, so that they can be kept on disk as they are. Nothing here knows
how the Bot API or the page writes them; :mod:`sandbox.objects` and :mod:`sandbox.views` do.
"""

from dataclasses import dataclass, field
from typing import Any, Literal

Json = dict[str, Any]
"""An object of JSON."""

BOT: Literal[0] = 0
"""Stands for the bot wherever a person's id could stand: its real id belongs to its token."""

GENERAL: Literal[1] = 1
"""The thread of a forum's «General» topic, which is there from the beginning, and always."""

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
"""What an administrator of a group may be allowed to do (Bot API: ChatMemberAdministrator)."""

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
"""What a member may be allowed to do (Bot API: ChatPermissions)."""

NOT_FOR_EVERYONE = frozenset({"can_change_info", "can_pin_messages", "can_manage_topics"})
"""Permissions that a new group does not give to its members; Telegram's clients leave them to admins."""


@dataclass(slots=True)
class User:
    """A person. ``started`` and ``blocked`` tell whether the bot may write to him.

    ``deactivated``: he has deleted his account, for good; in his groups he is still listed. ``met``: the bot
    has been told of him, by an update or by a list of administrators.
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
    """Somebody's place in a group; ``rights`` of an administrator or a restricted member."""

    status: Status
    rights: dict[str, bool] = field(default_factory=dict)


@dataclass(slots=True)
class Photo:
    """A picture in a message; ``file`` names its :class:`File`."""

    file: str
    width: int
    height: int


@dataclass(slots=True)
class Message:
    """One message; ``message_id`` is an identity only together with ``chat``.

    ``sender`` is a person, :data:`BOT`, or the person behind an anonymous admin or a channel when
    ``sender_chat`` is set. ``service`` is ``{"kind": …}`` for what Telegram itself writes.
    ``keyboard`` is a reply keyboard or the wish to remove one; unlike ``buttons`` it is not part of the
    message that others get.
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
    """A chat and all that is in it. A private chat has its person's id and ``members`` stays empty.

    ``bot`` is the bot's place here; a group where it never was is not ``known_to_bot``. Someone who never was
    in a group is in no list of it at all. ``closed_topics`` may name :data:`GENERAL`, which ``topics`` never
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
    """Bytes that were sent, under the ids the bot knows them by."""

    file_id: str
    unique_id: str
    name: str
    mime_type: str
    content: bytes

    @property
    def path(self) -> str:
        """Where ``getFile`` says it can be fetched, below ``/file/bot<token>/``."""
        folder = "photos" if self.mime_type.startswith("image/") else "documents"
        suffix = self.name[self.name.rfind(".") :] if "." in self.name else ""
        return f"{folder}/{self.unique_id}{suffix}"


@dataclass(slots=True)
class Bot:
    """The one bot of this world. Texts and menus are kept by language, commands by scope and language."""

    id: int
    token: str
    username: str
    first_name: str
    names: dict[str, str] = field(default_factory=dict)
    descriptions: dict[str, str] = field(default_factory=dict)
    short_descriptions: dict[str, str] = field(default_factory=dict)
    commands: dict[str, list[Json]] = field(default_factory=dict)
    menu_buttons: dict[int, Json] = field(default_factory=dict)
