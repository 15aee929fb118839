"""Welcome, help, questions and notices: what they offer, and that their commands reach the bot."""

from __future__ import annotations

import re
from pathlib import Path

from bot.buttons import (
    Dismiss,
    LeaveMatch,
    OpenAlone,
    OpenLesson,
    ReadRules,
    SetLanguage,
    StopMatch,
)
from bot.locales import Translator, load_catalogues
from bot.screens import help as guide
from bot.screens.answers import refusal
from bot.screens.lobby import lobby
from bot.screens.screen import Style
from bot.tables.refusals import Refused
from tests.bot.locales.catalogues import with_third_language
from tests.bot.screens.scenes import CATALOGUES, CTX, EN, LANGUAGES, RU, asked, dealt, lines, lobby_of, scene

BOT = "sto_odno_bot"
IN_PLAY = scene("p1: 7S KD | p2: 10C | stock: 9H | discard: JS")


@LANGUAGES
def test_the_way_into_a_group_is_one_button(tr: Translator) -> None:
    add = f"https://t.me/{BOT}?startgroup=new"
    alone = OpenAlone(2, "normal", "classic")
    assert asked(guide.welcome(tr, BOT)) == [add, alone, OpenLesson("idea"), ReadRules("", "")]
    assert asked(guide.add_to_group(tr, BOT)) == [add, alone]
    assert asked(guide.own_tables([], tr, BOT)) == [add, alone]


@LANGUAGES
def test_a_group_is_welcomed_in_one_line_with_one_button(tr: Translator) -> None:
    screen = guide.group_welcome(tr, BOT)
    assert len(lines(screen)) == 1
    assert asked(screen) == [ReadRules("", "")]


@LANGUAGES
def test_groups_are_told_commands_by_the_bots_full_name(tr: Translator) -> None:
    for screen in (
        guide.group_welcome(tr, BOT),
        guide.welcome(tr, BOT),
        guide.add_to_group(tr, BOT),
    ):
        named = re.findall(r"(?<!<)/[a-z]+(?:@\w+)?", screen.text)
        assert [name for name in named if name != "/play"] == [f"/game@{BOT}"]  # that one is for private
    in_group = guide.help_screen(tr, BOT).text.split(tr("help.in_private"))[0]
    assert {f"/{name}@{BOT}" for name in guide.Scope.ADMINS.value} == set(re.findall(r"(?m)^/\S+", in_group))


@LANGUAGES
def test_help_names_every_command_of_both_menus(tr: Translator) -> None:
    text = guide.help_screen(tr, BOT).text
    for scope in guide.Scope:
        for name, what in guide.commands(tr, scope):
            assert re.search(rf"(?m)^/{name}(@{BOT})? — {re.escape(what)}$", text)


def test_leaving_and_stopping_are_asked_once_and_can_be_called_off() -> None:
    leaving = guide.ask_leave(IN_PLAY.seen_by("p1"), RU, 7)
    assert lines(leaving)[0] == "🚪 Выйти из партии? · Книжный клуб"
    assert asked(leaving) == [LeaveMatch("k3f9x2", 7), Dismiss(7)]
    assert leaving.rows[0][0].style is Style.DANGER
    assert lines(guide.ask_leave(IN_PLAY.seen_by("p1"), RU, 7, "Аня"))[0] == "🚪 Аня, выйти из партии?"
    for moment, what in ((IN_PLAY, "Остановить партию"), (lobby_of(2), "Закрыть стол")):
        stopping = guide.ask_stop(moment.seen_by("p1"), RU, 7)
        assert asked(stopping) == [StopMatch("k3f9x2"), Dismiss(7)]
        assert what in lines(stopping)[0]
        assert "голосование" in lines(stopping)[1]
        assert len(lines(guide.ask_stop(moment.seen_by("p1"), RU, 1))) == 1, "the host decides at once"


def test_whoever_sits_down_is_told_from_when_on_he_plays() -> None:
    assert "после раздачи" in guide.seated(lobby_of(2).seen_by("p2"), RU, None).text
    waiting = dealt(3).then("p5 sit", "p3 leave", "p3 sit")
    for newcomer in ("p5", "p3"):
        assert "со следующего раунда" in guide.seated(waiting.seen_by(newcomer), RU, CTX.table_url).text
    assert "уже играете" in guide.seated(waiting.seen_by("p2"), RU, CTX.table_url).text
    assert asked(guide.seated(IN_PLAY.seen_by("p2"), RU, CTX.table_url)) == [CTX.table_url]


def test_a_newcomer_who_waits_for_the_deal_can_learn_the_game() -> None:
    seated = guide.seated(lobby_of(2).seen_by("p2"), RU, CTX.table_url, is_newcomer=True)
    assert asked(seated) == [CTX.table_url, OpenLesson("idea")]


def test_admins_have_all_that_others_have_in_their_menu_and_the_settings() -> None:
    assert set(guide.Scope.ADMINS.value) - set(guide.Scope.GROUP.value) == {"settings", "language"}
    assert set(guide.Scope.GROUP.value) < set(guide.Scope.ADMINS.value)


def test_each_table_has_a_link_or_says_what_to_type() -> None:
    screen = guide.own_tables(
        [(IN_PLAY.seen_by("p1"), None), (IN_PLAY.seen_by("p1"), CTX.table_url)], EN, BOT
    )
    assert lines(screen) == ["Your tables:", f"Книжный клуб: send /table@{BOT} there"]
    assert asked(screen) == [CTX.table_url]


@LANGUAGES
def test_languages_are_offered_by_their_own_names(tr: Translator) -> None:
    screen = guide.choose_language(tr, CATALOGUES)
    assert [button.text for row in screen.rows for button in row] == ["English", "Русский"]
    assert asked(screen) == [SetLanguage("en"), SetLanguage("ru")]
    chosen = [button.text for row in screen.rows for button in row if button.style is Style.PRIMARY]
    assert chosen == [tr.plain("language.name")]


def test_a_refusal_as_a_message_names_commands_in_full_and_is_escaped() -> None:
    notice = guide.notice(refusal(Refused.NO_TABLE, RU), Refused.NO_TABLE, RU, BOT)
    assert notice.text == f"Здесь нет стола. Открыть: /game@{BOT}"
    assert notice.rows == ()
    assert guide.notice("1/2 <b>", Refused.STALE, RU, BOT).text == "1/2 &lt;b&gt;"


def test_whoever_has_no_private_chat_yet_gets_the_way_there() -> None:
    notice = guide.notice(refusal(Refused.NO_PRIVATE_CHAT, EN), Refused.NO_PRIVATE_CHAT, EN, BOT)
    assert asked(notice) == [f"https://t.me/{BOT}"]
    invited = guide.open_private_chat(RU, "<Борис>", "https://t.me/x?start=y")
    assert invited.text.startswith("&lt;Борис&gt;, откройте")
    assert asked(invited) == ["https://t.me/x?start=y"]


def test_screens_speak_a_third_language_as_soon_as_its_file_is_there(tmp_path: Path) -> None:
    tr = load_catalogues(with_third_language(tmp_path))["eo"]
    assert lines(lobby(lobby_of(2).seen_by(), tr, CTX))[0] == "¡🃏 One Hundred and One — who’s playing?"
    assert all(
        button.text.startswith("¡") for row in lobby(lobby_of(2).seen_by(), tr, CTX).rows for button in row
    )
