"""The rules as a table plays them: a small book in chapters, and answers to questions about a card.

All of it is made from the settings, so the book cannot say what is not played.
"""

from __future__ import annotations

from bot.callbacks import ReadRules
from bot.locales import Html, Words
from bot.locales.words import escape
from bot.screens.layout import page, press, rows
from bot.screens.phrases import cards_with, rank_name, ranks_in, rules_name
from bot.screens.questions import CardTopic, Chapter, topic_of
from bot.screens.screen import Rows, Screen
from bot.screens.sentences import (
    about_transfer,
    card_lines,
    changed,
    covering,
    differences,
    has_effect,
    lines_about,
    sentences,
)
from engine import RANKS, SUITS, Card, Effect, Rules


def rules(rules: Rules, words: Words, bot_username: str, chapter: str = "", table: str = "") -> Screen:
    """A page of the book: the first where `chapter` names none. `table` goes into the buttons."""
    opened = next((known for known in Chapter if known.value == chapter), None)
    if opened is None:
        return Screen(_first_page(rules, words, bot_username), _contents(words, table))
    return Screen(_page(opened, rules, words), _turning(opened, words, table))


def answer(rules: Rules, words: Words, bot_username: str, question: str) -> Screen:
    """What the rules say of a card («8», «дама», "queen of spades"), or the chapter that is asked for."""
    match topic_of(question, words):
        case CardTopic(rank=rank) as topic if rank in ranks_in(rules):
            return Screen(_about(topic, rules, words), _contents(words, ""))
        case Chapter() as chapter:
            return Screen(_page(chapter, rules, words), _turning(chapter, words, ""))
        case _:
            asked = words.title(question)
            text = page(words("book.unknown", question=asked, bot=bot_username))
            return Screen(text, _contents(words, ""))


def idea(rules: Rules, words: Words) -> list[Html]:
    """The idea in four lines."""
    ends = "book.idea.ends_at_first" if rules.game_end == "first_bust" else "book.idea.ends_at_last"
    return [
        words("book.idea.match"),
        words("book.idea.draw"),
        words("book.idea.points"),
        words(ends, limit=rules.limit),
    ]


# ------------------------------------------------------------------------------------------------- pages


def _first_page(rules: Rules, words: Words, bot_username: str) -> str:
    return page(
        words("book.title", rules=rules_name(rules, words)),
        "",
        *idea(rules, words),
        "",
        words("book.open", bot=bot_username),
    )


def _page(chapter: Chapter, rules: Rules, words: Words) -> str:
    title = words("book.chapter_title", title=words.plain(f"chapter.{chapter}"))
    table = _points_table(rules, words) if chapter is Chapter.POINTS else None
    return page(title, "", table, *_items(_lines(chapter, rules, words), words))


def _lines(chapter: Chapter, rules: Rules, words: Words) -> list[str]:
    """What a chapter says, apart from the table of points."""
    match chapter:
        case Chapter.CARDS:
            return [
                *card_lines(rules, words),
                *covering(rules, words),
                *sentences(("transfer",), rules, words),
            ]
        case Chapter.TURN:
            return _turn_lines(rules, words)
        case Chapter.DRAW:
            drawing = sentences(("draw", "voluntary_draw", "stock_out", "recycle"), rules, words)
            return [*drawing, words.plain("book.nothing_to_draw")]
        case Chapter.DEAL:
            return [
                *sentences(("deck", "hand_size"), rules, words),
                words.plain_plural("book.seats", rules.max_seats),
                *sentences(("opening",), rules, words),
                words.plain("book.first_leader"),
                *sentences(("next_leader",), rules, words),
            ]
        case Chapter.END:
            finishing = sentences(("finish_effect", "finish_bonus", "double_on_queen_finish"), rules, words)
            return [words.plain("book.winner"), *finishing, words.plain("book.blocked")]
        case Chapter.POINTS:
            return [*_points_of_single_cards(rules, words), *sentences(("lone_queen",), rules, words)]
        case Chapter.MATCH:
            ending = sentences(("limit", "exact_limit", "negatives", "game_end"), rules, words)
            return [*ending, words.plain("book.leaving")]
        case Chapter.DIFFERENCES:
            return differences(rules, words) or [words.plain("book.no_differences")]


