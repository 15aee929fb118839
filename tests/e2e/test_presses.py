"""Presses that come too late, twice, from the wrong person, or under the wrong message.

Each is answered by a toast (or an alert), and nothing changes: neither the table nor its log nor any message.
What cannot come from any of our buttons at all is in `test_forgeries`.
"""

from __future__ import annotations

import asyncio

import pytest

from bot.buttons import (
    AskLeave,
    BackToHand,
    CallbackData,
    DealNext,
    ExplainRefusal,
    Lay,
    LeaveMatch,
    PassTurn,
    Peek,
    PickSuit,
    Sit,
    Stand,
    StartMatch,
    StopMatch,
    Take,
)
from engine import Match, Play, Stamp, legal
from tests.e2e.committed import Committed
from tests.e2e.leaks import cards_in
from tests.e2e.players import Club, Tap, button_for, data_of, has_button, unlogged_taps
from tests.e2e.running import Running
from tests.e2e.wording import RUSSIAN, told

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


async def test_who_is_not_to_move_is_told_whose_turn_it_is(bot: Running) -> None:
    club = await Club.dealt(bot, 3)
    async with club.unchanged() as state:
        mover, stamp = club.person(state.mover), moment_of(state)
        moves: list[CallbackData] = [
            *(asked for it in mover.newest.buttons if (asked := data_of(it)) is not None),
            Take(state.table.id, stamp),
            PassTurn(state.table.id, stamp),
            BackToHand(state.table.id, stamp),
        ]
        for person in club.people:
            if person is not mover:
                for asked in moves:
                    for message in (person.newest, club.board):
                        answer = await person.forge(message, asked)
                        assert told(answer, "whose_turn", name=mover.name), (asked, answer)


async def test_a_card_that_is_not_in_the_hand_is_refused(bot: Running) -> None:
    club = await Club.dealt(bot, 2)
    async with club.unchanged() as state:
        mover = club.person(state.mover)
        absent = sorted(set(range(4, 13)) - set(state.hand(mover.user_id)))
        for card in absent:
            suit = 0 if card == 10 else None
            answer = await mover.forge(mover.newest, Lay(state.table.id, moment_of(state), card, suit))
            assert told(answer, "card_not_in_hand")


async def test_a_card_that_does_not_fit_is_refused_with_what_would(bot: Running) -> None:
    club = await Club.dealt(bot, 2)
    state, card = await until_some_card_does_not_fit(club)
    async with club.unchanged():
        mover = club.person(state.mover)
        answer = await mover.forge(mover.newest, Lay(state.table.id, moment_of(state), card, None))
        beginning = RUSSIAN.plain("refusal.no_match", reason="").strip()
        assert (answer.text or "").startswith(beginning)


async def test_what_the_rules_do_not_allow_is_refused(bot: Running) -> None:
    club = await Club.dealt(bot, 2)
    async with club.unchanged() as state:
        mover, stamp = club.person(state.mover), moment_of(state)
        plain = next(
            it.card for it in legal(state.match, seat_of(state)) if isinstance(it, Play) and it.suit is None
        )
        here = mover.newest
        assert told(await mover.forge(here, Take(state.table.id, stamp)), "draw_not_allowed")
        assert told(await mover.forge(here, PassTurn(state.table.id, stamp)), "pass_not_allowed")
        assert told(await mover.forge(here, Lay(state.table.id, stamp, plain, 1)), "suit_not_allowed")
        assert told(await mover.forge(here, DealNext(state.table.id, 1)), "not_between")
        assert told(await mover.forge(club.board, StartMatch(state.table.id)), "not_in_lobby")
        assert told(await mover.forge(club.board, Sit(state.table.id)), "already_seated")
        assert told(await mover.forge(here, Stand(state.table.id)), "match_running")


async def test_a_stranger_is_refused_whatever_he_presses(bot: Running) -> None:
    club = await Club.dealt(bot, 2, strangers=2)
    stranger = club.strangers[0]
    async with club.unchanged() as state:
        table, stamp = state.table.id, moment_of(state)
        card = state.hand(state.mover)[0]
        for asked in (
            Lay(table, stamp, card, None),
            PickSuit(table, stamp, card),
            BackToHand(table, stamp),
            Take(table, stamp),
            PassTurn(table, stamp),
            ExplainRefusal(table, stamp),
            AskLeave(table),
            LeaveMatch(table, stranger.user_id),
            Stand(table),
            DealNext(table, 1),
        ):
            answer = await stranger.forge(club.board, asked)
            assert told(answer, "not_seated"), (asked, answer)
        assert told(await stranger.forge(club.board, StopMatch(table)), "not_host.named", name=club.host.name)
        assert told(await stranger.forge(club.board, Peek(table)), "stranger")


async def test_in_the_lobby_only_the_host_and_admins_deal(bot: Running) -> None:
    club = await Club.gathered(bot, 2, strangers=2)
    lobby = await club.message_with(StartMatch)
    deal = button_for(lobby, StartMatch)
    for person in (club.people[1], club.strangers[0]):
        async with club.unchanged():
            assert told((await person.press(lobby, deal)).answer, "may_not_deal.named", name=club.host.name)
    assert (await club.strangers[1].press(lobby, deal)).was_accepted
    assert (await club.settled()).match.number == 1


async def test_a_lonely_host_is_told_to_ask_his_friends(bot: Running) -> None:
    club = await Club.gathered(bot, 1)
    lobby = await club.message_with(StartMatch)
    async with club.unchanged():
        assert told((await club.host.press(lobby, "Раздать")).answer, "need_two")


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
    """Play on until the player to move has a card that he may not lay: the state then, and that card."""
    while True:
        tap = await club.next_tap()
        assert tap is not None, "the match ended before"
        state = await club.until_it_is_quiet()
        if state.match.round is not None and idle_cards(state.match):
            return state, idle_cards(state.match)[0]


def is_move(tap: Tap) -> bool:
    """Is this a press that the log of moves tells of?"""
    return tap.was_accepted and isinstance(tap.asked, Lay | Take | PassTurn | DealNext)


def idle_cards(match: Match) -> list[int]:
    """The cards of the player to move that he may not lay."""
    assert match.round is not None
    playable = {move.card for move in legal(match, match.round.turn.seat) if isinstance(move, Play)}
    return [card for card in match.round.piles.hands[match.round.turn.seat] if card not in playable]
