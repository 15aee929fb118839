"""The highlight of a match: its choice and its text."""

from __future__ import annotations

from bot.screens.highlight import Highlight, HighlightKind, highlight, highlight_line
from bot.screens.result import match_end
from bot.tables.view import TableView, view_table
from tests.bot.records.finished_tables import Played, over
from tests.bot.screens.scenes import CTX, EN, GROUP, RU, dealt, lines
from tests.bot.tables.tables import ANYA, BORIS, VERA


def ended(*rounds: Played) -> TableView:
    """A match of Anya, Boris and Vera as the group sees it."""
    return view_table(over("t", -1, [ANYA, BORIS, VERA], rounds), None, GROUP)


def test_a_finish_with_the_queen_of_spades_goes_before_all() -> None:
    view = ended(
        Played({0: 90, 1: 0, 2: 20}, 1, "QS"),
        Played({0: 0, 1: 30, 2: 82}, 0, "QS"),
        Played({0: 0, 1: 99}, 0, "QH"),
    )
    assert highlight(view) == Highlight(HighlightKind.QUEEN, 0, 2, 112)
    assert highlight_line(view, RU) == "✨ Аня закрывает раунд 2 дамой пик: остальным +112"
    assert highlight_line(view, EN) == "✨ Аня wins round 2 with the queen of spades: +112 for the others"


def test_a_comeback_is_from_far_behind_the_best_of_those_still_in() -> None:
    view = ended(
        Played({0: 40, 1: 0, 2: 0}, 1, "6S"),
        Played({0: 35, 1: 10, 2: 120}, 0, "6H"),
        Played({0: 0, 1: 95}, 0, "6D"),
    )
    assert highlight(view) == Highlight(HighlightKind.COMEBACK, 0, 2, 65)
    assert highlight_line(view, RU) == "✨ Аня: отставание 65 после раунда 2 — и победа"


def test_a_small_way_back_is_no_comeback_and_the_heaviest_round_is_told() -> None:
    view = ended(Played({0: 40, 1: 0, 2: 40}, 1, "6S"), Played({0: 0, 1: 102, 2: 80}, 0, "6H"))
    assert highlight(view) == Highlight(HighlightKind.PENALTY, 1, 2, 102)
    assert highlight_line(view, RU) == "✨ Борис: +102 за раунд 2 — рекорд партии"


def test_without_a_round_there_is_no_moment() -> None:
    view = dealt(2).then("p2 leave").seen_by()
    assert highlight(view) is None
    assert highlight_line(view, RU) is None
    assert not any("✨" in line for line in lines(match_end(view, RU, CTX)))


def test_the_matchs_end_tells_its_moment_in_a_line() -> None:
    view = ended(Played({0: 0, 1: 102, 2: 103}, 0, "QS"))
    assert lines(match_end(view, RU, CTX))[4] == highlight_line(view, RU)
