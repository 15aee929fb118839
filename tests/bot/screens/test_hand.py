"""The hand in every state: texts, buttons, notification, told penalties."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.buttons import DealNext, Lay, PassTurn, PickSuit, Take, decode
from bot.screens.hand import hand
from bot.screens.screen import Style
from engine import Stamp, parse_card
from tests.bot.screens.scenes import CTX, RU, dealt, labels, lines, lobby_of, played_out, scene

TABLE = (
    "p1 [37]: 7S KD 6C QS | p2 [88]: 10C | p3 [12]: 9C 9S 6H "
    "| stock: 9H 6D KS QD | discard: 8D JS | number: 3"
)


def test_on_a_narrow_phone_no_line_ends_between_a_suit_and_its_ranks_or_a_name_and_its_number() -> None:
    text = hand(scene(TABLE).seen_by("p2"), RU, CTX).text
    assert "Аня\u00a04 · вы\u00a01❗ · Вера\u00a03" in text
    assert "Ваши карты: ♣️\u00a010" in text


def test_the_round_line_names_everybody_still_in_and_warns_of_a_last_card() -> None:
    moment = scene(TABLE + " | p4 [104 out]:")
    assert lines(hand(moment.seen_by("p1"), RU, CTX))[1] == "Раунд 3 · вы 4 · Борис 1❗ · Вера 3"
    assert lines(hand(moment.seen_by("p2"), RU, CTX))[1] == "Раунд 3 · Аня 4 · вы 1❗ · Вера 3"


def test_the_direction_is_told_under_rules_that_can_turn_it_and_only_there() -> None:
    text = "p1: 10S KD | p2: 9C 9D | p3: 9S 6D | stock: 9H 8C | discard: JS"
    turning = scene(text, effects={"10": "reverse"})
    assert lines(hand(turning.seen_by("p1"), RU, CTX))[1].endswith(" · по часовой ↻")
    assert lines(hand(turning.then("p1 10S").seen_by("p1"), RU, CTX))[1].endswith(" · против часовой ↺")
    assert "часовой" not in hand(scene(text).seen_by("p1"), RU, CTX).text


def test_buttons_carry_the_table_the_moment_and_the_card_by_its_code() -> None:
    moment = scene("p1: 7S KD | p2: 10C | stock: 9H | discard: JS | number: 3", voluntary_draw="always")
    rows = hand(moment.seen_by("p1"), RU, CTX).rows
    stamp = Stamp(3, 0)
    assert decode(rows[0][0].data or "") == Lay("k3f9x2", stamp, parse_card("7S"), None)
    assert rows[0][0].style is Style.SUCCESS
    assert decode(rows[1][0].data or "") == Take("k3f9x2", stamp)


def test_a_skip_under_attack_is_passed() -> None:
    moment = scene("p1: AS KD | p2: AH 10C | p3: 9S | stock: 9H | discard: JS", "p1 AS", transfer=["A"])
    assert decode(hand(moment.seen_by("p2"), RU, CTX).rows[1][0].data or "") == PassTurn(
        "k3f9x2", Stamp(1, 1)
    )


def test_a_wild_asks_for_its_suit_first_and_a_last_wild_is_laid_at_once() -> None:
    stamp, queen = Stamp(1, 0), parse_card("QS")
    asking = scene("p1: QS KD | p2: 10C | stock: 9H | discard: JS").seen_by("p1")
    assert decode(hand(asking, RU, CTX).rows[0][0].data or "") == PickSuit("k3f9x2", stamp, queen)
    last = scene("p1: QS | p2: 10C | stock: 9H | discard: JS").seen_by("p1")
    assert decode(hand(last, RU, CTX).rows[0][0].data or "") == Lay("k3f9x2", stamp, queen, None)


def test_choosing_a_suit_shows_the_suits_and_what_is_kept_and_plays_nothing_before() -> None:
    view = scene("p1: QS KD KC | p2: 10C | stock: 9H | discard: JS").seen_by("p1")
    screen = hand(view, RU, CTX, parse_card("QS"))
    assert lines(screen)[0] == "▶️ Д♠️: какую масть заказать? · Книжный клуб"
    assert lines(screen)[2] == "Останутся: ♦️ К · ♣️ К"
    assert labels(screen.rows) == ["♠️ | ♥️ | ♦️ | ♣️", "↩️ Назад"]
    orders = [decode(button.data or "") for button in screen.rows[0]]
    assert orders == [Lay("k3f9x2", Stamp(1, 0), parse_card("QS"), suit) for suit in range(4)]


@pytest.mark.parametrize("card", ["KD", "QH", "9S"])
def test_choosing_for_a_card_that_orders_nothing_now_shows_the_hand(card: str) -> None:
    view = scene("p1: QS KD | p2: 10C QH | stock: 9H | discard: JS").seen_by("p1")
    assert hand(view, RU, CTX, parse_card(card)) == hand(view, RU, CTX)


def test_choosing_is_over_when_the_turn_is() -> None:
    moment = scene("p1: QS KD | p2: 10C JD | stock: 9H | discard: JS", "p1 QS:H")
    assert hand(moment.seen_by("p1"), RU, CTX, parse_card("QS")) == hand(moment.seen_by("p1"), RU, CTX)


def test_a_penalty_is_told_until_its_victim_moves_himself() -> None:
    told = "Аня кладёт 7♠️: вы берёте 9♥️ и 6♦️ и пропускаете ход"
    moment = scene("p1: 7S KH JS | p2: 10S 6C | p3: 9S 8S | stock: 9H 6D 8H | discard: JD JS", "p1 7S")
    assert told in lines(hand(moment.seen_by("p2"), RU, CTX))
    moment = moment.then("p3 9S", "p1 JS")
    assert told in lines(hand(moment.seen_by("p2"), RU, CTX))
    assert told not in lines(hand(moment.then("p2 10S").seen_by("p2"), RU, CTX))


def test_the_whole_commitment_is_at_hand_during_the_round() -> None:
    view = dealt(2).seen_by("p1")
    assert view.game is not None
    assert view.game.round is not None
    buttons = [button for row in hand(view, RU, CTX).rows for button in row if button.copy is not None]
    assert [button.copy for button in buttons] == [view.game.round.commitment]


def test_without_a_link_to_the_table_there_is_no_button_to_it() -> None:
    screen = hand(scene(TABLE).seen_by("p1"), RU, replace(CTX, table_url=None))
    assert not any(button.url for row in screen.rows for button in row)


def test_the_next_round_is_asked_for_by_its_predecessors_number() -> None:
    view = scene("p1 [37]: 6S | p2: KD 10C | stock: 9H | discard: JS | number: 3", "p1 6S").seen_by("p2")
    assert decode(hand(view, RU, CTX).rows[0][0].data or "") == DealNext("k3f9x2", 3)


def test_without_a_clock_there_is_no_deadline() -> None:
    moment = lobby_of(2, turn_seconds=None).then("p1 start")
    assert all("⏳ до" not in hand(moment.seen_by(player), RU, CTX).text for player in ("p1", "p2"))


def test_many_cards_stand_four_in_a_row_at_most_and_evenly() -> None:
    view = scene("p1: 6S 7S 8S 9S 10S | p2: 10C | stock: 9H | discard: JS").seen_by("p1")
    assert labels(hand(view, RU, CTX).rows)[:2] == ["6♠️ | 7♠️ | 8♠️", "9♠️ | 10♠️"]


def test_two_copies_of_a_card_are_one_button() -> None:
    view = scene("p1: 9S 9S KD | p2: 10C | stock: 9H | discard: JS", deck=72).seen_by("p1")
    assert labels(hand(view, RU, CTX).rows)[0] == "9♠️"


def test_everybody_sees_his_place_when_the_match_is_over() -> None:
    over = played_out(dealt(4))
    first_lines = {lines(hand(over.seen_by(f"p{seat}"), RU, CTX))[-1] for seat in range(1, 5)}
    assert sum("Ваше место" in line for line in first_lines) == 3
    assert sum("Вы выиграли партию!" in line for line in first_lines) == 1
