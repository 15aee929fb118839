"""Leaderboards and personal statistics, in pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from bot.buttons import CallbackData, HideMe, TurnStats, TurnTop
from bot.locales import Html, Translator
from bot.records.values import Duel, Ranked, Summary
from bot.screens.layout import callback_button, page, rows
from bot.screens.screen import Button, Screen

PER_PAGE: Final = 10

T = TypeVar("T")


def leaderboard(
    ranked: Sequence[Ranked], number: int, tr: Translator, group: str | None, *, has_played: bool = True
) -> Screen:
    """A page (from 0) of the leaderboard, best first; `group` is None for that of all groups.

    A page number that is too high means the last page. `has_played`: there have been matches, so if nobody
    is ranked, everybody who played is hidden.
    """
    shown, number, pages = _page_of(ranked, number)
    first = number * PER_PAGE + 1
    text = page(
        tr("top.title_all") if group is None else tr("top.title_group", group=tr.title(group)),
        *(_ranked_line(n, person, tr) for n, person in enumerate(shown, start=first)),
        "" if ranked else tr("top.hidden" if has_played else "top.nobody"),
        "",
        tr("top.rating"),
        tr("top.companions") if group is None else None,
    )
    turning = _turning(number, pages, [TurnTop(max(0, number - 1)), TurnTop(number + 1)], tr)
    return Screen(text, rows(turning))


def own_record(
    user_id: int,
    name: str,
    summary: Summary | None,
    duels: Sequence[Duel],
    number: int,
    tr: Translator,
    *,
    group: str | None,
    hidden: bool | None,
) -> Screen:
    """A person's statistics, and a page (from 0) of their results against others.

    `group` is None for the statistics of all groups. `hidden`: whether the person is hidden from
    leaderboards; None if they cannot choose that here.
    """
    shown, number, pages = _page_of(duels, number)
    called = tr.name(name)
    title = (
        tr("stats.title_all", name=called)
        if group is None
        else tr("stats.title_group", name=called, group=tr.title(group))
    )
    text = page(
        title,
        *(_summary_lines(summary, tr) if number == 0 else []),
        "",
        tr("stats.duels") if shown else None,
        *(
            tr.plain("stats.duel", name=called, other=tr.name(duel.name), won=duel.won, lost=duel.lost)
            for duel in shown
        ),
        "",
        tr("stats.hidden") if hidden else None,
    )
    turns = [TurnStats(user_id, max(0, number - 1)), TurnStats(user_id, number + 1)]
    return Screen(text, rows(_turning(number, pages, turns, tr), (_hide_button(hidden, tr),)))


def _ranked_line(n: int, person: Ranked, tr: Translator) -> str:
    return tr.plain(
        "top.line",
        n=n,
        name=tr.name(person.name),
        rating=person.rating.points,
        matches=person.matches,
        wins=person.wins,
    )


def _summary_lines(summary: Summary | None, tr: Translator) -> list[str | Html]:
    if summary is None:
        return [tr("stats.nothing")]
    matches = tr.plain_plural("count.matches", summary.matches)
    wins = tr.plain_plural("count.wins", summary.wins)
    places = [tr.plain("stats.place", n=place, count=count) for place, count in summary.places]
    lines: list[str | Html] = [
        tr("stats.rating", rating=summary.rating.points),
        tr("stats.matches", matches=matches, wins=wins),
        tr("stats.places", places=" · ".join(places)),
    ]
    if summary.rounds:
        rounds = tr.plain_plural("count.rounds", summary.rounds)
        lines.append(tr("stats.rounds", rounds=rounds, won=summary.rounds_won))
        average = tr.decimal(summary.points / summary.rounds)
        lines.append(tr("stats.points", average=average, worst=summary.worst))
    if summary.queens:
        lines.append(tr("stats.queens", n=summary.queens))
    place, of, total = summary.best
    lines.append(tr("stats.best", place=place, of=of, total=total))
    if summary.left:
        lines.append(tr("stats.left", n=summary.left))
    return lines


def _hide_button(hidden: bool | None, tr: Translator) -> Button | None:
    if hidden is None:
        return None
    return callback_button(tr.plain("button.unhide" if hidden else "button.hide"), HideMe(not hidden))


def _page_of(items: Sequence[T], number: int) -> tuple[Sequence[T], int, int]:
    """Return the items of a page, its number limited to those there are, and the number of pages."""
    pages = max(1, -(-len(items) // PER_PAGE))
    number = min(number, pages - 1)
    return items[number * PER_PAGE : (number + 1) * PER_PAGE], number, pages


def _turning(number: int, pages: int, turns: Sequence[CallbackData], tr: Translator) -> list[Button]:
    """Buttons for the previous and the next page, where they exist."""
    before, after = turns
    buttons = []
    if number > 0:
        buttons.append(callback_button(tr.plain("button.page_before", n=number, of=pages), before))
    if number < pages - 1:
        buttons.append(callback_button(tr.plain("button.page_after", n=number + 2, of=pages), after))
    return buttons
