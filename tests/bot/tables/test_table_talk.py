"""Premoves and table talk."""

from __future__ import annotations

from dataclasses import replace

from bot.tables import transitions
from bot.tables.codec import dump_table, load_table
from bot.tables.lifecycle import Deadline, DeadlineKind, TablePhase
from bot.tables.model import Table
from bot.tables.player import Player
from bot.tables.refusals import Refused
from bot.tables.table_talk import Premove
from bot.tables.view import view_table
from engine import Play, Reason, Stamp, parse_card, parse_suit
from tests.bot.tables.tables import (
    ANYA,
    BORIS,
    GENA,
    NOW,
    PACE,
    TURN,
    VERA,
    away,
    ctx,
    lobby,
    playing,
    refused,
    stamp,
)
from tests.builders import replace_fields


def three() -> Table:
    """Аня is to move, on the jack of spades; then Борис, who can follow a spade, then Вера."""
    hands = {"p1": ["9S", "KS", "KD"], "p2": ["10S", "9H", "QD", "7D"], "p3": ["9D", "6S", "6C"]}
    return playing(hands, stock=["8H", "QH", "AH", "AC", "KH", "KC"])


def premove(table: Table, player: Player, card: str, suit: str | None = None, number: int = 1) -> Table:
    ordered = None if suit is None else parse_suit(suit)
    return transitions.set_premove(table, ctx(), player.user_id, number, parse_card(card), ordered).table


def lay(table: Table, player: Player, card: str) -> Table:
    return transitions.lay(table, ctx(), player.user_id, stamp(table), parse_card(card), None).table


def expire(table: Table) -> transitions.Change:
    assert table.deadline is not None
    return transitions.expire(table, ctx(table.deadline.at), table.deadline)


# ------------------------------------------------------------------------------------------------ put aside


def test_a_card_put_aside_is_laid_when_the_turn_comes_after_a_pause() -> None:
    table = lay(premove(three(), BORIS, "10S"), ANYA, "9S")
    assert table.deadline == Deadline(DeadlineKind.FORCED, NOW + PACE.forced)
    laid = expire(table)
    assert laid.moves == (transitions.AppliedMove(Play(1, parse_card("10S")), BORIS.user_id),)
    assert laid.table.premoves == ()


def test_a_card_that_does_not_fit_then_is_forgotten_and_the_turn_is_like_any_other() -> None:
    table = lay(premove(three(), BORIS, "7D"), ANYA, "9S")
    assert table.premoves == ()
    assert table.deadline == Deadline(DeadlineKind.TURN, NOW + TURN)


def test_a_queen_is_put_aside_with_her_suit() -> None:
    table = lay(premove(three(), BORIS, "QD", "H"), ANYA, "9S")
    assert expire(table).moves == (
        transitions.AppliedMove(Play(1, parse_card("QD"), parse_suit("H")), BORIS.user_id),
    )
    assert refused(lambda: premove(three(), BORIS, "QD")) is Reason.SUIT_NOT_ALLOWED
    assert refused(lambda: premove(three(), BORIS, "10S", "H")) is Reason.SUIT_NOT_ALLOWED


def test_a_queen_that_has_become_the_last_card_orders_nothing() -> None:
    table = playing({"p1": ["9S", "KS"], "p2": ["QD"]}, stock=["8H", "QH"])
    table = lay(premove(table, BORIS, "QD", "H"), ANYA, "9S")
    assert expire(table).moves == (transitions.AppliedMove(Play(1, parse_card("QD")), BORIS.user_id),)


def test_one_thinks_better_of_it() -> None:
    table = premove(premove(three(), BORIS, "10S"), BORIS, "QD", "H")
    assert table.premoves == (Premove(BORIS.user_id, parse_card("QD"), parse_suit("H")),)
    back = transitions.cancel_premove(table, ctx(), BORIS.user_id).table
    assert back.premoves == ()
    assert refused(lambda: transitions.cancel_premove(back, ctx(), BORIS.user_id)) is Refused.STALE


def test_also_in_the_pause_before_it_is_laid() -> None:
    table = lay(premove(three(), BORIS, "10S"), ANYA, "9S")
    back = transitions.cancel_premove(table, ctx(NOW + 0.5), BORIS.user_id).table
    assert back.deadline == Deadline(DeadlineKind.TURN, NOW + 0.5 + TURN)
    assert table.deadline is not None
    assert transitions.expire(back, ctx(NOW + 1), table.deadline).table is back


def test_it_does_not_outlast_the_hand_it_was_chosen_from() -> None:
    """Аня's seven makes Борис take two cards."""
    hands = {"p1": ["7S", "KS", "KD"], "p2": ["10S", "9H"], "p3": ["9S", "6S", "6C"]}
    table = playing(hands, stock=["8H", "QH", "AH", "AC"])
    assert lay(premove(table, BORIS, "10S"), ANYA, "7S").premoves == ()
    other = lay(premove(table, VERA, "6S"), ANYA, "7S")
    assert [premove.user_id for premove in other.premoves] == [VERA.user_id]
    assert expire(other).moves == (transitions.AppliedMove(Play(2, parse_card("6S")), VERA.user_id),)


def test_the_end_of_the_round_ends_it() -> None:
    table = playing({"p1": ["9S"], "p2": ["10S", "9H"]}, stock=["8H", "QH"])
    assert lay(premove(table, BORIS, "10S"), ANYA, "9S").premoves == ()


