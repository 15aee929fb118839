"""Effects of special cards on the next player, the direction, and the round's end."""

import pytest

from engine import CardLaid, CardsDrawn, DirectionTurned, DrawCause, Effect, TurnSkipped, parse_card
from tests.builders import happened, options, play, position


def three(card: str, **settings: object) -> str:
    """Return who moves, and how many cards p2 and p3 hold, after p1 of three has played the card."""
    text = f"p1: {card} 6D KH | p2: 10C 10D | p3: JH JD | stock: 7H 9H 9C 9D 10H AH AC | discard: K{card[-1]}"
    match = play(position(text, **settings), f"p1 {card}")
    assert match.round is not None
    counts = [len(hand) for hand in match.round.piles.hands]
    return f"{match.seats[match.round.turn.seat].id} {counts[1]} {counts[2]}"


@pytest.mark.parametrize(
    ("effect", "outcome"),
    [
        ("none", "p2 2 2"),
        ("skip", "p3 2 2"),
        ("take1", "p3 3 2"),
        ("take2", "p3 4 2"),
        ("take3", "p3 5 2"),
        ("take4", "p3 6 2"),
        ("take5", "p3 7 2"),
        ("load2", "p2 4 2"),
        ("load4", "p2 6 2"),
        ("wild", "p2 2 2"),
        ("reverse", "p3 2 2"),
        ("cover", "p1 2 2"),
    ],
)
@pytest.mark.parametrize("key", ["10", "10S"])
def test_an_effect_acts_given_to_a_rank_or_to_a_card(key: str, effect: str, outcome: str) -> None:
    assert three("10S", effects={key: effect}) == outcome


def two(card: str, **settings: object) -> str:
    """Return who moves, and how many cards p2 holds, after p1 of two has played the card."""
    text = f"p1: {card} 6D KH | p2: 10C 10D | stock: 7H 9H 9C 9D 10H AH AC | discard: K{card[-1]}"
    match = play(position(text, **settings), f"p1 {card}")
    assert match.round is not None
    return f"{match.seats[match.round.turn.seat].id} {len(match.round.piles.hands[1])}"


@pytest.mark.parametrize(
    ("effect", "outcome"),
    [
        ("none", "p2 2"),
        ("skip", "p1 2"),
        ("take3", "p1 5"),
        ("load2", "p2 4"),
        ("reverse", "p1 2"),
        ("cover", "p1 2"),
    ],
)
def test_an_effect_acts_between_two_players(effect: str, outcome: str) -> None:
    assert two("10S", effects={"10": effect}) == outcome


def test_what_a_penalty_does_is_told_in_order() -> None:
    text = "p1: 7S KD | p2: 10C 10D | p3: JH JD | stock: AS AC AH | discard: JS"
    assert happened(position(text), "p1 7S") == (
        CardLaid(0, parse_card("7S"), None, covering=False, left=1, effect=Effect.TAKE2),
        CardsDrawn(1, 2, (parse_card("AS"), parse_card("AC")), DrawCause.PENALTY),
        TurnSkipped(1),
    )


def test_a_load_is_told_as_one_and_skips_nobody() -> None:
    text = "p1: 7S KD | p2: 10C 10D | p3: JH JD | stock: AS AC AH | discard: JS"
    assert happened(position(text, effects={"7": "load2"}), "p1 7S") == (
        CardLaid(0, parse_card("7S"), None, covering=False, left=1, effect=Effect.LOAD2),
        CardsDrawn(1, 2, (parse_card("AS"), parse_card("AC")), DrawCause.LOAD),
    )


def test_a_penalised_player_takes_what_there_is_and_is_skipped_all_the_same() -> None:
    text = "p1: KS KD | p2: 10C 10D | p3: JH JD | discard: JS"
    match = play(position(text), "p1 KS")
    assert match.round is not None
    assert [len(hand) for hand in match.round.piles.hands] == [1, 3, 2]
    assert match.round.turn.seat == 2
    assert match.round.piles.stock == ()
    assert match.round.piles.discard == (parse_card("KS"),)


