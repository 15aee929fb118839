"""Renders a table: collects the arguments of `desired_messages` from tables, chats and people.

Keeps in memory the one thing on a screen that is not in the stored state: the wild for which somebody is
choosing a suit.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from bot.locales import Translator, pick_language
from bot.messages.desired import Reader, board_key, desired_messages
from bot.messages.table_messages import TableMessages
from bot.screens.notices import old_hand, old_table
from bot.screens.screen import Context, Screen
from bot.settings import Look, PersonalSettings, look_in
from bot.storage import Storage
from bot.storage.chats import StoredChat
from bot.storage.people import Person
from bot.storage.shown import Shown
from bot.tables.queries import TableQueries
from bot.tables.view import TableView
from engine import Stamp


class Renderer:
    """Finds the desired messages of tables."""

    def __init__(
        self, storage: Storage, queries: TableQueries, catalogues: Mapping[str, Translator], bot_username: str
    ) -> None:
        self._storage = storage
        self._queries = queries
        self._catalogues = catalogues
        self._bot_username = bot_username
        self._choosing: dict[tuple[str, int], tuple[Stamp | int, int]] = {}

    def choose_suit(self, table_id: str, user_id: int, when: Stamp | int, card: int | None) -> None:
        """Show the choice of a suit for this card; None: leave it.

        It ends by itself: with the moment of the match `when`, or when the person's turn comes in the round
        with that number.
        """
        if card is None:
            self._choosing.pop((table_id, user_id), None)
        else:
            self._choosing[table_id, user_id] = (when, card)

    async def render(self, table_messages: TableMessages) -> None:
        """Set the desired messages from the committed state. Raises Refusal: table_gone."""
        table_id = table_messages.table_id
        place, group, hands = await self._queries.views(table_id)
        chat = await self._storage.chats.get(place.chat_id)
        tr = self._catalogues[pick_language(chat.language if chat else None, None)]
        readers = await self._readers(hands)
        unreachable = frozenset(user_id for user_id, reader in readers.items() if not reader.reachable)

        def board_url() -> str | None:
            board = (table_messages.shown or {}).get(board_of(group))
            return None if board is None else message_url(board)

        def superseded_screen(chat_id: int) -> Screen | None:
            if chat_id == place.chat_id and not group.is_solo:
                return old_table(tr, board_url(), self._bot_username)
            return old_hand(readers[chat_id].tr) if chat_id in readers else None

        context = Context(
            bot_username=self._bot_username,
            table_url=board_url(),
            unreachable=unreachable,
            look=look_at(chat, table_id),
        )
        choices = self._choices(table_id, hands)
        desired = desired_messages(place, group, hands, tr, readers, choices, context)
        out_of_reach = unreachable | {place.chat_id} if group.banished else unreachable
        table_messages.set_desired(desired, place.revision, superseded_screen, out_of_reach)

    async def _readers(self, user_ids: Collection[int]) -> dict[int, Reader]:
        """Return what is known of these people, with defaults for people the bot has not met."""
        people = await self._storage.people.get_many(user_ids)
        return {user_id: self._reader(people.get(user_id)) for user_id in user_ids}

    def _reader(self, person: Person | None) -> Reader:
        own = PersonalSettings() if person is None else person.settings
        language = pick_language(*((person.language, person.language_code) if person else (None, None)))
        return Reader(
            tr=self._catalogues[language],
            reachable=person is not None and person.reachable,
            sound=own.sound,
            hand_order=own.hand_order,
        )

    def _choices(self, table_id: str, hands: Mapping[int, TableView]) -> dict[int, int]:
        """Return the wild for which each person is choosing a suit; outdated choices are dropped."""
        choices = {}
        for user_id, view in hands.items():
            choice = self._choosing.get((table_id, user_id))
            if choice is None:
                continue
            when, card = choice
            if _is_time(view, when):
                choices[user_id] = card
            else:
                del self._choosing[table_id, user_id]
        return choices


def look_at(chat: StoredChat | None, table_id: str) -> Look:
    """Return how the chat sees this table: as text if it has refused its pictures, else as chosen."""
    if chat is None or chat.refused_pictures == table_id:
        return Look.TEXT
    return look_in(chat.settings)


def _is_time(view: TableView, when: Stamp | int) -> bool:
    """Return whether a choice of suit for this moment, or for the next turn in this round, is still open."""
    running = None if view.game is None else view.game.round
    if running is None:
        return False
    if isinstance(when, Stamp):
        return running.stamp == when
    return running.number == when and running.turn != view.you


def board_of(view: TableView) -> str:
    """Return the key of the group's current message."""
    return board_key(0 if view.game is None else view.game.number)


def message_url(shown: Shown) -> str | None:
    """A link to a message; only supergroups have them (https://core.telegram.org/bots/api#chat: -100…)."""
    prefix = "-100"
    chat = str(shown.chat_id)
    return (
        f"https://t.me/c/{chat.removeprefix(prefix)}/{shown.message_id}" if chat.startswith(prefix) else None
    )
