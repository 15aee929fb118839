"""Computer players at a table: seating, removal, moves, and what does not apply to them."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial

import pytest

from bot.handlers.membership import _require_in
from bot.settings import TableSettings
from bot.tables import transitions
from bot.tables.codec import dump_table, load_table
from bot.tables.context import LONGEST_PAUSE
from bot.tables.lifecycle import Deadline, DeadlineKind, Ending, TablePhase
from bot.tables.model import Table
from bot.tables.player import Player
from bot.tables.refusals import Refused
from bot.tables.turns import computer_turn
from bot.tables.view import view_table
from engine import Draw, Match, Play, Rules, Status, legal, parse_card, turn_stamp, view_for
from engine.players import Level
from tests.bot.tables.tables import (
    ANYA,
    BORIS,
    GENA,
    NOW,
    PACE,
    SEED,
    VERA,
    away,
    ctx,
    lobby,
    mover,
    playing,
    refused,
)

NAMES = ("Ада", "Фома", "Зоя")
ADA = Player(-1, "🤖 Ада", level=Level.NORMAL)
FOMA = Player(-2, "🤖 Фома", level=Level.STRONG)
LATEST = NOW + LONGEST_PAUSE * PACE.computer + PACE.thinking
STRANGER = 99


def invite(table: Table, level: Level = Level.NORMAL, by: int = 1) -> Table:
    return transitions.invite(table, ctx(), by, level, NAMES, is_admin=False).table


def send_off(table: Table, target: int = -1, by: int = 1) -> Table:
    return transitions.send_off(table, ctx(), by, target, is_admin=False).table


def start(table: Table) -> Table:
    return transitions.start(table, ctx(), ANYA.user_id, is_admin=False).table


def against(*players: Player, hands: dict[str, list[str]] | None = None, **more: object) -> Table:
    """A running round of these players, the first of them to move; cards as few as are needed."""
    plain = dict(zip(("p1", "p2", "p3"), (["9S", "KD", "6H"], ["10S", "QD"], ["8C", "AC"]), strict=True))
    dealt = hands or {seat: plain[seat] for seat in list(plain)[: len(players)]}
    table = playing(dealt, stock=["7D", "10D", "KC", "JH", "6C", "9H"], **more)  # type: ignore[arg-type]
    return replace(table, players=players)


def leave(table: Table, player: Player) -> Table:
    return transitions.leave(table, ctx(), player.user_id).table


def status(table: Table, seat: int) -> Status:
    assert table.match is not None
    return table.match.seats[seat].status


def kind(table: Table) -> DeadlineKind | None:
    return None if table.deadline is None else table.deadline.kind


# ------------------------------------------------------------------------------------ coming and going


def test_a_computer_sits_down_with_a_mark_and_names_and_ids_of_its_own() -> None:
    table = lobby(BORIS)
    for level in (*Level, Level.EASY):
        table = invite(table, level, by=BORIS.user_id)
    computers = table.players[2:]
    assert [player.level for player in computers] == [*Level, Level.EASY]
    assert [player.user_id for player in computers] == [-1, -2, -3, -4]
    assert {player.name for player in computers[:3]} == {f"🤖 {name}" for name in NAMES}
    assert computers[3].name in {f"🤖 {name} 2" for name in NAMES}
    assert all(player.is_computer for player in computers)
    assert not any(player.is_computer for player in table.players[:2])


def test_only_who_sits_at_the_table_asks_computers_to_it_and_sends_them_off() -> None:
    table = invite(lobby())
    assert refused(lambda: invite(table, by=STRANGER)) is Refused.NOT_AT_YOUR_TABLE
    assert refused(lambda: send_off(table, by=STRANGER)) is Refused.NOT_AT_YOUR_TABLE
    assert send_off(table).players == (ANYA,)
    by_admin = transitions.send_off(table, ctx(), STRANGER, -1, is_admin=True).table
    assert by_admin.players == (ANYA,)


def test_people_are_not_sent_off_as_computers_are() -> None:
    table = lobby(BORIS)
    for target in (BORIS.user_id, -1, STRANGER):
        assert refused(partial(send_off, table, target)) is Refused.NOT_AT_TABLE


def test_a_full_table_takes_no_computer_but_a_person_takes_the_place_of_one() -> None:
    rules = Rules()
    table = lobby()
    for _ in range(rules.max_seats - 1):
        table = invite(table)
    assert refused(lambda: invite(table)) is Refused.TABLE_FULL
    seated = transitions.sit(table, ctx(), BORIS.user_id, BORIS.name).table
    assert len(seated.players) == rules.max_seats
    assert seated.players[-1] == BORIS
    assert seated.players[:-1] == table.players[:-1]
    for visitor in range(2, rules.max_seats):
        seated = transitions.sit(seated, ctx(), 50 + visitor, "guest").table
    assert not any(player.is_computer for player in seated.players)
    assert refused(lambda: transitions.sit(seated, ctx(), 77, "late")) is Refused.TABLE_FULL


def test_a_lobby_closes_when_its_last_person_gets_up_and_no_computer_becomes_host() -> None:
    table = invite(lobby())
    table = transitions.sit(table, ctx(), BORIS.user_id, BORIS.name).table
    without_host = transitions.stand(table, ctx(), ANYA.user_id).table
    assert without_host.host == BORIS.user_id
    closed = transitions.stand(without_host, ctx(), BORIS.user_id).table
    assert (closed.phase, closed.ending, closed.players) == (TablePhase.OVER, Ending.DESERTED, ())


def test_a_match_may_be_begun_by_one_person_and_a_computer() -> None:
    table = start(invite(lobby()))
    assert table.phase is TablePhase.PLAYING
    assert table.match is not None
    assert table.match.seats_in() == (0, 1)


def test_in_a_running_match_a_computer_waits_for_the_next_deal_and_leaves_as_people_do() -> None:
    table = invite(against(ANYA, BORIS), by=BORIS.user_id)
    assert [player.user_id for player in table.waiting] == [-1]
    assert send_off(table).waiting == ()
    playing_on = against(ANYA, BORIS, ADA)
    gone = send_off(playing_on, by=BORIS.user_id)
    assert status(gone, 2) is Status.LEFT
    assert refused(lambda: send_off(gone)) is Refused.NOT_AT_TABLE


def test_to_kick_a_computer_is_to_send_it_off_and_takes_no_vote() -> None:
    table = against(ANYA, ADA)
    kicked = transitions.kick(table, ctx(), ANYA.user_id, ADA.user_id, is_admin=False).table
    assert status(kicked, 1) is Status.LEFT
    by_a_guest = against(BORIS, ADA, ANYA)
    assert by_a_guest.host == ANYA.user_id
    gone = transitions.kick(by_a_guest, ctx(), BORIS.user_id, ADA.user_id, is_admin=False).table
    assert status(gone, 1) is Status.LEFT


def test_the_host_who_leaves_is_followed_by_a_person() -> None:
    table = leave(against(ANYA, ADA, BORIS), ANYA)
    assert table.host == BORIS.user_id


def test_a_rematch_brings_the_computers_along() -> None:
    over = transitions.stop(against(ANYA, ADA), ctx(), ANYA.user_id, is_admin=False).table
    again = transitions.open_rematch("t2", over, ANYA.user_id, over.settings, ctx())
    assert again.players == (ANYA, ADA)


# ------------------------------------------------------------------------------------------ who is there


def test_the_table_sleeps_when_all_people_are_away_though_computers_never_are() -> None:
    table = against(ANYA, ADA, BORIS)
    table = away(table, ANYA)
    assert table.phase is TablePhase.PLAYING
    table = away(table, BORIS)
    assert table.phase is TablePhase.ASLEEP
    woken = transitions.mark_present(table, ctx(), BORIS.user_id).table
    assert woken.phase is TablePhase.PLAYING


def test_computers_play_on_when_all_people_are_out_and_quickly() -> None:
    hands = {"p1": ["9S"], "p2": ["KD", "QD"], "p3": ["AC", "AH"]}
    table = against(ADA, ANYA, FOMA, hands=hands, scores={"p1": 0, "p2": 100, "p3": 0}, top="10S")
    played = transitions.expire(replace(table, deadline=Deadline(DeadlineKind.COMPUTER, NOW)), ctx(), _due())
    over = played.table
    assert status(over, 1) is Status.OUT
    assert over.phase is TablePhase.BETWEEN
    assert over.deadline == Deadline(DeadlineKind.NEXT_DEAL, NOW + PACE.autopilot)
    assert over.deadline is not None
    dealt = transitions.expire(over, ctx(), over.deadline).table
    assert dealt.phase is TablePhase.PLAYING
    without_clock = replace(table, settings=replace(table.settings, turn_seconds=None))
    due = replace(without_clock, deadline=Deadline(DeadlineKind.COMPUTER, NOW))
    assert kind(transitions.expire(due, ctx(), _due()).table) is DeadlineKind.NEXT_DEAL


def test_the_match_is_over_when_its_last_person_leaves() -> None:
    over = leave(against(ANYA, ADA, FOMA), ANYA)
    assert (over.phase, over.ending) == (TablePhase.OVER, Ending.DESERTED)
    of_two = leave(against(ANYA, ADA), ANYA)
    assert (of_two.phase, of_two.ending) == (TablePhase.OVER, Ending.DESERTED)
    assert leave(against(ANYA, ADA, BORIS), ANYA).phase is TablePhase.PLAYING


def test_the_match_waits_for_a_person_who_has_sat_down_for_the_next_deal() -> None:
    table = transitions.sit(against(ANYA, ADA, FOMA), ctx(), VERA.user_id, VERA.name).table
    table = leave(table, ANYA)
    assert table.phase is TablePhase.PLAYING
    assert transitions.stand(table, ctx(), VERA.user_id).table.ending is Ending.DESERTED


def test_computers_have_no_vote() -> None:
    table = against(ANYA, ADA, BORIS)
    assert table.electorate(None) == {ANYA.user_id, BORIS.user_id}
    assert refused(lambda: transitions.call_vote(table, ctx(), ADA.user_id, None)) is Refused.NOT_A_VOTER


def test_a_computer_lets_the_deck_lie_and_is_not_waited_for_long() -> None:
    gathered = invite(lobby(cut=True))
    kinds = set()
    for seed in range(12):
        begun = transitions.start(replace(gathered, next_seed=bytes([seed] * 32)), ctx(), 1, is_admin=False)
        table = begun.table
        cutter = view_table(table, None, "").cutter
        assert cutter is not None
        patience = PACE.autopilot if table.players[cutter].is_computer else PACE.cut
        assert table.deadline == Deadline(DeadlineKind.CUT, NOW + patience)
        kinds.add(table.players[cutter].is_computer)
    assert kinds == {True, False}


# ----------------------------------------------------------------------------------------------- moving


def test_the_table_waits_for_a_computer_to_think_and_then_moves_for_it() -> None:
    table = against(ANYA, ADA)
    table = transitions.lay(table, ctx(), 1, turn_stamp(_match(table)), parse_card("9S"), None).table
    assert mover(table) == ADA
    assert table.deadline == Deadline(DeadlineKind.COMPUTER, LATEST)
    before = _match(table)
    moved = transitions.expire(table, ctx(), table.deadline)
    assert len(moved.moves) == 1
    assert moved.moves[0].actor == ADA.user_id
    assert moved.moves[0].move in legal(before, 1)


def test_what_leaves_a_computer_nothing_to_decide_makes_itself() -> None:
    table = against(ANYA, ADA, hands={"p1": ["9S", "KD", "6H"], "p2": ["7C", "8D"]})
    table = transitions.lay(table, ctx(), 1, turn_stamp(_match(table)), parse_card("9S"), None).table
    assert table.deadline == Deadline(DeadlineKind.FORCED, NOW + PACE.forced)
    assert computer_turn(table) is None


def test_who_thinks_for_a_computer_sees_what_its_seat_sees() -> None:
    table = against(ANYA, FOMA)
    assert computer_turn(table) is None
    table = transitions.lay(table, ctx(), 1, turn_stamp(_match(table)), parse_card("9S"), None).table
    turn = computer_turn(table)
    assert turn is not None
    assert (turn.table_id, turn.user_id, turn.level, turn.is_watched) == ("t1", -2, Level.STRONG, True)
    assert turn.stamp == turn_stamp(_match(table))
    assert turn.view == view_for(_match(table), 1, table.history)
    assert "view" not in repr(turn)
    asleep = away(table, ANYA)
    assert computer_turn(asleep) is None


@pytest.mark.parametrize("stand_in", [False, True])
def test_for_who_is_away_the_group_may_have_a_sound_move_made_and_not_the_least(stand_in: bool) -> None:
    table = against(ANYA, BORIS, hands={"p1": ["9S", "10D", "KH"], "p2": ["6C", "7H"]}, rules=_DRAW_AT_WILL)
    table = replace(table, settings=replace(table.settings, stand_in=stand_in))
    assert table.deadline is not None
    moved = transitions.expire(table, ctx(), table.deadline).moves[0]
    assert moved.actor is None
    assert isinstance(moved.move, Play if stand_in else Draw)


_DRAW_AT_WILL = {"voluntary_draw": "always"}


# ---------------------------------------------------------------------------------------------- alone


def alone(*levels: Level) -> transitions.Change:
    settings = TableSettings(turn_seconds=None, hints=True)
    return transitions.open_solo("t1", ANYA, levels, NAMES, settings, SEED, ctx())


def test_alone_one_begins_at_once_against_computers_in_ones_private_chat() -> None:
    change = alone(Level.EASY, Level.STRONG)
    table = change.table
    assert (table.chat_id, table.thread_id, table.host) == (ANYA.user_id, 0, ANYA.user_id)
    assert [player.level for player in table.players] == [None, Level.EASY, Level.STRONG]
    assert table.phase is TablePhase.PLAYING
    assert [made.actor for made in change.moves] == [ANYA.user_id]
    assert table.next_seed != SEED
    assert table.is_solo
    assert not lobby().is_solo


def test_nobody_else_sits_down_where_somebody_plays_alone() -> None:
    table = alone(Level.EASY).table
    assert refused(lambda: transitions.sit(table, ctx(), BORIS.user_id, BORIS.name)) is Refused.TABLE_GONE
    assert refused(lambda: invite(table, by=BORIS.user_id)) is Refused.NOT_AT_YOUR_TABLE
    assert refused(alone) is Refused.NEED_TWO


def with_one_person_out() -> Table:
    """A round has just ended, by which the only person is out; two computers are still in."""
    hands = {"p1": ["9S"], "p2": ["KD", "QD"], "p3": ["AC", "AH"]}
    table = against(ADA, ANYA, FOMA, hands=hands, scores={"p1": 0, "p2": 100, "p3": 0}, top="10S")
    table = replace(table, deadline=Deadline(DeadlineKind.COMPUTER, NOW))
    return transitions.expire(table, ctx(), _due()).table


def test_who_is_out_has_the_next_round_of_computers_dealt_at_once() -> None:
    table = with_one_person_out()
    assert table.match is not None
    dealt = transitions.deal_next(table, ctx(), ANYA.user_id, table.match.number).table
    assert dealt.phase is TablePhase.PLAYING
    number = table.match.number
    assert refused(lambda: transitions.deal_next(table, ctx(), STRANGER, number)) is Refused.NOT_SEATED
    with_people = replace(table, players=(BORIS, ANYA, FOMA))
    attempt = partial(transitions.deal_next, with_people, ctx(), ANYA.user_id, number)
    assert refused(attempt) is Refused.NOT_SEATED


def test_who_plays_alone_leaves_when_he_is_out_too() -> None:
    table = with_one_person_out()
    assert refused(lambda: leave(table, ANYA)) is Refused.NOTHING_TO_LEAVE
    left = leave(replace(table, chat_id=ANYA.user_id), ANYA)
    assert (left.phase, left.ending, left.deadline) == (TablePhase.OVER, Ending.DESERTED, None)


def test_who_is_out_is_asked_whether_he_leaves_only_where_he_plays_alone() -> None:
    table = with_one_person_out()
    _require_in(view_table(replace(table, chat_id=ANYA.user_id), ANYA.user_id, ""))
    in_group = view_table(table, ANYA.user_id, "")
    assert refused(lambda: _require_in(in_group)) is Refused.NOTHING_TO_LEAVE


# ----------------------------------------------------------------------------------------------- stored


def test_computers_come_back_from_the_database_and_are_not_among_its_people() -> None:
    table = invite(against(ANYA, ADA, BORIS), Level.EASY)
    row = dump_table(table, NOW)
    assert load_table(row) == table
    assert row.people == (ANYA.user_id, BORIS.user_id)


def test_a_table_of_the_time_before_computers_is_still_read() -> None:
    table = against(ANYA, BORIS, GENA)
    row = dump_table(table, NOW)
    document = json.loads(row.document)
    assert document["players"] == [[1, "Аня", 0], [2, "Борис", 0], [4, "Гена", 0]]
    del document["settings"]["stand_in"], document["settings"]["hints"]
    assert load_table(replace(row, document=json.dumps(document))) == table


def test_everybody_sees_which_players_are_computers() -> None:
    view = view_table(invite(against(ANYA, ADA, BORIS), Level.EASY), None, "")
    assert [player.level for player in view.players] == [None, Level.NORMAL, None]
    assert [player.level for player in view.waiting] == [Level.EASY]


def _match(table: Table) -> Match:
    assert table.match is not None
    return table.match


def _due() -> Deadline:
    return Deadline(DeadlineKind.COMPUTER, NOW)
