"""Attacks that may be passed on: answering, adding up, declining, leaving in the middle."""

import pytest

from engine import AttackOpened, CardsDrawn, DrawCause, Match, TurnSkipped, parse_card
from tests.builders import happened, options, play, position, refusal

SIX, SEVEN, KING = parse_card("6S") % 13, parse_card("7S") % 13, parse_card("KS") % 13
STOCK = "stock: JD 9H 9C JC 9S 10H"


def standing(match: Match) -> str:
    """Return who moves, what is pending, and how many cards each holds."""
    running = match.round
    assert running is not None
    counts = " ".join(str(len(hand)) for hand in running.piles.hands)
    return f"{match.seats[running.turn.seat].id} {running.turn.pending} {counts}"


def test_a_victim_who_can_answer_is_asked() -> None:
    match = position(f"p1: 6S KD | p2: 6D QC 10S | p3: 10C | {STOCK} | discard: JS", transfer=["6"])
    assert happened(match, "p1 6S")[1:] == (AttackOpened(1, 1, SIX),)
    match = play(match, "p1 6S")
    assert standing(match) == "p2 1 1 3 1"
    assert options(match) == ["6D", "draw"]


@pytest.mark.parametrize("move", ["p2 QC", "p2 10S"])
def test_only_an_attacking_card_of_the_rank_is_an_answer(move: str) -> None:
    match = position(f"p1: 6S KD | p2: 6D QC 10S | p3: 10C | {STOCK} | discard: JS", transfer=["6"])
    assert refusal(play(match, "p1 6S"), move) == "card_does_not_match"


@pytest.mark.parametrize("effect", ["none", "load2", "cover", "wild", "reverse"])
def test_a_card_of_the_rank_that_does_not_attack_is_no_answer(effect: str) -> None:
    text = f"p1: 6S KD | p2: 6D 10S | p3: 10C | {STOCK} | discard: JS"
    match = position(text, transfer=["6"], effects={"6D": effect})
    assert standing(play(match, "p1 6S")) == "p3 None 1 3 1"


def test_a_victim_who_cannot_answer_takes_at_once() -> None:
    match = position(f"p1: 6S KD | p2: 7D QC | p3: 10C | {STOCK} | discard: JS", transfer=["6", "7"])
    assert happened(match, "p1 6S")[1:] == (
        CardsDrawn(1, 1, (parse_card("JD"),), DrawCause.PENALTY),
        TurnSkipped(1),
    )


def test_a_rank_that_is_not_listed_cannot_be_passed_on() -> None:
    match = position(f"p1: 6S KD | p2: 6D QC | p3: 10C | {STOCK} | discard: JS", transfer=["7"])
    assert standing(play(match, "p1 6S")) == "p3 None 1 3 1"


def test_the_cards_owed_add_up_until_somebody_takes_them() -> None:
    match = position(f"p1: 7S KD | p2: 7D 10S | p3: 7C 10C | {STOCK} | discard: JS", transfer=["7"])
    match = play(match, "p1 7S", "p2 7D")
    assert standing(match) == "p3 4 1 1 2"
    assert happened(match, "p3 draw") == (
        CardsDrawn(2, 4, tuple(map(parse_card, ("JD", "9H", "9C", "JC"))), DrawCause.ATTACK),
        TurnSkipped(2),
    )
    assert standing(play(match, "p3 draw")) == "p1 None 1 1 6"


def test_an_answer_that_cannot_be_answered_is_taken_at_once_with_all_that_was_gathered() -> None:
    match = position(f"p1: 7S KD | p2: 7D 10S | p3: JH 10C | {STOCK} | discard: JS", transfer=["7"])
    assert happened(match, "p1 7S", "p2 7D")[1:] == (
        CardsDrawn(2, 4, tuple(map(parse_card, ("JD", "9H", "9C", "JC"))), DrawCause.ATTACK),
        TurnSkipped(2),
    )


def test_between_two_players_an_answer_falls_on_the_attacker() -> None:
    match = position(f"p1: 7S 7C KD | p2: 7D 10S | {STOCK} | discard: JS", transfer=["7"])
    match = play(match, "p1 7S", "p2 7D")
    assert standing(match) == "p1 4 2 1"
    assert standing(play(match, "p1 7C")) == "p1 None 1 7"


def test_a_skip_is_passed_on_without_cards() -> None:
    match = position(f"p1: AS KD | p2: AD 10S | p3: AC 10C | {STOCK} | discard: JS", transfer=["A"])
    match = play(match, "p1 AS")
    assert standing(match) == "p2 0 1 2 2"
    assert options(match) == ["AD", "pass"]
    assert refusal(match, "p2 draw") == "draw_not_allowed"
    assert happened(match, "p2 pass") == (TurnSkipped(1),)
    assert standing(play(match, "p2 pass")) == "p3 None 1 1 2".replace("1 1 2", "1 2 2")
    assert standing(play(match, "p2 AD")) == "p3 0 1 1 2"


def test_a_player_who_owes_cards_may_not_pass() -> None:
    match = position(f"p1: 6S KD | p2: 6D 10S | p3: 10C | {STOCK} | discard: JS", transfer=["6"])
    assert refusal(play(match, "p1 6S"), "p2 pass") == "pass_not_allowed"


