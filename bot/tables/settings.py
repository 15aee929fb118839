"""What a group has chosen for its tables: rules, the time for a turn, the cut; talk, hints, who stands in.

A table takes them over when its lobby opens. A running match keeps what it began with of those that it is
played by; the others are as the group has chosen last.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine import Rules


@dataclass(frozen=True, slots=True)
class TableSettings:
    """`turn_seconds`: None for no clock. `cut`: the player before the leader cuts the deck.

    `talk`: what players write to the bot in private is told at the table. `stand_in`: a computer player of
    the middle level plays for those who are away; otherwise the least move is made for them. `hints`: whose
    turn it is may ask what that player would do.
    """

    rules: Rules = field(default_factory=Rules)
    turn_seconds: int | None = 60
    cut: bool = False
    talk: bool = True
    stand_in: bool = False
    hints: bool = False

    def in_match(self, begun: TableSettings) -> TableSettings:
        """What a match that began with other settings makes of these."""
        return replace(self, rules=begun.rules, turn_seconds=begun.turn_seconds, cut=begun.cut)

    def to_document(self) -> dict[str, Any]:
        """JSON-ready; `from_document` gives equal settings back."""
        return {
            "rules": self.rules.to_document(),
            "turn_seconds": self.turn_seconds,
            "cut": self.cut,
            "talk": self.talk,
            "stand_in": self.stand_in,
            "hints": self.hints,
        }

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> TableSettings:
        """The settings that `to_document` wrote, of this version or an earlier one. Raises BadRules."""
        rules = Rules.from_document(document["rules"])
        return cls(
            rules,
            document["turn_seconds"],
            document["cut"],
            document["talk"],
            stand_in=document.get("stand_in", False),
            hints=document.get("hints", False),
        )
