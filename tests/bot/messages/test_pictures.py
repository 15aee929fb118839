"""What a picture's failed call leads to: text where pictures are refused, and nothing taken for granted after
an answer was lost. The gateway, the sandbox and the database are real."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
import telegram as ptb

from bot.handlers.delivery_listener import apply_outcome
from bot.messages.desired import DesiredMessage, board_key
from bot.messages.executor import StepExecutor
from bot.messages.gateway import MessageGateway
from bot.messages.outcomes import CallOutcome, StateOutcome, WriteForbidden
from bot.messages.photos import Photos
from bot.messages.rate_limit import Priority, RateLimiter
from bot.messages.reconcile import Action
from bot.messages.recovery import UNKNOWN_PICTURE
from bot.messages.rendering import look_at
from bot.messages.shown_cache import ShownCache
from bot.messages.table_messages import UNCERTAIN_SECONDS, TableMessages
from bot.screens.picture import Picture, SeatPicture, TablePicture
from bot.screens.screen import Screen
from bot.settings import GroupSettings, Look, TableSettings
from bot.storage import Storage
from bot.storage.chats import StoredChat
from bot.storage.database import Database
from bot.storage.shown import Shown
from bot.tables.queries import TableQueries
from bot.tables.service import Tables
from tests.bot.tables.tables import ANYA, NOW, PACE
from tests.e2e.telegram import Telegram
from tests.sandbox.pictures import jpeg

BOARD = board_key(1)
PICTURE = TablePicture("Round 1", (SeatPicture("Anya", 4, 0), SeatPicture("Boris", 4, 0)))
OTHER = replace(PICTURE, stock=20)


class ExecutorHarness:
    """A table's messages, and an executor whose clock stands where `now` says."""

    def __init__(self, sandbox: Telegram, storage: Storage, bot: ptb.Bot, chat: int) -> None:
        self.sandbox, self.storage, self.chat, self.now = sandbox, storage, chat, NOW
        self.is_broken = False
        self.marked: list[str] = []
        self.write_forbidden: list[str] = []
        tables = Tables(storage, TableQueries(storage, lambda: self.now), PACE)
        self.gateway = MessageGateway(bot, Photos(storage.photos, lambda: self.now, self._draw))
        self.executor = StepExecutor(
            self.gateway,
            ShownCache(storage.shown),
            RateLimiter(),
            invalidate=self.marked.append,
            report=self._hear,
            now=lambda: self.now,
        )
        self.tables = tables
        self.table_messages = TableMessages("", shown={})

    async def open(self) -> None:
        await self.storage.chats.see(self.chat, "Club", None, "supergroup")
        opened = await self.tables.open(self.chat, 0, ANYA, TableSettings())
        self.table_messages = TableMessages(opened.table_id, shown={})

    async def _hear(self, outcome: CallOutcome) -> None:
        if isinstance(outcome, StateOutcome):
            await apply_outcome(outcome, self.storage, self.tables)
        elif isinstance(outcome, WriteForbidden):
            self.write_forbidden.append(outcome.table_id)

    def _draw(self, picture: Picture) -> bytes:
        if self.is_broken:
            raise ZeroDivisionError
        return jpeg(320, 200) + repr(picture).encode()

    async def show(self, screen: Screen) -> list[str]:
        """Set the desired screen and make the call that is due; return the methods called."""
        self.table_messages.set_desired(
            {BOARD: DesiredMessage(self.chat, 0, screen, Priority.GROUP, silent=True)}, 1
        )
        return await self.go_on()

    async def go_on(self) -> list[str]:
        """Make the call that is due, if any; the methods called."""
        before = len(await self.sandbox.calls())
        for step in self.table_messages.steps(self.now, {}):
            if step.due_at <= self.now:
                action = self.table_messages.begin(step, self.now, {})
                await self.executor.carry_out(step, action, self.table_messages)
                self.table_messages.end(step.key)
        return [call["method"] for call in (await self.sandbox.calls())[before:]]

    @property
    def shown(self) -> Shown:
        assert self.table_messages.shown is not None
        return self.table_messages.shown[BOARD]

    async def refused_pictures(self) -> str | None:
        chat = await self.storage.chats.get(self.chat)
        assert chat is not None
        return chat.refused_pictures

    async def seen(self) -> tuple[str | None, str | None, bool]:
        """Return text, caption, and whether there is a picture."""
        message = await self.sandbox.message(self.chat, self.shown.message_id)
        assert message is not None
        return message.raw["text"], message.raw["caption"], message.raw["photo"] is not None


