"""The cache of memberships: what Telegram has told last, and when it is to be asked again."""

from __future__ import annotations

from bot.handlers.member_cache import FRESH_SECONDS, MemberCache, MemberStatus


def test_of_somebody_out_from_whom_something_arrives_telegram_is_asked_at_once() -> None:
    """What has arrived may have been sent before the ban."""
    cache = MemberCache()
    cache.learn(-1, 5, MemberStatus.OUT, 1000.0)
    assert cache.is_fresh(-1, 5, 1001.0)
    cache.note_seen(-1, 5, 1001.0)
    assert cache.last_status(-1, 5) is None
    assert not cache.is_fresh(-1, 5, 1001.0)
    assert cache.is_due(-1, 5, 1001.0)


def test_somebody_muted_from_whom_something_arrives_stays_muted() -> None:
    cache = MemberCache()
    cache.learn(-1, 5, MemberStatus.MUTED, 1000.0)
    cache.note_seen(-1, 5, 1001.0)
    assert cache.last_status(-1, 5) is MemberStatus.MUTED
    assert cache.is_fresh(-1, 5, 999.0 + FRESH_SECONDS)
    assert not cache.is_due(-1, 5, 1001.0)
