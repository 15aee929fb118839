"""Messages brought back, presses on old messages, matches that are days old."""

from __future__ import annotations

import asyncio

import pytest

from bot.buttons import (
    CallbackData,
    Choose,
    Lay,
    PassTurn,
    Peek,
    PickSuit,
    Rematch,
    SetPremove,
    StopMatch,
    Take,
)
from tests.e2e.players import Club, Person, button_for, has_button
from tests.e2e.running import Running
from tests.e2e.telegram import Json, Message
from tests.e2e.wording import RUSSIAN
from tests.patience import PATIENCE

pytestmark = pytest.mark.asyncio(loop_scope="module")

DAYS = 3 * 86_400.0
TO_MOVE_WITH = (Lay, PickSuit, Take, PassTurn)

HELD_UP: list[Json] = [{"hang": 600}, {"hang_answer": 600}, {"hang_answer": 600, "lose_answer": True}]
"""A call that is carried out late; one whose answer is late; one whose answer never comes."""


def hands_to_move_with(person: Person) -> list[Message]:
    """Return a person's messages with game buttons."""
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


async def test_who_asks_for_his_hand_where_none_is_dealt_is_told_so(bot: Running) -> None:
    """In the lobby and while waiting for the next round; in the group and in private."""
    club = await Club.gathered(bot, 2, strangers=1)
    none = RUSSIAN.plain("refusal.no_cards")
    await club.ask(club.host, club.host.user_id, "/hand", none)
    await club.ask(club.people[1], club.chat, "/hand", none)
    await club.deal()
    late = club.strangers[0]
    await late.start()
    await club.ask(late, club.chat, "/join", "▶️")
    await club.ask(late, late.user_id, "/hand", none)


def is_replaced(club: Club, first: Message) -> bool:
    """Return whether exactly one message has this text, and it is another one."""
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
    """Return whether the person has two hands to move with, neither of which is this one."""
    ids = [it.message_id for it in hands_to_move_with(person)]
    return len(ids) == 2 and first.message_id not in ids


@pytest.mark.parametrize("mishap", HELD_UP, ids=" ".join)
@pytest.mark.parametrize("command", ["/hand", "/table"])
async def test_what_is_asked_for_while_its_edit_is_under_way_is_there_once(
    bot: Running, command: str, mishap: Json
) -> None:
    """The edit of a hand, or of the table, is held up; it is asked for anew; then the edit goes through."""
    club = await Club.dealt(bot, 2)
    state = await club.settled()
    mover = club.person(state.mover)
    waiter = next(it for it in club.people if it is not mover)
    chat, kind = (waiter.user_id, SetPremove) if command == "/hand" else (club.chat, Peek)
    (shown,) = live(club, chat, kind)
    assert (await mover.forge(mover.newest, Choose("telling", "always"))).answered
    await bot.telegram.fault(method="editMessageText", chat=chat, times=1, **mishap)
    await mover.send(mover.user_id, "сейчас, сейчас")
    await until_one_hangs(bot)
    await waiter.send(chat, command)
    assert (await waiter.forge(shown, "")).answered, "one person's updates are handled one after another"
    await bot.telegram.fault()
    await club.until(lambda: is_below(live(club, chat, kind), shown), "it has come anew")
    await club.settled()
    assert len(live(club, chat, kind)) == 1


async def until_one_hangs(bot: Running) -> None:
    """Wait until a call is held up. The sandbox is asked again and again: nothing tells of it."""
    async with asyncio.timeout(PATIENCE):
        while not await bot.telegram.ask("hanging"):  # noqa: ASYNC110
            await asyncio.sleep(0.02)


def live(club: Club, chat: int, kind: type[CallbackData]) -> list[Message]:
    """The messages of a chat with such a button."""
    return [it for it in club.running.telegram.newest(chat) if has_button(it, kind)]


def is_below(messages: list[Message], old: Message) -> bool:
    """Return whether there is exactly one, newer than that one."""
    return len(messages) == 1 and messages[0].message_id > old.message_id


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
    """Return the target of the link that an old table's message has become."""
    now = next(it for it in club.running.telegram.newest(club.chat) if it.message_id == old.message_id)
    if now.text != RUSSIAN.plain("old.table_message", bot="sandbox_bot"):
        return None
    (button,) = now.buttons
    return button.url


def board_url(board: Message) -> str:
    """The address of a message in a supergroup."""
    return f"https://t.me/c/{str(board.chat).removeprefix('-100')}/{board.message_id}"


def is_old_hand(club: Club, old: Message) -> bool:
    """Return whether this hand has become a link to the current one."""
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
