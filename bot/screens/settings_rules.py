"""The settings pages of the rules: chapters, single rules with their answers, the effects of cards.

Answers that cannot be chosen now are not offered, and the page says why.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, assert_never

from bot.buttons import AllowTransfer, ChooseEffect, ChooseRule, OpenSettings
from bot.locales import Translator
from bot.screens.layout import callback_button, grid, page, rows
from bot.screens.phrases import rank_name
from bot.screens.questions import Chapter
from bot.screens.rule_summaries import answer, capital, effect_answer
from bot.screens.rule_texts import (
    card_lines,
    card_sign,
    has_effect,
    is_effective,
    lines_about,
    sentence,
    text_params,
)
from bot.screens.screen import Rows, Screen
from bot.screens.settings_layout import (
    CHAPTER,
    EFFECT,
    RULE,
    back,
    link,
    option,
    options,
    page_of,
    playing_note,
    seat_shortage,
)
from bot.tables.choices import GroupSettingsView, value_code, with_value
from engine import (
    RANKS,
    SETTINGS,
    SUITS,
    Card,
    Effect,
    Rules,
    SettingKind,
    card_code,
    parse_card,
    ranks_in_deck,
)

CHAPTERS: Final[Mapping[Chapter, tuple[str, ...]]] = {
    Chapter.DEAL: ("deck", "hand_size", "opening", "next_leader"),
    Chapter.DRAW: ("draw", "voluntary_draw", "stock_out", "recycle"),
    Chapter.CARDS: ("effects", "cover_by_wild", "cover_draw", "finish_on_cover", "transfer"),
    Chapter.END: ("finish_effect", "finish_bonus", "double_on_queen_finish"),
    Chapter.POINTS: ("points", "lone_queen"),
    Chapter.MATCH: ("limit", "exact_limit", "negatives", "game_end"),
}
"""The settings by the chapter in which the book of rules covers them."""

_LIMITS: Final = (51, 101, 108, 151, 201, 301, 501, 1000)
_STEPS: Final = (-10, -1, 1, 10)
_SINGLE: Final = "*"
"""Marks a rank of which single cards have another effect."""


def rules_page(group_settings: GroupSettingsView, page_name: str, tr: Translator) -> Screen | None:
    """Return the page of this name; None if there is none."""
    kind, _, name = page_name.partition("_")
    if kind == CHAPTER and name in CHAPTERS:
        return _chapter_page(Chapter(name), group_settings, tr)
    if kind == RULE and name in SETTINGS:
        return _rule_page(name, group_settings, tr)
    if kind == EFFECT and _is_in_deck(name, group_settings.rules):
        return _effect_page(name, group_settings, tr)
    return None


def _chapter_page(chapter: Chapter, group_settings: GroupSettingsView, tr: Translator) -> Screen:
    """A chapter: a button for each of its rules, labelled with the current value."""
    rules = group_settings.rules
    reasons = dict.fromkeys(_no_effect_reason(name, rules, tr) for name in CHAPTERS[chapter])
    text = page(
        tr("book.chapter_title", title=tr.plain(f"chapter.{chapter}")),
        tr("settings.press"),
        "",
        *reasons,
        playing_note(group_settings, tr),
    )
    links = []
    for name in CHAPTERS[chapter]:
        if is_effective(name, rules):
            is_told = SETTINGS[name].kind is not SettingKind.EFFECTS
            text_of = answer(name, rules, tr) if is_told else tr.plain("question.effects")
            links.append((link(text_of, page_of(RULE, name)),))
    return Screen(text, (*rows(*links), back(tr)))


def _rule_page(name: str, group_settings: GroupSettingsView, tr: Translator) -> Screen:
    rules = group_settings.rules
    refused: list[str] = []
    match SETTINGS[name].kind:
        case SettingKind.EFFECTS:
            return _effects_page(group_settings, tr)
        case SettingKind.RANKS:
            answers = _transfer_answers(rules, tr)
        case SettingKind.NUMBER:
            answers = _number_answers(name, rules)
        case _:
            refused, answers = _choice_answers(name, group_settings, tr)
    reason = _no_effect_reason(name, rules, tr)
    text = page(
        tr("settings.question", question=tr.plain(f"question.{name}", **text_params(rules, tr))),
        "",
        reason or sentence(name, rules, tr),
        *refused,
        "",
        playing_note(group_settings, tr),
    )
    return Screen(text, (*(() if reason else answers), back(tr, page_of(CHAPTER, _chapter_of(name)))))


def _choice_answers(name: str, group_settings: GroupSettingsView, tr: Translator) -> tuple[list[str], Rows]:
    """Return why some answers cannot be chosen now, and the buttons of the others."""
    refused, answers = [], []
    current = getattr(group_settings.rules, name)
    for value in sorted(SETTINGS[name].values) if name == "hand_size" else SETTINGS[name].values:
        rules = with_value(group_settings.rules, name, value_code(value))
        text = answer(name, rules, tr)
        reason = seat_shortage(text, rules, group_settings, tr)
        if reason is not None and value != current:
            refused.append(reason)
        else:
            answers.append(option(text, ChooseRule(name, value_code(value)), is_chosen=value == current))
    return refused, options(answers)


def _number_answers(name: str, rules: Rules) -> Rows:
    """Buttons for common numbers, and for steps from the current one."""
    setting, current = SETTINGS[name], getattr(rules, name)
    usual = [
        option(str(number), ChooseRule(name, str(number)), is_chosen=number == current)
        for number in _LIMITS
        if setting.lowest <= number <= setting.highest
    ]
    steps = [
        callback_button(f"{step:+}".replace("-", "−"), ChooseRule(name, str(current + step)))
        for step in _STEPS
        if setting.lowest <= current + step <= setting.highest
    ]
    return (*grid(usual), tuple(steps))


def _transfer_answers(rules: Rules, tr: Translator) -> Rows:
    """A button for each rank with an attack or in the current value, which toggles passing attacks on."""
    offered = [
        RANKS[rank]
        for rank in ranks_in_deck(rules.deck)
        if RANKS[rank] in rules.transfer
        or any(rules.effect_of(card).kind == "attack" for card in _cards_of(RANKS[rank]))
    ]
    return grid(
        [
            option(
                tr.rank(RANKS.index(rank)),
                AllowTransfer(rank, rank not in rules.transfer),
                is_chosen=rank in rules.transfer,
            )
            for rank in offered
        ]
    )


# ----------------------------------------------------------------------------------------- what cards do


def _effects_page(group_settings: GroupSettingsView, tr: Translator) -> Screen:
    rules = group_settings.rules
    text = page(
        tr("settings.question", question=tr.plain("question.effects")),
        "",
        *(tr.plain("book.item", text=line) for line in card_lines(rules, tr)),
        "",
        tr("settings.press_card"),
        playing_note(group_settings, tr),
    )
    ranks = [
        callback_button(_rank_button(RANKS[rank], rules, tr), _open_effect(RANKS[rank]))
        for rank in ranks_in_deck(rules.deck)
    ]
    return Screen(text, (*grid(ranks), back(tr, page_of(CHAPTER, Chapter.CARDS))))


def _effect_page(key: str, group_settings: GroupSettingsView, tr: Translator) -> Screen:
    rules = group_settings.rules
    is_rank = key in RANKS
    current = dict(rules.effects).get(key, Effect.NONE) if is_rank else rules.effect_of(parse_card(key))
    rank = RANKS.index(key if is_rank else key[:-1])
    name = capital(rank_name(rank, tr)) if is_rank else tr.card(parse_card(key))
    text = page(
        tr("book.chapter_title", title=name),
        "",
        *lines_about(rank, None if is_rank else parse_card(key), rules, tr),
        tr("settings.press_single") if is_rank else None,
        "",
        playing_note(group_settings, tr),
    )
    answers = [
        option(effect_answer(effect, tr), ChooseEffect(key, effect), is_chosen=effect is current)
        for effect in Effect
    ]
    singles = [
        callback_button(_single_button(card, rules, tr), _open_effect(card_code(card)))
        for card in _cards_of(RANKS[rank])
    ]
    to = page_of(RULE, "effects") if is_rank else page_of(EFFECT, RANKS[rank])
    return Screen(text, (*options(answers), *rows(singles if is_rank else (), back(tr, to))))


def _rank_button(rank: str, rules: Rules, tr: Translator) -> str:
    """A rank's label, «7 +2⏭»; an asterisk means that some cards of the rank have another effect."""
    effect = dict(rules.effects).get(rank, Effect.NONE)
    differs = any(rules.effect_of(card) is not effect for card in _cards_of(rank))
    return f"{card_sign(rank, tr)} {_sign(effect)}{_SINGLE if differs else ''}"


