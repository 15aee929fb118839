"""Refusals: the Bot API's, in Telegram's words, and the control routes', in ours.

Telegram's words are those of its open-source server (github.com/tdlib/telegram-bot-api, ``Client.cpp``) and
of the error names its data centres answer with (``BUTTON_DATA_INVALID`` and the like).
"""

from typing import Any


class ApiError(Exception):
    """What a Bot API call is answered with instead of a result.

    ``parameters`` become Telegram's ``ResponseParameters``: ``retry_after`` (seconds),
    ``migrate_to_chat_id``.
    """

    def __init__(self, code: int, description: str, **parameters: Any) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.parameters = parameters

    @property
    def body(self) -> dict[str, Any]:
        """The whole answer."""
        body: dict[str, Any] = {"ok": False, "error_code": self.code, "description": self.description}
        return body | ({"parameters": self.parameters} if self.parameters else {})


def bad_request(words: str) -> ApiError:
    """400: the request cannot be carried out as it is."""
    return ApiError(400, f"Bad Request: {words}")


def forbidden(words: str) -> ApiError:
    """403: the bot has no business there."""
    return ApiError(403, f"Forbidden: {words}")


def conflict(words: str) -> ApiError:
    """409: two receivers of the same updates."""
    return ApiError(409, f"Conflict: {words}")


def too_many_requests(retry_after: int) -> ApiError:
    """429: over a limit; ``retry_after`` in whole seconds."""
    return ApiError(429, f"Too Many Requests: retry after {retry_after}", retry_after=retry_after)


class ControlError(Exception):
    """A control route was asked for something that no person could do."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
