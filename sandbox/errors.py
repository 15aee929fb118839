"""Refusals: the Bot API's in Telegram's words, and the control routes' in ours.

Telegram's words come from its open-source server (github.com/tdlib/telegram-bot-api, ``Client.cpp``) and from
the error names of its data centres (``BUTTON_DATA_INVALID`` and the like).
"""

from typing import Any


class ApiError(Exception):
    """A refused Bot API call.

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
        """The complete response body."""
        body: dict[str, Any] = {"ok": False, "error_code": self.code, "description": self.description}
        return body | ({"parameters": self.parameters} if self.parameters else {})


def bad_request(words: str) -> ApiError:
    """400: the request can't be executed as it is."""
    return ApiError(400, f"Bad Request: {words}")


def forbidden(words: str) -> ApiError:
    """403: the bot has no access."""
    return ApiError(403, f"Forbidden: {words}")


def conflict(words: str) -> ApiError:
    """409: two receivers of the same updates."""
    return ApiError(409, f"Conflict: {words}")


def too_many_requests(retry_after: int) -> ApiError:
    """429: a limit is exceeded; ``retry_after`` in whole seconds."""
    return ApiError(429, f"Too Many Requests: retry after {retry_after}", retry_after=retry_after)


class ControlError(Exception):
    """A control route was asked for something impossible."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
