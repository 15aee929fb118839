"""An HTTP server that lets a client read the answer even if it is sent before the request is complete.

Closing a socket with unread received bytes resets the connection, and a reset discards what the client has
not read yet. A refusal sent before the request's body was read could be lost like that: the client, or a
proxy, would see a broken connection instead of a status. So connections are closed in two steps, as in nginx
and Apache: first only the sending half; what still arrives is discarded until the client closes its half,
takes too long or has sent too much.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from typing import Any

from tornado.httpserver import HTTPServer
from tornado.iostream import IOStream

LINGER_BYTES = 16 * 1024 * 1024
"""The most bytes discarded before a connection is closed anyway."""
CHUNK_BYTES = 64 * 1024


class LingeringServer(HTTPServer):
    """An `HTTPServer` whose connections linger for at most `linger_seconds` when they are closed.

    `close_all_connections` also closes lingering connections at once.
    """

    def initialize(self, *args: Any, linger_seconds: float = 10.0, **kwargs: Any) -> None:
        """Called by tornado with the arguments of the constructor."""
        super().initialize(*args, **kwargs)
        self._linger_seconds = linger_seconds
        self._lingering: set[asyncio.Task[None]] = set()

    def handle_stream(self, stream: IOStream, address: Any) -> None:
        """Serve a connection that was accepted."""
        lingering = _LingeringStream(
            stream.socket,
            max_buffer_size=self.max_buffer_size,
            read_chunk_size=self.read_chunk_size,
        )
        lingering.linger = self._linger
        super().handle_stream(lingering, address)

    async def close_all_connections(self) -> None:
        """Close all connections, and wait until they are closed."""
        await super().close_all_connections()
        while self._lingering:
            for task in self._lingering:
                task.cancel()
            await asyncio.wait(self._lingering)

    def _linger(self, connection: socket.socket) -> None:
        def close(task: asyncio.Task[None]) -> None:
            self._lingering.discard(task)
            connection.close()

        task = asyncio.create_task(_discard_rest(connection, self._linger_seconds), name="lingering close")
        self._lingering.add(task)
        task.add_done_callback(close)


class _LingeringStream(IOStream):
    linger: Callable[[socket.socket], None]

    def close_fd(self) -> None:
        connection, self.socket = self.socket, None  # type: ignore[assignment]  # as tornado's own method does
        try:
            connection.shutdown(socket.SHUT_WR)
        except OSError:  # the client has reset the connection
            connection.close()
        else:
            self.linger(connection)


async def _discard_rest(connection: socket.socket, seconds: float) -> None:
    """Read until the client closes its half, or a limit is reached."""
    loop = asyncio.get_running_loop()
    left = LINGER_BYTES
    try:
        async with asyncio.timeout(seconds):
            while left > 0 and (chunk := await loop.sock_recv(connection, CHUNK_BYTES)):
                left -= len(chunk)
                await asyncio.sleep(0)  # a client that sends fast must not starve other tasks
    except OSError:  # too long (a TimeoutError), or the client has reset the connection: closed in any case
        return
