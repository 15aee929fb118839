"""Scripts: control calls played one after another, with named answers."""

import asyncio
import json
from pathlib import Path

import pytest

from sandbox import script
from sandbox.script import ScriptError
from tests.e2e.telegram import Json
from tests.sandbox.telegram import CheckedTelegram

STEPS: list[Json] = [
    {"do": "users", "with": {"first_name": "Ada"}, "as": "ada"},
    {"do": "chats", "with": {"type": "group", "title": "Whist", "members": ["$ada.id"]}, "as": "club"},
    {"do": "send", "with": {"from": "$ada.id", "chat": "$club.id", "text": "/go"}, "as": "command"},
    {"pause": 0},
    {"ask": "messages", "with": {"chat": "$club.id", "as": "$ada.id"}, "as": "seen"},
    {"do": "send", "with": {"from": "$ada.id", "chat": "$club.id", "text": "$seen.2.text"}},
    {
        "do": "edit",
        "with": {"from": "$ada.id", "chat": "$club.id", "message_id": "$command.message_id", "text": "no"},
    },
]


async def play(telegram: CheckedTelegram, steps: list[Json]) -> None:
    assert telegram.server is not None
    await script.play(telegram.server.sandbox, steps)


async def test_later_steps_refer_to_earlier_answers(telegram: CheckedTelegram) -> None:
    await play(telegram, STEPS)
    (chat,) = (await telegram.ask("world"))["chats"]
    assert [message.text for message in await telegram.messages(chat["id"])][-2:] == ["no", "/go"]


async def test_the_world_as_it_is_at_the_beginning_has_a_name(telegram: CheckedTelegram, ada: int) -> None:
    await play(telegram, [{"do": "start", "with": {"from": "$world.users.0.id", "payload": "x"}}])
    assert (await telegram.messages(ada))[-1].text == "/start x"


async def test_a_script_waits_for_what_the_bot_says(telegram: CheckedTelegram, ada: int) -> None:
    wait = {"wait": {"chat": ada, "text": "Choose", "button": "go"}, "as": "choice"}
    press = {
        "do": "press",
        "with": {"from": ada, "chat": ada, "message_id": "$choice.message_id", "button": "go", "wait": 0},
    }
    playing = asyncio.create_task(play(telegram, [wait, press]))
    await telegram.say(ada, "Choose")
    message_id = await telegram.say(ada, "Wait")
    assert not playing.done()
    keyboard = {"inline_keyboard": [[{"text": "go", "callback_data": "go!"}]]}
    edit = {"chat_id": ada, "message_id": message_id, "text": "Choose now", "reply_markup": keyboard}
    await telegram.ok("editMessageText", **edit)
    await playing
    assert [query["data"] for query in await telegram.updates("callback_query")] == ["go!"]


WRONG: list[tuple[Json, str]] = [
    ({"do": "send", "with": {"from": 7, "chat": 7, "text": "x"}}, "no user 7"),
    ({"do": "fly"}, "no route fly"),
    ({"do": "start", "with": {"from": "$nobody.id"}}, "refers to nothing"),
    ({"do": "start", "with": {"from": "$ada.name"}}, "refers to nothing"),
    ({"wait": {"chat": "club"}}, "chat must be int"),
    ({"wait": {"chat": 7, "seconds": 0.01}}, "no chat 7"),
    ({"wait": {"chat": "$ada.id", "seconds": 0.01}}, "within 0.01 s"),
]


@pytest.mark.parametrize(("step", "words"), WRONG, ids=[words for _, words in WRONG])
async def test_a_script_stops_at_the_first_step_that_does_not_work(
    telegram: CheckedTelegram, step: Json, words: str
) -> None:
    steps = [STEPS[0], step, {"do": "users", "with": {"first_name": "Bob"}}]
    with pytest.raises(ScriptError, match=f"step 2, .*{words}"):
        await play(telegram, steps)
    assert [user["first_name"] for user in (await telegram.ask("world"))["users"]] == ["Ada"]


def test_a_script_is_a_list_or_an_object_a_line(tmp_path: Path) -> None:
    path = tmp_path / "demo.json"
    path.write_text(json.dumps(STEPS), encoding="utf-8")
    assert script.load(path) == STEPS
    path.write_text("# a demo\n\n" + "\n".join(json.dumps(step) for step in STEPS), encoding="utf-8")
    assert script.load(path) == STEPS


NO_SCRIPTS = [
    "[",
    "{}",
    "[1]",
    "do users",
    '{"do": "users", "ask": "world"}',
    '{"do": ["users"]}',
    '{"do": "users", "with": [1]}',
    '{"do": "users", "wit": {}}',
    '{"do": "users", "as": []}',
    '{"pause": "long"}',
    '{"wait": {}}',
    '{"wait": {"chat": 1, "for": "x"}}',
]


@pytest.mark.parametrize("text", NO_SCRIPTS)
def test_anything_else_is_no_script(tmp_path: Path, text: str) -> None:
    path = tmp_path / "demo.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ScriptError):
        script.load(path)
