"""Dealing: order, leader, seeds, decks, cuts, and what is refused."""

import pytest

from engine import Match, RoundDealt, Rules, apply, card_code, commitment, new_match, parse_card
from engine.cards import sorted_deck
from engine.moves import Deal, Illegal
from engine.state import Seat, Status
from tests.builders import SEED, before_the_deal, happened, options, play, position, refusal

DECK = [card_code(card) for card in sorted_deck(36)]


def test_cards_go_round_one_at_a_time_from_the_seat_after_the_leader() -> None:
    match = play(before_the_deal("p1", "p2", "p3"), {"deal": DECK})
    assert match.round is not None
    assert [[card_code(card) for card in hand] for hand in match.round.piles.hands] == [
        ["8S", "JS", "AS", "8H"],
        ["6S", "9S", "QS", "6H"],
        ["7S", "10S", "KS", "7H"],
    ]
    assert [card_code(card) for card in match.round.piles.stock] == DECK[12:]
    assert match.round.piles.discard == ()
    assert (match.number, match.leader, match.round.turn.seat, match.round.origin.leader) == (1, 0, 0, 0)


def test_seats_that_are_not_in_are_passed_over() -> None:
    match = position("p1: 9S | p2 [103 out]: | p3: 6H | p4 [5 left]: | p5: 7H | stock: 6D | discard: JS")
    match = play(match, "p1 9S", {"deal": DECK})
    assert match.round is not None
    assert [len(hand) for hand in match.round.piles.hands] == [4, 0, 4, 0, 4]
    assert match.round.piles.hands[2][0] == parse_card("6S")
    assert match.round.ring.after[0] == 2
    assert match.number == 2


def test_a_deal_is_told_in_public() -> None:
    match = before_the_deal("p1", "p2", hand_size=3)
    assert happened(match, {"deal": DECK}) == (RoundDealt(1, 0, (0, 1), 3, None, None),)
    dealt = happened(match, {"deal": DECK, "seed": SEED})
    assert dealt == (RoundDealt(1, 0, (0, 1), 3, commitment(bytes.fromhex(SEED)), None),)


def test_turning_up_takes_the_stocks_top_card() -> None:
    match = before_the_deal("p1", "p2", opening="turn_up")
    dealt = play(match, {"deal": DECK})
    assert dealt.round is not None
    assert dealt.round.piles.discard == (parse_card(DECK[8]),)
    assert [card_code(card) for card in dealt.round.piles.stock] == DECK[9:]
    event = happened(match, {"deal": DECK})[0]
    assert isinstance(event, RoundDealt)
    assert event.turned_up == parse_card(DECK[8])


@pytest.mark.parametrize("turned_up", ["QH", "8H", "AH", "7H", "KS"])
def test_a_card_turned_up_has_no_effect_and_orders_nothing(turned_up: str) -> None:
    deck = [code for code in DECK if code != turned_up]
    deck.insert(8, turned_up)
    match = play(before_the_deal("p1", "p2", opening="turn_up"), {"deal": deck})
    assert match.round is not None
    assert (match.round.turn.seat, match.round.turn.must_cover, match.round.turn.ordered) == (0, False, None)
    assert [len(hand) for hand in match.round.piles.hands] == [4, 4]


def test_a_queen_turned_up_is_matched_by_her_suit_and_rank() -> None:
    match = position("p1: 9H QD 9S KC | p2: KD | stock: 6H | discard: QH", effects={"QD": "none"})
    assert options(match) == ["9H", "QD"]


def test_a_leader_who_is_set_leads() -> None:
    match = play(new_match_led_by(2), {"deal": DECK})
    assert match.round is not None
    assert match.round.turn.seat == 2
    assert match.round.piles.hands[0][0] == parse_card("6S")


def new_match_led_by(leader: int) -> Match:
    return new_match(Rules(), ["p1", "p2", "p3"], leader)


def test_a_leader_who_is_not_set_is_drawn_from_the_seed_only_where_it_shuffles() -> None:
    match = before_the_deal("p1", "p2", "p3", "p4", "p5")
    leaders = {play(match, {"deal": None, "seed": f"{k:064x}"}).leader for k in range(40)}
    assert leaders == {0, 1, 2, 3, 4}
    assert {play(match, {"deal": DECK, "seed": f"{k:064x}"}).leader for k in range(9)} == {0}


def test_a_seed_beside_a_deck_serves_the_later_shuffles() -> None:
    match = play(before_the_deal("p1", "p2"), {"deal": DECK, "seed": SEED, "cut": 99})
    assert match.round is not None
    assert match.round.origin.seed == bytes.fromhex(SEED)
    assert match.round.origin.cut == 0
    assert play(before_the_deal("p1", "p2"), {"deal": DECK, "seed": None}).round is not None


def test_a_cut_is_remembered_and_moves_the_first_cards_to_the_end() -> None:
    match = new_match_led_by(0)
    whole = play(match, {"deal": None, "seed": SEED}).round
    cut = play(match, {"deal": None, "seed": SEED, "cut": 1}).round
    assert whole is not None
    assert cut is not None
    assert (whole.origin.cut, cut.origin.cut) == (0, 1)
    assert cut.piles.stock[-1] == whole.piles.hands[1][0]
    full = play(match, {"deal": None, "seed": SEED, "cut": 36}).round
    assert full is not None
    assert full.piles.hands == whole.piles.hands


