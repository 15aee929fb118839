"""House rules as data: the settings there are, the presets made of them, and `Rules`, one choice of each.

A document such as ``{"preset": "five_card", "limit": 120}`` becomes a `Rules`, or raises `BadRules`, which
names the setting at fault. What settings mean is implemented where they act: `engine.matching` for single
cards, `engine.game` for turns, `engine.scoring` for points.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum, auto
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from engine.cards import CARDS, RANKS, Card, card_code, parse_card, rank_of
from engine.effects import Effect
from engine.matching import CardLookup, card_lookup
from engine.moves import Illegal, Reason

EffectTable: TypeAlias = tuple[tuple[str, Effect], ...]
"""(rank or card code, effect) pairs in normal form: see `_normalised`."""

MOST_SEATS: Final = 10


class BadRules(Illegal):
    """The refusal of invalid rules: `setting` is the name at fault, and the detail begins with it.

    >>> Rules.from_document({"limit": 20})
    Traceback (most recent call last):
        ...
    engine.rules.BadRules: bad_rules: limit: must be a whole number from 50 to 1000
    """

    def __init__(self, setting: str, detail: str) -> None:
        super().__init__(Reason.BAD_RULES, f"{setting}: {detail}")
        self.setting = setting


class SettingKind(StrEnum):
    """The kinds of values that settings take.

    >>> SETTINGS["limit"].kind is SettingKind.NUMBER
    True
    """

    CHOICE = auto()
    """One of `Setting.values`."""
    NUMBER = auto()
    """A whole number from `Setting.lowest` to `Setting.highest`."""
    RANKS = auto()
    """A list of ranks."""
    EFFECTS = auto()
    """An effect for each of some ranks or single cards, merged into the preset's table."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting: its name, its possible values, and its value in the classic game.

    >>> SETTINGS["draw"].values
    ('until_playable', 'one_then_play', 'one_then_pass')
    >>> SETTINGS["limit"].parse(120)
    120
    """

    name: str
    kind: SettingKind
    default: Any
    values: tuple[Any, ...] = ()
    lowest: int = 0
    highest: int = 0

    def parse(self, value: object) -> Any:
        """Convert a value from a document to the form that `Rules` holds. Raises `BadRules`."""
        match self.kind:
            case SettingKind.CHOICE:
                if any(type(value) is type(known) and value == known for known in self.values):
                    return value
                raise BadRules(
                    self.name, "must be one of " + ", ".join(str(known).lower() for known in self.values)
                )
            case SettingKind.NUMBER:
                if type(value) is int and self.lowest <= value <= self.highest:
                    return value
                raise BadRules(self.name, f"must be a whole number from {self.lowest} to {self.highest}")
            case SettingKind.RANKS:
                if isinstance(value, list | tuple) and all(
                    isinstance(rank, str) and rank in RANKS for rank in value
                ):
                    return tuple(rank for rank in RANKS if rank in value)
                raise BadRules(self.name, "must be a list of ranks")
            case _:
                return _parse_effects(value)


_EFFECT_KEYS: Final = frozenset(RANKS) | {card_code(card) for card in CARDS}
_EFFECT_VALUES: Final = frozenset(effect.value for effect in Effect)


def _parse_effects(value: object) -> EffectTable:
    if not isinstance(value, Mapping):
        raise BadRules("effects", "must give effects by rank or card")
    for key, effect in value.items():
        if key not in _EFFECT_KEYS:
            raise BadRules("effects", f"{key!r} is neither a rank nor a card")
        if not isinstance(effect, str) or effect not in _EFFECT_VALUES:
            raise BadRules("effects", f"{key}: must be one of " + ", ".join(Effect))
    return tuple(sorted((key, Effect(effect)) for key, effect in value.items()))


def _of_card(table: Mapping[str, Effect], card: Card) -> Effect:
    """The effect of a card in the table: its own entry, else its rank's."""
    return table.get(card_code(card), table.get(RANKS[rank_of(card)], Effect.NONE))


