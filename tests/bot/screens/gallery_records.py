"""The gallery's part on records: leaderboards and personal statistics."""

from __future__ import annotations

from dataclasses import replace

from bot.locales import Translator
from bot.records.ratings import Rating
from bot.records.values import Duel, Finish, Ranked, Summary
from bot.screens.chart import chart_screen
from bot.screens.leaderboards import leaderboard, own_record
from bot.screens.result import match_end
from bot.screens.screen import Screen
from bot.settings import Look
from tests.bot.screens.exhibits import Draw, Exhibit, Parts
from tests.bot.screens.scenes import CTX, GROUP, NAMES, dealt, played_out

WON = played_out(dealt(4))
PICTURES = replace(CTX, look=Look.PICTURE)
RANKED = tuple(
    Ranked(n, name, Rating(31 - n, 1.5 + n / 10), 40 - 3 * n, 12 - n) for n, name in enumerate(NAMES, start=1)
)
MANY = (*RANKED, Ranked(11, "Лёва", Rating(), 1, 0))
SUMMARY = Summary(
    rating=Rating(30, 1.6),
    matches=37,
    wins=11,
    places=((1, 11), (2, 14), (3, 9), (5, 3)),
    rounds=210,
    rounds_won=61,
    points=3471,
    best=Finish(1, 6, 12),
    worst=84,
    queens=7,
    left=1,
)
FIRST = Summary(
    rating=Rating(27.5, 7.75),
    matches=1,
    wins=1,
    places=((1, 1),),
    rounds=0,
    rounds_won=0,
    points=0,
    best=Finish(1, 2, 0),
    worst=None,
    queens=0,
    left=0,
)
DUELS = tuple(Duel(n, name, 9 - n, n, 10) for n, name in enumerate(NAMES[1:5], start=2))
MANY_DUELS = tuple(Duel(n, f"{name} {n}", n, 2, n + 3) for n, name in enumerate(NAMES * 2, start=2))


def stats_of(
    summary: Summary | None,
    duels: tuple[Duel, ...],
    tr: Translator,
    *,
    number: int = 0,
    group: str | None = None,
    hidden: bool | None = None,
) -> Screen:
    """Anya's own record."""
    return own_record(1, "Аня", summary, duels, number, tr, group=group, hidden=hidden)


def _top(
    ranked: tuple[Ranked, ...], number: int = 0, group: str | None = GROUP, *, has_played: bool = True
) -> Draw:
    return lambda tr: leaderboard(ranked, number, tr, group, has_played=has_played)


RECORD_PARTS: Parts = (
    (
        "Leaderboards and records",
        (
            Exhibit("The match is over, as a picture", lambda tr: match_end(WON.seen_by(), tr, PICTURES)),
            Exhibit("Its chart", lambda tr: chart_screen(WON.seen_by(), tr)),
            Exhibit("/top in a group", _top(MANY)),
            Exhibit("Its last page", _top(MANY, number=1)),
            Exhibit("/top in private", _top(RANKED[:3], group=None)),
            Exhibit("/top where nobody has played", _top((), has_played=False)),
            Exhibit("/top where all who have played are hidden", _top(())),
            Exhibit("/stats in a group", lambda tr: stats_of(SUMMARY, DUELS, tr, group=GROUP)),
            Exhibit("/stats in private", lambda tr: stats_of(SUMMARY, MANY_DUELS, tr, hidden=False)),
            Exhibit(
                "Its last page",
                lambda tr: stats_of(SUMMARY, MANY_DUELS, tr, number=1, hidden=False),
            ),
            Exhibit("/stats of who is hidden", lambda tr: stats_of(SUMMARY, DUELS, tr, hidden=True)),
            Exhibit("/stats after a match that was left", lambda tr: stats_of(FIRST, DUELS[:1], tr)),
            Exhibit("/stats of who has not played", lambda tr: stats_of(None, (), tr, hidden=False)),
        ),
    ),
)
