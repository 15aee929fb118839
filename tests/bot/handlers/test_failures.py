"""Logging of updates whose handler failed: replayable, without anybody's words."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from telegram import Bot, Update

from bot.buttons import BUTTONS, Lay, Sit, decode, encode
from bot.handlers.failures import without_content
from engine import Stamp
from engine.cards import parse_card

ANN: dict[str, Any] = {
    "id": 77,
    "is_bot": False,
    "first_name": "Аня",
    "last_name": "Secret",
    "username": "anya",
    "language_code": "ru",
}
GROUP = {"id": -100, "type": "supergroup", "title": "Secret group", "username": "secret_group"}
DATE = {"date": 1_700_000_000}


def written(update: dict[str, Any]) -> tuple[Update, str]:
    """The update as it can be played again, and all that is written of it."""
    told = without_content(Update.de_json(update, None).to_dict())
    again = Update.de_json(told, Bot("1:x"))
    assert again.update_id == update["update_id"]
    return again, str(told)


def test_a_message_keeps_its_form_and_its_command() -> None:
    text = "/start@bot secret-link 🃏 король"
    entities = [
        {"type": "bot_command", "offset": 0, "length": 10},
        {"type": "bold", "offset": 11, "length": 11},
    ]
    message = {"message_id": 5, **DATE, "from": ANN, "chat": GROUP, "text": text, "entities": entities}
    again, told = written({"update_id": 1, "message": message})
    assert again.message is not None
    assert again.message.from_user is not None
    assert again.message.text == "/start@bot xxxxxx-xxxx 🃏 xxxxxx"
    assert again.message.parse_entity(again.message.entities[1]) == "xxxxxx-xxxx"
    assert (again.message.from_user.id, again.message.chat_id) == (77, -100)
    for words in ("Аня", "ecret", "anya", "король"):
        assert words not in told


def test_nothing_else_that_people_send_is_told() -> None:
    message = {
        "message_id": 5,
        **DATE,
        "from": ANN,
        "chat": GROUP,
        "caption": "secret caption",
        "document": {
            "file_id": "secret",
            "file_unique_id": "secret",
            "file_name": "secret.pdf",
            "file_size": 4321,
        },
        "contact": {"phone_number": "+74321", "first_name": "secret", "user_id": 4321},
        "location": {"latitude": 43.21, "longitude": 43.21},
        "new_chat_title": "secret title",
        "new_chat_members": [ANN],
        "reply_to_message": {"message_id": 4, **DATE, "chat": GROUP, "from": ANN, "text": "secret"},
    }
    _, told = written({"update_id": 1, "message": message})
    for words in ("secret", "4321", "43.21", "Аня", "anya"):
        assert words not in told, words


def test_of_our_own_messages_only_the_place_is_told() -> None:
    ours = {
        "message_id": 9,
        **DATE,
        "chat": GROUP,
        "from": {"id": 1, "is_bot": True, "first_name": "b"},
        "text": "Q♠",
    }
    query = {
        "id": "321",
        "from": ANN,
        "chat_instance": "1",
        "message": ours,
        "data": encode(Sit("5f0c2a9be1")),
    }
    again, told = written({"update_id": 1, "callback_query": query})
    assert again.callback_query is not None
    assert decode(str(again.callback_query.data)) == Sit("5f0c2a9be1")
    assert "♠" not in told


def test_a_card_that_was_pressed_is_not_told() -> None:
    card = parse_card("QD")
    queries = [
        {
            "id": "321",
            "from": ANN,
            "chat_instance": "1",
            "data": encode(Lay("5f0c2a9be1", Stamp(3, 14), card, suit)),
        }
        for suit in (None, 2)
    ]
    pressed = [written({"update_id": 1, "callback_query": query})[0].callback_query for query in queries]
    for query in pressed:
        assert query is not None
        asked = decode(str(query.data))
        assert isinstance(asked, Lay)
        assert (asked.table, asked.stamp) == ("5f0c2a9be1", Stamp(3, 14))
        assert asked.card != card


def test_every_button_that_names_a_card_is_among_those_whose_card_is_not_told() -> None:
    card = parse_card("QD")
    for kind in BUTTONS.values():
        if "card" in (names := [field.name for field in fields(kind)]):
            values = {
                "table": "5f0c2a9be1",
                "stamp": Stamp(3, 14),
                "round": 3,
                "step": 1,
                "card": card,
                "suit": None,
            }
            pressed: Any = kind(**{name: values[name] for name in names})
            query = {"id": "321", "from": ANN, "chat_instance": "1", "data": encode(pressed)}
            again = written({"update_id": 1, "callback_query": query})[0].callback_query
            assert again is not None
            assert decode(str(again.data)) == replace(pressed, card=0), kind


def test_data_of_no_button_of_ours_is_words() -> None:
    query = {"id": "321", "from": ANN, "chat_instance": "1", "data": "my secret"}
    assert "secret" not in written({"update_id": 1, "callback_query": query})[1]
