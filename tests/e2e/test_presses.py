"""Presses that come too late, twice, or under a message that is gone.

Each is answered by a toast (or an alert), and nothing changes: neither the table nor its log nor any message.
What cannot come from any of our buttons at all is in `test_forgeries`.
"""

from __future__ import annotations

import asyncio

import pytest

from bot.buttons import (
    DealNext,
    ExplainRefusal,
    Lay,
    PassTurn,
    PickSuit,
    Sit,
    StartMatch,
    Take,
)
from engine import Match, Play, Stamp, legal
from tests.e2e.committed import Committed
from tests.e2e.leaks import cards_in
from tests.e2e.players import Club, Tap, button_for, data_of, has_button, unlogged_taps
from tests.e2e.running import Running
from tests.e2e.wording import told

pytestmark = pytest.mark.asyncio(loop_scope="module")


def moment_of(state: Committed) -> Stamp:
    """The moment the match is at."""
    assert state.match.round is not None
    return Stamp(state.match.number, state.match.round.counters.moves)


async def test_a_button_of_a_moment_that_has_passed_is_refused(bot: Running) -> None:
    club = await Club.dealt(bot, 2)
    mover = club.person((await club.committed()).mover)
    turn = mover.newest
    tap = await club.next_tap()
    while tap is None or not isinstance(tap.asked, Lay):
        tap = await club.next_tap()
    async with club.unchanged():
        old = [it for it in turn.buttons if isinstance(data_of(it), Lay | PickSuit)]
        for button in old:
            answer = await mover.forge(turn, button.data or "")
            assert told(answer, "stale")


async def test_two_presses_of_one_button_at_once_make_one_move(bot: Running) -> None:
    club = await Club.dealt(bot, 2)
    before = await club.committed()
    mover = club.person(before.mover)
    lay = next(it for it in legal(before.match, seat_of(before)) if isinstance(it, Play))
    data = Lay(before.table.id, moment_of(before), lay.card, lay.suit)
    answers = await asyncio.gather(*(mover.forge(mover.newest, data) for _ in range(5)))
    assert sum(answer.text is None for answer in answers) == 1
    assert sum(told(answer, "stale") for answer in answers) == 4
    after = await club.committed()
    assert len([it for it in after.log if it.actor == mover.user_id and it.n > len(before.log)]) == 1


async def test_an_update_that_comes_twice_takes_effect_once(bot: Running) -> None:
    club = await Club.dealt(bot, 3)
    await bot.telegram.fault(duplicate_updates=1.0)
    for _ in range(10):
        await club.next_tap()
    await bot.telegram.fault()
    state = await club.settled()
    assert unlogged_taps(club.people, state) == []
    moves = [tap for person in club.people for tap in person.taps if is_move(tap)]
    assert len([it for it in state.log[1:] if it.actor is not None]) == len(moves)


async def test_the_eyes_show_everybody_his_own_hand_and_a_stranger_none(bot: Running) -> None:
    club = await Club.dealt(bot, 3, strangers=1)
    async with club.unchanged() as state:
        for person in club.people:
            answer = (await person.press(club.board, "👀")).answer
            assert answer.show_alert
            assert cards_in(answer.text or "") == set(state.hand(person.user_id))
        answer = (await club.strangers[0].press(club.board, "👀")).answer
        assert told(answer, "stranger")
    late = club.strangers[0]
    await late.start()
    board = await club.ask(late, club.chat, "/join", "▶️")
    assert told((await late.press(board, "👀")).answer, "not_dealt_in")


async def test_why_tells_the_mover_what_does_not_fit(bot: Running) -> None:
    club = await Club.dealt(bot, 2)
    state, card = await until_some_card_does_not_fit(club)
    mover = club.person(state.mover)
    await club.until(lambda: has_button(mover.newest, ExplainRefusal), "the mover may ask why")
    async with club.unchanged():
        answer = (await mover.press(mover.newest, "❔")).answer
        assert answer.show_alert
        assert card in cards_in(answer.text or "")


async def test_a_press_under_a_message_that_is_gone_is_answered(bot: Running) -> None:
    club = await Club.gathered(bot, 2, strangers=1)
    lobby = await club.message_with(StartMatch)
    await club.deal()
    assert lobby.message_id not in [it.message_id for it in bot.telegram.newest(club.chat)]
    async with club.unchanged():
        answer = await club.people[1].forge(lobby, button_for(lobby, Sit).data or "")
        assert told(answer, "already_seated")
        answer = await club.host.forge(lobby, button_for(lobby, StartMatch).data or "")
        assert told(answer, "not_in_lobby")


async def test_a_message_whose_sending_was_not_answered_works_and_goes_when_it_is_pressed(
    bot: Running,
) -> None:
    """The reconciler sends it again, for it cannot know; a press under either is judged by its moment."""
    club = await Club.gathered(bot, 2)
    around = club.places()
    for person in club.people:
        await bot.telegram.fault(method="sendMessage", chat=person.user_id, lose_answer=True, times=1)
    await club.deal()
    await bot.telegram.fault()
    state, comparison = await club.compare(around)
    mover = club.person(state.mover)
    (orphan,) = [it for it in comparison.surplus if it.chat == mover.user_id]
    button = next(it for it in orphan.buttons if isinstance(data_of(it), Lay))
    assert (await mover.press(orphan, button)).was_accepted
    assert len((await club.settled()).log) > len(state.log)
    assert orphan.message_id not in [it.message_id for it in bot.telegram.newest(mover.user_id)]


# ------------------------------------------------------------------------------------------------- helpers


def seat_of(state: Committed) -> int:
    """The seat to move."""
    assert state.match.round is not None
    return state.match.round.turn.seat


async def until_some_card_does_not_fit(club: Club) -> tuple[Committed, int]:
    """Play on until the player to move has an unplayable card; return the state and the card."""
    while True:
        tap = await club.next_tap()
        assert tap is not None, "the match ended before"
        state = await club.until_it_is_quiet()
        if state.match.round is not None and idle_cards(state.match):
            return state, idle_cards(state.match)[0]


def is_move(tap: Tap) -> bool:
    """Return whether the log of moves has this press."""
    return tap.was_accepted and isinstance(tap.asked, Lay | Take | PassTurn | DealNext)


def idle_cards(match: Match) -> list[int]:
    """Return the unplayable cards of the player to move."""
    assert match.round is not None
    playable = {move.card for move in legal(match, match.round.turn.seat) if isinstance(move, Play)}
    return [card for card in match.round.piles.hands[match.round.turn.seat] if card not in playable]
