"""The token store: who this machine's players are at which server.

A JSON file, readable by its owner only: ``{server: {name: token}}``. Whoever has a token is that player.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from samedrop_cli.exits import CommandError, Exit

FILE_NAME = "tokens.json"
_OWNER_ONLY = 0o600


def home(environment: Mapping[str, str]) -> Path:
    """The folder for what samedrop keeps: $SAMEDROP_HOME, or samedrop in the user's folder for configuration."""
    if chosen := environment.get("SAMEDROP_HOME"):
        return Path(chosen)
    return Path(environment.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "samedrop"


class TokenStore:
    """Tokens by server URL and name."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = folder / FILE_NAME

    def get(self, server: str, name: str) -> str | None:
        """The kept token of that player, or None."""
        return self._read().get(server, {}).get(name)

    def keep(self, server: str, name: str, token: str) -> None:
        """Keep a token; does nothing if it is kept already.

        Raises:
            CommandError: the file cannot be written.
        """
        tokens = self._read()
        if tokens.get(server, {}).get(name) != token:
            tokens.setdefault(server, {})[name] = token
            self._write(tokens)

    def _read(self) -> dict[str, dict[str, str]]:
        try:
            content = json.loads(self._file.read_text("utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            text = f"{self._file} cannot be read ({error}); mend or remove it, or play with --guest."
            raise CommandError(text, Exit.INPUT) from error
        if not isinstance(content, dict) or not all(isinstance(names, dict) for names in content.values()):
            raise CommandError(f"{self._file} is not a file of tokens; mend or remove it.", Exit.INPUT)
        return content

    def _write(self, tokens: dict[str, dict[str, str]]) -> None:
        """Put a new file in place of the old one, so that there is always a whole one."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            # A temporary file can be read by its owner only, from the start.
            descriptor, temporary = tempfile.mkstemp(dir=self._folder, prefix=FILE_NAME)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                json.dump(tokens, file, indent=2, ensure_ascii=False)
                file.write("\n")
            Path(temporary).chmod(_OWNER_ONLY)
            Path(temporary).replace(self._file)
        except OSError as error:
            text = f"{self._file} cannot be written ({error.strerror}); play with --guest to keep no token."
            raise CommandError(text, Exit.INPUT) from error
