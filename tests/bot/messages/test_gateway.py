"""The gateway and pictures: one call each, one upload, drawing off the loop. Against a real sandbox."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
import telegram as ptb

from bot.logs import LineFormatter
from bot.messages.gateway import MessageGateway, NotAllowed, OtherKind, Undrawable
from bot.messages.photos import Photos
from bot.screens.picture import Face, Picture, SeatPicture, Standing, TablePicture, without_names
from bot.screens.screen import Button, Screen
from bot.storage.database import Database
from bot.storage.photos import MOST_PHOTOS, PhotoStore
from tests.e2e.telegram import Json, Telegram
from tests.sandbox.pictures import jpeg

PICTURE = TablePicture("Round 1", (SeatPicture("Anya", 4, 0), SeatPicture("Boris", 4, 0)))
OTHER = replace(PICTURE, stock=20)
ROWS = ((Button("go", data="go"),),)


class RecordingDrawer:
    """Draws something small, and remembers what, and in which thread."""

    def __init__(self) -> None:
        self.drawn: list[Picture] = []
        self.threads: set[int] = set()
        self.is_broken = False

    def __call__(self, picture: Picture) -> bytes:
        if self.is_broken:
            raise ZeroDivisionError
        self.drawn.append(picture)
        self.threads.add(threading.get_ident())
        return jpeg(320, 200) + repr(picture).encode()


@pytest.fixture
async def sandbox() -> AsyncIterator[Telegram]:
    async with Telegram.in_process() as sandbox:
        yield sandbox


class GatewayHarness:
    """A gateway, and the chat that it sends messages to."""

    def __init__(self, sandbox: Telegram, bot: ptb.Bot, database: Database) -> None:
        self.sandbox, self.bot, self.database = sandbox, bot, database
        self.drawer = RecordingDrawer()
        self.chat = 0
        self.restart()

    def restart(self) -> None:
        """Forget everything that is not in the database."""
        self.photos = Photos(PhotoStore(self.database), lambda: 1000.0, self.drawer)
        self.gateway = MessageGateway(self.bot, self.photos)

    async def send(self, screen: Screen) -> int:
        return await self.gateway.send(self.chat, 0, screen, silent=True)

    async def shows(self, message_id: int) -> Json:
        message = await self.sandbox.message(self.chat, message_id)
        assert message is not None
        return message.raw

    async def methods(self) -> list[str]:
        return [call["method"] for call in await self.sandbox.calls() if call["method"] != "getMe"]


@pytest.fixture
async def harness(sandbox: Telegram, database: Database) -> AsyncIterator[GatewayHarness]:
    async with ptb.Bot(sandbox.token, base_url=f"{sandbox.url}/bot") as bot:
        harness = GatewayHarness(sandbox, bot, database)
        harness.chat = await sandbox.new_group("Club", [await sandbox.new_user("Anya")])
        yield harness
        await harness.gateway.close()


async def test_a_picture_goes_out_with_its_caption_and_buttons_in_one_call(harness: GatewayHarness) -> None:
    shown = await harness.shows(await harness.send(Screen("<b>Your</b> turn", ROWS, picture=PICTURE)))
    assert (shown["text"], shown["caption"], len(shown["buttons"])) == (None, "Your turn", 1)
    assert shown["photo"] is not None
    assert await harness.methods() == ["sendPhoto"]


async def test_a_picture_is_drawn_beside_the_loop_and_one_after_another(harness: GatewayHarness) -> None:
    pictures = [replace(PICTURE, stock=stock) for stock in range(5)]
    await asyncio.gather(*(harness.send(Screen("x", picture=picture)) for picture in pictures))
    assert len(harness.drawer.drawn) == 5
    assert len(harness.drawer.threads) == 1
    assert threading.get_ident() not in harness.drawer.threads


async def test_what_was_sent_once_is_neither_drawn_nor_uploaded_again_also_after_a_restart(
    harness: GatewayHarness,
) -> None:
    first = await harness.shows(await harness.send(Screen("x", picture=PICTURE)))
    again = await harness.shows(await harness.send(Screen("y", picture=PICTURE)))
    await harness.gateway.close()
    harness.restart()
    later = await harness.shows(await harness.send(Screen("z", picture=replace(PICTURE))))
    assert first["photo"] == again["photo"] == later["photo"]
    assert harness.drawer.drawn == [PICTURE]


async def test_a_file_that_telegram_does_not_know_is_uploaded_anew(harness: GatewayHarness) -> None:
    await harness.send(Screen("x", picture=PICTURE))
    assert harness.sandbox.server is not None
    harness.sandbox.server.sandbox.world.files.clear()
    message_id = await harness.send(Screen("y", picture=PICTURE))
    assert harness.drawer.drawn == [PICTURE, PICTURE]
    await harness.gateway.edit(harness.chat, message_id, Screen("z", picture=PICTURE))
    assert len(harness.drawer.drawn) == 2
    assert (await harness.shows(message_id))["caption"] == "z"


async def test_a_text_becomes_a_picture_and_a_picture_another_one(harness: GatewayHarness) -> None:
    message_id = await harness.send(Screen("text", ROWS))
    await harness.gateway.edit(harness.chat, message_id, Screen("caption", ROWS, picture=PICTURE))
    first = await harness.shows(message_id)
    assert (first["text"], first["caption"], len(first["buttons"])) == (None, "caption", 1)
    await harness.gateway.edit(harness.chat, message_id, Screen("other", picture=OTHER))
    second = await harness.shows(message_id)
    assert (second["caption"], second["buttons"]) == ("other", [])
    assert first["photo"] != second["photo"]
    await harness.gateway.edit(
        harness.chat, message_id, Screen("other", picture=OTHER)
    )  # unchanged: that is fine
    assert await harness.methods() == ["sendMessage", *["editMessageMedia"] * 3]


async def test_a_caption_changes_without_its_picture(harness: GatewayHarness) -> None:
    message_id = await harness.send(Screen("one", ROWS, picture=PICTURE))
    before = await harness.shows(message_id)
    for _ in range(2):  # the second time nothing changes, which is fine
        await harness.gateway.edit_caption(harness.chat, message_id, Screen("two", ROWS, picture=PICTURE))
    after = await harness.shows(message_id)
    assert (after["photo"], after["caption"]) == (before["photo"], "two")


async def test_no_picture_becomes_a_text_and_a_text_has_no_caption(harness: GatewayHarness) -> None:
    picture, text = await harness.send(Screen("x", picture=PICTURE)), await harness.send(Screen("x"))
    with pytest.raises(OtherKind):
        await harness.gateway.edit(harness.chat, picture, Screen("text"))
    with pytest.raises(OtherKind):
        await harness.gateway.edit_caption(harness.chat, text, Screen("caption"))


async def test_a_group_without_media_is_told_from_one_without_a_picture(harness: GatewayHarness) -> None:
    await harness.sandbox.act("permissions", chat=harness.chat, permissions={"can_send_photos": False})
    with pytest.raises(NotAllowed):
        await harness.send(Screen("x", picture=PICTURE))
    await harness.send(Screen("x"))
    harness.drawer.is_broken = True
    with pytest.raises(Undrawable):
        await harness.send(Screen("x", picture=OTHER))


async def test_a_picture_that_cannot_be_drawn_is_logged_so_that_it_can_be_drawn_again(
    harness: GatewayHarness, caplog: pytest.LogCaptureFixture
) -> None:
    harness.drawer.is_broken = True
    gone = SeatPicture("Vera\n\u202e", 0, 120, Standing.OUT, hand=(Face("Q", "Q", 0),))
    picture = replace(OTHER, seats=(*OTHER.seats, gone))
    with pytest.raises(Undrawable):
        await harness.send(Screen("x", picture=picture))
    (record,) = caplog.records
    line = LineFormatter(()).format(record)
    said, _, rest = line.partition(": TablePicture(")
    assert said.endswith("a picture cannot be drawn")
    value, _, facts = rest.partition("\n")[0].rpartition(" [")
    drawn = eval(f"TablePicture({value}")  # noqa: S307 - as one would, with the line in hand
    assert drawn == without_names(picture)
    assert [seat.name for seat in drawn.seats][-1] == "xxxx\n\u202e"
    assert drawn.seats[-1].hand == gone.hand
    assert facts == f"chat={harness.chat} picture={picture.digest}]"


async def test_a_file_that_telegram_has_lost_is_logged_with_its_picture_and_the_chat(
    harness: GatewayHarness, caplog: pytest.LogCaptureFixture
) -> None:
    await harness.send(Screen("x", picture=PICTURE))
    assert harness.sandbox.server is not None
    harness.sandbox.server.sandbox.world.files.clear()
    await harness.send(Screen("y", picture=PICTURE))
    (line,) = [LineFormatter(()).format(it) for it in caplog.records if it.levelname == "WARNING"]
    assert line.endswith(f"[chat={harness.chat} picture={PICTURE.digest}]")


async def test_file_ids_take_no_more_than_their_room(database: Database) -> None:
    store = PhotoStore(database)
    await store.change({f"{n:06}": f"id{n}" for n in range(MOST_PHOTOS)}, 1.0)
    await store.change({"new": "id", "000000": "id0"}, 2.0)
    assert [await store.find(digest) for digest in ("new", "000000")] == ["id", "id0"]
    ((count,),) = await database.fetch_all("SELECT count(*) FROM photos")
    assert count == MOST_PHOTOS
    await store.change({"new": None}, 3.0)
    assert await store.find("new") is None