def _turn_lines(rules: Rules, words: Words) -> list[str]:
    lines = [words.plain("book.direction"), words.plain("book.match")]
    if has_effect(rules, Effect.WILD):
        wilds = words.any_of(cards_with(rules, Effect.WILD, words, "some"))
        lines += [words.plain("book.wild", wilds=wilds), words.plain("book.ordered", wilds=wilds)]
    return [*lines, words.plain("book.move_effect")]


def _about(topic: CardTopic, rules: Rules, words: Words) -> str:
    """All that the rules say of one rank or card."""
    rank = topic.rank
    card = None if topic.suit is None else topic.suit * len(RANKS) + rank
    asked = _cards_of_rank(rank) if card is None else (card,)
    effects = {rules.effect_of(each) for each in asked}
    lines = lines_about(rank, card, rules, words)
    if Effect.COVER in effects:
        lines += covering(rules, words)
    if Effect.WILD in effects:
        wilds = words.any_of(cards_with(rules, Effect.WILD, words, "some"))
        lines.append(words.plain("book.ordered", wilds=wilds))
    if any(effect.kind == "attack" for effect in effects):
        lines += about_transfer(rank, rules, words)
    if RANKS[rank] == "Q":
        of_queens = changed(("lone_queen", "finish_bonus", "double_on_queen_finish"), rules)
        lines += sentences(of_queens, rules, words)
    lines.append(_worth(asked, rules, words))
    name = rank_name(rank, words) if card is None else words.card(card)
    title = words("book.chapter_title", title=name[:1].upper() + name[1:])
    return page(title, "", *_items(lines, words))


def _items(lines: list[str], words: Words) -> list[str]:
    return [words.plain("book.item", text=line) for line in lines]


# ------------------------------------------------------------------------------------------------ points


def _points_table(rules: Rules, words: Words) -> Html:
    """What each rank counts; single cards that count otherwise have lines of their own."""
    lines = [f"{words.rank(rank):>2} {_usual_points(rank, rules):>3}" for rank in ranks_in(rules)]
    return Html(f"<pre>{escape(chr(10).join(lines))}</pre>")


def _points_of_single_cards(rules: Rules, words: Words) -> list[str]:
    return [
        _points(card, rules, words)
        for rank in ranks_in(rules)
        for card in _cards_of_rank(rank)
        if rules.points_of(card) != _usual_points(rank, rules)
    ]


def _worth(cards: tuple[Card, ...], rules: Rules, words: Words) -> str:
    """What these cards count at a round's end: one number where it is the same for all."""
    if len({rules.points_of(card) for card in cards}) == 1:
        return words.plain_plural("book.worth", rules.points_of(cards[0]))
    return words.plain("book.worths", each=", ".join(_points(card, rules, words) for card in cards))


def _points(card: Card, rules: Rules, words: Words) -> str:
    return words.plain("book.points", card=words.card(card), points=rules.points_of(card))


def _usual_points(rank: int, rules: Rules) -> int:
    points = [rules.points_of(card) for card in _cards_of_rank(rank)]
    return max(points, key=points.count)


def _cards_of_rank(rank: int) -> tuple[Card, ...]:
    return tuple(suit * len(RANKS) + rank for suit in range(len(SUITS)))


# ----------------------------------------------------------------------------------------------- buttons


def _contents(words: Words, table: str) -> Rows:
    """A button for each chapter, two in a row; below them what is not as in the classic game."""
    *buttons, differences = [
        press(words.plain(f"chapter.{chapter}"), ReadRules(chapter.value, table)) for chapter in Chapter
    ]
    pairs = (buttons[start : start + 2] for start in range(0, len(buttons), 2))
    return rows(*pairs, (differences,))


def _turning(chapter: Chapter, words: Words, table: str) -> Rows:
    """Back to the contents, and on to the next chapter if there is one."""
    chapters = list(Chapter)
    contents = press(words.plain("button.contents"), ReadRules("", table))
    if chapter is chapters[-1]:
        return rows((contents,))
    following = chapters[chapters.index(chapter) + 1]
    title = words.plain("button.next_chapter", title=words.plain(f"chapter.{following}"))
    return rows((press(title, ReadRules(following.value, table)),), (contents,))
