"""The lost: things brought back, presses on old messages, matches that are days old."""

from __future__ import annotations

import pytest

from bot.callbacks import Lay, PassTurn, Peek, PickSuit, Rematch, StopMatch, Take
from tests.e2e.players import Club, Person, button_for, has_button
from tests.e2e.running import Running
from tests.e2e.telegram import Message
from tests.e2e.wording import RUSSIAN

pytestmark = pytest.mark.asyncio(loop_scope="module")

DAYS = 3 * 86_400.0
TO_MOVE_WITH = (Lay, PickSuit, Take, PassTurn)


def hands_to_move_with(person: Person) -> list[Message]:
    """His messages with buttons to play with."""
    messages = person.running.telegram.newest(person.user_id)
    return [it for it in messages if any(has_button(it, kind) for kind in TO_MOVE_WITH)]


def find_text(club: Club, chat: int, text: str) -> Message | None:
    """The newest message that reads so."""
    return next((it for it in club.running.telegram.newest(chat) if it.text == text), None)


async def test_hand_in_the_group_brings_the_cards_back_in_private_and_says_so(bot: Running) -> None:
    club = await Club.dealt(bot, 2)
    person = club.people[1]
    before = person.newest.message_id
    sent = RUSSIAN.plain("hands.sent")
    await person.send(club.chat, "/hand")
    first = await club.until(lambda: find_text(club, club.chat, sent), "the group is told")
    await club.until(lambda: person.newest.message_id > before, "the cards have come")
    await person.send(club.chat, "/hand")
    await club.until(lambda: is_replaced(club, first), "a repeated answer replaces the first")
    await club.settled()


def is_replaced(club: Club, first: Message) -> bool:
    """Is there just one message that reads so, and is it another one?"""
    messages = [it for it in club.running.telegram.newest(club.chat) if it.text == first.text]
    return len(messages) == 1 and messages[0].message_id > first.message_id


async def test_a_press_on_an_old_hand_is_answered_with_the_way_to_the_living_one(bot: Running) -> None:
    """The answer to a message's sending was lost, so it was sent twice; the one too many has stayed."""
    club = await Club.dealt(bot, 2)
    mover = club.person((await club.settled()).mover)
    (first,) = hands_to_move_with(mover)
    await bot.telegram.fault(method="sendMessage", chat=mover.user_id, times=1, lose_answer=True)
    await mover.send(mover.user_id, "/hand")
    await club.until(lambda: are_two_without(mover, first), "there is one hand too many")
    living, orphan = hands_to_move_with(mover)
    await bot.telegram.fault()
    await mover.press(living, button_for(living, Lay))
    await club.settled()
    tap = await mover.press(orphan, button_for(orphan, Lay))
    assert tap.answer.text == RUSSIAN.plain("old.hand")
    await club.until(lambda: orphan not in hands_to_move_with(mover), "the old one goes")
    await club.settled()


def are_two_without(person: Person, first: Message) -> bool:
    """Does he have two hands to move with, neither of which is this one?"""
    ids = [it.message_id for it in hands_to_move_with(person)]
    return len(ids) == 2 and first.message_id not in ids


async def test_a_match_that_is_days_old_goes_on_and_old_messages_tell_the_way(bot: Running) -> None:
    """They cannot be deleted any more: they lose their buttons and say where the living ones are."""
    club = await Club.dealt(bot, 2)
    first_board, first_hands = club.board, {person: person.newest for person in club.people}
    await bot.telegram.advance(DAYS)
    board = await club.ask(club.host, club.chat, "/table", "▶️")
    await club.until(lambda: way_from(club, first_board) == board_url(board), "the old table tells the way")
    for person in club.people:
        await person.send(person.user_id, "/hand")
        old = first_hands[person]
        await club.until(lambda: is_old_hand(club, old), "the old hand tells the way")  # noqa: B023
        assert len([it for it in bot.telegram.newest(person.user_id) if "Раунд 1" in it.text]) == 1
    await club.play_round()
    await bot.telegram.advance(DAYS)
    await club.next_tap()
    await club.message_with(Peek)
    await club.settled()
    for person in club.people:
        assert len(hands_to_move_with(person)) <= 1


def way_from(club: Club, old: Message) -> str | None:
    """Where the link leads that an old table's message has become."""
    now = next(it for it in club.running.telegram.newest(club.chat) if it.message_id == old.message_id)
    if now.text != RUSSIAN.plain("old.table_message", bot="sandbox_bot"):
        return None
    (button,) = now.buttons
    return button.url


def board_url(board: Message) -> str:
    """The address of a message in a supergroup."""
    return f"https://t.me/c/{str(board.chat).removeprefix('-100')}/{board.message_id}"


def is_old_hand(club: Club, old: Message) -> bool:
    """Has this hand become the way to the living one?"""
    now = next(it for it in club.running.telegram.newest(old.chat) if it.message_id == old.message_id)
    return now.text == RUSSIAN.plain("old.hand_message") and not now.buttons


async def test_the_end_of_a_match_that_is_days_old_leaves_no_live_button(bot: Running) -> None:
    club = await Club.dealt(bot, 2)
    await bot.telegram.advance(DAYS)
    question = await club.ask(club.host, club.chat, "/stop", RUSSIAN.plain("stop.ask"))
    await club.host.press(question, button_for(question, StopMatch))
    await club.message_with(Rematch)
    await club.settled()
    assert [it for person in club.people for it in hands_to_move_with(person)] == []
