"""The description of the Bot API: its table, and the errors it finds in values."""

from typing import Any

import pytest

from sandbox.methods import METHODS
from sandbox.schema import build, table
from sandbox.schema.table import Array, OneOf, Reference, Scalar, Tag, parse_expression

TABLE = table.load()

EXPRESSIONS = [
    ("Integer", Scalar("Integer")),
    ("'photo'", Tag("photo")),
    ("[[InlineKeyboardButton]]", Array(Array(Reference("InlineKeyboardButton")))),
    ("Integer | String", OneOf((Scalar("Integer"), Scalar("String")))),
    (
        "[InputMediaPhoto | InputMediaVideo]",
        Array(OneOf((Reference("InputMediaPhoto"), Reference("InputMediaVideo")))),
    ),
]


@pytest.mark.parametrize(("text", "expression"), EXPRESSIONS, ids=[text for text, _ in EXPRESSIONS])
def test_types_are_written_in_a_small_grammar(text: str, expression: table.Expression) -> None:
    assert parse_expression(text) == expression


@pytest.mark.parametrize("text", ["", "integer", "[Integer", "Integer |", "'a"])
def test_anything_else_is_no_type(text: str) -> None:
    with pytest.raises(ValueError, match="not a type"):
        parse_expression(text)


def test_the_table_is_whole() -> None:
    """Every type that is named anywhere is there, and everything can be parsed."""
    assert TABLE.version == "10.3"
    assert TABLE.source.startswith(build.REQUIREMENT.replace("==", " ").removesuffix("*"))
    for name in TABLE.type_names:
        fields = TABLE.type(name)
        for field in fields.values() if isinstance(fields, dict) else ():
            _assert_known(field.type)
    for name in TABLE.method_names:
        method = TABLE.method(name)
        assert method is not None
        _assert_known(method.returns)
        for parameter in method.parameters.values():
            _assert_known(parameter.type)


def _assert_known(expression: table.Expression) -> None:
    match expression:
        case Reference(name):
            assert name in TABLE.type_names
        case Array(item):
            _assert_known(item)
        case OneOf(options):
            for option in options:
                _assert_known(option)


def test_every_method_of_the_sandbox_is_one_of_telegrams() -> None:
    assert METHODS.keys() <= set(TABLE.method_names)


WANTED = """
getMe getUpdates setWebhook deleteWebhook getWebhookInfo sendMessage sendPhoto sendDocument editMessageText
editMessageCaption editMessageMedia editMessageReplyMarkup deleteMessage deleteMessages answerCallbackQuery
pinChatMessage unpinChatMessage getChat getChatMember getChatAdministrators getChatMemberCount leaveChat
setMyCommands getMyCommands setMyName setMyDescription setMyShortDescription setChatMenuButton getFile
sendChatAction setMessageReaction
"""


def test_the_sandbox_does_what_it_promises() -> None:
    assert set(WANTED.split()) <= METHODS.keys()


USER = {"id": 1, "is_bot": False, "first_name": "Ada"}
PROBLEMS: list[tuple[str, Any, str | None]] = [
    ("User", USER, None),
    ("User", {**USER, "is_bot": 0}, "User.is_bot is mistyped: Boolean expected"),
    ("User", {**USER, "id": True}, "User.id is mistyped: Integer expected"),
    ("User", {"id": 1, "is_bot": False}, "User.first_name is missing: String expected"),
    ("User", {**USER, "age": 36}, "User.age is unknown"),
    ("User", [], "the value is mistyped: User expected"),
    ("[Integer]", [1, "2"], "the value is mistyped: Integer expected"),
    ("Integer | String", 1.5, "the value is mistyped: Integer or String expected"),
    ("ChatMemberLeft | ChatMemberMember", {"status": "left", "user": USER}, None),
    (
        "ChatMemberLeft | ChatMemberMember",
        {"status": "member", "user": {}},
        "User.id is missing: Integer expected",
    ),
    (
        "ChatMemberLeft | ChatMemberMember",
        {"status": "king", "user": USER},
        "the value is mistyped: ChatMemberLeft or ChatMemberMember expected",
    ),
    ("RichText", ["a", {"type": "bold", "text": "b"}], None),
]


@pytest.mark.parametrize(
    ("expression", "value", "problem"), PROBLEMS, ids=[f"{e} {v}"[:60] for e, v, _ in PROBLEMS]
)
def test_the_first_thing_wrong_is_told(expression: str, value: Any, problem: str | None) -> None:
    found = TABLE.problem(parse_expression(expression), value)
    assert (str(found) if found else None) == problem
