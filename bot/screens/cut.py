"""The cut: after the shuffle is committed, the player before the leader chooses where to cut the deck.

The commitment of the next shuffle is public: private messages have all of it, the group's its first digits.
"""

from __future__ import annotations

from bot.buttons import AskLeave, CutDeck
from bot.locales import Html, Translator
from bot.screens.layout import callback_button, grid, local_time, page, rows, to_table
from bot.screens.phrases import place_name, seat_name
from bot.screens.screen import Button, Context, Screen, Style
from bot.screens.table import SHORT_COMMITMENT, asleep_line, wake_button
from bot.tables.lifecycle import DeadlineKind
from bot.tables.view import TableView
from engine import RoundView, View

_PLACES = 8
"""The number of parts into which the cutting positions divide the deck."""


def cut_line(view: TableView, tr: Translator) -> Html | None:
    """In the group: who cuts, and when the deck is dealt without a cut; None if nobody is to cut."""
    if view.cutter is None:
        return None
    return tr("cut.group", name=seat_name(view, view.cutter, tr), time=_dealt_at(view, tr))


def before_first_deal(view: TableView, tr: Translator, _ctx: Context) -> Screen:
    """The group's message between the lobby and the first deal."""
    names = ", ".join(tr.name(player.name) for player in view.players)
    text = page(
        tr("cut.title", names=names),
        asleep_line(view, tr),
        cut_line(view, tr),
        sealed_line(view, tr),
    )
    return Screen(text, rows((wake_button(view, tr),)))


def cut_hand(view: TableView, game: View, tr: Translator, ctx: Context) -> Screen:
    """A player's private message before the deal: for the cutter the choice, which notifies; else a note."""
    group = place_name(view, tr)
    end = (callback_button(tr.plain("button.leave"), AskLeave(view.id)), to_table(tr, ctx))
    seal = (sealed_button(view, tr),)
    if view.cutter is None or view.cutter != game.seat:
        name = "" if view.cutter is None else seat_name(view, view.cutter, tr)
        waiting = page(tr("cut.waiting", name=name, group=group), sealed_line(view, tr))
        return Screen(waiting, rows(seal, end))
    text = page(
        tr("cut.yours", group=group),
        tr.plain_plural("cut.question", view.rules.deck),
        sealed_line(view, tr),
        tr("cut.deadline", time=_dealt_at(view, tr)),
    )
    step = view.rules.deck / _PLACES
    places = [round(step * place) for place in range(1, _PLACES)]
    buttons = [callback_button(str(at), CutDeck(view.id, game.number, at), Style.SUCCESS) for at in places]
    as_it_lies = (callback_button(tr.plain("button.no_cut"), CutDeck(view.id, game.number, 0)),)
    return Screen(text, (*grid(buttons), *rows(as_it_lies, seal, end)), notifies=True)


def sealed_line(view: TableView, tr: Translator) -> Html | None:
    """The first digits of the next shuffle's commitment."""
    if view.next_commitment is None:
        return None
    return tr("cut.sealed", digits=view.next_commitment[:SHORT_COMMITMENT])


def sealed_button(view: TableView, tr: Translator) -> Button | None:
    """A button that copies the next shuffle's whole commitment."""
    if view.next_commitment is None:
        return None
    digits = view.next_commitment[:SHORT_COMMITMENT]
    return Button(tr.plain("button.commitment", digits=digits), copy=view.next_commitment)


def dealt_button(now: RoundView, tr: Translator) -> Button | None:
    """A button that copies the whole commitment of this round's shuffle."""
    if now.commitment is None:
        return None
    digits = now.commitment[:SHORT_COMMITMENT]
    return Button(tr.plain("button.commitment", digits=digits), copy=now.commitment)


def _dealt_at(view: TableView, tr: Translator) -> Html:
    """The time at which the deck is dealt without a cut, or "soon" if there is no such deadline."""
    if view.deadline is None or view.deadline.kind is not DeadlineKind.CUT:
        return tr("result.soon")
    return local_time(view.deadline.at, tr.plain("result.soon"))
