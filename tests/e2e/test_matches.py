"""Whole matches of the real bot, of two and four people, in two sets of rules and two languages.

Each match is played once by the fixture, with everything that was shown taken down; the tests then ask about
what there was to see, and what was committed.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import pytest
import pytest_asyncio

from bot.buttons import Lay, PassTurn, Rematch, StartMatch, Take
from bot.tables.lifecycle import Ending
from engine import commitment, turn_stamp
from tests.e2e.committed import CATALOGUES, Committed, misplaced_cards, steps
from tests.e2e.leaks import cards_in, cards_on, leaks
from tests.e2e.looks import RESULT_SIGN, Comparison
from tests.e2e.players import Club, button_for, unlogged_taps
from tests.e2e.recording import Happening, Removal, Ring, Toast, Version
from tests.e2e.running import running
from tests.e2e.telegram import Message


@dataclass(frozen=True, slots=True)
class Plan:
    """Who plays what: the group's language, and the places of those who speak the other one."""

    size: int
    preset: str
    limit: int
    language: str
    foreigners: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.size} play {self.preset} in {self.language}"


PLANS = (
    Plan(2, "classic", 60, "ru", ()),
    Plan(4, "classic", 50, "en", (1,)),
    Plan(2, "game_108", 108, "en", ()),
    Plan(4, "game_108", 50, "ru", (3,)),
)


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match that was played to its end: what is committed, what was to be seen, what was asked for."""

    plan: Plan
    club: Club
    state: Committed
    record: list[Happening]
    comparison: Comparison
    score: Message
    private_score: Message
    rules: Message
    end: Message
    lobby: Message

    def of_group(self) -> list[Version]:
        """All versions of the bot's messages in the group."""
        return self.of_chat(self.club.chat)

    def of_chat(self, chat: int) -> list[Version]:
        """All versions of the bot's messages in a chat, oldest first."""
        versions = [it for it in self.record if isinstance(it, Version)]
        return [it for it in versions if it.message.chat == chat and it.message.from_bot]


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=PLANS, ids=str)
async def played(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[PlayedMatch]:
    plan: Plan = request.param
    yield await play(plan, tmp_path_factory.mktemp("played"))


async def play(plan: Plan, folder: Path) -> PlayedMatch:
    """A match from `/game` to the rematch's lobby; after a round `/score` and `/rules` are asked for."""
    rules = json.dumps({"preset": plan.preset, "limit": plan.limit})
    async with running(folder, DEFAULT_RULES=rules) as bot:
        club = await Club.gathered(
            bot, plan.size, language=plan.language, foreigners=plan.foreigners, seed=str(plan)
        )
        around = club.places() - {(it.chat, it.message_id) for it in [await club.message_with(StartMatch)]}
        await club.deal()
        await club.play(until=club.is_between_rounds)
        score = await club.ask(club.host, club.chat, "/score", "📊")
        book = await club.ask(club.people[1], club.chat, "/rules", "📖")
        private_score = await club.ask(club.people[1], club.people[1].user_id, "/score", "📊")
        around |= {(it.chat, it.message_id) for it in (score, book, private_score)}
        await club.play()
        await club.settled()
        state, comparison = await club.compare(around)
        record = list(bot.telegram.record)
        end = await club.message_with(Rematch)
        await club.people[-1].press(end, button_for(end, Rematch))
        lobby = await club.until(lambda: club.lobby_lists(club.people), "the rematch gathers")
    return PlayedMatch(plan, club, state, record, comparison, score, private_score, book, end, lobby)


# ---------------------------------------------------------------------------------------- what is committed


def test_the_log_replays_to_the_stored_state(played: PlayedMatch) -> None:
    assert steps(played.state)[-1].after == played.state.match
    assert [logged.n for logged in played.state.log] == list(range(1, len(played.state.log) + 1))


def test_every_card_exists_exactly_once_at_every_step(played: PlayedMatch) -> None:
    assert misplaced_cards(played.state) == []


def test_every_press_that_was_accepted_is_the_move_in_the_log(played: PlayedMatch) -> None:
    assert unlogged_taps(played.club.people, played.state) == []


def test_no_button_that_is_shown_is_refused(played: PlayedMatch) -> None:
    refused = [
        tap
        for person in played.club.people
        for tap in person.taps
        if not tap.was_accepted and isinstance(tap.asked, Lay | Take | PassTurn)
    ]
    assert refused == []


# ------------------------------------------------------------------------------------------- what was shown


def test_at_the_end_everybody_sees_what_is_committed_and_nothing_else(played: PlayedMatch) -> None:
    assert played.comparison == Comparison([], [])


def test_each_round_leaves_one_result_with_the_hands_laid_open_and_the_sums(played: PlayedMatch) -> None:
    results = [message for message in shown_in_the_end(played) if message.text.startswith(RESULT_SIGN)]
    assert len(results) == len(played.state.table.rounds)
    for message, result in zip(results, played.state.table.rounds, strict=True):
        assert cards_in(message.text) == {card for _, hand in result.hands for card in hand}
        for seat, total in result.totals:
            name = played.club.people[seat].name
            (line,) = [line for line in message.text.splitlines()[1:] if name in line]
            assert signed(total) in line
        assert result.seed is not None
        assert f"🔐 {commitment(result.seed)[:8]}" in message.text
        assert message.rows == ()


def test_the_match_ends_with_everybodys_place(played: PlayedMatch) -> None:
    match, words = played.state.match, CATALOGUES[played.plan.language]
    assert played.state.table.ending is Ending.FINISHED
    assert match.winner is not None
    winner, total = played.club.people[match.winner].name, match.seats[match.winner].total
    head, *told = played.end.text.splitlines()
    places = told[: played.plan.size]
    assert head == words.plain("match.won", name=winner)
    assert places[0] == words.plain("place.won", n=1, name=winner, total=signed(total))
    numbers = [int(line.split(". ")[0]) for line in places]
    assert all(number in (n, before) for n, (before, number) in enumerate(pairwise([0, *numbers]), start=1))
    for person in played.club.people:
        assert sum(person.name in line for line in places) == 1


def test_the_rematch_gathers_everybody_again(played: PlayedMatch) -> None:
    assert played.lobby.message_id > played.end.message_id
    names = [person.name for person in played.club.people]
    listed = [line for line in played.lobby.text.splitlines() if line[:1].isdigit()]
    assert sorted(line.split(". ")[1].removesuffix(" 👑") for line in listed) == sorted(names)
    (host,) = [line for line in listed if "👑" in line]
    assert names[-1] in host


def test_score_tells_the_totals_round_by_round(played: PlayedMatch) -> None:
    first = played.state.table.rounds[0]
    for sheet in (played.score, played.private_score):
        for seat, total in first.totals:
            person = played.club.people[seat]
            lines = [line for line in sheet.text.splitlines() if person.name in line]
            assert any(signed(total) in line for line in lines)
    assert any(entity["type"] == "pre" for entity in played.score.raw["entities"])


def test_rules_are_those_of_the_table(played: PlayedMatch) -> None:
    words = CATALOGUES[played.plan.language]
    assert words.plain(f"preset.{played.plan.preset}") in played.rules.text
    assert str(played.plan.limit) in played.rules.text


def test_the_group_reads_its_language_and_everybody_his_own(played: PlayedMatch) -> None:
    for person in played.club.people:
        words = CATALOGUES[person.language]
        first_lines = [it.message.text.splitlines()[0] for it in played.of_chat(person.user_id)]
        turn = words.plain("hand.your_turn", top="", group="").split(" · ")[0]
        assert any(line.startswith(turn) for line in first_lines), first_lines
    words = CATALOGUES[played.plan.language]
    boards = [it.message.text for it in played.of_group() if it.message.text.startswith("▶️")]
    assert boards
    rounds = [words.plain("hand.round", n=result.number) for result in played.state.table.rounds]
    assert all(any(title in text for title in rounds) for text in boards)


def test_who_goes_out_before_the_end_is_told_so_and_goes_on_watching(played: PlayedMatch) -> None:
    *earlier, _last = played.state.table.rounds
    out = {seat for result in earlier for seat, total in result.totals if total > played.plan.limit}
    for seat in out:
        person = played.club.people[seat]
        texts = [it.message.text for it in played.of_chat(person.user_id)]
        watching = [text for text in texts if text.startswith("✖️") and "▶️" in text]
        assert watching, person.name


# ----------------------------------------------------------------------------------------------- what leaks


def test_nobody_is_ever_shown_a_card_that_only_another_has_seen(played: PlayedMatch) -> None:
    """Fails when, say, the screens' narration names drawn cards to everybody, or a view carries all hands."""
    assert leaks(played.record, played.state) == []


def test_the_search_for_leaks_reads_every_hand_there_was(played: PlayedMatch) -> None:
    """The search would see nothing if it did not understand how cards are shown: it must find each hand."""
    seen: dict[int, set[int]] = {}
    for person in played.club.people:
        for version in played.of_chat(person.user_id):
            seen.setdefault(person.user_id, set()).update(cards_on(version.message))
    for step in steps(played.state):
        if step.after.round is not None and turn_stamp(step.after)[1] == 0:
            for seat, hand in enumerate(step.after.round.piles.hands):
                assert set(hand) <= seen[played.club.people[seat].user_id]


def test_the_search_for_leaks_finds_hands_in_wrong_places(played: PlayedMatch) -> None:
    """A hand shown to another player, to the group or to a stranger is found; so is a toast with one."""
    first, second = played.club.people[:2]
    for version in played.of_chat(first.user_id):
        held = cards_on(version.message)
        if version.message.text.startswith("⏳") and len(held) >= 4:
            break
    else:
        pytest.fail("the first player never waited with four cards in hand")
    for reader in (second.user_id, played.club.chat, 42):
        misled = replace(version, message=replace(version.message, chat=reader))
        assert leaks([misled], played.state) != []
    whispered = Toast(version.at, second.user_id, played.club.chat, 1, version.message.text)
    assert leaks([whispered], played.state) != []
    assert leaks([version], played.state) == []


# ------------------------------------------------------------------------------------------ rings and order


def test_in_the_group_only_the_lobby_and_the_matchs_end_ring(played: PlayedMatch) -> None:
    of_bot = {version.message.message_id for version in played.of_group()}
    rings = [it for it in played.record if isinstance(it, Ring) and it.chat == played.club.chat]
    rung = {it.message_id: it.text for it in rings if it.message_id in of_bot}
    lobby = CATALOGUES[played.plan.language].plain("lobby.title")
    assert [text.splitlines()[0] for text in rung.values()] == [lobby, played.end.text.splitlines()[0]]


def test_the_result_is_there_before_the_next_rounds_hands(played: PlayedMatch) -> None:
    results = first_seen(played.of_group(), lambda text: text.startswith(RESULT_SIGN))
    for person in played.club.people:
        hands = first_seen(played.of_chat(person.user_id), lambda text: text.startswith(("▶️", "⏳")))
        for number, at in hands.items():
            assert number == 1 or results[number - 1] < at, f"{person.name} saw round {number} too early"


# -------------------------------------------------------------------------------------------------- helpers


def signed(number: int) -> str:
    """A number as it is shown, with a true minus."""
    return str(number).replace("-", "−")


def shown_in_the_end(played: PlayedMatch) -> list[Message]:
    """The group's messages of the bot as the match left them, oldest first."""
    removed = {
        message_id
        for it in played.record
        if isinstance(it, Removal) and it.chat == played.club.chat
        for message_id in it.message_ids
    }
    last = {it.message.message_id: it.message for it in played.of_group()}
    return [message for message_id, message in sorted(last.items()) if message_id not in removed]


def first_seen(versions: list[Version], is_meant: Callable[[str], bool]) -> dict[int, float]:
    """By round: the time of the first of these versions that tells of it, if it is meant."""
    found: dict[int, float] = {}
    for version in versions:
        number = re.search(r"(?:Раунд|Round) (\d+)", version.message.text)
        if number is not None and is_meant(version.message.text):
            found.setdefault(int(number[1]), version.at)
    return found
