"""Leaderboards and somebody's own record, a page at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from bot.callbacks import HideMe, Intention, TurnStats, TurnTop
from bot.locales import Html, Words
from bot.records.values import Duel, Ranked, Summary
from bot.screens.layout import page, press, rows
from bot.screens.screen import Button, Screen

PER_PAGE: Final = 10

T = TypeVar("T")


def leaderboard(
    ranked: Sequence[Ranked], number: int, words: Words, group: str | None, *, has_played: bool = True
) -> Screen:
    """A page (from 0) of these people, the strongest first; `group` None: of all groups.

    A page that there is not is the last one. `has_played`: there are matches; if nobody is ranked, whoever
    has played them is hidden.
    """
    shown, number, pages = _page_of(ranked, number)
    first = number * PER_PAGE + 1
    text = page(
        words("top.title_all") if group is None else words("top.title_group", group=words.title(group)),
        *(_ranked_line(n, person, words) for n, person in enumerate(shown, start=first)),
        "" if ranked else words("top.hidden" if has_played else "top.nobody"),
        "",
        words("top.rating"),
        words("top.companions") if group is None else None,
    )
    turning = _turning(number, pages, [TurnTop(max(0, number - 1)), TurnTop(number + 1)], words)
    return Screen(text, rows(turning))


def own_record(
    user_id: int,
    name: str,
    summary: Summary | None,
    duels: Sequence[Duel],
    number: int,
    words: Words,
    *,
    group: str | None,
    hidden: bool | None,
) -> Screen:
    """What somebody has achieved, and how he fares against others: these fill pages (from 0).

    `group` None: in all groups; `hidden` is whether he is in no lists, None where he cannot choose that.
    """
    shown, number, pages = _page_of(duels, number)
    called = words.name(name)
    title = (
        words("stats.title_all", name=called)
        if group is None
        else words("stats.title_group", name=called, group=words.title(group))
    )
    text = page(
        title,
        *(_summary_lines(summary, words) if number == 0 else []),
        "",
        words("stats.duels") if shown else None,
        *(
            words.plain("stats.duel", name=called, other=words.name(duel.name), won=duel.won, lost=duel.lost)
            for duel in shown
        ),
        "",
        words("stats.hidden") if hidden else None,
    )
    turns = [TurnStats(user_id, max(0, number - 1)), TurnStats(user_id, number + 1)]
    return Screen(text, rows(_turning(number, pages, turns, words), (_hide_button(hidden, words),)))


def _ranked_line(n: int, person: Ranked, words: Words) -> str:
    return words.plain(
        "top.line",
        n=n,
        name=words.name(person.name),
        rating=person.rating.points,
        matches=person.matches,
        wins=person.wins,
    )


def _summary_lines(summary: Summary | None, words: Words) -> list[str | Html]:
    if summary is None:
        return [words("stats.nothing")]
    matches = words.plain_plural("count.matches", summary.matches)
    wins = words.plain_plural("count.wins", summary.wins)
    places = [words.plain("stats.place", n=place, count=count) for place, count in summary.places]
    lines: list[str | Html] = [
        words("stats.rating", rating=summary.rating.points),
        words("stats.matches", matches=matches, wins=wins),
        words("stats.places", places=" · ".join(places)),
    ]
    if summary.rounds:
        rounds = words.plain_plural("count.rounds", summary.rounds)
        lines.append(words("stats.rounds", rounds=rounds, won=summary.rounds_won))
        average = words.decimal(summary.points / summary.rounds)
        lines.append(words("stats.points", average=average, worst=summary.worst))
    if summary.queens:
        lines.append(words("stats.queens", n=summary.queens))
    place, of, total = summary.best
    lines.append(words("stats.best", place=place, of=of, total=total))
    if summary.left:
        lines.append(words("stats.left", n=summary.left))
    return lines


def _hide_button(hidden: bool | None, words: Words) -> Button | None:
    if hidden is None:
        return None
    return press(words.plain("button.unhide" if hidden else "button.hide"), HideMe(not hidden))


def _page_of(items: Sequence[T], number: int) -> tuple[Sequence[T], int, int]:
    """The items of a page, its number made to fit, and how many pages there are."""
    pages = max(1, -(-len(items) // PER_PAGE))
    number = min(number, pages - 1)
    return items[number * PER_PAGE : (number + 1) * PER_PAGE], number, pages


def _turning(number: int, pages: int, turns: Sequence[Intention], words: Words) -> list[Button]:
    """The ways to the page before and to the next one, where there are such."""
    before, after = turns
    buttons = []
    if number > 0:
        buttons.append(press(words.plain("button.page_before", n=number, of=pages), before))
    if number < pages - 1:
        buttons.append(press(words.plain("button.page_after", n=number + 2, of=pages), after))
    return buttons
