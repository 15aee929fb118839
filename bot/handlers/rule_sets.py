"""Rules that a group has saved under names: saving, playing by them, deleting, and links for other groups."""

from __future__ import annotations

from bot import callbacks
from bot.handlers.answer import Answer, Press
from bot.handlers.choosing import MENU, choose_rules, showing
from bot.handlers.commands import replace_answer, turn_page
from bot.handlers.guest import Guest
from bot.handlers.parts import Parts
from bot.handlers.rights import require_editor
from bot.locales import Words
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
from bot.tables.choices import HouseView, RuleSet
from bot.tables.refusals import Refusal, Refused


def means_save(word: str, words: Words) -> bool:
    """Is this what people type to save something?"""
    return is_word_of(word, "ask.save", words)


async def save(parts: Parts, guest: Guest, name: str) -> None:
    """Save the group's rules, and show what was saved, with its link. Raises Refusal."""
    saved = await parts.house.save_rules(guest.chat_id, name)
    house = await parts.house.look(guest.chat_id)
    screen = rule_set_page(saved, house, guest.chat_words, parts.bot_username)
    await replace_answer(parts, guest, MENU, screen)


async def open_rule_set(parts: Parts, press: Press, asked: callbacks.OpenRuleSet) -> Answer:
    """Look at saved rules."""
    saved, house = await _own(parts, press, asked.token)
    return _shown(parts, press, rule_set_page(saved, house, press.guest.chat_words, parts.bot_username))


async def use_rule_set(parts: Parts, press: Press, asked: callbacks.UseRuleSet) -> Answer:
    """Play by saved rules: the group's own, or another's that came by a link."""
    await require_editor(parts, press.guest)
    saved = await parts.house.rule_set(asked.token)
    return await choose_rules(
        parts, press, lambda _rules: saved.rules, lambda _house, words: words.title(saved.name), Page.FIRST
    )


async def ask_delete(parts: Parts, press: Press, asked: callbacks.AskDeleteRuleSet) -> Answer:
    """Ask once."""
    saved, _ = await _own(parts, press, asked.token)
    return _shown(parts, press, ask_delete_page(saved, press.guest.chat_words))


async def delete(parts: Parts, press: Press, asked: callbacks.DeleteRuleSet) -> Answer:
    """Delete saved rules, confirmed."""
    await require_editor(parts, press.guest)
    await parts.house.delete_rule_set(press.guest.chat_id, asked.token)
    return Answer(done(Done.DELETED, press.guest.words), then=showing(parts, press, Page.SAVED))


def token_in(payload: str) -> str | None:
    """The token of the rules that a deep link's payload brings; None if it brings something else."""
    return payload.removeprefix(RULES_PAYLOAD) if payload.startswith(RULES_PAYLOAD) else None


async def bring(parts: Parts, guest: Guest, token: str) -> None:
    """Somebody has followed a link to saved rules: into a group, or first into his private chat.

    In the group anybody may bring them; to play by them is for who may choose. Raises Refusal: rules_gone.
    """
    saved = await parts.house.rule_set(token)
    if guest.is_private:
        screen = shared_rules(saved, guest.words, parts.bot_username)
    else:
        screen = offered_rules(saved, await parts.house.look(guest.chat_id), guest.chat_words)
    await replace_answer(parts, guest, MENU, screen)


async def _own(parts: Parts, press: Press, token: str) -> tuple[RuleSet, HouseView]:
    """Rules that this very group has saved, for who may choose. Raises Refusal."""
    await require_editor(parts, press.guest)
    house = await parts.house.look(press.guest.chat_id)
    saved = next((saved for saved in house.rule_sets if saved.token == token), None)
    if saved is None:
        raise Refusal(Refused.RULES_GONE)
    return saved, house


def _shown(parts: Parts, press: Press, screen: Screen) -> Answer:
    return Answer(then=lambda: turn_page(parts, press, MENU, screen))