def _single_button(card: Card, rules: Rules, tr: Translator) -> str:
    is_own = card_code(card) in dict(rules.effects)
    return tr.card(card) + (_SINGLE if is_own else "")


def _sign(effect: Effect) -> str:
    """An effect as a symbol that fits into a grid; the page describes it in words."""
    taken = f"+{effect.cards}" if effect.cards else ""
    match effect.kind:
        case "plain":
            return "—"
        case "cover":
            return "⤵️"
        case "wild":
            return "🌈"
        case "reverse":
            return "🔄"
        case "load":
            return taken
        case "attack":
            return taken + "⏭"
    assert_never(effect.kind)


def _is_in_deck(key: str, rules: Rules) -> bool:
    """Whether this is the code of a rank or a card in the deck."""
    ranks = {RANKS[rank] for rank in ranks_in_deck(rules.deck)}
    return key in ranks or (key[:-1] in ranks and key[-1:] in tuple(SUITS))


def _cards_of(rank: str) -> tuple[Card, ...]:
    return tuple(parse_card(rank + suit) for suit in SUITS)


def _no_effect_reason(name: str, rules: Rules, tr: Translator) -> str | None:
    """Say why this setting makes no difference under the others; None if it does."""
    if is_effective(name, rules):
        return None
    match name:
        case "cover_by_wild" if has_effect(rules, "cover"):
            return tr.plain("pointless.wild")
        case "cover_by_wild" | "cover_draw" | "finish_on_cover":
            return tr.plain("pointless.cover")
        case _:
            return tr.plain(f"pointless.{name}")


def _chapter_of(name: str) -> Chapter:
    return next(chapter for chapter, names in CHAPTERS.items() if name in names)


def _open_effect(key: str) -> OpenSettings:
    return OpenSettings(page_of(EFFECT, key))
