"""Pictures for Telegram: the id of a file it already has, or bytes drawn in a thread.

File ids are kept in memory and in the database, so that a picture is drawn and uploaded once, also across
restarts. It knows nothing of chats.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from bot.pictures import draw
from bot.screens.picture import Drawable, Picture
from bot.storage.photos import PhotoStore

log = logging.getLogger(__name__)

MOST_IN_MEMORY = 256


class Photos:
    """File ids by picture. `draw` makes the bytes of a picture; `now` gives unix seconds.

    Each kind of picture is drawn in its own thread, one after another: a slow chart delays no table, and
    drawing never takes more than its share of the machine.
    """

    def __init__(
        self, store: PhotoStore, now: Callable[[], float], draw: Callable[[Picture], bytes] = draw
    ) -> None:
        self._store = store
        self._now = now
        self._draw = draw
        self._known: OrderedDict[str, str | None] = OrderedDict()
        self._threads: dict[type[Drawable], ThreadPoolExecutor] = {}
        self._waiting: dict[str, str | None] = {}
        self._writing: asyncio.Task[None] | None = None

    async def find(self, picture: Picture) -> str | None:
        """Return Telegram's file id of this picture; None if it has not been sent."""
        digest = picture.digest
        if digest not in self._known:
            stored = await self._store.find(digest)
            self._keep(digest, self._known.get(digest, stored))
        return self._known[digest]

    async def draw(self, picture: Picture) -> bytes:
        """Draw the picture and return the file. Raises whatever the drawing raises."""
        thread = self._threads.get(type(picture))
        if thread is None:
            thread = self._threads[type(picture)] = ThreadPoolExecutor(1, type(picture).__name__)
        return await asyncio.get_running_loop().run_in_executor(thread, self._draw, picture)

    def remember(self, picture: Picture, file_id: str) -> None:
        """Keep the file id of a picture; it is stored in the background."""
        self._change(picture.digest, file_id)

    def forget(self, picture: Picture) -> None:
        """Forget the file id: Telegram no longer knows the picture."""
        self._change(picture.digest, None)

    async def close(self) -> None:
        """Wait until all file ids are stored."""
        while self._writing is not None:
            await asyncio.shield(self._writing)
        for thread in self._threads.values():
            thread.shutdown(wait=False)

    def _change(self, digest: str, file_id: str | None) -> None:
        if self._known.get(digest, "") == file_id:
            return
        self._keep(digest, file_id)
        self._waiting[digest] = file_id
        if self._writing is None:
            self._writing = asyncio.create_task(self._write())

    def _keep(self, digest: str, file_id: str | None) -> None:
        self._known[digest] = file_id
        self._known.move_to_end(digest)
        if len(self._known) > MOST_IN_MEMORY:
            self._known.popitem(last=False)

    async def _write(self) -> None:
        """Store the file ids; those that arrive during a commit go together into the next."""
        try:
            while self._waiting:
                changes, self._waiting = self._waiting, {}
                await self._store.change(changes, self._now())
        except Exception:
            # The pictures can be drawn again.
            log.exception("file ids of pictures were not written down")
        finally:
            self._writing = None
