"""The bot's own profile: command menus by scope and language, name, descriptions, menu button."""

import pytest

from tests.e2e.telegram import Json
from tests.sandbox.telegram import CheckedTelegram


def commands(*names: str) -> list[Json]:
    return [{"command": name, "description": f"to {name}"} for name in names]


async def menu(telegram: CheckedTelegram, person: int, chat: int) -> list[str]:
    """The commands that a person is shown in a chat."""
    shown = await telegram.ask("commands", **{"chat": chat, "as": person})
    return [item["command"] for item in shown]


async def test_a_bot_knows_itself(telegram: CheckedTelegram) -> None:
    """From DOCS, getMe: its id is the number in its token."""
    me = await telegram.ok("getMe")
    assert (me["id"], me["is_bot"], me["username"]) == (
        int(telegram.token.split(":")[0]),
        True,
        "sandbox_bot",
    )
    assert (me["can_join_groups"], me["can_read_all_group_messages"]) == (True, False)


async def test_the_narrowest_scope_and_the_persons_language_win(telegram: CheckedTelegram) -> None:
    """From DOCS, «Determining list of commands»."""
    ada = await telegram.new_user("Ada", language="en")
    anya = await telegram.new_user("Аня", language="ru-RU")
    group = await telegram.group(anya, ada, creator=ada)
    assert await menu(telegram, ada, group) == []

    async def set_menu(name: str, language: str = "", **scope: object) -> None:
        await telegram.ok("setMyCommands", commands=commands(name), scope=scope, language_code=language)

    async def shown() -> list[list[str]]:
        places = ((ada, group), (anya, group), (ada, ada), (anya, anya))
        return [await menu(telegram, person, chat) for person, chat in places]

    await set_menu("anywhere", type="default")
    await set_menu("vezde", "ru", type="default")
    assert await shown() == [["anywhere"], ["vezde"], ["anywhere"], ["vezde"]]
    await set_menu("groups", type="all_group_chats")
    await set_menu("private", type="all_private_chats")
    assert await shown() == [["groups"], ["groups"], ["private"], ["private"]]
    await set_menu("admins", type="all_chat_administrators")
    await set_menu("here", type="chat", chat_id=ada)
    assert await shown() == [["admins"], ["groups"], ["here"], ["private"]]
    await set_menu("this_group", type="chat", chat_id=group)
    assert await shown() == [["this_group"], ["this_group"], ["here"], ["private"]]
    await set_menu("its_admins", type="chat_administrators", chat_id=group)
    await set_menu("for_anya", type="chat_member", chat_id=group, user_id=anya)
    assert await shown() == [["its_admins"], ["for_anya"], ["here"], ["private"]]


async def test_menus_are_told_as_they_were_set_and_can_be_taken_back(telegram: CheckedTelegram) -> None:
    """From DOCS, getMyCommands and deleteMyCommands: exactly for a scope and language."""
    await telegram.ok("setMyCommands", commands=commands("/go", "stop"), language_code="ru")
    assert await telegram.ok("getMyCommands", language_code="ru") == [
        {"command": "go", "description": "to /go"},
        {"command": "stop", "description": "to stop"},
    ]
    assert await telegram.ok("getMyCommands") == []
    await telegram.ok("deleteMyCommands", language_code="ru")
    assert await telegram.ok("getMyCommands", language_code="ru") == []


WRONG_MENUS: list[tuple[Json, str]] = [
    ({"commands": commands("Go")}, "BOT_COMMAND_INVALID"),
    ({"commands": commands("x" * 33)}, "BOT_COMMAND_INVALID"),
    ({"commands": [{"command": "go", "description": ""}]}, "BOT_COMMAND_DESCRIPTION_INVALID"),
    ({"commands": [{"command": "go", "description": "x" * 257}]}, "BOT_COMMAND_DESCRIPTION_INVALID"),
    ({"commands": commands(*(f"c{number}" for number in range(101)))}, "BOT_COMMANDS_TOO_MUCH"),
    ({"commands": [{"command": "go"}]}, "can't parse BotCommand: Can't find field \"description\""),
    ({"commands": commands("go"), "language_code": "russian"}, "LANG_CODE_INVALID"),
    ({"commands": commands("go"), "scope": {"type": "chat", "chat_id": 7}}, "chat not found"),
    (
        {"commands": commands("go"), "scope": {"type": "chat_member", "chat_id": 7}},
        "can't parse BotCommandScope: Can't find field \"user_id\"",
    ),
]


@pytest.mark.parametrize(("sent", "words"), WRONG_MENUS, ids=[words for _, words in WRONG_MENUS])
async def test_menus_are_refused(telegram: CheckedTelegram, sent: Json, words: str) -> None:
    """From DOCS, BotCommand and setMyCommands; SERVER, get_bot_command."""
    assert await telegram.refusal("setMyCommands", **sent) == f"Bad Request: {words}"


TEXTS = [
    ("MyDescription", "description", 512, "BOT_INFO_DESCRIPTION_INVALID"),
    ("MyShortDescription", "short_description", 120, "BOT_INFO_ABOUT_INVALID"),
    ("MyName", "name", 64, "BOT_TITLE_INVALID"),
]


@pytest.mark.parametrize(("what", "field", "limit", "refusal"), TEXTS, ids=[what for what, *_ in TEXTS])
async def test_texts_about_the_bot_have_a_default_and_languages(
    telegram: CheckedTelegram, what: str, field: str, limit: int, refusal: str
) -> None:
    """From DOCS, setMyDescription, setMyShortDescription, setMyName."""
    await telegram.ok(f"set{what}", **{field: "Whist"})
    await telegram.ok(f"set{what}", **{field: "Вист"}, language_code="ru")
    assert (await telegram.ok(f"get{what}"))[field] == "Whist"
    assert (await telegram.ok(f"get{what}", language_code="ru"))[field] == "Вист"
    await telegram.ok(f"set{what}", language_code="ru")
    assert (await telegram.ok(f"get{what}", language_code="ru"))[field] == "Whist"

    await telegram.ok(f"set{what}", **{field: "x" * limit})
    assert await telegram.refusal(f"set{what}", **{field: "x" * (limit + 1)}) == f"Bad Request: {refusal}"


async def test_the_bots_name_and_descriptions_are_shown(telegram: CheckedTelegram) -> None:
    """From DOCS: the name over its private chat, the description while that is empty."""
    await telegram.ok("setMyName", name="Whist")
    await telegram.ok("setMyDescription", description="Plays whist")
    shown = (await telegram.ask("world"))["bot"]
    assert (shown["first_name"], shown["description"]) == ("Whist", "Plays whist")
    assert (await telegram.ok("getMe"))["first_name"] == "Whist"


async def test_the_menu_button_has_a_default_and_private_chats_of_its_own(
    telegram: CheckedTelegram, ada: int, group: int
) -> None:
    """From DOCS, setChatMenuButton."""
    assert await telegram.ok("getChatMenuButton") == {"type": "commands"}
    await telegram.ok("setChatMenuButton", menu_button={"type": "default"}, chat_id=ada)
    assert await telegram.ok("getChatMenuButton", chat_id=ada) == {"type": "default"}
    assert await telegram.ok("getChatMenuButton") == {"type": "commands"}
    assert await telegram.refusal("setChatMenuButton", chat_id=group) == "Bad Request: chat not found"
