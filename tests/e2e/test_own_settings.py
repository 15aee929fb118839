"""Personal settings in private: sound, forced moves, order of cards, language."""

from __future__ import annotations

import pytest

from bot.buttons import (
    Choose,
    Lay,
    PassTurn,
    PickSuit,
    SetLanguage,
    Take,
)
from bot.tables.lifecycle import DeadlineKind, TablePhase
from engine import Draw, Match, Pass, Play, legal, rank_of
from tests.e2e.committed import CATALOGUES, steps
from tests.e2e.leaks import cards_in
from tests.e2e.menus import Menu
from tests.e2e.players import Club, Person, data_of, has_button
from tests.e2e.recording import Ring
from tests.e2e.running import Running

pytestmark = pytest.mark.asyncio(loop_scope="module")

LANGUAGES = pytest.mark.parametrize("language", ["ru", "en"])


async def own(club: Club, person: Person) -> Menu:
    """Open a person's own settings."""
    return await Menu.opened(club, person, person.user_id, "/settings", Choose)


@LANGUAGES
async def test_whose_turns_are_silent_gets_his_hands_without_a_ring(bot: Running, language: str) -> None:
    club = await Club.gathered(bot, 2, language=language)
    menu = await own(club, club.host)
    await menu.press(Choose("sound", False))
    await menu.until_offered(Choose("sound", True))
    so_far = len(bot.telegram.record)

    def rung() -> set[int]:
        return {it.chat for it in bot.telegram.record[so_far:] if isinstance(it, Ring)}

    await club.deal()
    await club.play(until=lambda: club.people[1].user_id in rung() and len(club.host.taps) > 8)
    await club.settled()
    assert club.people[1].user_id in rung()
    assert club.host.user_id not in rung()
    await menu.press(Choose("sound", True))
    await menu.until_offered(Choose("sound", False))


@LANGUAGES
async def test_who_moves_by_hand_presses_for_every_draw_and_pass_and_others_need_not(
    bot: Running, language: str
) -> None:
    club = await Club.gathered(bot, 2, language=language)
    careful = club.host
    menu = await own(club, careful)
    await menu.press(Choose("forced_moves", False))
    await club.deal()
    by_hand = 0
    by_itself: list[Play | Draw | Pass] = []
    while not (by_hand and by_itself):
        state = await club.settled()
        by_itself = [
            it.move for it in steps(state) if it.actor is None and isinstance(it.move, Play | Draw | Pass)
        ]
        is_playing = state.table.phase is TablePhase.PLAYING
        if is_playing and is_without_choice(state.match) and state.mover == careful.user_id:
            deadline = state.table.deadline
            assert deadline is not None
            assert deadline.kind is not DeadlineKind.FORCED
            assert has_button(careful.newest, Take) or has_button(careful.newest, PassTurn)
            by_hand += 1
        assert await club.next_tap() is not None, "the match is over, and not everybody has had to draw"
    assert {move.seat for move in by_itself} == {1}


@LANGUAGES
async def test_cards_are_sorted_as_their_holder_wants_them(bot: Running, language: str) -> None:
    club = await Club.gathered(bot, 2, language=language)
    await club.deal()
    state = await club.settled()
    mover = club.person(state.mover)
    menu = await own(club, mover)
    for order in ("rank", "suit"):
        await menu.press(Choose("hand_order", order))
        await menu.until_offered(Choose("hand_order", "suit" if order == "rank" else "rank"))
        expected = sorted(state.hand(mover.user_id), key=by_rank if order == "rank" else None)
        await shows_in_order(club, mover, expected)
        peeked = (await mover.press(club.board, "👀")).answer
        assert cards_in(peeked.text or "") == set(expected)


@LANGUAGES
async def test_ones_own_language_is_ones_own(bot: Running, language: str) -> None:
    other = "en" if language == "ru" else "ru"
    club = await Club.dealt(bot, 2, language=language)
    board = club.board
    person = club.people[1]
    menu = await own(club, person)
    answer = await menu.press(SetLanguage(other))
    assert answer.text == CATALOGUES[other].plain("done.language")
    await menu.shows(CATALOGUES[other].plain("about.hand_order"))
    round_one = CATALOGUES[other].plain("hand.round", n=1)
    await club.until(
        lambda: any(round_one in it.text for it in bot.telegram.newest(person.user_id)) or None,
        "his hand speaks his language",
    )
    assert club.board.text == board.text


# ------------------------------------------------------------------------------------------------- helpers


def is_without_choice(match: Match) -> bool:
    """Return whether the player to move can only draw or pass."""
    assert match.round is not None
    moves = legal(match, match.round.turn.seat)
    return len(moves) == 1 and isinstance(moves[0], Draw | Pass)


def by_rank(card: int) -> tuple[int, int]:
    """For sorting: ranks first."""
    return rank_of(card), card


async def shows_in_order(club: Club, person: Person, cards: list[int]) -> None:
    """Wait until these are the cards on the buttons of somebody's hand, in this order."""
    await club.until(lambda: shown(person) == cards or None, f"the hand shows {cards}")


def shown(person: Person) -> list[int]:
    """The cards on the buttons of somebody's newest hand."""
    for message in person.running.telegram.newest(person.user_id):
        asked = [data_of(button) for button in message.buttons]
        cards = [asked.card for asked in asked if isinstance(asked, Lay | PickSuit)]
        if cards:
            return cards
    return []
