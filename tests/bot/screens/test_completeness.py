"""Every possible text exists in every language, and none is unused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import get_args

from bot.locales import Translator
from bot.locales.extract import usage
from bot.screens.answers import Done
from bot.screens.help import Scope
from bot.screens.highlight import HighlightKind
from bot.screens.lesson import LESSON_PAGES, tutorial_page
from bot.screens.narration import narrate
from bot.screens.questions import Chapter
from bot.settings import CHOICES, Owner, choices_of
from bot.tables.choices import value_code
from bot.tables.ranking import Outcome
from bot.tables.refusals import Refused
from bot.tables.tutorial import TutorialStep
from engine import (
    PRESETS,
    RANKS,
    SETTINGS,
    SUITS,
    AttackOpened,
    CardLaid,
    CardsDrawn,
    DirectionTurned,
    DiscardRecycled,
    DrawCause,
    Effect,
    Event,
    MatchEnded,
    PassCause,
    Reason,
    RoundDealt,
    RoundEnded,
    SeatJoined,
    SeatLeft,
    SeatOut,
    SettingKind,
    TurnPassed,
    TurnSkipped,
    parse_card,
)
from engine.players import Level, MoveReason
from tests.bot.screens.scenes import LANGUAGES, scene

IN_PLAY = scene("p1: 7S KD | p2: 10C | p3: 9C 9S | stock: 9H 6D | discard: 8D JS")
OVER = scene("p1: 7S | p2: 10C | stock: 9H 6D | discard: 8D JS", "p1 7S")


def families() -> Iterator[str]:
    """Yield every key that code builds from a name of the game's or the bot's."""
    for rank in RANKS:
        yield f"ask.rank.{rank}"
        for case in ("sign", "name", "some", "object", "means"):
            yield f"rank.{case}.{rank}"
    yield from (f"ask.suit.{suit}" for suit in SUITS)
    yield from (f"ask.chapter.{chapter}" for chapter in Chapter)
    yield from (f"chapter.{chapter}" for chapter in Chapter)
    yield from (f"preset.{preset}" for preset in PRESETS)
    yield from (f"effect.{effect}" for effect in Effect)
    yield from (f"passed.{cause}" for cause in PassCause)
    yield from (f"moment.{kind}" for kind in HighlightKind)
    yield from (f"place.{fate}" for fate in Outcome)
    yield from (f"done.{done}" for done in Done)
    yield from (f"refusal.{reason}" for reason in (*Reason, *Refused))
    yield from (f"refusal.{reason}.named" for reason in (Refused.NOT_HOST, Refused.MAY_NOT_DEAL))
    yield from (f"command.{name}" for scope in Scope for name in scope.value)
    yield from (f"fair.step.{step}" for step in range(1, 7))
    for choice in CHOICES.values():
        yield f"about.{choice.name}"
        if choice.name != "pace":
            yield from (f"answer.{choice.name}.{value_code(value)}" for value in choice.values)
    offered = [choice.name for choice in choices_of(Owner.TABLE, Owner.GROUP)]
    yield from (f"settings.{name}" for name in offered)
    yield from (f"question.{name}" for name in (*SETTINGS, *offered))
    yield from (f"answer.effects.{effect}" for effect in Effect)
    yield from (f"answer.{name}" for name in ("hand_size", "limit"))
    yield from (f"pointless.{name}" for name in ("stock_out", "transfer", "negatives"))
    yield from (f"level.{level}" for level in Level)
    yield from (f"hint.why.{why}" for why in MoveReason)
    yield from (
        f"hint.hits.{why}" for why in (MoveReason.HIT, MoveReason.STING_THE_LAST_CARD, MoveReason.PASS_IT_ON)
    )
    yield from (f"hint.hit.{kind}" for kind in ("takes", "takes_skips", "skips"))
    yield from (f"lesson.task.{tutorial_page(step)}" for step in TutorialStep)
    yield from (
        f"lesson.praise.{tutorial_page(step)}" for step in TutorialStep if step is not TutorialStep.MATCH
    )
    yield from (f"lesson.title.{chapter}" for chapter in LESSON_PAGES)
    for name, setting in SETTINGS.items():
        if setting.kind is SettingKind.CHOICE and name != "hand_size":
            yield from (f"rules.{name}.{value_code(value)}" for value in setting.values)
            yield from (f"answer.{name}.{value_code(value)}" for value in setting.values)


@LANGUAGES
def test_every_key_that_the_code_uses_is_worded(tr: Translator) -> None:
    assert usage().keys <= tr.keys
    assert set(families()) <= tr.keys


@LANGUAGES
def test_nothing_is_worded_that_the_code_does_not_use(tr: Translator) -> None:
    assert tr.keys - usage().keys - set(families()) == set()


EVENTS: tuple[Event, ...] = (
    RoundDealt(1, 0, (0, 1, 2), 4, None, None),
    RoundDealt(1, 0, (0, 1, 2), 4, None, parse_card("9H")),
    CardLaid(0, parse_card("7S"), None, False, 3, Effect.TAKE2),
    CardLaid(0, parse_card("QS"), 1, False, 3, Effect.WILD),
    *(CardsDrawn(1, 2, None, cause) for cause in DrawCause),
    TurnSkipped(1),
    *(TurnPassed(1, cause) for cause in PassCause),
    AttackOpened(1, 2, RANKS.index("7")),
    AttackOpened(1, 0, RANKS.index("A")),
    DirectionTurned(1),
    DirectionTurned(-1),
    DiscardRecycled(12, True),
    *(event for event in OVER.table.history[-1] if isinstance(event, RoundEnded)),
    *(replace(event, blocked=True) for event in OVER.table.history[-1] if isinstance(event, RoundEnded)),
    SeatOut(1, 120),
    SeatJoined(1, 40),
    SeatLeft(1),
    MatchEnded(0),
)


@LANGUAGES
def test_every_kind_of_event_is_told(tr: Translator) -> None:
    assert {type(event) for event in EVENTS} == set(get_args(Event))
    view = IN_PLAY.seen_by()
    assert view.game is not None
    told = [narrate(replace(view, game=replace(view.game, history=((event,),))), tr) for event in EVENTS]
    assert all(len(lines) == 1 and lines[0] for lines in told)
    assert len({lines[0] for lines in told}) == len(EVENTS) - (len(DrawCause) - 1)
