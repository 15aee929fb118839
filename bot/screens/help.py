"""Messages outside the game: welcome, help, invitations, confirmations, languages, the bot's profile."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import Enum, StrEnum
from typing import Final

from bot.buttons import Dismiss, LeaveMatch, OpenLesson, ReadRules, SetLanguage, StopMatch
from bot.locales import Html, Translator
from bot.locales.translator import escape
from bot.screens.layout import callback_button, page, rows
from bot.screens.opponents import play_button
from bot.screens.phrases import place_name
from bot.screens.screen import Button, Screen, Style
from bot.tables.lifecycle import TablePhase
from bot.tables.refusals import Refused
from bot.tables.view import TableView
from engine import Reason, Status

_COMMAND: Final = re.compile(r"(?<!\S)/[a-z]+\b")


class Scope(Enum):
    """The chats where a command menu is shown; the values are its commands in order."""

    PRIVATE = (
        "play",
        "hand",
        "table",
        "leave",
        "score",
        "top",
        "stats",
        "rules",
        "settings",
        "fair",
        "export",
        "language",
        "help",
    )
    GROUP = (
        "game",
        "play",
        "table",
        "hand",
        "join",
        "leave",
        "bell",
        "kick",
        "stop",
        "score",
        "top",
        "stats",
        "rules",
        "fair",
        "help",
    )
    ADMINS = (*GROUP[:-1], "settings", "language", "help")
    """The menu of a group's admins; a table's host may use these commands as well."""


class LessonPage(StrEnum):
    """The pages of the first lesson; the values are stored in button data."""

    IDEA = "idea"
    CARDS = "cards"
    TABLE = "table"
    END = "end"
    SKIPPED = "skipped"


def commands(tr: Translator, scope: Scope) -> tuple[tuple[str, str], ...]:
    """Return (name, description) of each command, for `setMyCommands`."""
    return tuple((name, tr.plain(f"command.{name}")) for name in scope.value)


def description(tr: Translator) -> str:
    """The text in an empty chat with the bot; at most 512 characters."""
    return tr.plain("bot.description")


def short_description(tr: Translator) -> str:
    """The text on the bot's profile and in shared links; at most 120 characters."""
    return tr.plain("bot.short_description")


def welcome(tr: Translator, bot_username: str) -> Screen:
    """The answer to `/start` in private."""
    text = page(tr("welcome.title"), "", tr("welcome.text", bot=bot_username))
    buttons = rows(
        (add_button(tr, bot_username),),
        (play_button(tr),),
        (lesson_button(tr),),
        (_rules_button(tr),),
    )
    return Screen(text, buttons)


def add_to_group(tr: Translator, bot_username: str) -> Screen:
    """The answer to `/game` in private: tables are opened in groups."""
    buttons = rows((add_button(tr, bot_username),), (play_button(tr),))
    return Screen(page(tr("add.text", bot=bot_username)), buttons)


def only_in_private(tr: Translator, bot_username: str) -> Screen:
    """The answer in a group to a command that works only in private."""
    button = Button(tr.plain("button.open_chat"), url=f"https://t.me/{bot_username}")
    return Screen(page(tr("private.only")), rows((button,)))


def group_welcome(tr: Translator, bot_username: str) -> Screen:
    """The bot's greeting after it was added to a group."""
    return Screen(page(tr("group.welcome", bot=bot_username)), rows((_rules_button(tr),)))


def help_screen(tr: Translator, bot_username: str) -> Screen:
    """A short guide and all commands; those for groups are followed by the bot's username."""
    group = [_command_line(f"{name}@{bot_username}", name, tr) for name in Scope.ADMINS.value]
    private = [_command_line(name, name, tr) for name in Scope.PRIVATE.value]
    text = page(
        tr("help.title"),
        tr("help.text", bot=bot_username),
        "",
        tr("help.in_group"),
        *group,
        "",
        tr("help.in_private"),
        *private,
        "",
        tr("help.private_words"),
    )
    return Screen(text, rows((_rules_button(tr),)))


def open_private_chat(tr: Translator, name: str, url: str) -> Screen:
    """The message in a group to somebody who wants to sit down but has not started the bot."""
    button = Button(tr.plain("button.open_chat"), url=url, style=Style.SUCCESS)
    return Screen(page(tr("private.first", name=tr.name(name))), rows((button,)))


