"""Premoves."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.buttons import (
    CancelPremove,
    LeavePremoveSuit,
    PickPremoveSuit,
    SetPremove,
)
from bot.tables.lifecycle import DeadlineKind
from engine import Effect, Play
from tests.e2e.committed import Committed, steps
from tests.e2e.players import Club, Person, button_for, data_of, has_button
from tests.e2e.running import Running, running
from tests.e2e.telegram import Button, Message
from tests.e2e.wording import told

pytestmark = pytest.mark.asyncio(loop_scope="module")


def waiting(club: Club, state: Committed) -> Person:
    """Return the player after the mover, clockwise."""
    match = state.match
    assert match.round is not None
    seat = match.round.ring.after[match.round.turn.seat]
    return club.person(state.table.players[seat].user_id)


def premove_buttons(hand: Message) -> list[Button]:
    """The cards of a hand that can be put aside as they are."""
    return [it for it in hand.buttons if isinstance(data_of(it), SetPremove)]


# ------------------------------------------------------------------------------------------------- put aside


async def test_a_card_put_aside_is_laid_in_its_turn_if_it_fits_and_nobody_else_sees_it(
    tmp_path: Path,
) -> None:
    """Everybody who waits puts a card aside, again and again, until one was laid and one was not."""
    async with running(tmp_path, FORCED_SECONDS="0.1") as bot:
        club = await Club.dealt(bot, 3)
        laid, missed = 0, 0
        for _ in range(60):
            if laid and missed:
                break
            state = await when_nothing_makes_itself(club)
            if state.match.round is None:
                await club.next_tap()
                continue
            person = waiting(club, state)
            hand = person.newest
            cards = premove_buttons(hand)
            if cards:
                await person.press(hand, cards[0])
                state = await club.settled()
                aside = [it.user_id for it in state.table.premoves]
                assert person.user_id in aside
                for other in club.people:
                    shown = any("⏱" in it.text for it in bot.telegram.newest(other.user_id))
                    assert shown is (other.user_id in aside)
                assert "⏱" not in club.board.text
            before = len(state.log)
            await club.next_tap()
            state = await when_nothing_makes_itself(club)
            made = [it for it in steps(state)[before:] if it.actor == person.user_id]
            laid += any(isinstance(it.move, Play) for it in made)
            missed += bool(cards) and not made and not state.table.premoves
        assert laid
        assert missed


async def when_nothing_makes_itself(club: Club) -> Committed:
    """Return the committed state, once no forced move is pending."""
    while True:
        state = await club.settled()
        if state.table.deadline is None or state.table.deadline.kind is not DeadlineKind.FORCED:
            return state


async def test_what_is_put_aside_is_changed_and_taken_back_with_a_tap(bot: Running) -> None:
    club, person = await with_two_cards_to_put_aside(bot)
    first, second = premove_buttons(person.newest)[:2]
    await person.press(person.newest, first)
    await club.settled()
    await person.press(person.newest, second)
    state = await club.settled()
    assert [f"⏱ {second.text}"] == [it.text for it in premove_buttons(person.newest) if "⏱" in it.text]
    await person.press(person.newest, button_for(person.newest, CancelPremove))
    state = await club.settled()
    assert state.table.premoves == ()
    assert not has_button(person.newest, CancelPremove)
    stale = await person.forge(person.newest, CancelPremove(state.table.id))
    assert told(stale, "stale")


async def with_two_cards_to_put_aside(bot: Running) -> tuple[Club, Person]:
    """A table at which who comes next holds two cards that are no queens, as nearly always."""
    while True:
        club = await Club.dealt(bot, 3)
        person = waiting(club, await club.settled())
        if len(premove_buttons(person.newest)) >= 2:
            return club, person


async def test_a_queen_is_put_aside_with_her_suit(bot: Running) -> None:
    club, person = await with_a_queen_to_put_aside(bot)
    queen = button_for(person.newest, PickPremoveSuit)
    await person.press(person.newest, queen)
    back = await club.until(
        lambda: person.newest if has_button(person.newest, LeavePremoveSuit) else None, "suits"
    )
    assert (await club.committed()).table.premoves == ()
    await person.press(back, button_for(back, LeavePremoveSuit))
    await club.until(lambda: has_button(person.newest, PickPremoveSuit), "the hand is there again")
    await person.press(person.newest, button_for(person.newest, PickPremoveSuit))
    await club.until(lambda: has_button(person.newest, LeavePremoveSuit), "the suits once more")
    suits = premove_buttons(person.newest)
    assert [it.text for it in suits] == ["♠️", "♥️", "♦️", "♣️"]
    await person.press(person.newest, suits[1])
    state = await club.settled()
    (premove,) = state.table.premoves
    assert (premove.user_id, premove.suit) == (person.user_id, 1)
    assert state.match.rules.effect_of(premove.card) is Effect.WILD


async def with_a_queen_to_put_aside(bot: Running) -> tuple[Club, Person]:
    """Find a table at which somebody waits with a queen in hand."""
    while True:
        club = await Club.dealt(bot, 4)
        state = await club.settled()
        for person in club.people:
            if person.user_id != state.mover and has_button(person.newest, PickPremoveSuit):
                return club, person
