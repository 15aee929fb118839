"""``--script``: plays a list of control calls to a running bot, for demos and bug reports.

docs/SANDBOX.md describes the format. ``"$name.field.0"`` refers to a part of an earlier answer.
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
    """A step failed; the message says which and why."""


def load(path: Path) -> list[Json]:
    """Parse the steps of a script.

    Raises:
        ScriptError: if it is neither a JSON list nor one JSON object per line, or a step's kind is unknown.
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
    """Check that a step has the keys of its kind. The route checks its own fields."""
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
    """Play all steps one after another.

    Raises:
        ScriptError: at the first step that fails.
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
    # Questions take strings, as in a URL's query.
    return await perform(
        QUESTIONS, sandbox, step["ask"], {name: str(value) for name, value in fields.items()}
    )


def _resolved(value: Any, known: Json) -> Any:
    """Return a value with all references replaced.

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
