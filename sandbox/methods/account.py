"""The bot's own profile: name, descriptions, command menus, menu button."""

from typing import Any

from sandbox.access import Access, find_chat
from sandbox.commands import scope_key
from sandbox.errors import bad_request
from sandbox.events import PeopleChanged
from sandbox.methods.registry import Call, method
from sandbox.model import Json
from sandbox.objects import me
from sandbox.schema.sizes import (
    COMMAND,
    LANGUAGE,
    MAX_BOT_DESCRIPTION,
    MAX_BOT_NAME,
    MAX_BOT_SHORT_DESCRIPTION,
    MAX_COMMAND_DESCRIPTION,
    MAX_COMMANDS,
)


@method("getMe")
def get_me(call: Call) -> Json:
    """Return the bot's User."""
    return me(call.world)


@method("setMyCommands")
def set_my_commands(call: Call) -> bool:
    """Set the menu for a scope and a language."""
    commands: list[Json] = call["commands"]
    if len(commands) > MAX_COMMANDS:
        raise bad_request("BOT_COMMANDS_TOO_MUCH")
    for command in commands:
        if not COMMAND.fullmatch(command["command"].removeprefix("/")):
            raise bad_request("BOT_COMMAND_INVALID")
        if not 1 <= len(command["description"]) <= MAX_COMMAND_DESCRIPTION:
            raise bad_request("BOT_COMMAND_DESCRIPTION_INVALID")
    cleaned = [{**command, "command": command["command"].removeprefix("/")} for command in commands]
    key = _menu(call)
    if cleaned:
        call.world.bot.commands[key] = cleaned
    else:
        call.world.bot.commands.pop(key, None)
    call.world.emit(PeopleChanged())
    return True


@method("getMyCommands")
def get_my_commands(call: Call) -> list[Json]:
    """Return the menu that was set for exactly this scope and language."""
    return call.world.bot.commands.get(_menu(call), [])


@method("deleteMyCommands")
def delete_my_commands(call: Call) -> bool:
    """Delete the menu for this scope and language."""
    call.world.bot.commands.pop(_menu(call), None)
    call.world.emit(PeopleChanged())
    return True


def _menu(call: Call) -> str:
    scope = call.get("scope") or {"type": "default"}
    if "chat_id" in scope:
        chat = find_chat(call.world, scope["chat_id"], Access.READ_MEMBERS)
        if chat.type == "private" and scope["type"] != "chat":
            raise bad_request("can't change commands for administrators or members of a private chat")
    return scope_key(scope, _language(call))


def _language(call: Call) -> str:
    language: str = call.get("language_code", "")
    if language and not LANGUAGE.fullmatch(language):
        raise bad_request("LANG_CODE_INVALID")
    return language


def _set_text(call: Call, texts: dict[str, str], parameter: str, limit: int, refusal: str) -> bool:
    text: str = call.get(parameter, "")
    if len(text) > limit:
        raise bad_request(refusal)
    language = _language(call)
    if text:
        texts[language] = text
    else:
        texts.pop(language, None)
    call.world.emit(PeopleChanged())
    return True


def _text(call: Call, texts: dict[str, str]) -> str:
    return texts.get(_language(call)) or texts.get("", "")


@method("setMyName")
def set_my_name(call: Call) -> bool:
    """Set the bot's name, for one language or as the default."""
    bot = call.world.bot
    result = _set_text(call, bot.names, "name", MAX_BOT_NAME, "BOT_TITLE_INVALID")
    bot.first_name = bot.names.get("", bot.first_name)
    return result


@method("getMyName")
def get_my_name(call: Call) -> Json:
    """Return the bot's name in a language."""
    return {"name": _text(call, call.world.bot.names) or call.world.bot.first_name}


@method("setMyDescription")
def set_my_description(call: Call) -> bool:
    """Set the text of an empty private chat."""
    texts = call.world.bot.descriptions
    return _set_text(call, texts, "description", MAX_BOT_DESCRIPTION, "BOT_INFO_DESCRIPTION_INVALID")


@method("getMyDescription")
def get_my_description(call: Call) -> Json:
    """Return the text of an empty private chat in a language."""
    return {"description": _text(call, call.world.bot.descriptions)}


@method("setMyShortDescription")
def set_my_short_description(call: Call) -> bool:
    """Set the text of the bot's profile."""
    texts = call.world.bot.short_descriptions
    return _set_text(call, texts, "short_description", MAX_BOT_SHORT_DESCRIPTION, "BOT_INFO_ABOUT_INVALID")


@method("getMyShortDescription")
def get_my_short_description(call: Call) -> Json:
    """Return the text of the bot's profile in a language."""
    return {"short_description": _text(call, call.world.bot.short_descriptions)}


@method("setChatMenuButton")
def set_chat_menu_button(call: Call) -> bool:
    """Set the menu button of a private chat, or without ``chat_id`` of all of them."""
    button: Json = call.get("menu_button") or {"type": "default"}
    call.world.bot.menu_buttons[_private_chat(call)] = button
    return True


@method("getChatMenuButton")
def get_chat_menu_button(call: Call) -> Any:
    """Return the menu button of a private chat."""
    buttons = call.world.bot.menu_buttons
    return buttons.get(_private_chat(call)) or buttons.get(0) or {"type": "commands"}


def _private_chat(call: Call) -> int:
    chat_id = call.get("chat_id")
    if chat_id is None:
        return 0
    chat = find_chat(call.world, chat_id, Access.READ)
    if chat.type != "private":
        raise bad_request("chat not found")
    return chat.id
