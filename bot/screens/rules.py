"""The rules in force at a table: a book in chapters, and answers to questions about a card.

The text is generated from the settings, so it always describes what is played.
"""

from __future__ import annotations

from bot.buttons import ReadRules
from bot.locales import Html, Translator
from bot.locales.translator import escape
from bot.screens.layout import callback_button, page, rows
from bot.screens.phrases import cards_with, rank_name, rules_name
from bot.screens.questions import CardTopic, Chapter, topic_of
from bot.screens.rule_texts import (
    about_transfer,
    card_lines,
    changed,
    covering,
    differences,
    has_effect,
    lines_about,
    sentences,
)
from bot.screens.screen import Rows, Screen
from engine import RANKS, SUITS, Card, EffectKind, Rules, ranks_in_deck


def rules(
    rules: Rules, tr: Translator, bot_username: str, chapter: str = "", *, table: str = "", place: str = ""
) -> Screen:
    """A page of the book; the first if there is no such `chapter`. `table` is stored in the buttons.

    `place`: the table's name as a phrase, where it is not clear which one is meant.
    """
    opened = next((known for known in Chapter if known.value == chapter), None)
    if opened is None:
        return Screen(_first_page(rules, tr, bot_username, place), _contents(tr, table))
    return Screen(_page(opened, rules, tr), _turning(opened, tr, table))


def answer(rules: Rules, tr: Translator, bot_username: str, question: str, *, table: str = "") -> Screen:
    """Answer a question: the rules about a card («8», «дама», "queen of spades"), or a chapter.

    `table` is stored in the buttons.
    """
    match topic_of(question, tr):
        case CardTopic(rank=rank) as topic if rank in ranks_in_deck(rules.deck):
            return Screen(_about(topic, rules, tr), _contents(tr, table))
        case Chapter() as chapter:
            return Screen(_page(chapter, rules, tr), _turning(chapter, tr, table))
        case _:
            asked = tr.title(question)
            text = page(tr("book.unknown", question=asked, bot=bot_username))
            return Screen(text, _contents(tr, table))


def idea(rules: Rules, tr: Translator) -> list[Html]:
    """The idea of the game in four lines."""
    ends = "book.idea.ends_at_first" if rules.game_end == "first_bust" else "book.idea.ends_at_last"
    return [
        tr("book.idea.match"),
        tr("book.idea.draw"),
        tr("book.idea.points"),
        tr(ends, limit=rules.limit),
    ]


# ------------------------------------------------------------------------------------------------- pages


def _first_page(rules: Rules, tr: Translator, bot_username: str, place: str) -> str:
    title = tr("book.title", rules=rules_name(rules, tr))
    return page(
        f"{title} · {escape(place)}" if place else title,
        "",
        *idea(rules, tr),
        "",
        tr("book.open", bot=bot_username),
    )


def _page(chapter: Chapter, rules: Rules, tr: Translator) -> str:
    title = tr("book.chapter_title", title=tr.plain(f"chapter.{chapter}"))
    table = _points_table(rules, tr) if chapter is Chapter.POINTS else None
    return page(title, "", table, *_items(_lines(chapter, rules, tr), tr))


def _lines(chapter: Chapter, rules: Rules, tr: Translator) -> list[str]:
    """The lines of a chapter, except for the table of points."""
    match chapter:
        case Chapter.CARDS:
            return [
                *card_lines(rules, tr),
                *covering(rules, tr),
                *sentences(("transfer",), rules, tr),
            ]
        case Chapter.TURN:
            return _turn_lines(rules, tr)
        case Chapter.DRAW:
            drawing = sentences(("draw", "voluntary_draw", "stock_out", "recycle"), rules, tr)
            return [*drawing, tr.plain("book.nothing_to_draw")]
        case Chapter.DEAL:
            return [
                *sentences(("deck", "hand_size"), rules, tr),
                tr.plain_plural("book.seats", rules.max_seats),
                *sentences(("opening",), rules, tr),
                tr.plain("book.first_leader"),
                *sentences(("next_leader",), rules, tr),
            ]
        case Chapter.END:
            finishing = sentences(("finish_effect", "finish_bonus", "double_on_queen_finish"), rules, tr)
            return [tr.plain("book.winner"), *finishing, tr.plain("book.blocked")]
        case Chapter.POINTS:
            return [*_points_of_single_cards(rules, tr), *sentences(("lone_queen",), rules, tr)]
        case Chapter.MATCH:
            ending = sentences(("limit", "exact_limit", "negatives", "game_end"), rules, tr)
            return [*ending, tr.plain("book.leaving")]
        case Chapter.DIFFERENCES:
            return differences(rules, tr) or [tr.plain("book.no_differences")]


