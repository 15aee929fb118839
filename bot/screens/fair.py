"""Instructions for verifying a deal, with the seeds of the last rounds."""

from __future__ import annotations

import json

from bot.locales import Html, Translator
from bot.locales.names import units
from bot.screens.layout import MESSAGE_UNITS, page
from bot.screens.phrases import place_name
from bot.screens.screen import Screen
from bot.tables.view import TableView
from engine import RoundResult
from engine.shuffle import commitment

ROUNDS_SHOWN = 5


def fair(view: TableView | None, tr: Translator) -> Screen:
    """Six lines of explanation and a table's last rounds, newest first, as many as fit."""
    steps = [tr.plain(f"fair.step.{n}") for n in range(1, 7)]
    text = page(tr("fair.title"), *steps)
    if view is None or not view.rounds:
        return Screen(page(Html(text), "", tr("fair.no_rounds")))
    text = page(Html(text), "", tr("fair.rounds", group=place_name(view, tr)))
    for result in reversed(view.rounds[-ROUNDS_SHOWN:]):
        longer = page(Html(text), _round(result, view, tr))
        if units(longer) > MESSAGE_UNITS:  # rules that change every card make long commands
            break
        text = longer
    return Screen(text)


def _round(result: RoundResult, view: TableView, tr: Translator) -> Html | None:
    """A round's commitment and the command that repeats its deal; None if its seed is unknown."""
    if result.seed is None:
        return None
    arguments = [
        f"--seed {result.seed.hex()}",
        f"--players {','.join(f'p{seat + 1}' for seat in view.dealt[result.number - 1])}",
        # The first round's leader is drawn from the seed before the cards: naming one changes the deal.
        *([f"--leader p{result.leader + 1}"] if result.number > 1 else []),
        f"--cut {result.cut}",
        f"--rules '{json.dumps(view.rules.to_document())}'",
    ]
    return tr(
        "fair.round",
        n=result.number,
        commitment=commitment(result.seed),
        command="python -m engine deal " + " ".join(arguments),
    )