def _normalised(table: Mapping[str, Effect]) -> EffectTable:
    """The table sorted and without redundant entries.

    Redundant are "none" for a rank, and for a card the effect of its rank.
    """
    ranks = {rank: table[rank] for rank in RANKS if table.get(rank, Effect.NONE) is not Effect.NONE}
    singles = {
        card_code(card): effect
        for card in CARDS
        if (effect := _of_card(table, card)) is not ranks.get(RANKS[rank_of(card)], Effect.NONE)
    }
    return tuple(sorted((ranks | singles).items()))


def _choice(name: str, *values: Any) -> Setting:
    return Setting(name, SettingKind.CHOICE, values[0], values=values)


CLASSIC_EFFECTS: Final[EffectTable] = (
    ("6", Effect.TAKE1),
    ("7", Effect.TAKE2),
    ("8", Effect.COVER),
    ("A", Effect.SKIP),
    ("KS", Effect.TAKE4),
    ("Q", Effect.WILD),
)

SETTINGS: Final[Mapping[str, Setting]] = MappingProxyType(
    {
        setting.name: setting
        for setting in (
            _choice("deck", 36, 52, 72),
            _choice("hand_size", 4, 3, 5, 6, 7, 8),
            _choice("opening", "any", "last_dealt", "turn_up"),
            _choice("next_leader", "winner", "rotate", "loser"),
            _choice("draw", "until_playable", "one_then_play", "one_then_pass"),
            _choice("voluntary_draw", "never", "always"),
            _choice("stock_out", "pass", "recycle"),
            _choice("recycle", "flip", "shuffle"),
            Setting("effects", SettingKind.EFFECTS, CLASSIC_EFFECTS),
            _choice("cover_by_wild", True, False),
            _choice("cover_draw", "until", "one"),
            _choice("finish_on_cover", "must_cover", "ends_round"),
            Setting("transfer", SettingKind.RANKS, ()),
            _choice("finish_effect", "ignored", "applied"),
            _choice("points", "classic", "nine_zero", "heavy"),
            _choice("lone_queen", "off", "20_40"),
            _choice("finish_bonus", "none", "queens", "queens_king"),
            _choice("double_on_queen_finish", False, True),
            Setting("limit", SettingKind.NUMBER, 101, lowest=50, highest=1000),
            _choice("exact_limit", "stay", "zero", "zero_and_half"),
            _choice("game_end", "last_survivor", "first_bust"),
            _choice("negatives", "allow", "floor_zero"),
        )
    }
)

CLASSIC: Final = "classic"

PRESETS: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {
        CLASSIC: {},
        "one_card": {
            "draw": "one_then_play",
            "recycle": "shuffle",
            "finish_bonus": "queens",
            "exact_limit": "zero",
        },
        "five_card": {
            "hand_size": 5,
            "opening": "last_dealt",
            "next_leader": "rotate",
            "draw": "one_then_play",
            "effects": {"8": "none", "9": "cover", "7S": "take4"},
            "finish_bonus": "queens",
            "exact_limit": "zero",
        },
        "cover_six": {
            "opening": "last_dealt",
            "draw": "one_then_play",
            "effects": {"6": "cover", "8": "none", "7S": "take4", "K": "load4", "KS": "take5"},
            "exact_limit": "zero",
        },
        "heavy_six": {
            "draw": "one_then_play",
            "effects": {"6": "take2", "7": "take1", "KS": "take5"},
            "points": "nine_zero",
            "finish_bonus": "queens",
            "exact_limit": "zero",
        },
        "take_and_pass": {"hand_size": 5, "draw": "one_then_pass", "exact_limit": "zero"},
        "game_108": {
            "hand_size": 5,
            "draw": "one_then_play",
            "transfer": ["6", "7"],
            "points": "heavy",
            "finish_bonus": "queens_king",
            "limit": 108,
            "exact_limit": "zero_and_half",
        },
    }
)
"""What each preset changes in the classic game, in the form of a settings document."""


