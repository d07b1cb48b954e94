"""Files in which users write settings: names with values, as YAML, TOML or JSON."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from ragassay.errors import InputError


def read_settings(path: Path) -> dict[str, Any]:
    """What a file holds; what it is can be told from the end of its name, YAML if from nothing else.

    Raises InputError for a file that cannot be read, or holds no names with values.
    """
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}); give a YAML, TOML or JSON file") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 (byte {error.start}); save it as UTF-8") from None
    kind = {".toml": "TOML", ".json": "JSON"}.get(path.suffix.lower(), "YAML")
    try:
        value = tomllib.loads(text) if kind == "TOML" else json.loads(text) if kind == "JSON" else _yaml(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is no valid {kind} ({' '.join(str(error).split())[:200]})") from None
    if not isinstance(value, dict):
        raise InputError(f"{path} holds no names with values; the documentation of the command shows one")
    return value


def _yaml(text: str) -> Any:
    import yaml  # imported late: most commands read none

    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from None
