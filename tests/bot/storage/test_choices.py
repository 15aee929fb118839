"""Settings of people, and rules saved by groups."""

from __future__ import annotations

import re
import secrets

import pytest

from bot.settings import CHOICES, HandOrder, Owner, PersonalSettings, Telling, choices_of
from bot.storage import Storage
from bot.storage.database import Database
from bot.storage.people import PeopleStore, UnknownPerson
from bot.storage.rule_sets import RuleSetStore, StoredRuleSet, new_token

RULES = '{"preset": "classic"}'


async def test_a_persons_settings_are_kept_until_they_choose_otherwise(storage: Storage) -> None:
    assert (await storage.people.see(5, "Аня", "ru")).settings == PersonalSettings()
    for choice in choices_of(Owner.PERSON):
        await storage.people.choose(5, choice, choice.values[-1])
    chosen = await storage.people.see(5, "Anna", "en")
    assert chosen.settings == PersonalSettings(False, False, HandOrder.RANK, True, Telling.NEVER)
    assert (await storage.people.get_many([5]))[5] == chosen


async def test_nobody_who_was_never_seen_has_settings(storage: Storage) -> None:
    with pytest.raises(UnknownPerson):
        await storage.people.choose(7, CHOICES["sound"], False)


async def test_those_who_move_by_hand_are_known_at_once_and_after_a_restart(
    storage: Storage, database: Database
) -> None:
    for user_id in range(1, 5):
        await storage.people.see(user_id, f"p{user_id}", None)
    assert await storage.people.who_moves_by_hand() == frozenset()
    for user_id, made in ((2, False), (4, False), (4, True)):
        await storage.people.choose(user_id, CHOICES["forced_moves"], made)
    assert await storage.people.who_moves_by_hand() == {2}
    assert await PeopleStore(database).who_moves_by_hand() == {2}


# ---------------------------------------------------------------------------------------------- saved rules


async def test_saved_rules_are_found_by_their_chat_and_by_their_token(database: Database) -> None:
    tokens = iter(["t1", "t2", "t3"])
    store = RuleSetStore(database, lambda: next(tokens))
    second = await store.save(-100, "По-нашему", RULES, 1.0)
    first = await store.save(-100, "Дача", RULES, 2.0)
    other = await store.save(-200, "Дача", RULES, 3.0)
    assert second == StoredRuleSet("t1", -100, "По-нашему", RULES)
    assert await store.of_chat(-100) == (first, second)
    assert await store.of_chat(-200) == (other,)
    assert await store.of_chat(-300) == ()
    assert await store.find("t2") == first
    assert await store.find("nothing") is None


async def test_a_name_given_again_keeps_its_token(storage: Storage) -> None:
    before = await storage.rule_sets.save(-100, "Дача", RULES, 1.0)
    after = await storage.rule_sets.save(-100, "Дача", "{}", 2.0)
    assert after == StoredRuleSet(before.token, -100, "Дача", "{}")
    assert await storage.rule_sets.of_chat(-100) == (after,)


async def test_only_its_chat_deletes_what_was_saved(storage: Storage) -> None:
    saved = await storage.rule_sets.save(-100, "Дача", RULES, 1.0)
    assert not await storage.rule_sets.delete(-200, saved.token)
    assert await storage.rule_sets.delete(-100, saved.token)
    assert not await storage.rule_sets.delete(-100, saved.token)
    assert await storage.rule_sets.find(saved.token) is None


def test_a_token_fits_into_a_button_and_a_deep_link() -> None:
    assert re.fullmatch("[0-9a-f]{10}", new_token(secrets.token_bytes))