def test_pressed_when_the_turn_has_come_already_it_is_laid_at_once() -> None:
    """The others were quicker than the finger."""
    table = lay(three(), ANYA, "9S")
    card = parse_card("10S")
    change = transitions.set_premove(table, ctx(), BORIS.user_id, 1, card, None)
    assert change.moves == (transitions.AppliedMove(Play(1, card), BORIS.user_id),)
    assert refused(lambda: premove(table, BORIS, "7D")) is Reason.CARD_DOES_NOT_MATCH


def test_only_ones_own_cards_of_this_round_are_put_aside() -> None:
    assert refused(lambda: premove(three(), BORIS, "KS")) is Reason.CARD_NOT_IN_HAND
    assert refused(lambda: premove(three(), BORIS, "10S", number=2)) is Refused.STALE
    assert refused(lambda: premove(three(), GENA, "10S")) is Refused.NOT_SEATED
    assert (
        refused(lambda: premove(transitions.bot_removed(three(), ctx()).table, BORIS, "10S"))
        is Refused.BANISHED
    )


def test_who_is_away_is_played_for_whatever_is_put_aside() -> None:
    gone = away(premove(three(), BORIS, "10S"), BORIS)
    assert lay(gone, ANYA, "9S").deadline == Deadline(DeadlineKind.AUTOPILOT, NOW + PACE.autopilot)


def test_nobody_else_sees_what_is_put_aside() -> None:
    table = premove(three(), BORIS, "10S")
    seen = {user_id: view_table(table, user_id, "").premove for user_id in (None, 1, 2, 3)}
    assert [user_id for user_id, premove in seen.items() if premove is not None] == [BORIS.user_id]


def test_the_stamp_does_not_change_by_it() -> None:
    assert stamp(premove(three(), BORIS, "10S")) == stamp(three()) == Stamp(1, 0)
    assert premove(three(), BORIS, "10S").deadline == three().deadline


# ---------------------------------------------------------------------------------------------------- talk


def said(table: Table, player: Player, text: str, now: float = NOW) -> Table:
    return transitions.say(table, ctx(now), player.user_id, text).table


def heard(table: Table) -> str | None:
    return None if table.heard is None else table.heard.text


def test_what_was_said_last_is_heard() -> None:
    table = said(said(three(), BORIS, "держись!"), VERA, "спасибо")
    assert heard(table) == "спасибо"
    view = view_table(table, ANYA.user_id, "")
    assert view.said is not None
    assert (view.said.user_id, view.said.name) == (VERA.user_id, "Вера")


def test_one_person_says_something_once_in_ten_seconds() -> None:
    table = said(three(), BORIS, "раз")
    assert refused(lambda: said(table, BORIS, "два", NOW + PACE.talk - 1)) is Refused.TOO_SOON
    assert heard(said(table, VERA, "а я?", NOW + 1)) == "а я?"
    assert heard(said(table, BORIS, "три", NOW + PACE.talk)) == "три"


def test_it_is_stale_when_everybody_has_moved_once_more() -> None:
    hands = {"p1": ["9S", "KD"], "p2": ["10S", "9H"], "p3": ["JD", "9C", "6C"]}
    table = said(playing(hands, stock=["8H", "QH", "AH"]), ANYA, "ой")
    table = lay(lay(table, ANYA, "9S"), BORIS, "10S")
    assert heard(table) == "ой"
    match = table.match
    assert match is not None
    assert match.round is not None
    later = match._replace(round=replace_fields(match.round, moves=len(match.seats) + 1))
    assert heard(replace(table, match=later)) is None


def test_between_rounds_the_last_words_stay_and_with_the_next_deal_they_go() -> None:
    table = playing({"p1": ["9S"], "p2": ["10S", "9H"]}, stock=["8H", "QH"])
    over = lay(said(table, BORIS, "эх"), ANYA, "9S")
    assert (over.phase, heard(over)) == (TablePhase.BETWEEN, "эх")
    assert heard(expire(over).table) is None
    fresh = said(over, ANYA, "ещё!", NOW + 60)
    assert heard(expire(fresh).table) == "ещё!"


def test_a_lobby_talks_too() -> None:
    assert heard(said(lobby(BORIS), BORIS, "кто ещё?")) == "кто ещё?"


def test_who_waits_for_the_next_deal_may_talk_and_a_stranger_may_not() -> None:
    table = transitions.sit(three(), ctx(), GENA.user_id, GENA.name).table
    assert heard(said(table, GENA, "я тут")) == "я тут"
    assert refused(lambda: said(three(), GENA, "и я")) is Refused.NOT_SEATED


def test_a_group_may_do_without() -> None:
    table = three()
    quiet = replace(table, settings=replace(table.settings, talk=False))
    assert refused(lambda: said(quiet, BORIS, "эй")) is Refused.NO_TALK


def test_who_has_left_says_nothing_any_more() -> None:
    table = transitions.leave(three(), ctx(), BORIS.user_id).table
    assert refused(lambda: said(table, BORIS, "и ещё")) is Refused.NOT_SEATED


def test_both_are_written_down() -> None:
    table = replace(said(premove(three(), BORIS, "QD", "H"), VERA, "ну"), revision=2)
    assert load_table(dump_table(table, NOW)) == table
