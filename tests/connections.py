"""Raw TCP connections for tests of servers: always closed in the end, and closed is closed, however it shows.

When the other side closes a connection, what is under way at that moment decides whether that shows as an end
or as a reset. No test may depend on which.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Connection:
    """A connection to a server."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def status(self) -> int:
        """Read the status of an HTTP response."""
        return int((await self.reader.readline()).split()[1])

    async def rest(self) -> bytes:
        """Read until the other side has closed the connection; what a reset has discarded is missing."""
        received = bytearray()
        with suppress(ConnectionError):
            while chunk := await self.reader.read(65536):
                received += chunk
        return bytes(received)

    async def write_until_reset(self) -> None:
        """Write on and on, until the other side no longer takes anything."""
        with suppress(ConnectionError):
            while True:
                self.writer.write(bytes(65536))
                await self.writer.drain()


@asynccontextmanager
async def connected(host: str, port: int) -> AsyncIterator[Connection]:
    """Connect to a server; the connection is closed at the end, also if a test fails."""
    connection = Connection(*await asyncio.open_connection(host, port))
    try:
        yield connection
    finally:
        connection.writer.close()
        with suppress(ConnectionError):
            await connection.writer.wait_closed()
