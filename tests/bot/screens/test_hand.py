"""The hand in every state: texts, buttons, notification, told penalties."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from bot.buttons import DealNext, Lay, PassTurn, PickSuit, Take, decode
from bot.screens.hand import hand
from bot.screens.screen import Style
from engine import Stamp, parse_card
from tests.bot.screens.scenes import CTX, RU, Scene, dealt, labels, lines, lobby_of, played_out, scene

TABLE = (
    "p1 [37]: 7S KD 6C QS | p2 [88]: 10C | p3 [12]: 9C 9S 6H "
    "| stock: 9H 6D KS QD | discard: 8D JS | number: 3"
)


@dataclass(frozen=True)
class Case:
    """A moment as somebody sees it; in `text` and `buttons` the round's line and the seals are left out."""

    name: str
    moment: Scene
    player: str
    first_line: str
    text: tuple[str, ...]
    buttons: tuple[str, ...]
    notifies: bool = False


DEADLINE = '⏳ до <tg-time unix="{at}" format="T">60 с на ход</tg-time>'
SOON = 'Следующий раунд в <tg-time unix="{at}" format="T">ближайшие секунды</tg-time>'
START = 1_790_000_000


def until(seconds: int) -> str:
    return DEADLINE.format(at=START + seconds)


CASES = (
    Case(
        "my turn",
        scene(TABLE),
        "p1",
        "▶️ Ваш ход · сверху В♠️ · Книжный клуб",
        ("Не идут: К♦️ 6♣️", until(60)),
        ("7♠️ | Д♠️", "❔ Почему | ⬅️ К столу"),
        notifies=True,
    ),
    Case(
        "waiting",
        scene(TABLE),
        "p3",
        "⏳ Ходит Аня · сверху В♠️ · Книжный клуб",
        ("Ваши карты: ♠️ 9 · ♥️ 6 · ♣️ 9",),
        ("9♠️ | 6♥️ | 9♣️", "⬅️ К столу"),
    ),
    Case(
        "a penalty, told with its cards to who took it",
        scene(TABLE, "p1 7S"),
        "p2",
        "⏳ Ходит Вера · сверху 7♠️ · Книжный клуб",
        ("Аня кладёт 7♠️: вы берёте 9♥️ и 6♦️ и пропускаете ход", "Ваши карты: ♥️ 9 · ♦️ 6 · ♣️ 10"),
        ("9♥️ | 6♦️ | 10♣️", "⬅️ К столу"),
    ),
    Case(
        "a penalty that is another's",
        scene(TABLE, "p1 7S"),
        "p1",
        "⏳ Ходит Вера · сверху 7♠️ · Книжный клуб",
        ("Ваши карты: ♠️ Д · ♦️ К · ♣️ 6",),
        ("Д♠️ | К♦️ | 6♣️", "⬅️ К столу"),
    ),
    Case(
        "cards loaded, and a turn all the same",
        scene("p1: KH 7C | p2: 10H 9D | stock: 9H 6D 6S JH | discard: 8H", "p1 KH", effects={"KH": "load2"}),
        "p2",
        "▶️ Ваш ход · сверху К♥️ · Книжный клуб",
        ("Аня кладёт К♥️: вы берёте 9♥️ и 6♦️", "Не идут: 6♦️ 9♦️", until(65)),
        ("9♥️ | 10♥️", "❔ Почему | ⬅️ К столу"),
        notifies=True,
    ),
    Case(
        "a skipped turn",
        scene("p1: AS 7C | p2: 10H 9D | p3: 9S 8S | stock: 9H | discard: JS", "p1 AS"),
        "p2",
        "⏳ Ходит Вера · сверху Т♠️ · Книжный клуб",
        ("Аня кладёт Т♠️: вы пропускаете ход", "Ваши карты: ♥️ 10 · ♦️ 9"),
        ("10♥️ | 9♦️", "⬅️ К столу"),
    ),
    Case(
        "nothing fits: the draw makes itself",
        scene("p1: 7H KD | p2: 10C 9D | stock: 9H 8C KS | discard: JC"),
        "p1",
        "▶️ Ваш ход · сверху В♣️ · Книжный клуб",
        ("Ходить нечем — берёте…", "Ваши карты: ♥️ 7 · ♦️ К"),
        (),
    ),
    Case(
        "what was found by a bound draw lays itself",
        scene("p1: 7H KD | p2: 10C 9D | stock: 9H 8C KS | discard: JC", "p1 draw"),
        "p1",
        "▶️ Ваш ход · сверху В♣️ · Книжный клуб",
        ("Из колоды: 9♥️ 8♣️", "Кладёте 8♣️…", "Ваши карты: ♥️ 7 9 · ♦️ К · ♣️ 8"),
        (),
    ),
    Case(
        "a wild that was found is the player's own to lay",
        scene("p1: 7H KD | p2: 10C 9D | stock: QS KS | discard: JC", "p1 draw"),
        "p1",
        "▶️ Ваш ход · сверху В♣️ · Книжный клуб",
        ("Из колоды: Д♠️", "Не идут: 7♥️ К♦️", until(65)),
        ("Д♠️", "❔ Почему | ⬅️ К столу"),
        notifies=True,
    ),
    Case(
        "nothing to lay and nothing to draw",
        scene("p1: 7H KD | p2: 10C 9D | stock: | discard: JC"),
        "p1",
        "▶️ Ваш ход · сверху В♣️ · Книжный клуб",
        ("Ходить и брать нечего — ход переходит…", "Ваши карты: ♥️ 7 · ♦️ К"),
        (),
    ),
    Case(
        "a single card was drawn: lay or pass",
        scene("p1: 7H KD | p2: 10C 9D | stock: 7C KS | discard: JC", "p1 draw", draw="one_then_play"),
        "p1",
        "▶️ Ваш ход · сверху В♣️ · Книжный клуб",
        ("Из колоды: 7♣️", "Не идут: 7♥️ К♦️", until(65)),
        ("7♣️", "⏭ Пас", "❔ Почему | ⬅️ К столу"),
        notifies=True,
    ),
    Case(
        "one may draw though a card fits",
        scene("p1: 7C KD | p2: 10C 9D | stock: 10H 8C | discard: JC", voluntary_draw="always"),
        "p1",
        "▶️ Ваш ход · сверху В♣️ · Книжный клуб",
        ("Не идёт: К♦️", until(60)),
        ("7♣️", "⬇️ Взять", "❔ Почему | ⬅️ К столу"),
        notifies=True,
    ),
    Case(
        "covering",
        scene("p1: 8C 9C KD QS | p2: 10C 9D | stock: 9H | discard: JC", "p1 8C"),
        "p1",
        "▶️ Ваш ход · сверху 8♣️ · Книжный клуб",
        ("Накройте восьмёрку ♣️: нужны ♣️, восьмёрка или дама.", "Не идёт: К♦️", until(65)),
        ("Д♠️ | 9♣️", "❔ Почему | ⬅️ К столу"),
        notifies=True,
    ),
    Case(
        "covering where a queen may not cover",
        scene("p1: 8C 9C KD QS | p2: 10C 9D | stock: 9H | discard: JC", "p1 8C", cover_by_wild=False),
        "p1",
        "▶️ Ваш ход · сверху 8♣️ · Книжный клуб",
        ("Накройте восьмёрку ♣️: нужны ♣️ или восьмёрка.", "Не идут: Д♠️ К♦️", until(65)),
        ("9♣️", "❔ Почему | ⬅️ К столу"),
        notifies=True,
    ),
    Case(
        "nothing to cover with",
        scene("p1: 8C 9H KD | p2: 10C 9D | stock: 6H QC | discard: JC", "p1 8C"),
        "p1",
        "▶️ Ваш ход · сверху 8♣️ · Книжный клуб",
        ("Накрыть нечем — берёте…", "Ваши карты: ♥️ 9 · ♦️ К"),
        (),
    ),
    Case(
        "nothing to cover with, nothing to draw",
        scene("p1: 9H KD | p2: 10C 9D | stock: | discard: 8C | must_cover:"),
        "p1",
        "▶️ Ваш ход · сверху 8♣️ · Книжный клуб",
        ("Ходить и брать нечего — ход переходит…", "Ваши карты: ♥️ 9 · ♦️ К"),
        (),
    ),
    Case(
        "an attack that may be answered",
        scene("p1: 6S 7H | p2: 6H 10C | stock: 9H 8C KS | discard: JS", "p1 6S", preset="game_108"),
        "p2",
        "▶️ Ваш ход · сверху 6♠️ · Книжный клуб",
        ("Вам 1 карта. Ответьте шестёркой или берите.", "Не идёт: 10♣️", until(65)),
        ("6♥️", "⬇️ Взять 1", "❔ Почему | ⬅️ К столу"),
        notifies=True,
    ),
    Case(
        "an attack that has gathered cards",
        scene(
            "p1: 7S 6H 9C | p2: 7H 10C | p3: 7D 8S | stock: 9H 8C KS 6D JD | discard: JS",
            "p1 7S",
            "p2 7H",
            transfer=["7"],
        ),
        "p3",
        "▶️ Ваш ход · сверху 7♥️ · Книжный клуб",
        ("Вам 4 карты. Ответьте семёркой или берите.", "Не идёт: 8♠️", until(70)),
        ("7♦️", "⬇️ Взять 4", "❔ Почему | ⬅️ К столу"),
        notifies=True,
    ),
    Case(
        "a skip that may be answered",
        scene("p1: AS KD | p2: AH 10C | p3: 9S JC | stock: 9H | discard: JS", "p1 AS", transfer=["A"]),
        "p2",
        "▶️ Ваш ход · сверху Т♠️ · Книжный клуб",
        ("Вы пропускаете ход, если не ответите тузом.", "Не идёт: 10♣️", until(65)),
        ("Т♥️", "⏭ Пропустить ход", "❔ Почему | ⬅️ К столу"),
        notifies=True,
    ),
    Case(
        "an empty table",
        scene("p1: 7H QS | p2: 10C 9D | stock: 9H"),
        "p1",
        "▶️ Ваш ход · стол пуст · Книжный клуб",
        ("Стол пуст: кладите любую.", until(60)),
        ("Д♠️ | 7♥️", "⬅️ К столу"),
        notifies=True,
    ),
    Case(
        "an empty table, led with the card dealt last",
        scene("p1: 7H QS 9C | p2: 10C 9D | stock: 9H", opening="last_dealt"),
        "p1",
        "▶️ Ваш ход · стол пуст · Книжный клуб",
        ("Стол пуст: заходите картой, сданной последней.", "Не идут: Д♠️ 7♥️", until(60)),
        ("9♣️", "❔ Почему | ⬅️ К столу"),
        notifies=True,
    ),
    Case(
        "the match is won",
        scene("p1 [37]: 6S | p2 [90]: KD 10C | stock: 9H 6D | discard: JS | number: 3", "p1 6S"),
        "p1",
        "🏆 Вы выиграли партию! · Книжный клуб",
        (),
        ("⬅️ К столу",),
    ),
    Case(
        "between rounds, with points",
        scene("p1 [37]: 6S | p2 [70]: KD 10C | stock: 9H 6D | discard: JS | number: 3", "p1 6S"),
        "p2",
        "🏁 Раунд 3: выигрывает Аня · Книжный клуб",
        ("Ваши очки: 70 + 14 = 84", SOON.format(at=START + 25)),
        ("▶️ Дальше", "🚪 Выйти из партии | ⬅️ К столу"),
    ),
    Case(
        "between rounds, after a total of exactly the limit",
        scene("p1 [37]: 6S | p2 [87]: KD 10C | stock: 9H 6D | discard: JS", "p1 6S", exact_limit="zero"),
        "p2",
        "🏁 Раунд 1: выигрывает Аня · Книжный клуб",
        ("Ваши очки: 87 + 14 = 101 → 0", SOON.format(at=START + 25)),
        ("▶️ Дальше", "🚪 Выйти из партии | ⬅️ К столу"),
    ),
    Case(
        "between rounds, after a blocked one",
        scene("p1 [12]: 7H | p2 [30]: 10C 9D | stock: | discard: JS", "p1 pass", "p2 pass"),
        "p1",
        "🏁 Раунд 1: без победителя · Книжный клуб",
        ("Ваши очки: 12", SOON.format(at=START + 30)),
        ("▶️ Дальше", "🚪 Выйти из партии | ⬅️ К столу"),
    ),
    Case(
        "out, and watching on",
        scene("p1: 7S KD | p2: 10C | p3 [104 out]: | stock: 9H | discard: JS"),
        "p3",
        "✖️ Вылет: 104 очка · Книжный клуб",
        ("▶️ Аня · сверху В♠️",),
        ("⬅️ К столу",),
    ),
    Case(
        "left",
        scene("p1: 7S KD | p2: 10C 9C | p3 [21]: 8C | stock: 9H | discard: JS", "p3 leave"),
        "p3",
        "🚪 Вы больше не в партии: 21 очко · Книжный клуб",
        ("▶️ Аня · сверху В♠️",),
        ("⬅️ К столу",),
    ),
    Case(
        "seated from the next deal on",
        scene(TABLE, "p4 sit"),
        "p4",
        "🃏 Карты придут со следующей раздачей · Книжный клуб",
        (),
        ("⬅️ К столу",),
    ),
    Case(
        "the match is lost",
        scene("p1 [37]: 6S | p2 [90]: KD 10C | stock: 9H 6D | discard: JS", "p1 6S"),
        "p2",
        "🏆 Партия окончена: побеждает Аня · Книжный клуб",
        ("Ваше место: 2 из 2 · сумма 104",),
        ("⬅️ К столу",),
    ),
    Case(
        "the match was stopped",
        scene(TABLE, "p1 stop"),
        "p2",
        "🛑 Партия остановлена · Книжный клуб",
        (),
        ("⬅️ К столу",),
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_hand_shows(case: Case) -> None:
    screen = hand(case.moment.seen_by(case.player), RU, CTX)
    first, *rest = lines(screen)
    assert first == case.first_line
    assert tuple(line for line in rest if not line.startswith(("Раунд ", "🔐"))) == case.text
    assert tuple(row for row in labels(screen.rows) if "🔐" not in row) == case.buttons
    assert screen.notifies is case.notifies


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