@pytest.fixture
async def harness(tmp_path: Path) -> AsyncIterator[ExecutorHarness]:
    database = await Database.open(tmp_path / "101.sqlite3")
    async with Telegram.in_process() as sandbox, ptb.Bot(sandbox.token, base_url=f"{sandbox.url}/bot") as bot:
        chat = await sandbox.new_group("Club", [await sandbox.new_user("Anya")])
        harness = ExecutorHarness(sandbox, Storage(database), bot, chat)
        await harness.open()
        yield harness
        await harness.gateway.close()
    await database.close()


async def test_where_only_the_caption_differs_only_that_is_edited(harness: ExecutorHarness) -> None:
    assert await harness.show(Screen("one", picture=PICTURE)) == ["sendPhoto"]
    assert await harness.show(Screen("one", picture=replace(PICTURE))) == []
    assert await harness.show(Screen("two", picture=PICTURE)) == ["editMessageCaption"]
    assert await harness.show(Screen("two", picture=OTHER)) == ["editMessageMedia"]
    assert harness.shown.picture == OTHER.digest


async def test_what_a_message_carries_is_known_after_a_restart(harness: ExecutorHarness) -> None:
    await harness.show(Screen("one", picture=PICTURE))
    harness.table_messages = TableMessages(harness.table_messages.table_id)
    harness.table_messages.shown = await harness.storage.shown.of_table(harness.table_messages.table_id)
    assert await harness.show(Screen("one", picture=PICTURE)) == []
    assert await harness.show(Screen("two", picture=PICTURE)) == ["editMessageCaption"]


async def test_a_refused_picture_is_remembered_and_only_the_text_is_waited_for(
    harness: ExecutorHarness,
) -> None:
    await harness.sandbox.act("permissions", chat=harness.chat, permissions={"can_send_photos": False})
    await harness.show(Screen("one", picture=PICTURE))
    assert await harness.refused_pictures() == harness.table_messages.table_id
    assert harness.marked == [harness.table_messages.table_id]  # to be rendered as text
    assert harness.write_forbidden == []
    harness.now += 0.2
    assert await harness.show(Screen("text")) == ["sendMessage"]


def test_what_was_refused_for_one_match_is_tried_again_in_the_next() -> None:
    chat = StoredChat(
        -100, "Club", None, "supergroup", settings='{"look": "four_colours"}', refused_pictures="t1"
    )
    assert look_at(chat, "t1") is Look.TEXT
    assert look_at(chat, "t2") is Look.FOUR_COLOURS
    assert look_at(replace(chat, refused_pictures=None), "t1") is Look.FOUR_COLOURS


def test_a_group_that_has_chosen_nothing_or_chose_before_there_were_pictures_sees_text() -> None:
    chat = StoredChat(-100, "Club", None, "supergroup")
    assert look_at(None, "t1") is Look.TEXT
    assert look_at(chat, "t1") is Look.TEXT
    assert look_at(replace(chat, settings='{"turn_seconds": 60}'), "t1") is Look.TEXT
    document = GroupSettings().to_document()
    del document["look"]
    assert GroupSettings.from_document(document) == GroupSettings()


async def test_a_picture_that_cannot_be_drawn_keeps_nobody_from_the_text(harness: ExecutorHarness) -> None:
    harness.is_broken = True
    assert await harness.show(Screen("one", picture=PICTURE)) == []
    assert await harness.refused_pictures() == harness.table_messages.table_id
    harness.now += 0.2
    assert await harness.show(Screen("text")) == ["sendMessage"]


