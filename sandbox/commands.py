"""The command menu that a person sees (core.telegram.org/bots/api#determining-list-of-commands)."""

from sandbox.access import is_admin, is_present
from sandbox.model import Chat, Json
from sandbox.world import World


def scope_key(scope: Json, language: str) -> str:
    """Return one key for a BotCommandScope and a language."""
    return ":".join([scope["type"], str(scope.get("chat_id", "")), str(scope.get("user_id", "")), language])


def menu(world: World, chat: Chat, person: int) -> list[Json]:
    """Return the commands shown to a person in a chat: narrowest scope first, and in it their language first.

    The list is empty where the bot is not a member.
    """
    if not is_present(chat.bot.status):
        return []
    language = (world.users[person].language_code or "")[:2]
    for scope in _scopes(world, chat, person):
        for tongue in dict.fromkeys((language, "")):
            commands = world.bot.commands.get(scope_key(scope, tongue))
            if commands:
                return commands
    return []


def _scopes(world: World, chat: Chat, person: int) -> list[Json]:
    if chat.type == "private":
        return [{"type": "chat", "chat_id": chat.id}, {"type": "all_private_chats"}, {"type": "default"}]
    scopes: list[Json] = [{"type": "chat_member", "chat_id": chat.id, "user_id": person}]
    admin = is_admin(world.member(chat, person).status)
    if admin:
        scopes.append({"type": "chat_administrators", "chat_id": chat.id})
    scopes.append({"type": "chat", "chat_id": chat.id})
    if admin:
        scopes.append({"type": "all_chat_administrators"})
    return [*scopes, {"type": "all_group_chats"}, {"type": "default"}]
