"""The bot's configuration, read from the environment and `.env` and validated before anything starts.

`.env.example` explains every field; a test keeps the two in sync.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationInfo, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.starting import CannotStart
from engine import BadRules, Rules

ENV_FILE = Path(".env")
_ENCODING = "utf-8-sig"
"""UTF-8, with or without a byte order mark."""
_TOKEN = re.compile(r"\d+:[A-Za-z0-9_-]+")
_NAME = re.compile(r"^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=", re.MULTILINE)


class Settings(BaseSettings):
    """All settings; the environment has the same names in capitals."""

    model_config = SettingsConfigDict(
        env_file=ENV_FILE, env_file_encoding=_ENCODING, extra="ignore", hide_input_in_errors=True
    )

    bot_token: SecretStr
    bot_api_url: str = "https://api.telegram.org/bot"
    database_path: Path = Path("data/101.sqlite3")
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    default_rules: str = '{"preset": "classic"}'
    turn_seconds: int = Field(60, ge=0, le=86_400)
    forced_seconds: float = Field(1.0, ge=0, le=10)
    computer_seconds: float = Field(1.0, ge=0, le=10)
    autopilot_seconds: float = Field(3.0, ge=0, le=60)
    hurry_seconds: float = Field(60.0, ge=0, le=3600)
    reminder_from_seconds: float = Field(120.0, ge=1)
    vote_seconds: float = Field(120.0, ge=1, le=86_400)
    next_deal_seconds: float = Field(20.0, ge=0, le=3600)
    cut: bool = False
    cut_seconds: float = Field(20.0, ge=0, le=3600)
    bring_down_seconds: float = Field(60.0, ge=0, le=3600)
    host_seconds: float = Field(180.0, ge=1, le=31_536_000)
    lobby_seconds: float = Field(3600.0, ge=1, le=31_536_000)
    telegram_limits: bool = True
    owner_id: int | None = None
    webhook_url: str = ""
    listen_address: str = "127.0.0.1"
    port: int | None = Field(None, ge=1, le=65535)

    @field_validator("owner_id", "port", mode="before")
    @classmethod
    def _empty_is_unset(cls, value: object) -> object:
        return None if value == "" else value

    @model_validator(mode="after")
    def _webhook_has_a_port(self) -> Self:
        if self.webhook_url and self.port is None:
            raise ValueError("WEBHOOK_URL needs PORT, where updates are to arrive")
        return self

    @field_validator("bot_token")
    @classmethod
    def _is_a_token(cls, secret: SecretStr) -> SecretStr:
        token = secret.get_secret_value().strip()
        if not _TOKEN.fullmatch(token):
            raise ValueError("this is no token; @BotFather gives one: a number, a colon, and letters")
        return SecretStr(token)

    @field_validator("bot_api_url", "webhook_url")
    @classmethod
    def _is_an_address(cls, url: str, info: ValidationInfo) -> str:
        if not url and info.field_name == "webhook_url":
            return url
        try:
            parts = urlsplit(url)
            is_right = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        except ValueError:
            is_right = False
        if not is_right or not url.isprintable() or " " in url:
            raise ValueError("this is no address; it begins with https:// and the name of a machine")
        return url

    @field_validator("webhook_url")
    @classmethod
    def _has_no_path(cls, url: str) -> str:
        parts = urlsplit(url)
        if parts.path not in ("", "/") or parts.query or parts.fragment:
            raise ValueError("nothing stands behind the machine's name and port: the bot adds a path")
        return url

    @field_validator("database_path", mode="before")
    @classmethod
    def _is_a_path(cls, path: object) -> object:
        if path == "":
            raise ValueError("this is no path of a file; leave the line out for data/101.sqlite3")
        return path

    @field_validator("listen_address")
    @classmethod
    def _can_be_looked_up(cls, address: str) -> str:
        try:
            address.encode("idna")
        except UnicodeError:
            raise ValueError("this is no address of a machine, nor its name") from None
        return address

    @field_validator("default_rules")
    @classmethod
    def _are_rules(cls, text: str) -> str:
        try:
            document = json.loads(text)
            if not isinstance(document, dict):
                raise ValueError("not a JSON object")
            Rules.from_document(document)
        except json.JSONDecodeError as error:
            raise ValueError(f"not JSON: {error}") from error
        except BadRules as error:
            raise ValueError(str(error)) from error
        return text

    @property
    def turn_limit(self) -> int | None:
        """The default pace in seconds per turn; None for no clock."""
        return self.turn_seconds or None

    @property
    def rules(self) -> Rules:
        """The default rules."""
        return Rules.from_document(json.loads(self.default_rules))


def read_settings() -> Settings:
    """Read the settings from the environment and `.env`.

    Raises CannotStart if the file cannot be read, and pydantic's ValidationError for invalid or missing
    settings.
    """
    _text_of_env_file()
    return Settings()


def unknown_names() -> Iterator[str]:
    """Yield a line for each name in `.env` that is not a setting, with a suggestion if there is one.

    A name that is also in the environment is taken for another program's, unless it resembles a setting.
    """
    known = {name.upper() for name in Settings.model_fields}
    for name in dict.fromkeys(_NAME.findall(_text_of_env_file())):
        if name.upper() in known:
            continue
        meant = get_close_matches(name.upper(), known, n=1, cutoff=0.75)
        if meant:
            yield f".env: {name} is no setting; did you mean {meant[0]}?"
        elif name not in os.environ:
            yield f".env: {name} is no setting"


def _text_of_env_file() -> str:
    """Read `.env`; empty if there is none. Raises CannotStart if it cannot be read or is not UTF-8."""
    if not ENV_FILE.is_file():
        return ""
    try:
        text = ENV_FILE.read_text(_ENCODING)
    except OSError as error:
        raise CannotStart(f".env: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:  # in UTF-16, every other byte of English text is 0
        raise CannotStart(".env: this is not text in UTF-8; save the file anew, with that encoding")
    return text
