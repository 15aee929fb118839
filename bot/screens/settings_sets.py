"""Whole sets of rules: the presets, those a group has saved under names, and those that come by a link."""

from __future__ import annotations

from typing import Final

from bot.callbacks import (
    AskDeleteRuleSet,
    ChoosePreset,
    CloseSettings,
    DeleteRuleSet,
    OpenRuleSet,
    PlayByRules,
    UseRuleSet,
)
from bot.locales import Html, Words
from bot.screens.briefs import brief
from bot.screens.layout import page, press, rows
from bot.screens.phrases import rules_name
from bot.screens.screen import Button, Screen, Style
from bot.screens.settings_layout import Page, back, option, options, playing_note, without_seats
from bot.tables.choices import HouseView, RuleSet
from engine import PRESETS, Rules

_SAVED_UNITS: Final = 250
"""For the differences of each of the saved rules, so that as many as a group can save fit a message."""

RULES_PAYLOAD = "rules-"
"""The beginning of a deep link's payload that is followed by the token of saved rules."""


def presets_page(house: HouseView, words: Words) -> Screen:
    """Every preset in one line, and a button for each that has a seat for everybody in the lobby."""
    buttons, refused = [], []
    for preset, rules in _presets().items():
        name = words.plain(f"preset.{preset}")
        reason = without_seats(name, rules, house, words)
        if reason is None:
            buttons.append(option(name, ChoosePreset(preset), is_chosen=rules == house.rules))
        else:
            refused.append(reason)
    text = page(
        words("settings.presets_title"),
        "",
        *(
            words("settings.preset", name=words.plain(f"preset.{preset}"), brief=brief(rules, words))
            for preset, rules in _presets().items()
        ),
        "",
        *refused,
        _replaced_note(house, words),
        playing_note(house, words),
    )
    return Screen(text, (*options(buttons), back(words)))


def saved_page(house: HouseView, words: Words, bot_username: str) -> Screen:
    """What the group has saved, and how to save what it plays now."""
    command = words.plain("settings.save_command", bot=bot_username)
    text = page(
        words("settings.saved_title"),
        "",
        *(
            words(
                "settings.preset", name=words.title(saved.name), brief=brief(saved.rules, words, _SAVED_UNITS)
            )
            for saved in house.rule_sets
        ),
        None if house.rule_sets else words("settings.saved_none"),
        "",
        words("settings.how_to_save", command=Html(f"<code>{command}</code>")),
    )
    links = [(press(words.title(saved.name), OpenRuleSet(saved.token)),) for saved in house.rule_sets]
    copy = Button(words.plain("button.copy_save"), copy=command)
    return Screen(text, rows(*links, (copy,), back(words)))


def rule_set_page(saved: RuleSet, house: HouseView, words: Words, bot_username: str) -> Screen:
    """Rules that this group has saved: to be played by, shared, deleted."""
    link = f"https://t.me/{bot_username}?start={RULES_PAYLOAD}{saved.token}"
    refused = without_seats(words.title(saved.name), saved.rules, house, words)
    text = page(
        words("book.chapter_title", title=words.title(saved.name)),
        words("settings.rules", name=rules_name(saved.rules, words), brief=brief(saved.rules, words)),
        "",
        words("settings.share", link=link),
        "",
        refused,
        playing_note(house, words),
    )
    use = None if refused else press(words.plain("button.use_rules"), UseRuleSet(saved.token), Style.SUCCESS)
    buttons = rows(
        (use,),
        (Button(words.plain("button.copy_link"), copy=link),),
        (_to_another_group(saved, words, bot_username),),
        (press(words.plain("button.delete"), AskDeleteRuleSet(saved.token), Style.DANGER),),
        back(words, Page.SAVED),
    )
    return Screen(text, buttons)


def ask_delete_page(saved: RuleSet, words: Words) -> Screen:
    """Asked once before saved rules are deleted."""
    buttons = rows(
        (
            press(words.plain("button.delete"), DeleteRuleSet(saved.token), Style.DANGER),
            press(words.plain("button.back"), OpenRuleSet(saved.token)),
        )
    )
    return Screen(page(words("settings.delete_ask", name=words.title(saved.name))), buttons)


def offered_rules(saved: RuleSet, house: HouseView, words: Words) -> Screen:
    """In a group to which somebody has brought another's rules by a link."""
    refused = without_seats(words.title(saved.name), saved.rules, house, words)
    text = page(
        words("settings.offered", name=words.title(saved.name)),
        words("settings.rules", name=rules_name(saved.rules, words), brief=brief(saved.rules, words)),
        "",
        refused,
        _replaced_note(house, words),
        playing_note(house, words),
    )
    use = None if refused else press(words.plain("button.use_rules"), UseRuleSet(saved.token), Style.SUCCESS)
    return Screen(text, rows((use, press(words.plain("button.no_thanks"), CloseSettings()))))


def shared_rules(saved: RuleSet, words: Words, bot_username: str) -> Screen:
    """In private, to somebody who has followed a link to a group's rules."""
    text = page(
        words("settings.shared", name=words.title(saved.name)),
        words("settings.rules", name=rules_name(saved.rules, words), brief=brief(saved.rules, words)),
    )
    alone = press(words.plain("button.play_alone"), PlayByRules(saved.token), Style.SUCCESS)
    return Screen(text, rows((_to_another_group(saved, words, bot_username),), (alone,)))


def _to_another_group(saved: RuleSet, words: Words, bot_username: str) -> Button:
    """Telegram asks which group, and brings the bot there if it is not in it."""
    url = f"https://t.me/{bot_username}?startgroup={RULES_PAYLOAD}{saved.token}"
    return Button(words.plain("button.into_group"), url=url, style=Style.PRIMARY)


def _replaced_note(house: HouseView, words: Words) -> Html | None:
    """That changes of one's own would be lost, if there are any that are not saved."""
    known = [*_presets().values(), *(saved.rules for saved in house.rule_sets)]
    return None if house.rules in known else words("settings.replaced", name=rules_name(house.rules, words))


def _presets() -> dict[str, Rules]:
    return {preset: Rules.from_document({"preset": preset}) for preset in PRESETS}
