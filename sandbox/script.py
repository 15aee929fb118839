"""``--script``: a list of control calls that is played to a running bot, for demos and bug reports.

A JSON list, or one JSON object a line (empty lines and lines that begin with ``#`` do not count)::

    {"do": "users", "with": {"first_name": "Ada"}, "as": "ada"}
    {"do": "chats", "with": {"type": "group", "title": "Whist", "members": ["$ada.id"]}, "as": "club"}
    {"do": "send", "with": {"from": "$ada.id", "chat": "$club.id", "text": "/start"}}
    {"wait": {"chat": "$club.id", "text": "Welcome", "button": "Play"}, "as": "welcome"}
    {"do": "press", "with": {"from": "$ada.id", "chat": "$club.id", "message_id": "$welcome.message_id", …}}

``do`` is an action (``POST``), ``ask`` a question (``GET``); ``with`` are its fields, and ``as`` gives its
answer a name. ``"$name.field.0"`` stands for a part of an answer; ``$world`` is what ``ask world`` answers at
the beginning. ``wait`` goes on as soon as the bot's newest message in a chat contains a text and bears a
button (both may be left out; ``seconds`` says for how long, 10 unless told otherwise), and answers the
message. ``pause`` waits that many seconds, for whoever is looking on.
"""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sandbox import jsontext
from sandbox.control.registry import ACTIONS, QUESTIONS, Body, perform
from sandbox.control.views import message_view, world_view
from sandbox.errors import ControlError
from sandbox.events import Edited, Event, Posted
from sandbox.model import BOT, Json
from sandbox.state import Sandbox

PATIENCE = 10.0
KINDS = frozenset({"do", "ask", "wait", "pause"})


TYPES: dict[str, type | tuple[type, ...]] = {
    "do": str,
    "ask": str,
    "with": dict,
    "as": str,
    "wait": dict,
    "pause": (int, float),
}


class ScriptError(Exception):
    """A step that could not be played; the message tells which and why."""


def load(path: Path) -> list[Json]:
    """The steps of a script.

    Raises:
        ScriptError: if it is neither a JSON list nor a JSON object a line, or a step is not of a known kind.
    """
    text = path.read_text(encoding="utf-8")
    try:
        if text.lstrip().startswith("["):
            steps: list[Any] = jsontext.parse(text)
        else:
            lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
            steps = [jsontext.parse(line) for line in lines]
    except ValueError as error:
        raise ScriptError(f"{path}: {error}") from error
    for number, step in enumerate(steps, 1):
        if not isinstance(step, dict) or len(KINDS & step.keys()) != 1:
            raise ScriptError(
                f"{path}: step {number} must be an object with one of {', '.join(sorted(KINDS))}"
            )
        _check(path, number, step)
    return steps


def _check(path: Path, number: int, step: Json) -> None:
    """See that a step is made of what its kind takes. The fields in it are the route's own matter."""
    kind = next(iter(KINDS & step.keys()))
    others = {"with", "as"} if kind in ("do", "ask") else {"as"}
    if unknown := step.keys() - {kind} - others:
        raise ScriptError(f"{path}: step {number}: {kind} goes with no {', '.join(sorted(unknown))}")
    for key, expected in TYPES.items():
        if key in step and not isinstance(step[key], expected):
            raise ScriptError(f"{path}: step {number}: {key} cannot be {json.dumps(step[key])}")
    if kind == "wait" and not ({"chat"} <= step["wait"].keys() <= {"chat", "text", "button", "seconds"}):
        raise ScriptError(f"{path}: step {number}: wait takes a chat, and text, button, seconds if you like")


async def play(sandbox: Sandbox, steps: Sequence[Json]) -> None:
    """Play all steps, each after the one before.

    Raises:
        ScriptError: at the first that does not work.
    """
    known: Json = {"world": world_view(sandbox)}
    for number, step in enumerate(steps, 1):
        try:
            answer = await _play_step(sandbox, step, known)
        except (ControlError, LookupError, TimeoutError) as error:
            raise ScriptError(f"step {number}, {json.dumps(step, ensure_ascii=False)}: {error}") from error
        if "as" in step:
            known[step["as"]] = answer


async def _play_step(sandbox: Sandbox, step: Json, known: Json) -> Any:
    if "pause" in step:
        await asyncio.sleep(step["pause"])
        return None
    if "wait" in step:
        body = Body(_resolved(step["wait"], known))
        return await _wait(
            sandbox,
            chat=body.take("chat", int),
            text=body.take("text", str, default=""),
            button=body.take("button", str, default=""),
            seconds=body.take("seconds", int, float, default=PATIENCE),
        )
    fields = _resolved(step.get("with", {}), known)
    if "do" in step:
        return await perform(ACTIONS, sandbox, step["do"], fields)
    # Questions come with the strings of an address.
    return await perform(
        QUESTIONS, sandbox, step["ask"], {name: str(value) for name, value in fields.items()}
    )


def _resolved(value: Any, known: Json) -> Any:
    """A value with all references replaced.

    Raises:
        LookupError: for a reference to nothing.
    """
    if isinstance(value, dict):
        return {key: _resolved(item, known) for key, item in value.items()}
    if isinstance(value, list):
        return [_resolved(item, known) for item in value]
    if not isinstance(value, str) or not value.startswith("$"):
        return value
    found: Any = known
    for part in value[1:].split("."):
        try:
            found = found[int(part)] if isinstance(found, list) else found[part]
        except (LookupError, TypeError, ValueError):
            raise LookupError(f"{value} refers to nothing") from None
    return found


async def _wait(sandbox: Sandbox, *, chat: int, text: str, button: str, seconds: float) -> Json:
    happened = asyncio.Event()

    def on_event(event: Event) -> None:
        if isinstance(event, Posted | Edited) and event.message.chat == chat:
            happened.set()

    sandbox.world.listeners.append(on_event)
    try:
        async with asyncio.timeout(seconds):
            while (found := _newest(sandbox, chat, text, button)) is None:
                happened.clear()
                await happened.wait()
            return found
    except TimeoutError:
        raise TimeoutError(f"nothing of the kind came within {seconds:g} s") from None
    finally:
        sandbox.world.listeners.remove(on_event)


def _newest(sandbox: Sandbox, chat_id: int, text: str, button: str) -> Json | None:
    for message in reversed(sandbox.world.chat(chat_id).messages.values()):
        if message.sender != BOT or message.service is not None:
            continue
        view = message_view(sandbox.world, message)
        shown = [item["text"] for row in view["buttons"] for item in row]
        if text in (message.text or message.caption or "") and (not button or button in shown):
            return view
    return None
