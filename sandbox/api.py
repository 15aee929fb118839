"""The Bot API over HTTP: ``/bot<token>/<method>`` and ``/file/bot<token>/<path>``.

Accepts GET, forms, JSON and multipart; answers ``{"ok": …}`` with Telegram's status codes; writes the call
log.
"""

import asyncio
import inspect
import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from tornado.web import RequestHandler

from sandbox import jsontext, parameters
from sandbox.errors import ApiError, bad_request
from sandbox.events import Called
from sandbox.jsontext import NotUtf8Error
from sandbox.methods import METHODS, Call
from sandbox.model import Json
from sandbox.parameters import Upload
from sandbox.schema import table
from sandbox.state import Sandbox

TOKEN = re.compile(r"\d{1,15}:[A-Za-z0-9_-]+")
MAX_REQUEST_BYTES = 64 * 1024 * 1024


class AnswerLost(Exception):
    """The call took effect, but its caller must not get the answer."""


async def perform(sandbox: Sandbox, name: str, raw: Mapping[str, Any], files: Mapping[str, Upload]) -> Any:
    """Execute one call.

    Raises:
        ApiError: if it is refused.
        AnswerLost: if a fault drops its answer.
    """
    spec = table.load().method(name)
    if spec is None:
        raise ApiError(404, "Not Found: method not found")
    function = METHODS.get(spec.name)
    if function is None:
        raise ApiError(501, f"Not Implemented: the sandbox does not do {spec.name}")
    chat = _as_integer(raw.get("chat_id"))
    aftermath = await sandbox.faults.before(spec.name, chat)
    typed = parameters.read(table.load(), spec, raw, files)
    result = function(Call(sandbox, typed, files))
    if inspect.isawaitable(result):
        result = await result
    await sandbox.faults.after(spec.name, chat, aftermath)
    if aftermath.lost:
        raise AnswerLost
    return result


async def answer(
    sandbox: Sandbox,
    token: str,
    name: str,
    read: Callable[[], tuple[Mapping[str, Any], Mapping[str, Upload]]],
) -> tuple[int, Json]:
    """Carry out one call and note it in the call log; returns the status and the body of the answer.

    ``read`` gives the parameters as they came, and the files; it may raise ApiError.

    Raises:
        AnswerLost: if a fault wants its answer lost.
    """
    began = asyncio.get_running_loop().time()
    raw: Mapping[str, Any] = {}
    try:
        check_token(sandbox, token)
        sandbox.bot_calls()
        raw, files = read()
        body: Json = {"ok": True, "result": await perform(sandbox, name, raw, files)}
        status = 200
    except ApiError as error:
        status, body = error.code, error.body
    except AnswerLost:
        _note(sandbox, began, name, raw, 200, "the answer was lost")
        raise
    _note(sandbox, began, name, raw, status, body.get("description"))
    return status, body


class BotHandler(RequestHandler):
    """Handles one call of a method."""

    def initialize(self, sandbox: Sandbox) -> None:
        """Called by tornado for each request."""
        self.sandbox = sandbox
        self._poll: asyncio.Task[Any] | None = None

    def on_connection_close(self) -> None:
        """Called by tornado when the caller has disconnected: cancels its long poll."""
        if self._poll is not None:
            self._poll.cancel()

    async def get(self, token: str, name: str) -> None:
        """Handle a call with its parameters in the URL."""
        await self._answer(token, name)

    async def post(self, token: str, name: str) -> None:
        """Handle a call with its parameters in the body, the URL, or both."""
        await self._answer(token, name)

    async def _answer(self, token: str, name: str) -> None:
        if name.lower() == "getupdates":
            self._poll = asyncio.current_task()
        try:
            status, body = await answer(
                self.sandbox, token, name, lambda: (self._raw_parameters(), self._files())
            )
        except AnswerLost:
            self.detach().close()
            return
        except asyncio.CancelledError:
            self.detach()
            return
        self.set_status(status)
        self.set_header("Content-Type", "application/json")
        self.finish(json.dumps(body, ensure_ascii=False))

    def write_error(self, status_code: int, **_: Any) -> None:
        """Called by tornado for errors in the sandbox and for malformed HTTP requests."""
        self.set_header("Content-Type", "application/json")
        self.finish(json.dumps({"ok": False, "error_code": status_code, "description": self._reason}))

    def _raw_parameters(self) -> dict[str, Any]:
        raw: dict[str, Any] = {name: self.get_argument(name, strip=False) for name in self.request.arguments}
        if self.request.headers.get("Content-Type", "").startswith("application/json") and self.request.body:
            try:
                body = jsontext.parse(self.request.body)
            except NotUtf8Error as error:
                raise bad_request(str(error)) from None
            except ValueError:
                raise bad_request("can't parse request body as JSON object") from None
            if not isinstance(body, dict):
                raise bad_request("can't parse request body as JSON object")
            raw |= body
        return raw

    def _files(self) -> dict[str, Upload]:
        return {
            name: Upload(parts[0]["filename"], parts[0]["content_type"], parts[0]["body"])
            for name, parts in self.request.files.items()
        }


class FileHandler(RequestHandler):
    """Serves a file that ``getFile`` returned."""

    def initialize(self, sandbox: Sandbox) -> None:
        """Called by tornado for each request."""
        self.sandbox = sandbox

    def get(self, token: str, path: str) -> None:
        """Send the file's bytes."""
        try:
            check_token(self.sandbox, token)
        except ApiError as error:
            self.set_status(error.code)
            return
        for file in self.sandbox.world.files.values():
            if file.path == path:
                self.set_header("Content-Type", file.mime_type)
                self.finish(file.content)
                return
        self.set_status(404)


def check_token(sandbox: Sandbox, token: str) -> None:
    """Check that this is the bot's token. A world without a bot adopts the first token.

    Raises:
        ApiError: 404 for a malformed token, 401 for another bot's.
    """
    if not TOKEN.fullmatch(token):
        raise ApiError(404, "Not Found")
    if sandbox.adopts_token:
        sandbox.take_token(token)
    if token != sandbox.world.bot.token:
        raise ApiError(401, "Unauthorized")


def _note(
    sandbox: Sandbox, began: float, name: str, raw: Mapping[str, Any], status: int, description: str | None
) -> None:
    spec = table.load().method(name)
    sandbox.call_count += 1
    call: Json = {
        "n": sandbox.call_count,
        "at": round(sandbox.clock.now(), 3),
        "method": spec.name if spec else name,
        "chat_id": _as_integer(raw.get("chat_id")),
        "ok": status == 200,
        "status": status,
        "ms": round((asyncio.get_running_loop().time() - began) * 1000, 2),
        "description": description,
    }
    sandbox.calls.append(call)
    sandbox.world.emit(Called(call))


def _as_integer(value: Any) -> Any:
    try:
        return int(value)
    except (TypeError, ValueError):
        return value