@dataclass(frozen=True, slots=True)
class Rules:
    """One choice of every setting. `Rules()` is the classic game; documents are read with `from_document`.

    The constructor trusts its arguments: values are checked where they enter, in `from_document`.

    >>> rules = Rules.from_document({"preset": "five_card", "limit": 120})
    >>> rules.hand_size, rules.limit
    (5, 120)
    >>> rules.to_document()
    {'preset': 'five_card', 'limit': 120}
    """

    preset: str = CLASSIC
    deck: int = 36
    hand_size: int = 4
    opening: str = "any"
    next_leader: str = "winner"
    draw: str = "until_playable"
    voluntary_draw: str = "never"
    stock_out: str = "pass"
    recycle: str = "flip"
    effects: EffectTable = CLASSIC_EFFECTS
    cover_by_wild: bool = True
    cover_draw: str = "until"
    finish_on_cover: str = "must_cover"
    transfer: tuple[str, ...] = ()
    finish_effect: str = "ignored"
    points: str = "classic"
    lone_queen: str = "off"
    finish_bonus: str = "none"
    double_on_queen_finish: bool = False
    limit: int = 101
    exact_limit: str = "stay"
    game_end: str = "last_survivor"
    negatives: str = "allow"
    lookup: CardLookup = field(init=False, repr=False, compare=False)
    """What the settings imply for single cards."""

    def __post_init__(self) -> None:
        by_entry = dict(self.effects)
        effects = tuple(_of_card(by_entry, card) for card in CARDS)
        lookup = card_lookup(effects, self.transfer, self.cover_by_wild, self.points)
        object.__setattr__(self, "lookup", lookup)

    @classmethod
    def from_document(cls, document: Mapping[str, object]) -> "Rules":
        """Rules from ``{"preset": …, setting: value, …}``, everything optional. Raises `BadRules`."""
        preset = document.get("preset", CLASSIC)
        if not isinstance(preset, str) or preset not in PRESETS:
            raise BadRules("preset", "must be one of " + ", ".join(PRESETS))
        chosen: dict[str, Any] = {name: setting.default for name, setting in SETTINGS.items()}
        overrides = {name: value for name, value in document.items() if name != "preset"}
        for layer in (PRESETS[preset], overrides):
            for name, value in layer.items():
                if name not in SETTINGS:
                    raise BadRules(str(name), "there is no such setting")
                parsed = SETTINGS[name].parse(value)
                chosen[name] = _normalised(dict(chosen[name]) | dict(parsed)) if name == "effects" else parsed
        return cls(preset=preset, **chosen)

    def to_document(self) -> dict[str, Any]:
        """The shortest document for these rules: the preset, and the settings that differ from it."""
        plain = Rules.from_document({"preset": self.preset})
        document: dict[str, Any] = {"preset": self.preset}
        for name, setting in SETTINGS.items():
            mine, theirs = getattr(self, name), getattr(plain, name)
            if mine == theirs:
                continue
            if setting.kind is SettingKind.EFFECTS:
                document[name] = _effects_changed(dict(theirs), dict(mine))
            else:
                document[name] = list(mine) if setting.kind is SettingKind.RANKS else mine
        return document

    def effect_of(self, card: Card) -> Effect:
        """The effect of the card when it is laid."""
        return self.lookup.effects[card]

    def points_of(self, card: Card) -> int:
        """The card's penalty points at the end of a round (a lone queen may count differently)."""
        return self.lookup.points[card]

    @property
    def max_seats(self) -> int:
        """The most players at once: ten, and no more than two thirds of the deck dealt out."""
        return min(MOST_SEATS, 2 * self.deck // (3 * self.hand_size))


def _effects_changed(theirs: Mapping[str, Effect], mine: Mapping[str, Effect]) -> dict[str, str]:
    """The overrides that turn one normal table into another."""
    changed: dict[str, str] = {}
    for key in sorted(theirs.keys() | mine.keys()):
        if theirs.get(key) is not mine.get(key):
            says = mine.get(key, Effect.NONE) if key in RANKS else _of_card(mine, parse_card(key))
            changed[key] = str(says)
    return changed