def _turn_lines(rules: Rules, tr: Translator) -> list[str]:
    lines = [tr.plain("book.direction"), tr.plain("book.match")]
    if has_effect(rules, "wild"):
        wilds = tr.any_of(cards_with(rules, "wild", tr, "some"))
        lines += [tr.plain("book.wild", wilds=wilds), tr.plain("book.ordered", wilds=wilds)]
    return [*lines, tr.plain("book.move_effect")]


def _about(topic: CardTopic, rules: Rules, tr: Translator) -> str:
    """Everything the rules say about one rank or card."""
    rank = topic.rank
    card = None if topic.suit is None else topic.suit * len(RANKS) + rank
    asked = _cards_of_rank(rank) if card is None else (card,)
    kinds: set[EffectKind] = {rules.effect_of(each).kind for each in asked}
    lines = lines_about(rank, card, rules, tr)
    if "cover" in kinds:
        lines += covering(rules, tr)
    if "wild" in kinds:
        wilds = tr.any_of(cards_with(rules, "wild", tr, "some"))
        lines.append(tr.plain("book.ordered", wilds=wilds))
    if "attack" in kinds:
        lines += about_transfer(rank, rules, tr)
    if RANKS[rank] == "Q":
        of_queens = changed(("lone_queen", "finish_bonus", "double_on_queen_finish"), rules)
        lines += sentences(of_queens, rules, tr)
    lines.append(_worth(asked, rules, tr))
    name = rank_name(rank, tr) if card is None else tr.card(card)
    title = tr("book.chapter_title", title=name[:1].upper() + name[1:])
    return page(title, "", *_items(lines, tr))


def _items(lines: list[str], tr: Translator) -> list[str]:
    return [tr.plain("book.item", text=line) for line in lines]


# ------------------------------------------------------------------------------------------------ points


def _points_table(rules: Rules, tr: Translator) -> Html:
    """The points of each rank; single cards with other points are in `_points_of_single_cards`."""
    lines = [f"{tr.rank(rank):>2} {_usual_points(rank, rules):>3}" for rank in ranks_in_deck(rules.deck)]
    return Html(f"<pre>{escape(chr(10).join(lines))}</pre>")


def _points_of_single_cards(rules: Rules, tr: Translator) -> list[str]:
    return [
        _points(card, rules, tr)
        for rank in ranks_in_deck(rules.deck)
        for card in _cards_of_rank(rank)
        if rules.points_of(card) != _usual_points(rank, rules)
    ]


def _worth(cards: tuple[Card, ...], rules: Rules, tr: Translator) -> str:
    """The points of these cards at the end of a round, as one number if it is the same for all."""
    if len({rules.points_of(card) for card in cards}) == 1:
        return tr.plain_plural("book.worth", rules.points_of(cards[0]))
    return tr.plain("book.worths", each=", ".join(_points(card, rules, tr) for card in cards))


def _points(card: Card, rules: Rules, tr: Translator) -> str:
    return tr.plain("book.points", card=tr.card(card), points=rules.points_of(card))


def _usual_points(rank: int, rules: Rules) -> int:
    points = [rules.points_of(card) for card in _cards_of_rank(rank)]
    return max(points, key=points.count)


def _cards_of_rank(rank: int) -> tuple[Card, ...]:
    return tuple(suit * len(RANKS) + rank for suit in range(len(SUITS)))


# ----------------------------------------------------------------------------------------------- buttons


def _contents(tr: Translator, table: str) -> Rows:
    """A button for each chapter, two in a row; the differences from the classic rules have their own row."""
    *buttons, differences = [
        callback_button(tr.plain(f"chapter.{chapter}"), ReadRules(chapter.value, table))
        for chapter in Chapter
    ]
    pairs = (buttons[start : start + 2] for start in range(0, len(buttons), 2))
    return rows(*pairs, (differences,))


def _turning(chapter: Chapter, tr: Translator, table: str) -> Rows:
    """Buttons for the contents and, if there is one, the next chapter."""
    chapters = list(Chapter)
    contents = callback_button(tr.plain("button.contents"), ReadRules("", table))
    if chapter is chapters[-1]:
        return rows((contents,))
    following = chapters[chapters.index(chapter) + 1]
    title = tr.plain("button.next_chapter", title=tr.plain(f"chapter.{following}"))
    return rows((callback_button(title, ReadRules(following.value, table)),), (contents,))
