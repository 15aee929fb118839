"""Saved sets of rules: saving, using, deleting, and sharing them with other groups by links."""

from __future__ import annotations

from bot import buttons
from bot.handlers.answer import Answer, Press, on
from bot.handlers.choosing import choose_rules, showing
from bot.handlers.commands import reply, turn_page
from bot.handlers.permissions import require_editor
from bot.handlers.services import Services
from bot.handlers.visitor import Visitor
from bot.locales import Translator
from bot.messages.kinds import Kind
from bot.screens.answers import Done, done
from bot.screens.questions import is_word_of
from bot.screens.screen import Screen
from bot.screens.settings_layout import Page
from bot.screens.settings_sets import (
    RULES_PAYLOAD,
    ask_delete_page,
    offered_rules,
    rule_set_page,
    shared_rules,
)
from bot.tables.choices import GroupSettingsView, RuleSet
from bot.tables.refusals import Refusal, Refused


def means_save(word: str, tr: Translator) -> bool:
    """Whether this is a word for saving, in the catalogue's list."""
    return is_word_of(word, "ask.save", tr)


async def save(services: Services, visitor: Visitor, name: str) -> None:
    """Save the group's rules under a name, and show their page with the link. Raises Refusal."""
    saved = await services.group_settings.save_rules(visitor.chat_id, name)
    group_settings = await services.group_settings.look(visitor.chat_id)
    screen = rule_set_page(saved, group_settings, visitor.chat_tr, services.bot_username)
    await reply(services, visitor, Kind.SETTINGS, screen)


@on(buttons.OpenRuleSet)
async def open_rule_set(services: Services, press: Press, asked: buttons.OpenRuleSet) -> Answer:
    """Open the page of saved rules."""
    saved, group_settings = await _own(services, press, asked.token)
    return _shown(
        services, press, rule_set_page(saved, group_settings, press.visitor.chat_tr, services.bot_username)
    )


@on(buttons.UseRuleSet)
async def use_rule_set(services: Services, press: Press, asked: buttons.UseRuleSet) -> Answer:
    """Use saved rules: the group's own, or another group's shared by a link."""
    await require_editor(services, press.visitor)
    saved = await services.group_settings.rule_set(asked.token)
    return await choose_rules(
        services, press, lambda _rules: saved.rules, lambda _view, tr: tr.title(saved.name), Page.FIRST
    )


@on(buttons.AskDeleteRuleSet)
async def ask_delete(services: Services, press: Press, asked: buttons.AskDeleteRuleSet) -> Answer:
    """Ask for confirmation before saved rules are deleted."""
    saved, _ = await _own(services, press, asked.token)
    return _shown(services, press, ask_delete_page(saved, press.visitor.chat_tr))


@on(buttons.DeleteRuleSet)
async def delete(services: Services, press: Press, asked: buttons.DeleteRuleSet) -> Answer:
    """Delete saved rules after the confirmation."""
    await require_editor(services, press.visitor)
    await services.group_settings.delete_rule_set(press.visitor.chat_id, asked.token)
    return Answer(done(Done.DELETED, press.visitor.tr), then=showing(services, press, Page.SAVED))


def token_in(payload: str) -> str | None:
    """Return the token of saved rules in a deep link's payload; None if it is about something else."""
    return payload.removeprefix(RULES_PAYLOAD) if payload.startswith(RULES_PAYLOAD) else None


async def show_shared(services: Services, visitor: Visitor, token: str) -> None:
    """Show saved rules to a person who has followed a link to them, in a group or in the private chat.

    Anybody may show them in a group; using them needs the permission to change settings. Raises Refusal:
    rules_gone.
    """
    saved = await services.group_settings.rule_set(token)
    if visitor.is_private:
        screen = shared_rules(saved, visitor.tr, services.bot_username)
    else:
        screen = offered_rules(saved, await services.group_settings.look(visitor.chat_id), visitor.chat_tr)
    await reply(services, visitor, Kind.SETTINGS, screen)


async def _own(services: Services, press: Press, token: str) -> tuple[RuleSet, GroupSettingsView]:
    """Return rules saved by this group, if the presser may change its settings. Raises Refusal."""
    await require_editor(services, press.visitor)
    group_settings = await services.group_settings.look(press.visitor.chat_id)
    saved = next((saved for saved in group_settings.rule_sets if saved.token == token), None)
    if saved is None:
        raise Refusal(Refused.RULES_GONE)
    return saved, group_settings


def _shown(services: Services, press: Press, screen: Screen) -> Answer:
    return Answer(then=lambda: turn_page(services, press, Kind.SETTINGS, screen))
