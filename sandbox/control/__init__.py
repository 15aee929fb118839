"""The control routes: what people do and see, for tests, drivers and the page (docs/SANDBOX.md)."""

from sandbox.control import actions, questions

__all__ = ["actions", "questions"]
