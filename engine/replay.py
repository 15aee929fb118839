"""Replaying a document: set up its position, make its moves, and return the final position or the error."""

import json
from collections.abc import Mapping
from typing import Any

from engine.game import apply
from engine.moves import BadDocument, Illegal
from engine.notation import is_deal, load_position, parse_move, position_state


def replay(document: object) -> dict[str, Any]:
    """The answer to a document: ``{"ok": …, "error": …, "state": …}``. Never raises.

    A refused move ends the replay: ``state`` is the position before it. If the set-up is at fault,
    ``state`` and the error's ``move`` are None.
    """
    try:
        moves = _moves(document)
        match = load_position(document)
    except Illegal as refusal:
        return {"ok": False, "error": _error(None, refusal), "state": None}
    for index, text in enumerate(moves):
        try:
            match = apply(match, parse_move(match, text)).match
        except Illegal as refusal:
            return {"ok": False, "error": _error(index, refusal), "state": position_state(match)}
    return {"ok": True, "error": None, "state": position_state(match)}


def replay_text(text: bytes) -> dict[str, Any]:
    """The answer to a document in JSON; invalid JSON is a bad_document. Never raises."""
    try:
        document = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return {"ok": False, "error": _error(None, BadDocument("not JSON")), "state": None}
    return replay(document)


def _refuse_constant(_: str) -> None:
    """Refuse NaN and the infinities, which Python would accept though they are not JSON."""
    raise ValueError


def _moves(document: object) -> list[object]:
    """The moves of a document.

    Raises `BadDocument`, also where there is neither a round to start from nor a deal to start one.
    """
    if not isinstance(document, Mapping):
        raise BadDocument("document: must be an object")
    moves = document.get("moves")
    if moves is None:
        moves = []
    if not isinstance(moves, list):
        raise BadDocument("moves: must be a list")
    if document.get("round") is None and not any(is_deal(move) for move in moves):
        raise BadDocument("round: missing, and no deal among the moves")
    return moves


def _error(move: int | None, refusal: Illegal) -> dict[str, Any]:
    error: dict[str, Any] = {"move": move, "reason": str(refusal.reason)}
    if refusal.detail:
        error["detail"] = refusal.detail
    return error
