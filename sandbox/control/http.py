"""The control routes over HTTP: JSON in and out; a refusal is ``{"error": …}`` with a 4xx."""

import json
from typing import Any
from urllib.parse import urlsplit

from tornado.web import RequestHandler

from sandbox import jsontext
from sandbox.control.registry import ACTIONS, QUESTIONS, Route, perform
from sandbox.errors import ControlError
from sandbox.model import Json
from sandbox.state import Sandbox


class ControlHandler(RequestHandler):
    """``/control/<name>``: GET asks, POST acts."""

    def initialize(self, sandbox: Sandbox) -> None:
        """Called by tornado for each request."""
        self.sandbox = sandbox

    def prepare(self) -> None:
        """Called by tornado before any method: refuses requests from pages of other sites."""
        origin = self.request.headers.get("Origin")
        if origin is not None and urlsplit(origin).netloc != self.request.host:
            self._write({"error": f"pages of {origin} have no business here"}, 403)

    def write_error(self, status_code: int, **_: Any) -> None:
        """Called by tornado for malformed requests and unsupported methods."""
        self._write({"error": self._reason}, status_code)

    async def get(self, name: str) -> None:
        """Answer a question."""
        fields = {key: self.get_query_argument(key) for key in self.request.query_arguments}
        await self._answer(QUESTIONS, name, fields)

    async def post(self, name: str) -> None:
        """Perform an action."""
        try:
            fields = jsontext.parse(self.request.body or b"{}")
        except ValueError as error:
            self._write({"error": f"the body must be a JSON object: {error}"}, 400)
            return
        if not isinstance(fields, dict):
            self._write({"error": "the body must be a JSON object"}, 400)
            return
        await self._answer(ACTIONS, name, fields)

    async def _answer(self, routes: dict[str, Route], name: str, fields: Json) -> None:
        try:
            self._write(await perform(routes, self.sandbox, name, fields), 200)
        except ControlError as error:
            self._write({"error": error.message}, error.status)

    def _write(self, body: Any, status: int) -> None:
        self.set_status(status)
        self.set_header("Content-Type", "application/json")
        self.finish(json.dumps(body, ensure_ascii=False))


class ControlFileHandler(RequestHandler):
    """``/control/file/<file_id>``: serves a picture or a document to the page."""

    def initialize(self, sandbox: Sandbox) -> None:
        """Called by tornado for each request."""
        self.sandbox = sandbox

    def get(self, file_id: str) -> None:
        """Send the file's bytes."""
        file = self.sandbox.world.files.get(file_id)
        if file is None:
            self.set_status(404)
            return
        self.set_header("Content-Type", file.mime_type)
        self.finish(file.content)
