"""Time at a table: reminders, the autopilot, sleeping tables, nudges."""

from __future__ import annotations

from pathlib import Path

from bot.buttons import CutDeck, Here, Nudge, Peek, ShowScore
from bot.tables.automatic_moves import forced_move
from bot.tables.lifecycle import TablePhase
from engine import Draw, Pass, Play
from tests.e2e.committed import Step, steps
from tests.e2e.players import Club, Person, button_for, has_button
from tests.e2e.recording import Ring
from tests.e2e.running import running
from tests.e2e.telegram import Message
from tests.e2e.wording import RUSSIAN, told

LONG = '{"preset": "classic", "limit": 500}'
NOBODY = {
    "TURN_SECONDS": "2",
    "AUTOPILOT_SECONDS": "0.1",
    "NEXT_DEAL_SECONDS": "0",
    "DEFAULT_RULES": LONG,
}
"""For a table at which nobody does anything: rounds may end meanwhile, the match does not."""

AGAIN = RUSSIAN.plain("hand.still_your_turn", top="", group="").split("·")[0].strip()
"""How the hand of somebody begins who is called again."""


async def test_any_player_wakes_a_sleeping_table_and_plays_on_it(tmp_path: Path) -> None:
    async with running(tmp_path, is_faulty=False, **NOBODY) as bot:
        club = await Club.gathered(bot, 2, strangers=1)
        await club.deal()
        await club.until(lambda: club.find(Here), "the table sleeps")
        board = await club.message_with(Here)
        tap = await club.strangers[0].press(board, button_for(board, Here))
        assert told(tap.answer, "not_seated")
        assert (await club.settled()).table.phase is TablePhase.ASLEEP
        sleeper = club.people[0]
        hand = sleeper.newest
        tap = await sleeper.press(hand, button_for(hand, Here))
        assert tap.answer.text == RUSSIAN.plain("done.here")
        await club.until(lambda: club.find(Here) is None, "the table is awake")


async def test_the_autopilot_plays_a_match_for_the_one_who_is_away(tmp_path: Path) -> None:
    """It plays for the absent player and never for others, until that player comes back."""
    async with running(tmp_path, AUTOPILOT_SECONDS="0.05", DEFAULT_RULES=LONG) as bot:
        club = await Club.dealt(bot, 3)
        mover = (await club.settled()).mover
        absent = next(it for it in club.people if it.user_id != mover)
        present = [it for it in club.people if it is not absent]
        await club.miss_turns(absent)
        away = RUSSIAN.plain("hand.away", group="Книжный клуб")
        await club.until(lambda: absent.newest.text.startswith(away), "he is played for")
        for _ in range(12):
            able = await club.until(lambda: [it for it in present if it.buttons()], "somebody may press")
            await able[0].tap()
        state = await club.settled()
        seat = club.people.index(absent)
        by_the_clock = [step.before.round for step in steps(state) if is_a_choice_made_by_the_clock(step)]
        assert {running.turn.seat for running in by_the_clock if running is not None} <= {seat}
        await absent.press(absent.newest, button_for(absent.newest, Here))
        await club.until(lambda: not any(has_button(it, Here) for it in hands(absent)), "he is back")
        state = await club.settled()
        assert not state.table.players[seat].is_away


def is_a_choice_made_by_the_clock(step: Step) -> bool:
    """Return whether the clock made a turn move that was not forced."""
    if step.actor is not None or step.before.round is None or not isinstance(step.move, Play | Draw | Pass):
        return False
    return forced_move(step.before) is None


async def test_without_a_clock_others_hurry_the_player_on(tmp_path: Path) -> None:
    async with running(tmp_path, TURN_SECONDS="0", HURRY_SECONDS="0") as bot:
        club = await Club.dealt(bot, 2, strangers=1)
        state = await club.settled()
        assert state.table.deadline is None
        mover = club.person(state.mover)
        await hurried_on(club, mover)
        await hurried_on(club, mover)
        await club.until(lambda: len([it for it in hands(mover) if "Раунд 1" in it.text]) == 1, "one is left")
        await club.settled()


async def hurried_on(club: Club, mover: Person) -> None:
    """A stranger presses «Hurry up», and the phone of who is to move rings once more."""
    before = len(rings_of(club, mover))
    tap = await club.strangers[0].press(club.board, button_for(club.board, Nudge))
    assert tap.answer.text == RUSSIAN.plain("done.hurried")
    await club.until(lambda: len(rings_of(club, mover)) > before, "his phone rings")
    assert rings_of(club, mover)[-1].text.startswith(AGAIN)


async def test_who_is_asked_to_cuts_the_deck_and_nobody_else(tmp_path: Path) -> None:
    async with running(tmp_path, CUT="true") as bot:
        club = await Club.gathered(bot, 2)
        await club.deal()
        state = await club.settled()
        assert state.table.phase is TablePhase.CUTTING
        (cutter,) = [person for person in club.people if has_button(person.newest, CutDeck)]
        (other,) = [person for person in club.people if person is not cutter]
        button = button_for(cutter.newest, CutDeck)
        assert told(await other.forge(other.newest, button.data or ""), "not_your_turn")
        await cutter.press(cutter.newest, button)
        await club.message_with(Peek)
        state = await club.settled()
        assert state.match.round is not None
        assert state.match.round.origin.cut == int(button.text)


async def test_the_score_is_a_tap_away_between_rounds(tmp_path: Path) -> None:
    async with running(tmp_path) as bot:
        club = await Club.dealt(bot, 2)
        await club.play_round()
        result = await club.message_with(ShowScore)
        await club.people[1].press(result, button_for(result, ShowScore))
        score = await club.until(lambda: found(club, "📊"), "the score sheet")
        assert "Раунд 1" in score.text


def found(club: Club, sign: str) -> Message | None:
    """The group's newest message that begins with this sign."""
    newest = club.running.telegram.newest(club.chat)
    return next((it for it in newest if it.text.startswith(sign)), None)


def rings_of(club: Club, person: Person) -> list[Ring]:
    """Return this person's notifications in private."""
    record = club.running.telegram.record
    return [it for it in record if isinstance(it, Ring) and it.user == person.user_id == it.chat]


def hands(person: Person) -> list[Message]:
    """Return the messages in this person's private chat."""
    return list(person.running.telegram.newest(person.user_id))