def test_with_nothing_to_take_only_the_turn_is_lost() -> None:
    match = position("p1: 7S KD | p2: 10C 10D | p3: JH JD")
    assert happened(match, "p1 7S")[1:] == (TurnSkipped(1),)


def test_a_load_with_nothing_to_take_lets_the_next_one_play() -> None:
    match = position("p1: 7S KD | p2: 7C 10D | p3: JH JD", effects={"7": "load4"})
    assert len(happened(match, "p1 7S")) == 1
    assert options(play(match, "p1 7S")) == ["7C"]


def test_a_reverse_turns_the_round_until_the_next_deal() -> None:
    text = "p1: 10S 6D | p2: 9S KC | p3: 9H JS KD | p4: JH AD | stock: 7H 9C 9D | discard: KS"
    match = play(position(text, effects={"10": "reverse"}), "p1 10S")
    assert match.round is not None
    assert (match.round.direction, match.round.turn.seat) == (-1, 3)
    assert happened(position(text, effects={"10": "reverse"}), "p1 10S")[-1] == DirectionTurned(-1)


def test_a_skip_follows_the_direction() -> None:
    text = "turn: p3 | p1: 10C 10D | p2: JH JD | p3: AS 6D | p4: 7H | stock: 9H | discard: KS | direction: -1"
    match = play(position(text), "p3 AS")
    assert match.round is not None
    assert match.round.turn.seat == 0


def test_two_reverses_make_none() -> None:
    text = "p1: 10S 6D | p2: 9S KC | p3: 10H KD | stock: 7H 9C 9D | discard: KS"
    match = play(position(text, effects={"10": "reverse"}), "p1 10S", "p3 10H")
    assert match.round is not None
    assert (match.round.direction, match.round.turn.seat) == (1, 0)


def test_a_reverse_passes_over_seats_that_are_not_in() -> None:
    text = "p1: 10S 6D | p2: 9S KC | p3 [103 out]: | p4 [5 left]: | p5: 9D | stock: 7H 9C | discard: KS"
    match = position(text, effects={"10": "reverse"})
    first = play(match, "p1 10S")
    assert first.round is not None
    assert first.round.turn.seat == 4


def test_a_last_cards_penalty_is_not_taken() -> None:
    match = play(position("p1: KS | p2: 10C | p3: JH | stock: 7H 9H AC AH | discard: JS"), "p1 KS")
    assert match.last_round is not None
    assert match.last_round.points == ((0, 0), (1, 10), (2, 2))


@pytest.mark.parametrize(
    ("card", "effects", "points"),
    [
        ("KS", {}, 10 + 7 + 9 + 11 + 11),
        ("7S", {}, 10 + 7 + 9),
        ("7S", {"7": "load4"}, 10 + 7 + 9 + 11 + 11),
        ("AS", {}, 10),
        ("QS", {}, 10),
        ("10S", {"10": "reverse"}, 10),
    ],
)
def test_a_last_cards_penalty_counts_where_the_rules_say_so(
    card: str, effects: dict[str, str], points: int
) -> None:
    text = f"p1: {card} | p2: 10C | p3: JH | stock: 7H 9H AC AH 6H | discard: JS"
    match = play(position(text, finish_effect="applied", effects=effects), f"p1 {card}")
    assert match.last_round is not None
    assert match.last_round.points == ((0, 0), (1, points), (2, 2))


def test_a_last_cards_penalty_falls_on_the_next_in_direction_and_recycles_the_discard() -> None:
    text = "p1: 7S | p2: 10C | p3: JH | stock: 9H | discard: KH JS | direction: -1"
    match = position(text, finish_effect="applied")
    events = happened(match, "p1 7S")
    assert CardsDrawn(2, 2, (parse_card("9H"), parse_card("KH")), DrawCause.FINISH) in events
    assert not any(isinstance(event, TurnSkipped) for event in events)
