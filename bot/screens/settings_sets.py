"""Sets of rules: presets, sets that a group has saved, and sets shared by a link."""

from __future__ import annotations

from typing import Final

from bot.buttons import (
    AskDeleteRuleSet,
    ChoosePreset,
    CloseSettings,
    DeleteRuleSet,
    OpenRuleSet,
    PlayByRules,
    UseRuleSet,
)
from bot.locales import Html, Translator
from bot.screens.layout import callback_button, page, rows
from bot.screens.phrases import rules_name
from bot.screens.rule_summaries import brief
from bot.screens.screen import Button, Screen, Style
from bot.screens.settings_layout import Page, back, option, options, playing_note, seat_shortage
from bot.tables.choices import GroupSettingsView, RuleSet
from engine import PRESETS, Rules

_SAVED_UNITS: Final = 250
"""The room for one saved set's description, so that all the sets a group can save fit into a message."""

RULES_PAYLOAD = "rules-"
"""The prefix of a deep link's payload, followed by the token of a saved set."""


def presets_page(group_settings: GroupSettingsView, tr: Translator) -> Screen:
    """All presets, with a button for each that has enough seats for everybody in the lobby."""
    buttons, refused = [], []
    for preset, rules in _presets().items():
        name = tr.plain(f"preset.{preset}")
        reason = seat_shortage(name, rules, group_settings, tr)
        if reason is None:
            buttons.append(option(name, ChoosePreset(preset), is_chosen=rules == group_settings.rules))
        else:
            refused.append(reason)
    text = page(
        tr("settings.presets_title"),
        "",
        *(
            tr("settings.preset", name=tr.plain(f"preset.{preset}"), brief=brief(rules, tr))
            for preset, rules in _presets().items()
        ),
        "",
        *refused,
        _replaced_note(group_settings, tr),
        playing_note(group_settings, tr),
    )
    return Screen(text, (*options(buttons), back(tr)))


def saved_page(group_settings: GroupSettingsView, tr: Translator, bot_username: str) -> Screen:
    """The group's saved sets, and how to save the current rules."""
    command = tr.plain("settings.save_command", bot=bot_username)
    text = page(
        tr("settings.saved_title"),
        "",
        *(
            tr("settings.preset", name=tr.title(saved.name), brief=brief(saved.rules, tr, _SAVED_UNITS))
            for saved in group_settings.rule_sets
        ),
        None if group_settings.rule_sets else tr("settings.saved_none"),
        "",
        tr("settings.how_to_save", command=Html(f"<code>{command}</code>")),
    )
    links = [
        (callback_button(tr.title(saved.name), OpenRuleSet(saved.token)),)
        for saved in group_settings.rule_sets
    ]
    copy = Button(tr.plain("button.copy_save"), copy=command)
    return Screen(text, rows(*links, (copy,), back(tr)))


def rule_set_page(
    saved: RuleSet, group_settings: GroupSettingsView, tr: Translator, bot_username: str
) -> Screen:
    """A set saved by this group, with buttons to use, share and delete it."""
    link = f"https://t.me/{bot_username}?start={RULES_PAYLOAD}{saved.token}"
    refused = seat_shortage(tr.title(saved.name), saved.rules, group_settings, tr)
    text = page(
        tr("book.chapter_title", title=tr.title(saved.name)),
        tr("settings.rules", name=rules_name(saved.rules, tr), brief=brief(saved.rules, tr)),
        "",
        tr("settings.share", link=link),
        "",
        refused,
        playing_note(group_settings, tr),
    )
    use = (
        None
        if refused
        else callback_button(tr.plain("button.use_rules"), UseRuleSet(saved.token), Style.SUCCESS)
    )
    buttons = rows(
        (use,),
        (Button(tr.plain("button.copy_link"), copy=link),),
        (_to_another_group(saved, tr, bot_username),),
        (callback_button(tr.plain("button.delete"), AskDeleteRuleSet(saved.token), Style.DANGER),),
        back(tr, Page.SAVED),
    )
    return Screen(text, buttons)


def ask_delete_page(saved: RuleSet, tr: Translator) -> Screen:
    """The confirmation before a saved set is deleted."""
    buttons = rows(
        (
            callback_button(tr.plain("button.delete"), DeleteRuleSet(saved.token), Style.DANGER),
            callback_button(tr.plain("button.back"), OpenRuleSet(saved.token)),
        )
    )
    return Screen(page(tr("settings.delete_ask", name=tr.title(saved.name))), buttons)


def offered_rules(saved: RuleSet, group_settings: GroupSettingsView, tr: Translator) -> Screen:
    """The offer in a group to use another group's rules, made by a link."""
    refused = seat_shortage(tr.title(saved.name), saved.rules, group_settings, tr)
    text = page(
        tr("settings.offered", name=tr.title(saved.name)),
        tr("settings.rules", name=rules_name(saved.rules, tr), brief=brief(saved.rules, tr)),
        "",
        refused,
        _replaced_note(group_settings, tr),
        playing_note(group_settings, tr),
    )
    use = (
        None
        if refused
        else callback_button(tr.plain("button.use_rules"), UseRuleSet(saved.token), Style.SUCCESS)
    )
    return Screen(text, rows((use, callback_button(tr.plain("button.no_thanks"), CloseSettings()))))


def shared_rules(saved: RuleSet, tr: Translator, bot_username: str) -> Screen:
    """The answer in private to a link to a group's rules."""
    text = page(
        tr("settings.shared", name=tr.title(saved.name)),
        tr("settings.rules", name=rules_name(saved.rules, tr), brief=brief(saved.rules, tr)),
    )
    alone = callback_button(tr.plain("button.play_alone"), PlayByRules(saved.token), Style.SUCCESS)
    return Screen(text, rows((_to_another_group(saved, tr, bot_username),), (alone,)))


def _to_another_group(saved: RuleSet, tr: Translator, bot_username: str) -> Button:
    """A link that has Telegram ask for a group, and add the bot to it if needed."""
    url = f"https://t.me/{bot_username}?startgroup={RULES_PAYLOAD}{saved.token}"
    return Button(tr.plain("button.into_group"), url=url, style=Style.PRIMARY)


def _replaced_note(group_settings: GroupSettingsView, tr: Translator) -> Html | None:
    """A warning that the current rules would be lost; None if they are a preset or saved."""
    known = [*_presets().values(), *(saved.rules for saved in group_settings.rule_sets)]
    return (
        None
        if group_settings.rules in known
        else tr("settings.replaced", name=rules_name(group_settings.rules, tr))
    )


def _presets() -> dict[str, Rules]:
    return {preset: Rules.from_document({"preset": preset}) for preset in PRESETS}
