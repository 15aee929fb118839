"""People of one name at one table are distinguished, and have their current names."""

from __future__ import annotations

import pytest

from bot.pictures.text import display_name, fitted
from bot.tables import transitions
from bot.tables.model import Table
from bot.tables.naming import distinct_names
from bot.tables.player import Player
from tests.bot.screens.scenes import RU
from tests.bot.tables.tables import ANYA, BORIS, GENA, NOW, VERA, ctx, dealt, lobby

LONG = "Александра Константинопольская"


@pytest.mark.parametrize(
    ("name", "others", "label"),
    [
        ("Аня", ["Борис"], "Аня"),
        ("Аня", ["Аня"], "Аня²"),
        ("Аня", ["Аня", "Аня²", "Аня⁴"], "Аня³"),
        ("Aня", ["Аня"], "Aня²"),  # its first letter is a Latin one
        ("а\u200bНЯ ", ["Аня"], "а\u200bНЯ ²"),
        ("", [""], "²"),
        (LONG, ["Александра Константинова"], LONG + "²"),  # on the screen both end before that
        ("Аня²", ["Аня", "Аня²"], "Аня²²"),
    ],
)
def test_who_reads_like_another_gets_the_first_free_number(name: str, others: list[str], label: str) -> None:
    assert distinct_names(name, others) == label


def test_the_number_survives_being_cut_in_texts_and_in_pictures() -> None:
    assert RU.name(LONG + "²") == "Александра Кон…²"
    assert RU.with_short_names(4).name("Аня-Мария²") == "Ан…²"
    assert RU.name("²") == RU.plain("name.unseen") + "²"
    assert len(RU.name("²" * 64)) <= 16
    assert display_name("Аня²", 1) == "Аня²"
    assert display_name("漢²", 1) == "№ 2"
    assert fitted(LONG + "²", 80, 24, 20)[0].endswith("…²")


def names(table: Table) -> list[str]:
    return [player.name for player in (*table.players, *table.waiting)]


def test_two_of_one_name_sit_at_one_table_and_keep_their_numbers() -> None:
    table = lobby(Player(7, "Аня"), Player(8, "аня"))
    assert names(table) == ["Аня", "Аня²", "аня³"]
    gone = transitions.leave(table, ctx(), ANYA.user_id).table
    assert names(gone) == ["Аня²", "аня³"]
    back = transitions.sit(gone, ctx(), ANYA.user_id, ANYA.name).table
    assert names(back) == ["Аня²", "аня³", "Аня"]


def test_a_new_name_is_told_wherever_the_old_one_was() -> None:
    table = transitions.sit(dealt(BORIS, VERA), ctx(), GENA.user_id, GENA.name).table
    table = transitions.say(table, ctx(), BORIS.user_id, "привет").table
    table = transitions.call_vote(table, ctx(), VERA.user_id, BORIS.user_id).table
    table = transitions.rename(table, ctx(), BORIS.user_id, "Аня").table
    table = transitions.rename(table, ctx(), GENA.user_id, "Женя").table
    table = transitions.rename(table, ctx(), VERA.user_id, "Ника").table
    assert names(table) == ["Аня", "Аня²", "Ника", "Женя"]
    assert table.vote is not None
    assert table.vote.target is not None
    assert (table.vote.target.name, table.vote.caller.name) == ("Аня²", "Ника")
    assert [said.name for said in table.talk] == ["Аня²"]
    assert transitions.rename(table, ctx(), 99, "Никто").table is table


def test_a_rematch_lists_people_as_they_are_called_now_and_tells_them_apart() -> None:
    over = transitions.stop(dealt(BORIS, VERA), ctx(), ANYA.user_id, is_admin=False).table
    now_called = {BORIS.user_id: "Вера", VERA.user_id: "Вера"}
    again = transitions.open_rematch("t2", over, ANYA.user_id, over.settings, ctx(NOW), now_called)
    assert names(again) == ["Аня", "Вера", "Вера²"]