def test_seeds_are_read_in_either_case() -> None:
    match = new_match_led_by(0)
    assert play(match, {"deal": None, "seed": "AB" * 32}) == play(match, {"deal": None, "seed": "ab" * 32})


@pytest.mark.parametrize(
    "deal",
    [
        {"deal": None},
        {"deal": None, "seed": None},
        {"deal": None, "seed": SEED[:-1]},
        {"deal": None, "seed": SEED + "0"},
        {"deal": None, "seed": SEED[:-2] + " 0"},
        {"deal": None, "seed": SEED[:-1] + "g"},
        {"deal": None, "seed": 7},
        {"deal": None, "seed": SEED, "cut": -1},
        {"deal": None, "seed": SEED, "cut": 37},
        {"deal": None, "seed": SEED, "cut": "0"},
        {"deal": None, "seed": SEED, "cut": True},
        {"deal": None, "seed": SEED, "cut": 1.0},
        {"deal": [], "seed": SEED},
        {"deal": DECK[:-1]},
        {"deal": [*DECK, "6S"]},
        {"deal": [*DECK[:-1], "6S"]},
        {"deal": [*DECK[:-1], "2S"]},
        {"deal": [*DECK[:-1], "XX"]},
        {"deal": [*DECK[:-1], None]},
        {"deal": [*DECK[:-1], ["AC"]]},
        {"deal": " ".join(DECK)},
        {"deal": {}},
        {"deal": 0},
        {"deal": DECK, "seed": "short"},
        {"deal": DECK, "seed": []},
    ],
)
def test_a_bad_deck_is_refused(deal: dict[str, object]) -> None:
    assert refusal(before_the_deal("p1", "p2"), deal) == "bad_deck"


def test_a_double_deck_holds_every_card_twice() -> None:
    match = before_the_deal("p1", "p2", deck=72)
    assert play(match, {"deal": DECK * 2}).round is not None
    assert refusal(match, {"deal": DECK}) == "bad_deck"


@pytest.mark.parametrize("cut", [None, 0, 36])
def test_a_cut_may_be_left_out_or_take_the_whole_deck(cut: int | None) -> None:
    match = new_match_led_by(0)
    deal = {"deal": None, "seed": SEED, "cut": cut}
    dealt, plain = play(match, deal).round, play(match, {"deal": None, "seed": SEED}).round
    assert dealt is not None
    assert plain is not None
    assert dealt.piles.hands == plain.piles.hands


@pytest.mark.parametrize(
    ("deal", "detail"),
    [
        ({"deal": None}, "neither a deck nor a seed to shuffle it from"),
        ({"deal": None, "seed": "5e"}, "a seed is 32 bytes"),
        ({"deal": []}, "not a deck of 36"),
        ({"deal": None, "seed": SEED, "cut": 37}, "a cut is from 0 to 36"),
        ({"seed": SEED}, "neither text nor a deal"),
    ],
)
def test_a_refused_deal_is_told_what_is_wrong_with_it(deal: dict[str, object], detail: str) -> None:
    with pytest.raises(Illegal) as caught:
        play(before_the_deal("p1", "p2"), deal)
    assert caught.value.detail == detail


def test_a_round_begins_with_all_counts_at_nothing() -> None:
    running = play(before_the_deal("p1", "p2"), {"deal": DECK}).round
    assert running is not None
    assert (
        running.counters.moves,
        running.counters.passes,
        running.counters.wilds,
        running.counters.recycles,
    ) == (0, 0, 0, 0)


def test_a_deal_leaves_the_last_result_as_it_was() -> None:
    match = play(position("p1: 9S | p2: 7D | stock: 6H | discard: JS"), "p1 9S")
    assert match.last_round is not None
    assert play(match, {"deal": DECK}).last_round == match.last_round


def test_reasons_against_a_deal_come_in_order() -> None:
    bad: dict[str, object] = {"deal": []}
    over = play(before_the_deal("p1", "p2"), "p1 leave")
    assert refusal(over, bad) == "match_over"
    assert refusal(play(before_the_deal("p1", "p2"), {"deal": DECK}), bad) == "round_running"
    lonely = before_the_deal("p1", "p2")._replace(seats=(Seat("p1", 0, Status.IN),))
    assert refusal(lonely, bad) == "not_enough_players"
    crowd = tuple(Seat(f"p{number}", 0, Status.IN) for number in range(7))
    with pytest.raises(Illegal, match="too_many_players: 6 at most"):
        play(lonely._replace(seats=crowd), bad)
    assert refusal(before_the_deal("p1", "p2"), bad) == "bad_deck"


def test_a_match_needs_two_to_start_all_different_and_not_too_many() -> None:
    for players, reason in [
        ([], "not_enough_players"),
        (["p1"], "not_enough_players"),
        (["p1", "p1"], "already_seated"),
        ([f"p{number}" for number in range(7)], "too_many_players"),
    ]:
        with pytest.raises(Illegal) as caught:
            new_match(Rules(), players)
        assert caught.value.reason == reason
        assert caught.value.detail == ("6 at most" if reason == "too_many_players" else "")
    assert len(new_match(Rules(), [f"p{number}" for number in range(6)]).seats) == 6


def test_a_seed_of_another_length_is_refused_whoever_made_the_move() -> None:
    for seed in (b"", bytes(31), bytes(33)):
        with pytest.raises(Illegal) as caught:
            apply(before_the_deal("p1", "p2"), Deal(seed))
        assert caught.value.reason == "bad_deck"
