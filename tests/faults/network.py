"""What lies between a bot and its Telegram, and what can go wrong there: names, tunnels, handshakes, boxes.

The bot looks up a proxy's name, has it open a tunnel, and speaks TLS through it with a box that passes calls
on to the sandbox. Each of these can fail by itself, in the ways of `TROUBLES`; Telegram itself is well.
"""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
import struct
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import httpx
from tornado.httpserver import HTTPServer
from tornado.iostream import StreamClosedError
from tornado.netutil import bind_sockets
from tornado.web import Application, RequestHandler

from sandbox.model import Json
from sandbox.server import Server
from tests.faults.resolver import CONTROL, PROXY_NAME
from tests.patience import PATIENCE

CERTIFICATE = Path(__file__).parent / "telegram.test.pem"
"""The certificate and key of telegram.test, useless elsewhere."""
HTML = b"<html><head><title>Blocked</title></head><body>This page has been blocked.</body></html>"
CHUNK = 65_536
DRIBBLE_SECONDS = 1.0
SLOW_SECONDS = 1.2
"""Delay of each piece of data when everything is slow."""

TUNNEL_TROUBLES = ("refuse", "reset", "hang", "half-open", "freeze", "slow", "no gateway")
"""Nobody listens; connections are reset; CONNECT is not answered; it is answered, but nothing is carried; nor
by older connections; every piece is delayed; CONNECT is refused.
"""
NAME_TROUBLES = ("name unknown", "no name server")
PAGES = ("page 200", "page 400", "page 401", "page 403", "page 404", "page 429", "page 502")
"""A box answers every call with HTML and this status."""
MISTAKES = ("updates 401", "updates 404", "all 401", "all 404", "all 502")
"""Errors in Telegram's own format, to requests for updates or to every call."""
OTHERS = ("dribble", "unreadable", "lost", "webhook")
"""Answers come byte by byte; updates lack a part; open connections carry nothing ever again, new ones do;
somebody sets a webhook.
"""
TROUBLES = (*TUNNEL_TROUBLES, *NAME_TROUBLES, *PAGES, *MISTAKES, *OTHERS)


