"""Asking somebody to leave: whom, the vote on it, and how it has ended. And the vote on ending the table."""

from __future__ import annotations

from bot.callbacks import Dismiss, Kick, VoteAgainst, VoteFor
from bot.locales import Html, Words
from bot.screens.computers import send_off_button
from bot.screens.layout import grid, moment, page, press, rows
from bot.screens.screen import Screen, Style
from bot.tables.view import PlayerView, TableView, VoteView
from bot.tables.vote import Verdict
from engine import Status


def kickable(view: TableView, user_id: int) -> list[PlayerView]:
    """Whom this person may ask to leave: of two who are left only one who is away, or a computer."""
    there = [player for player in view.players if player.status in (None, Status.IN)]
    others = [player for player in there if player.user_id != user_id]
    if view.game is None or len(there) > 2:
        return others
    return [player for player in others if player.is_away or player.level is not None]


def ask_kick(view: TableView, words: Words, user_id: int) -> Screen:
    """Asked once: whom. A press is the answer, and is carried out or voted on."""
    names = [
        press(words.name(player.name), Kick(view.id, player.user_id), Style.DANGER)
        if player.level is None
        else send_off_button(view, player, words)
        for player in kickable(view, user_id)
    ]
    nobody = press(words.plain("button.kick_nobody"), Dismiss(user_id))
    return Screen(page(words("kick.ask"), words("kick.note")), (*grid(names), *rows((nobody,))))


def vote(view: TableView, words: Words) -> Screen:
    """The table's vote, open or over. An open one rings: there are two minutes for it."""
    now = view.vote
    if now is None:
        raise ValueError(f"table {view.id} has never voted")
    if now.verdict is not None:
        return Screen(page(_outcome(view, now, words)))
    text = page(
        question(view, now, words),
        words("vote.caller", name=words.name(now.caller)),
        words("vote.count", ayes=now.ayes, needed=now.needed, noes=now.noes),
        words("vote.awaited", names=", ".join(map(words.name, now.awaited))) if now.awaited else None,
        None if now.closes_at is None else words("vote.deadline", time=_end(now.closes_at, words)),
    )
    buttons = rows(
        (
            press(words.plain("button.aye"), VoteFor(view.id, now.number), Style.DANGER),
            press(words.plain("button.no"), VoteAgainst(view.id, now.number)),
        )
    )
    return Screen(text, buttons, rings=True)


def question(view: TableView, now: VoteView, words: Words) -> Html:
    """What the vote is about."""
    if now.target is not None:
        return words("vote.kick", name=words.name(now.target))
    return words("vote.close" if view.game is None else "vote.stop")


def _outcome(view: TableView, over: VoteView, words: Words) -> Html:
    counted = {"ayes": over.ayes, "needed": over.needed}
    if over.target is None:
        return words("vote.stays_open" if view.game is None else "vote.goes_on", **counted)
    key = "vote.kicked" if over.verdict is Verdict.PASSED else "vote.stays"
    return words(key, name=words.name(over.target), **counted)


def _end(unix: float, words: Words) -> Html:
    return moment(unix, words.plain("vote.soon"))