def seated(view: TableView, tr: Translator, url: str | None, *, is_newcomer: bool = False) -> Screen:
    """The private confirmation of a seat taken by a link; a newcomer is offered the lesson."""
    if view.phase is TablePhase.LOBBY:
        key = "seated.now"
    elif view.you is not None and view.players[view.you].status is Status.IN:
        key = "seated.playing"
    else:
        key = "seated.next_round"
    back = None if url is None else Button(tr.plain("button.to_table"), url=url)
    learn = lesson_button(tr) if is_newcomer else None
    return Screen(page(tr(key, group=place_name(view, tr))), rows((back,), (learn,)))


def own_tables(tables: Sequence[tuple[TableView, str | None]], tr: Translator, bot_username: str) -> Screen:
    """Links to a person's tables, given as (view, url); without a url, the command to type in that group."""
    if not tables:
        buttons = rows((add_button(tr, bot_username),), (play_button(tr),))
        return Screen(page(tr("tables.none")), buttons)
    titles = [place_name(view, tr) for view, _ in tables]
    without_link = [title for title, (_, url) in zip(titles, tables, strict=True) if url is None]
    text = page(
        tr("tables.title"),
        *(tr("tables.type", group=title, bot=bot_username) for title in without_link),
    )
    links = [
        (Button(title, url=url),) for title, (_, url) in zip(titles, tables, strict=True) if url is not None
    ]
    return Screen(text, rows(*links))


def ask_leave(view: TableView, tr: Translator, user_id: int, name: str | None = None) -> Screen:
    """The confirmation before a person leaves, which only they can answer.

    With a `name` the question is for a group and says who is asked; otherwise it is for a private chat.
    """
    question = (
        tr("leave.ask", group=place_name(view, tr))
        if name is None
        else tr("leave.ask_name", name=tr.name(name))
    )
    buttons = (
        callback_button(tr.plain("button.leave_yes"), LeaveMatch(view.id, user_id), Style.DANGER),
        callback_button(tr.plain("button.leave_no"), Dismiss(user_id)),
    )
    note = tr("leave.note_alone" if view.is_solo else "leave.note")
    return Screen(page(question, note), rows(buttons))


def ask_stop(view: TableView, tr: Translator, user_id: int) -> Screen:
    """The confirmation before a table is ended for everybody; only the person asked can dismiss it."""
    is_lobby = view.phase is TablePhase.LOBBY
    buttons = (
        callback_button(
            tr.plain("button.close_table" if is_lobby else "button.stop_yes"),
            StopMatch(view.id),
            Style.DANGER,
        ),
        callback_button(tr.plain("button.keep_table" if is_lobby else "button.stop_no"), Dismiss(user_id)),
    )
    is_host = any(player.is_host and player.user_id == user_id for player in view.players)
    text = page(
        tr("stop.ask_lobby" if is_lobby else "stop.ask"),
        None if is_host else tr("kick.note"),
    )
    return Screen(text, rows(buttons))


def choose_language(tr: Translator, catalogues: Mapping[str, Translator]) -> Screen:
    """A button for each language, in its own name."""
    buttons = [
        callback_button(
            other.plain("language.name"),
            SetLanguage(code),
            Style.PRIMARY if code == tr.language else Style.PLAIN,
        )
        for code, other in catalogues.items()
    ]
    return Screen(page(tr("language.ask")), rows(*((button,) for button in buttons)))


def language_chosen(tr: Translator) -> Screen:
    """The confirmation in the new language."""
    return Screen(page(tr("language.chosen")))


def notice(text: str, reason: Reason | Refused, tr: Translator, bot_username: str) -> Screen:
    """A refusal as a message; commands in the plain `text` get the bot's username, as groups require."""
    named = _COMMAND.sub(lambda found: f"{found.group()}@{bot_username}", text)
    if reason is not Refused.NO_PRIVATE_CHAT:
        return Screen(page(named))
    button = Button(tr.plain("button.open_chat"), url=f"https://t.me/{bot_username}", style=Style.SUCCESS)
    return Screen(page(named), rows((button,)))


def lesson_button(tr: Translator) -> Button:
    """The button that opens the first lesson."""
    return callback_button(tr.plain("button.lesson"), OpenLesson(LessonPage.IDEA))


def add_button(tr: Translator, bot_username: str) -> Button:
    """A link that has Telegram ask for a group (https://core.telegram.org/bots/features#deep-linking)."""
    url = f"https://t.me/{bot_username}?startgroup=new"
    return Button(tr.plain("button.add_to_group"), url=url, style=Style.PRIMARY)


def _rules_button(tr: Translator) -> Button:
    return callback_button(tr.plain("button.read_rules"), ReadRules("", ""))


def _command_line(typed: str, name: str, tr: Translator) -> Html:
    return Html(f"/{escape(typed)} — {escape(tr.plain(f'command.{name}'))}")
