"""A Bot API with scripted answers, over real HTTP, one after another for each method."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application, RequestHandler

ME = {"id": 1, "is_bot": True, "first_name": "Bot", "username": "a_bot"}


class Script:
    """What is answered to each method: the next of its answers, the last of them for ever after.

    An answer is the status and the body; a body that is no text is written as JSON. `calls`: the arguments of
    each method's calls.
    """

    def __init__(self) -> None:
        self.base_url = ""
        self.answers: dict[str, list[tuple[int, Any]]] = {"getMe": [(200, ok(ME))]}
        self.calls: dict[str, list[dict[str, str]]] = defaultdict(list)
        self.heard: Callable[[str], object] = lambda _method: None
        """Called with the method of every call, before it is answered."""

    @classmethod
    @asynccontextmanager
    async def served(cls) -> AsyncIterator[Script]:
        """A script that is played at `base_url`."""
        script = cls()
        server = HTTPServer(Application([(r"/.*", _Call, {"script": script})], log_function=lambda _: None))
        (listening,) = bind_sockets(0, "127.0.0.1")
        server.add_sockets([listening])
        script.base_url = f"http://127.0.0.1:{listening.getsockname()[1]}/bot"
        try:
            yield script
        finally:
            server.stop()
            await server.close_all_connections()

    def next_answer(self, method: str) -> tuple[int, Any]:
        """The answer to this call."""
        answers: list[tuple[int, Any]] = self.answers.get(method, [(200, ok(True))])
        return answers.pop(0) if len(answers) > 1 else answers[0]


def ok(result: Any) -> dict[str, Any]:
    """The body of a success."""
    return {"ok": True, "result": result}


def refusal(code: int, description: str, **parameters: int) -> tuple[int, dict[str, Any]]:
    """A refusal in Telegram's form."""
    body: dict[str, Any] = {"ok": False, "error_code": code, "description": description}
    return code, body | ({"parameters": parameters} if parameters else {})


class _Call(RequestHandler):
    def initialize(self, script: Script) -> None:
        self._script = script

    def post(self) -> None:
        method = self.request.path.rsplit("/", 1)[1]
        self._script.calls[method].append(
            {name: values[-1].decode() for name, values in self.request.arguments.items()}
        )
        self._script.heard(method)
        status, body = self._script.next_answer(method)
        self.set_status(status, "as told")
        self.write(body if isinstance(body, str) else json.dumps(body))
