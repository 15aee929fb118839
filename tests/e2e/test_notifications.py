"""Notifications: at the start of a turn for players who are not looking, and for the lobby."""

from __future__ import annotations

import pytest

from bot.buttons import Peek, Sit
from tests.e2e.players import Club, Person
from tests.e2e.recording import Ring, Version
from tests.e2e.running import Running

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_at_the_deal_only_the_leaders_phone_rings(bot: Running) -> None:
    club = await Club.gathered(bot, 4)
    so_far = len(bot.telegram.record)
    await club.deal()
    state = await club.settled()
    rung = [ring.user for ring in rings_of_hands(club, so_far)]
    assert rung == [state.mover]


async def test_a_turn_rings_for_who_has_not_pressed_lately_and_is_an_edit_for_who_has(bot: Running) -> None:
    club = await Club.dealt(bot, 3)
    pressed: set[Person] = set()
    kinds: set[bool] = set()
    while kinds != {True, False} or len(pressed) < 3:
        state = await club.until_it_is_quiet()
        if state.match.round is not None:
            mover = club.person(state.mover)
            place = message_to_move_in(club, mover)
            rung = place in [(it.chat, it.message_id) for it in rings_of_hands(club)]
            edited = any(it.message.edited for it in versions_of(club, place))
            if mover not in pressed:
                assert rung, "who is not looking hears of his turn"
                kinds.add(False)
            else:
                assert edited, "who is looking at his chat sees his message change"
                kinds.add(True)
        tap = await club.next_tap()
        assert tap is not None
        pressed.add(tap.person)


async def test_a_new_message_takes_the_place_of_the_old_hand(bot: Running) -> None:
    club = await Club.dealt(bot, 4)
    for _ in range(8):
        await club.next_tap()
    await club.settled()
    for person in club.people:
        hands = [it for it in bot.telegram.newest(person.user_id) if "Раунд" in it.text]
        assert len(hands) == 1


async def test_the_table_never_rings_and_the_lobby_does_once(bot: Running) -> None:
    club = await Club.gathered(bot, 3)
    lobby = await club.message_with(Sit)
    await club.deal()
    await club.ask(club.host, club.chat, "/table", "▶️")
    for _ in range(6):
        await club.next_tap()
    await club.message_with(Peek)
    rings = [it for it in bot.telegram.record if isinstance(it, Ring) and it.chat == club.chat]
    by_bot = {it.message.message_id for it in of_bot(club)}
    assert {it.message_id for it in rings} & by_bot == {lobby.message_id}
    listeners = {it.user for it in rings if it.message_id == lobby.message_id}
    assert listeners == {person.user_id for person in club.people}


# --------------------------------------------------------------------------------------------------- helpers


def of_bot(club: Club) -> list[Version]:
    """All versions of the bot's messages in the group."""
    record = [it for it in club.running.telegram.record if isinstance(it, Version)]
    return [it for it in record if it.message.chat == club.chat and it.message.from_bot]


def rings_of_hands(club: Club, since: int = 0) -> list[Ring]:
    """The rings in the players' private chats that are about a round."""
    people = {person.user_id for person in club.people}
    rings = [it for it in club.running.telegram.record[since:] if isinstance(it, Ring) and it.chat in people]
    return [it for it in rings if "Раунд" in it.text]


def message_to_move_in(club: Club, person: Person) -> tuple[int, int]:
    """Return the message with somebody's hand."""
    hand = next(it for it in club.running.telegram.newest(person.user_id) if "Раунд" in it.text)
    return hand.chat, hand.message_id


def versions_of(club: Club, place: tuple[int, int]) -> list[Version]:
    """All versions of one message."""
    record = [it for it in club.running.telegram.record if isinstance(it, Version)]
    return [it for it in record if (it.message.chat, it.message.message_id) == place]