def test_skips_and_penalties_of_one_rank_answer_each_other() -> None:
    rules = {"transfer": ["K"], "effects": {"K": "skip"}}
    match = position(f"p1: KH KD | p2: KS 10S | p3: KC 10C | p4: KD 9D | {STOCK} | discard: JH", **rules)
    match = play(match, "p1 KH", "p2 KS")
    assert standing(match) == "p3 4 1 1 2 2"
    assert options(match) == ["KC", "draw"]
    match = play(match, "p3 KC")
    assert standing(match) == "p4 4 1 1 1 2"
    assert options(match) == ["KD", "draw"]
    assert standing(play(match, "p4 draw")) == "p1 None 1 1 1 6"


def test_an_attack_ends_an_order() -> None:
    text = f"p1: 6S KD | p2: 6D 10D | p3: 10C | {STOCK} | discard: QH | ordered: S"
    match = play(position(text, transfer=["6"]), "p1 6S", "p2 draw", "p3 draw")
    assert match.round is not None
    assert match.round.turn.ordered is None


def test_a_cover_may_attack() -> None:
    match = position(f"p1: 8S 7S KD | p2: 7D 10S | p3: 10C | {STOCK} | discard: JS", transfer=["7"])
    assert standing(play(match, "p1 8S", "p1 7S")) == "p2 2 1 2 1"


def test_taking_what_an_attack_owes_goes_on_with_nothing_there() -> None:
    match = position("p1: 7S KD | p2: 7D 10S | p3: 10C", transfer=["7"])
    match = play(match, "p1 7S")
    assert options(match) == ["7D", "draw"]
    assert happened(match, "p2 draw") == (TurnSkipped(1),)


def test_an_attack_recycles_the_discard_in_its_midst() -> None:
    match = position("p1: 7S KD | p2: 7D 10S | p3: 10C | stock: 9H | discard: 9C JS", transfer=["7"])
    assert standing(play(match, "p1 7S", "p2 draw")) == "p3 None 1 4 1"


def test_drawing_by_choice_is_no_way_out_of_an_attack() -> None:
    text = f"p1: 7S KD | p2: 7D 10S | p3: 10C | {STOCK} | discard: JS"
    match = position(text, transfer=["7"], draw="one_then_play", voluntary_draw="always")
    match = play(match, "p1 7S")
    assert options(match) == ["7D", "draw"]
    assert standing(play(match, "p2 draw")) == "p3 None 1 4 1"


def test_a_last_card_that_answers_wins_and_its_penalty_lapses() -> None:
    match = position(f"p1: 7S KD | p2: 7D | p3: 10C | {STOCK} | discard: JS", transfer=["7"])
    match = play(match, "p1 7S", "p2 7D")
    assert match.last_round is not None
    assert match.last_round.winner == 1
    assert match.last_round.points == ((0, 4), (1, 0), (2, 10))


def test_a_last_card_that_answers_makes_the_next_take_all_where_the_rules_say_so() -> None:
    text = f"p1: 7S KD | p2: 7D | p3: 7C 10C | {STOCK} | discard: JS"
    match = position(text, transfer=["7"], finish_effect="applied")
    events = happened(match, "p1 7S", "p2 7D")
    assert CardsDrawn(2, 4, tuple(map(parse_card, ("JD", "9H", "9C", "JC"))), DrawCause.FINISH) in events
    assert not any(isinstance(event, AttackOpened) for event in events)


def test_a_last_skip_hands_on_the_cards_that_were_gathered_where_the_rules_say_so() -> None:
    rules = {"transfer": ["K"], "effects": {"K": "skip"}, "finish_effect": "applied"}
    match = play(position(f"p1: KS KD | p2: KC | p3: 10C | {STOCK} | discard: JS", **rules), "p1 KS", "p2 KC")
    assert match.last_round is not None
    assert match.last_round.points == ((0, 4), (1, 0), (2, 10 + 2 + 9 + 9 + 2))


def test_the_victims_leaving_ends_an_attack() -> None:
    match = position(f"p1: 7S KD | p2: 7D 10S | p3: 7C 10C | {STOCK} | discard: JS", transfer=["7"])
    match = play(match, "p1 7S", "p2 leave")
    assert standing(match) == "p3 None 1 0 2"
    assert options(match) == ["7C"]


def test_an_attack_outlives_its_attacker() -> None:
    match = position(f"p1: 7S KD | p2: 7D 10S | p3: 10C | {STOCK} | discard: JS", transfer=["7"])
    match = play(match, "p1 7S", "p1 leave")
    assert standing(match) == "p2 2 0 2 1"
    assert standing(play(match, "p2 7D")) == "p2 None 0 1 5"


def test_an_attack_goes_the_way_the_round_goes() -> None:
    text = f"p1: 7S KD | p2: 7H | p3: 7D 10S | {STOCK} | discard: JS | direction: -1"
    assert standing(play(position(text, transfer=["7"]), "p1 7S")) == "p3 2 1 1 2"
