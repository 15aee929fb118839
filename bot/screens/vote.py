"""Votes on removing a player, letting one back and ending the table: the question, the vote, its result."""

from __future__ import annotations

from bot.buttons import Dismiss, Kick, LetBack, VoteAgainst, VoteFor
from bot.locales import Html, Translator
from bot.screens.computers import send_off_button
from bot.screens.layout import callback_button, grid, local_time, page, rows
from bot.screens.screen import Screen, Style
from bot.tables.view import PlayerView, TableView, VoteView
from bot.tables.vote import Verdict
from engine import Status


def kickable(view: TableView, user_id: int) -> list[PlayerView]:
    """The players that a person may have removed; of the last two, only one who is away or a computer."""
    there = [player for player in view.players if player.status in (None, Status.IN)]
    others = [player for player in there if player.user_id != user_id]
    if view.game is None or len(there) > 2:
        return others
    return [player for player in others if player.is_away or player.level is not None]


def ask_kick(view: TableView, tr: Translator, user_id: int) -> Screen:
    """The question whom to remove or let back; a press is carried out or put to a vote."""
    names = [
        callback_button(tr.name(player.name), Kick(view.id, player.user_id), Style.DANGER)
        if player.level is None
        else send_off_button(view, player, tr)
        for player in kickable(view, user_id)
    ]
    back = [
        (callback_button(tr.plain("button.let_back", name=tr.name(name)), LetBack(view.id, removed)),)
        for removed, name in view.removed
    ]
    nobody = callback_button(tr.plain("button.kick_nobody"), Dismiss(user_id))
    return Screen(page(tr("kick.ask"), tr("kick.note")), (*grid(names), *rows(*back, (nobody,))))


def vote(view: TableView, tr: Translator) -> Screen:
    """The table's vote, open or over. An open one notifies, since it lasts only two minutes."""
    now = view.vote
    if now is None:
        raise ValueError(f"table {view.id} has never voted")
    if now.verdict is not None:
        return Screen(page(_outcome(view, now, tr)))
    text = page(
        question(view, now, tr),
        tr("vote.caller", name=tr.name(now.caller)),
        tr("vote.count", ayes=now.ayes, needed=now.needed, noes=now.noes),
        tr("vote.awaited", names=", ".join(map(tr.name, now.awaited))) if now.awaited else None,
        None if now.closes_at is None else tr("vote.deadline", time=_end(now.closes_at, tr)),
    )
    buttons = rows(
        (
            callback_button(
                tr.plain("button.aye"),
                VoteFor(view.id, now.number),
                Style.PLAIN if now.returns else Style.DANGER,
            ),
            callback_button(tr.plain("button.no"), VoteAgainst(view.id, now.number)),
        )
    )
    return Screen(text, buttons, notifies=True)


def question(view: TableView, now: VoteView, tr: Translator) -> Html:
    """The subject of the vote."""
    if now.target is not None:
        return tr("vote.return" if now.returns else "vote.kick", name=tr.name(now.target))
    return tr("vote.close" if view.game is None else "vote.stop")


def _outcome(view: TableView, over: VoteView, tr: Translator) -> Html:
    counted = {"ayes": over.ayes, "needed": over.needed}
    if over.target is None:
        return tr("vote.stays_open" if view.game is None else "vote.goes_on", **counted)
    passed, failed = ("vote.returns", "vote.stays_out") if over.returns else ("vote.kicked", "vote.stays")
    key = passed if over.verdict is Verdict.PASSED else failed
    return tr(key, name=tr.name(over.target), **counted)


def _end(unix: float, tr: Translator) -> Html:
    return local_time(unix, tr.plain("vote.soon"))
