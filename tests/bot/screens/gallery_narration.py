"""The gallery's part on narration: how a turn is told in one line."""

from __future__ import annotations

from typing import Any

from bot.screens.narration import narrate
from tests.bot.screens.exhibits import Draw, Exhibit, Parts
from tests.bot.screens.scenes import dealt, scene

THREE = "p1: {} | p2: 10C 9H | p3: 10S 9S | stock: 6H 6D 8H 10D KC KH KD JD 7H | discard: JD JS"
SEVENS = "p1: 7S KD | p2: 7H 10C | p3: 9S 8C | stock: 9H 8D KS 6D JD | discard: JS"
TWO = "p1: 9C KD | p2: 10C | stock: {} | discard: JS"


def _last(position: str, *moves: str, **rules: Any) -> Draw:
    """The line for the last turn."""
    moment = scene(position, *moves, **rules)
    return lambda tr: narrate(moment.seen_by(), tr)[-1]


def _first(**rules: Any) -> Draw:
    return lambda tr: narrate(dealt(3, **rules).seen_by(), tr)[0]


NARRATION_PARTS: Parts = (
    (
        "Narration",
        (
            Exhibit("A deal", _first()),
            Exhibit("A deal with a card turned up", _first(opening="turn_up")),
            Exhibit("A card without effect", _last(THREE.format("10S KD"), "p1 10S")),
            Exhibit("A penalty", _last(THREE.format("KS KD"), "p1 KS")),
            Exhibit("A load", _last(THREE.format("10S KD"), "p1 10S", effects={"10": "load2"})),
            Exhibit("A skip", _last(THREE.format("AS KD"), "p1 AS")),
            Exhibit("A reverse", _last(THREE.format("10S KD"), "p1 10S", effects={"10": "reverse"})),
            Exhibit("An ordered suit", _last(THREE.format("QS KD"), "p1 QS:H")),
            Exhibit("A draw", _last(THREE.format("9C KD"), "p1 draw")),
            Exhibit(
                "Draws and cards in one turn",
                _last(
                    "p1: 9C KD | p2: 10C | stock: 9H 6D 8S 6S 7H 8H | discard: JD 10S",
                    *("p1 draw", "p1 8S", "p1 draw", "p1 6S"),
                ),
            ),
            Exhibit("Covers", _last(THREE.format("8S 8C 6C 7D"), "p1 8S", "p1 8C", "p1 6C")),
            Exhibit("An attack", _last(SEVENS, "p1 7S", transfer=["7"])),
            Exhibit("An attack passed on", _last(SEVENS, "p1 7S", "p2 7H", transfer=["7"])),
            Exhibit("An attack taken", _last(SEVENS, "p1 7S", "p2 draw", transfer=["7"])),
            Exhibit(
                "A skip taken",
                _last(
                    "p1: AS KD | p2: AH 10C | p3: 9S | stock: 9H | discard: JS",
                    *("p1 AS", "p2 pass"),
                    transfer=["A"],
                ),
            ),
            Exhibit("One card drawn, no match", _last(TWO.format("9H 6D"), "p1 draw", draw="one_then_play")),
            Exhibit(
                "One card drawn, pass", _last(TWO.format("9S 6D"), "p1 draw", "p1 pass", draw="one_then_play")
            ),
            Exhibit("One card drawn, turn over", _last(TWO.format("9S 6D"), "p1 draw", draw="one_then_pass")),
            Exhibit("The stock ran out", _last(TWO.format("9H 6D"), "p1 draw")),
            Exhibit("Nothing to play or draw", _last(TWO.format(""), "p1 pass")),
            Exhibit(
                "No cover in one draw",
                _last(
                    "p1: 8S KD 9C | p2: 10C | stock: 9H 6D | discard: JS",
                    *("p1 8S", "p1 draw"),
                    cover_draw="one",
                ),
            ),
            Exhibit(
                "No cover in the stock",
                _last("p1: KD 9C | p2: 10C | stock: 9H 6D | discard: 8S | must_cover:", "p1 draw"),
            ),
            Exhibit(
                "The discard pile turned over",
                _last("p1: 6S KD | p2: 10C | stock: 9H | discard: 9D 7D JS", "p1 6S"),
            ),
            Exhibit("A player leaves", _last(THREE.format("6C KD"), "p3 leave")),
            Exhibit("The mover leaves in mid-turn", _last(THREE.format("8S KD 8H"), "p1 8S", "p1 leave")),
        ),
    ),
)
