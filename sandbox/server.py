"""The HTTP server: the Bot API, the control routes, the page and its WebSocket, on loopback only."""

import ipaddress
import json
from pathlib import Path
from typing import Any

from tornado.httpserver import HTTPServer
from tornado.httputil import HTTPServerRequest
from tornado.netutil import bind_sockets
from tornado.web import Application, RequestHandler, StaticFileHandler

from sandbox.api import MAX_REQUEST_BYTES, BotHandler, FileHandler
from sandbox.control.http import ControlFileHandler, ControlHandler
from sandbox.control.push import PushHandler, PushHub
from sandbox.state import Sandbox

HOST = "127.0.0.1"
PAGE = Path(__file__).with_name("page")


class PageHandler(StaticFileHandler):
    """Serves the page's files without caching, because they change during development."""

    def set_extra_headers(self, path: str) -> None:
        """Called by tornado for each file."""
        del path
        self.set_header("Cache-Control", "no-store")


class NotFoundHandler(RequestHandler):
    """Answers all other paths, in the Bot API's format."""

    def prepare(self) -> None:
        """Called by tornado before any method."""
        self.set_status(404)
        self.set_header("Content-Type", "application/json")
        self.finish('{"ok": false, "error_code": 404, "description": "Not Found"}')


class WrongHostHandler(RequestHandler):
    """Refuses requests for another host: some site's name has been pointed here (DNS rebinding)."""

    def prepare(self) -> None:
        """Called by tornado before any method."""
        words = f"the sandbox is at {HOST} or localhost, not at {self.request.host}"
        self.set_status(403)
        self.set_header("Content-Type", "application/json")
        self.finish(json.dumps({"ok": False, "error_code": 403, "description": words, "error": words}))


class LoopbackApplication(Application):
    """Routes for requests to this machine's own names.

    A page that the browser considers the sandbox's own has full control of the world, so a foreign host name
    must not serve it.
    """

    def find_handler(self, request: HTTPServerRequest, **kwargs: Any) -> Any:
        """Called by tornado for each request."""
        if not is_loopback(request.host_name):
            return self.get_handler_delegate(request, WrongHostHandler)
        return super().find_handler(request, **kwargs)


def is_loopback(name: str) -> bool:
    """Return whether a host name or address, as in a URL, can only mean this machine."""
    if name == "localhost" or name.endswith(".localhost"):  # RFC 6761, section 6.3
        return True
    try:
        return ipaddress.ip_address(name.removeprefix("[").removesuffix("]")).is_loopback
    except ValueError:
        return False


class Server:
    """A listening sandbox. ``port`` and ``url`` are known once it has started."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self._http = HTTPServer(application(sandbox), max_buffer_size=MAX_REQUEST_BYTES)
        self.port = 0

    def start(self, port: int = 0) -> None:
        """Listen on this port of the loopback interface; 0 picks a free one.

        Raises:
            OSError: if the port is taken.
        """
        sockets = bind_sockets(port, HOST)
        self.port = sockets[0].getsockname()[1]
        self._http.add_sockets(sockets)

    @property
    def url(self) -> str:
        """The page's address."""
        return f"http://{HOST}:{self.port}"

    @property
    def bot_api_url(self) -> str:
        """The prefix that a bot puts before its token (python-telegram-bot: ``base_url``)."""
        return f"{self.url}/bot"

    async def stop(self) -> None:
        """Stop listening, and close open connections."""
        self.sandbox.webhook.delete()
        self.sandbox.callbacks.reset()
        self.sandbox.updates.interrupt("the sandbox is going down")
        self._http.stop()
        await self._http.close_all_connections()


def application(sandbox: Sandbox) -> Application:
    """Build the application with all routes."""
    parts = {"sandbox": sandbox}
    return LoopbackApplication(
        [
            (r"/bot([^/]+)/(\w+)", BotHandler, parts),
            (r"/file/bot([^/]+)/(.+)", FileHandler, parts),
            (r"/control/file/([\w-]+)", ControlFileHandler, parts),
            (r"/control/(\w+)", ControlHandler, parts),
            (r"/ws", PushHandler, {"hub": PushHub(sandbox.world)}),
            (r"/page/([\w./-]+)", PageHandler, {"path": str(PAGE)}),
            (r"/()", PageHandler, {"path": str(PAGE), "default_filename": "index.html"}),
        ],
        default_handler_class=NotFoundHandler,
        log_function=lambda _: None,  # the page has the call log; every URL contains a bot's token
        websocket_ping_interval=20,
    )