async def test_a_refusal_from_before_the_bots_rights_changed_is_out_of_date(harness: ExecutorHarness) -> None:
    await harness.sandbox.act("permissions", chat=harness.chat, permissions={"can_send_photos": False})
    send = harness.gateway.send

    async def send_and_hear_of_a_change(*call: object, silent: bool) -> int:
        try:
            return await send(*call, silent=silent)  # type: ignore[arg-type]
        finally:
            harness.executor.note_access_restored(harness.chat)

    harness.gateway.send = send_and_hear_of_a_change  # type: ignore[method-assign, assignment]
    await harness.show(Screen("one", picture=PICTURE))
    assert await harness.refused_pictures() is None


async def test_after_a_lost_answer_the_picture_goes_with_the_caption_until_all_is_sure(
    harness: ExecutorHarness,
) -> None:
    await harness.show(Screen("one", picture=PICTURE))
    await harness.sandbox.fault(method="editMessageMedia", status=502, times=1)
    await harness.show(Screen("two", picture=OTHER))
    harness.now += 1.5
    # What came of the lost call is not known: a caption alone might stand under either picture.
    assert await harness.show(Screen("three", picture=PICTURE)) == ["editMessageMedia"]
    harness.now += UNCERTAIN_SECONDS
    assert await harness.go_on() == ["editMessageMedia"]
    assert await harness.show(Screen("four", picture=PICTURE)) == ["editMessageCaption"]


async def test_a_text_that_has_become_a_picture_unheard_is_replaced(harness: ExecutorHarness) -> None:
    await harness.show(Screen("one"))
    await harness.sandbox.fault(method="editMessageMedia", lose_answer=True, times=1)
    await harness.show(Screen("two", picture=PICTURE))
    first = harness.shown.message_id
    assert await harness.seen() == (None, "two", True)
    harness.now += 1.5
    assert await harness.show(Screen("three")) == ["editMessageText"]
    assert harness.shown.picture == UNKNOWN_PICTURE
    assert await harness.go_on() == ["sendMessage"]
    assert await harness.seen() == ("three", None, False)
    await harness.go_on()
    assert await harness.sandbox.message(harness.chat, first) is None


async def test_a_picture_that_is_a_text_after_all_becomes_one_again(harness: ExecutorHarness) -> None:
    await harness.show(Screen("one"))
    assert harness.table_messages.shown is not None
    harness.table_messages.shown[BOARD] = replace(harness.shown, picture=PICTURE.digest)
    assert await harness.show(Screen("two", picture=PICTURE)) == ["editMessageCaption"]
    assert await harness.go_on() == ["editMessageMedia"]
    assert await harness.seen() == (None, "two", True)


async def test_a_text_takes_a_pictures_place_silently_and_the_picture_goes(harness: ExecutorHarness) -> None:
    await harness.show(Screen("one", picture=PICTURE))
    first = harness.shown.message_id
    assert await harness.show(Screen("text", notifies=True)) == ["sendMessage"]
    message = await harness.sandbox.message(harness.chat, harness.shown.message_id)
    assert message is not None
    assert message.raw["silent"]
    assert await harness.go_on() == ["deleteMessage"]
    assert await harness.sandbox.message(harness.chat, first) is None


async def test_an_old_picture_that_cannot_be_deleted_says_where_the_living_one_is(
    harness: ExecutorHarness,
) -> None:
    await harness.show(Screen("one", picture=PICTURE))
    first = harness.shown.message_id
    await harness.show(Screen("text"))
    await harness.sandbox.advance(3 * 86_400)
    harness.table_messages.superseded_screen = lambda _chat: Screen("the table is further down")
    await harness.go_on()  # it is too old to be deleted
    assert await harness.go_on() == ["editMessageCaption"]
    message = await harness.sandbox.message(harness.chat, first)
    assert message is not None
    assert message.text == "the table is further down"
    assert Action.REMOVE_KEYBOARD not in {
        step.action for step in harness.table_messages.steps(harness.now, {})
    }
