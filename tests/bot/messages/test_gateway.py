"""Pictures on their way: one call each, uploaded once, drawn beside the loop. In a real sandbox."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

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


class Brush:
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
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    database = await Database.open(tmp_path / "101.sqlite3")
    yield database
    await database.close()


@pytest.fixture
async def sandbox() -> AsyncIterator[Telegram]:
    async with Telegram.in_process() as sandbox:
        yield sandbox


class Post:
    """A gateway, and the chat that it sends messages to."""

    def __init__(self, sandbox: Telegram, bot: ptb.Bot, database: Database) -> None:
        self.sandbox, self.bot, self.database = sandbox, bot, database
        self.brush = Brush()
        self.chat = 0
        self.restart()

    def restart(self) -> None:
        """Nothing is known any more but what is in the database."""
        self.photos = Photos(PhotoStore(self.database), lambda: 1000.0, self.brush)
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
async def post(sandbox: Telegram, database: Database) -> AsyncIterator[Post]:
    async with ptb.Bot(sandbox.token, base_url=f"{sandbox.url}/bot") as bot:
        post = Post(sandbox, bot, database)
        post.chat = await sandbox.new_group("Club", [await sandbox.new_user("Anya")])
        yield post
        await post.gateway.close()


async def test_a_picture_goes_out_with_its_caption_and_buttons_in_one_call(post: Post) -> None:
    shown = await post.shows(await post.send(Screen("<b>Your</b> turn", ROWS, picture=PICTURE)))
    assert (shown["text"], shown["caption"], len(shown["buttons"])) == (None, "Your turn", 1)
    assert shown["photo"] is not None
    assert await post.methods() == ["sendPhoto"]


async def test_a_picture_is_drawn_beside_the_loop_and_one_after_another(post: Post) -> None:
    pictures = [replace(PICTURE, stock=stock) for stock in range(5)]
    await asyncio.gather(*(post.send(Screen("x", picture=picture)) for picture in pictures))
    assert len(post.brush.drawn) == 5
    assert len(post.brush.threads) == 1
    assert threading.get_ident() not in post.brush.threads


async def test_what_was_sent_once_is_neither_drawn_nor_uploaded_again_also_after_a_restart(
    post: Post,
) -> None:
    first = await post.shows(await post.send(Screen("x", picture=PICTURE)))
    again = await post.shows(await post.send(Screen("y", picture=PICTURE)))
    await post.gateway.close()
    post.restart()
    later = await post.shows(await post.send(Screen("z", picture=replace(PICTURE))))
    assert first["photo"] == again["photo"] == later["photo"]
    assert post.brush.drawn == [PICTURE]


async def test_a_file_that_telegram_does_not_know_is_uploaded_anew(post: Post) -> None:
    await post.send(Screen("x", picture=PICTURE))
    assert post.sandbox.server is not None
    post.sandbox.server.sandbox.world.files.clear()
    message_id = await post.send(Screen("y", picture=PICTURE))
    assert post.brush.drawn == [PICTURE, PICTURE]
    await post.gateway.edit(post.chat, message_id, Screen("z", picture=PICTURE))
    assert len(post.brush.drawn) == 2
    assert (await post.shows(message_id))["caption"] == "z"


async def test_a_text_becomes_a_picture_and_a_picture_another_one(post: Post) -> None:
    message_id = await post.send(Screen("text", ROWS))
    await post.gateway.edit(post.chat, message_id, Screen("caption", ROWS, picture=PICTURE))
    first = await post.shows(message_id)
    assert (first["text"], first["caption"], len(first["buttons"])) == (None, "caption", 1)
    await post.gateway.edit(post.chat, message_id, Screen("other", picture=OTHER))
    second = await post.shows(message_id)
    assert (second["caption"], second["buttons"]) == ("other", [])
    assert first["photo"] != second["photo"]
    await post.gateway.edit(post.chat, message_id, Screen("other", picture=OTHER))  # unchanged: that is fine
    assert await post.methods() == ["sendMessage", *["editMessageMedia"] * 3]


async def test_a_caption_changes_without_its_picture(post: Post) -> None:
    message_id = await post.send(Screen("one", ROWS, picture=PICTURE))
    before = await post.shows(message_id)
    for _ in range(2):  # the second time nothing changes, which is fine
        await post.gateway.edit_caption(post.chat, message_id, Screen("two", ROWS, picture=PICTURE))
    after = await post.shows(message_id)
    assert (after["photo"], after["caption"]) == (before["photo"], "two")


async def test_no_picture_becomes_a_text_and_a_text_has_no_caption(post: Post) -> None:
    picture, text = await post.send(Screen("x", picture=PICTURE)), await post.send(Screen("x"))
    with pytest.raises(OtherKind):
        await post.gateway.edit(post.chat, picture, Screen("text"))
    with pytest.raises(OtherKind):
        await post.gateway.edit_caption(post.chat, text, Screen("caption"))


async def test_a_group_without_media_is_told_from_one_without_a_picture(post: Post) -> None:
    await post.sandbox.act("permissions", chat=post.chat, permissions={"can_send_photos": False})
    with pytest.raises(NotAllowed):
        await post.send(Screen("x", picture=PICTURE))
    await post.send(Screen("x"))
    post.brush.is_broken = True
    with pytest.raises(Undrawable):
        await post.send(Screen("x", picture=OTHER))


async def test_a_picture_that_cannot_be_drawn_is_logged_so_that_it_can_be_drawn_again(
    post: Post, caplog: pytest.LogCaptureFixture
) -> None:
    post.brush.is_broken = True
    gone = SeatPicture("Vera\n\u202e", 0, 120, Standing.OUT, hand=(Face("Q", "Q", 0),))
    picture = replace(OTHER, seats=(*OTHER.seats, gone))
    with pytest.raises(Undrawable):
        await post.send(Screen("x", picture=picture))
    (record,) = caplog.records
    line = LineFormatter(()).format(record)
    said, _, rest = line.partition(": TablePicture(")
    assert said.endswith("a picture cannot be drawn")
    value, _, facts = rest.partition("\n")[0].rpartition(" [")
    drawn = eval(f"TablePicture({value}")  # noqa: S307 - as one would, with the line in hand
    assert drawn == without_names(picture)
    assert [seat.name for seat in drawn.seats][-1] == "xxxx\n\u202e"
    assert drawn.seats[-1].hand == gone.hand
    assert facts == f"chat={post.chat} picture={picture.digest}]"


async def test_a_file_that_telegram_has_lost_is_logged_with_its_picture_and_the_chat(
    post: Post, caplog: pytest.LogCaptureFixture
) -> None:
    await post.send(Screen("x", picture=PICTURE))
    assert post.sandbox.server is not None
    post.sandbox.server.sandbox.world.files.clear()
    await post.send(Screen("y", picture=PICTURE))
    (line,) = [LineFormatter(()).format(it) for it in caplog.records if it.levelname == "WARNING"]
    assert line.endswith(f"[chat={post.chat} picture={PICTURE.digest}]")


async def test_file_ids_take_no_more_than_their_room(database: Database) -> None:
    store = PhotoStore(database)
    await store.change({f"{n:06}": f"id{n}" for n in range(MOST_PHOTOS)}, 1.0)
    await store.change({"new": "id", "000000": "id0"}, 2.0)
    assert [await store.find(digest) for digest in ("new", "000000")] == ["id", "id0"]
    ((count,),) = await database.fetch_all("SELECT count(*) FROM photos")
    assert count == MOST_PHOTOS
    await store.change({"new": None}, 3.0)
    assert await store.find("new") is None
