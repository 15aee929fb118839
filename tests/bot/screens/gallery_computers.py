"""The gallery's part on computer players: in groups, solo tables, hints."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from bot.screens import answers
from bot.screens.computers import computers
from bot.screens.lobby import lobby
from bot.screens.opponents import Opponents, choice
from bot.screens.solo import solo
from bot.screens.table import table
from bot.screens.vote import ask_kick
from bot.tables import transitions
from bot.tables.context import TransitionContext
from bot.tables.player import Player
from engine import Play, parse_card
from engine.players import Advice, Level, MoveReason
from engine.players import advise as advised
from tests.bot.screens.exhibits import Draw, Exhibit, Parts
from tests.bot.screens.scenes import CTX, NOW, PACE, Scene, dealt, lobby_of, played_out, scene

_NAMES = ("Ада", "Фома", "Зоя")
ADA = Player(-1, "🤖 Ада", level=Level.NORMAL)
FOMA = Player(-2, "🤖 Фома", level=Level.STRONG)


def invited(moment: Scene, *levels: Level) -> Scene:
    """The same table, to which the first player has asked computers."""
    now = moment.table
    for level in levels:
        at = TransitionContext(NOW, bytes(32), PACE)
        now = transitions.invite(now, at, 1, level, _NAMES, is_admin=False).table
    return Scene(now, moment.now)


def with_computers(moment: Scene) -> Scene:
    """The same match; all but the first player are computers."""
    first, *others = moment.table.players
    computers_ = (ADA, FOMA)[: len(others)]
    return Scene(replace(moment.table, players=(first, *computers_, *others[2:])), moment.now)


def alone_at(moment: Scene) -> Scene:
    """The same match, played by its first player alone in private, without a clock."""
    settings = replace(moment.table.settings, turn_seconds=None, hints=True)
    there = with_computers(moment).table
    return Scene(replace(there, chat_id=1, settings=settings, deadline=None), moment.now)


LOBBY = invited(lobby_of(2), Level.NORMAL, Level.STRONG)
FULL = invited(lobby_of(2, hand_size=8), Level.NORMAL)
IN_PLAY = scene(
    "p1 [37]: 7S KD 6C QS | p2 [88]: 10C 9D | p3 [12]: 9C 9S 6H KC 8H JH "
    "| stock: 9H 6D KS QD 8S | discard: 8D JS | number: 3"
)
MY_TURN = alone_at(IN_PLAY)
THEIR_TURN = alone_at(
    scene(
        "p1 [37]: KD 6C QS | p2 [88]: 10C 9D | p3 [12]: 9C 9S 6H KC 8H JH "
        "| stock: 9H 6D KS QD 8S | discard: 8D JS | number: 3 | turn: p2"
    )
)
NOTHING_FITS = alone_at(scene("p1: 7H KD | p2: 10C 9D | stock: 9H 8C KS | discard: JC"))
OUT = alone_at(
    scene("p1 [104 out]: | p2 [88]: 10C 9D | p3 [12]: 9C 9S | stock: 9H 6D KS | discard: 8D JS | turn: p2")
)
ROUND_OVER = alone_at(
    scene(
        "p1 [88]: 6S | p2 [37]: KD 10C | p3 [12]: 9C QS JH | stock: 9H 6D | discard: JS | number: 3", "p1 6S"
    )
)
FINISHED = alone_at(played_out(dealt(3)))
LEFT = alone_at(scene("p1: 6S 7C | p2: KD 10C | p3: 9C QS | stock: 9H 6D | discard: JS", "p1 stop"))


def _alone(moment: Scene, choosing: str | None = None) -> Draw:
    card = None if choosing is None else parse_card(choosing)
    return lambda words: solo(moment.seen_by("p1"), words, replace(CTX, table_url=None), card)


def _hint(advice: Advice, moment: Scene) -> Draw:
    return lambda words: answers.hint(advice, moment.seen_by("p1"), words)


def _hints() -> tuple[Exhibit, ...]:
    """Every reason, for a card laid; then those about a card that hits the next player."""
    game = MY_TURN.seen_by("p1").game
    assert game is not None
    lay = game.legal[0]
    of_each = tuple(Exhibit(f"A hint: {why}", _hint(Advice(lay, why), MY_TURN)) for why in MoveReason)
    hits = tuple(
        Exhibit(f"A hint with what it costs: {why}", _hint(Advice(Play(0, parse_card("7S")), why), MY_TURN))
        for why in (MoveReason.HIT, MoveReason.STING_THE_LAST_CARD, MoveReason.PASS_IT_ON)
    )
    return (Exhibit("A hint", _hint(advised(game, Random(1)), MY_TURN)), *of_each, *hits)


COMPUTERS_PARTS: Parts = (
    (
        "Computer players at a group’s table",
        (
            Exhibit("In the lobby", lambda words: lobby(LOBBY.seen_by(), words, CTX)),
            Exhibit("Whom to ask", lambda words: computers(lobby_of(2).seen_by(), words)),
            Exhibit("Whom to ask, and to send off", lambda words: computers(LOBBY.seen_by(), words)),
            Exhibit("No seat is free", lambda words: computers(FULL.seen_by(), words)),
            Exhibit("The same in a match", lambda words: computers(with_computers(IN_PLAY).seen_by(), words)),
            Exhibit("At the table", lambda words: table(with_computers(IN_PLAY).seen_by(), words, CTX)),
            Exhibit("/kick with them", lambda words: ask_kick(with_computers(IN_PLAY).seen_by(), words, 1)),
        ),
    ),
    (
        "Alone against computers",
        (
            Exhibit("/play", lambda words: choice(Opponents(), words)),
            Exhibit("My turn", _alone(MY_TURN)),
            Exhibit("Which suit", _alone(MY_TURN, "QS")),
            Exhibit("A computer’s turn", _alone(THEIR_TURN)),
            Exhibit("A suit for later", _alone(THEIR_TURN, "QS")),
            Exhibit("Nothing fits", _alone(NOTHING_FITS)),
            Exhibit("Out: the others play on", _alone(OUT)),
            Exhibit("A round is over", _alone(ROUND_OVER)),
            Exhibit("The match is over", _alone(FINISHED)),
            Exhibit("Left", _alone(LEFT)),
            *_hints(),
        ),
    ),
)