class Network:
    """The path from the bot to a sandbox. One failure at a time: `begin` and `heal`."""

    def __init__(self, server: Server, folder: Path) -> None:
        self._server = server
        self._control = folder / "names"
        self._control.write_text("")
        self.trouble: str | None = None
        self._listener: asyncio.Server | None = None
        self.port = 0
        """The proxy's port."""
        self._box_port = 0
        self._open: set[asyncio.StreamWriter] = set()
        self._lost: set[asyncio.StreamWriter] = set()
        """Connections that carry nothing ever again."""
        self._spoiled: set[int] = set()

    @classmethod
    @asynccontextmanager
    async def between(cls, server: Server, folder: Path) -> AsyncIterator[Network]:
        """Run a healthy network in front of this sandbox."""
        network = cls(server, folder)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(CERTIFICATE)
        async with httpx.AsyncClient(base_url=server.url, timeout=PATIENCE, trust_env=False) as client:
            box = HTTPServer(
                Application(
                    [(r"/.*", _Box, {"network": network, "client": client})], log_function=lambda _: None
                ),
                ssl_options=context,
            )
            (listening,) = bind_sockets(0, "127.0.0.1")
            box.add_sockets([listening])
            network._box_port = listening.getsockname()[1]
            await network._listen()
            try:
                yield network
            finally:
                await network._stop_listening()
                network._cut()
                box.stop()
                await box.close_all_connections()

    @property
    def command(self) -> tuple[str, ...]:
        """The command to start the bot with its name look-ups here."""
        return sys.executable, "-m", "tests.faults.resolver"

    @property
    def environment(self) -> dict[str, str]:
        """The environment with which the bot finds the path."""
        return {
            "BOT_API_URL": "https://telegram.test/bot",
            "HTTPS_PROXY": f"http://{PROXY_NAME}:{self.port}",
            "SSL_CERT_FILE": str(CERTIFICATE),
            CONTROL: str(self._control),
        }

    async def begin(self, trouble: str) -> None:
        """Start a failure."""
        assert trouble in TROUBLES
        self.trouble = trouble
        if trouble == "webhook":
            self._server.sandbox.webhook.set("https://127.0.0.1:1/nobody", None, None)
        elif trouble == "lost":
            self._lost |= self._open
        elif trouble == "refuse":
            await self._stop_listening()
        self._control.write_text(trouble if trouble in NAME_TROUBLES else "")
        if trouble in (*TUNNEL_TROUBLES, *NAME_TROUBLES) and trouble != "freeze":
            self._cut()

    async def heal(self) -> None:
        """End the failure; what it caught stays lost."""
        if self.trouble in ("freeze", "slow"):
            self._lost |= self._open
        self.trouble = None
        self._control.write_text("")
        if self._listener is None:
            await self._listen()

    # ------------------------------------------------------------------------------------------- the tunnel

    async def _listen(self) -> None:
        self._listener = await asyncio.start_server(self._serve, "127.0.0.1", self.port)
        self.port = self._listener.sockets[0].getsockname()[1]

    async def _stop_listening(self) -> None:
        if self._listener is not None:
            self._listener.close()
            self._listener = None

    def _cut(self) -> None:
        for writer in list(self._open):
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        with suppress(OSError, EOFError, asyncio.CancelledError):
            await self._tunnel(reader, writer)
        self._open.discard(writer)
        self._lost.discard(writer)
        writer.close()

    async def _tunnel(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        trouble = self.trouble
        if trouble == "reset":
            raw: socket.socket = writer.get_extra_info("socket")
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()
            return
        await reader.readuntil(b"\r\n\r\n")
        if trouble == "hang":
            await reader.read()  # until the bot gives up
            return
        if trouble == "no gateway":
            writer.write(b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n")
            await writer.drain()
            return
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        if trouble == "half-open":
            while await reader.read(CHUNK):
                pass
            return
        box_reader, box_writer = await asyncio.open_connection("127.0.0.1", self._box_port)
        try:
            await asyncio.gather(
                self._carry(reader, box_writer, writer), self._carry(box_reader, writer, writer)
            )
        finally:
            box_writer.close()

    async def _carry(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, key: asyncio.StreamWriter
    ) -> None:
        """Forward data, unless the connection (`key`) is lost."""
        try:
            while piece := await reader.read(CHUNK):
                if self.trouble == "slow":
                    await asyncio.sleep(SLOW_SECONDS)
                if self.trouble == "freeze":
                    self._lost.add(key)
                if key in self._lost:
                    continue
                writer.write(piece)
                await writer.drain()
        finally:
            writer.close()

    # ---------------------------------------------------------------------------------------------- the box

    def answer_of_box(self, method: str) -> tuple[int, str, bytes] | None:
        """Return status, kind and body of the box's own answer; None if it asks Telegram."""
        words = (self.trouble or "").split()
        match words:
            case ["page", status]:
                return int(status), "text/html", HTML
            case ["updates" | "all" as which, status] if which == "all" or method == "getUpdates":
                what = {"401": "Unauthorized", "404": "Not Found", "502": "Bad Gateway"}[status]
                body = {"ok": False, "error_code": int(status), "description": what}
                return int(status), "application/json", json.dumps(body).encode()
        return None

    def passed_on(self, method: str, body: bytes) -> bytes:
        """Return Telegram's answer as the box forwards it: an unreadable update has a message without its
        date.
        """
        if method != "getUpdates":
            return body
        answer: Json = json.loads(body)
        for update in answer["result"] if answer["ok"] else ():
            number = update["update_id"]
            if "message" in update and (self.trouble == "unreadable" or number in self._spoiled):
                self._spoiled.add(number)
                del update["message"]["date"]
        return json.dumps(answer).encode()


class _Box(RequestHandler):
    """Handles one call."""

    def initialize(self, network: Network, client: httpx.AsyncClient) -> None:
        self._network = network
        self._client = client
        self._asking: asyncio.Task[httpx.Response] | None = None

    def on_connection_close(self) -> None:
        """Called by tornado when the bot has disconnected: stops waiting for Telegram."""
        if self._asking is not None:
            self._asking.cancel()

    async def post(self) -> None:
        """Forward the call, or answer in Telegram's place."""
        method = self.request.path.rsplit("/", 1)[1]
        reply = self._network.answer_of_box(method)
        if reply is None:
            kind = self.request.headers.get("Content-Type")
            request = self._client.build_request(
                "POST",
                self.request.uri or "",
                content=self.request.body,
                headers={} if kind is None else {"Content-Type": kind},
            )
            self._asking = asyncio.create_task(self._client.send(request))
            await asyncio.wait({self._asking})
            if self._asking.cancelled():
                return
            answer = self._asking.result()
            reply = answer.status_code, "application/json", self._network.passed_on(method, answer.content)
        status, kind, body = reply
        self.set_status(status, "as told")
        self.set_header("Content-Type", kind)
        if self._network.trouble == "dribble":
            with suppress(StreamClosedError):
                for at in range(len(body)):
                    self.write(body[at : at + 1])
                    await self.flush()
                    await asyncio.sleep(DRIBBLE_SECONDS)
        else:
            self.write(body)
