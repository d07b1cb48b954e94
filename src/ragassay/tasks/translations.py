"""Instructions in other languages than English: a file for each, in ``translated/``, that only this module reads.

A translation holds for one English text, which its digest names: where that was changed since, English is used.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib import resources
from typing import Any

from ragassay.language import detect_language
from ragassay.tasks.base import Material

ENGLISH = "en"
OF_DOCUMENT = "document"
"""Each prompt in the language of what it is about."""
TRANSLATED = ("de", "zh")
"""ISO 639-1 codes of the files."""
UNKNOWN = "und"
DIGITS = 12


def digest(text: str) -> str:
    """Names an English text in the files."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:DIGITS]


def translated(text: str, language: str) -> str | None:
    """An English text in another language, or None: there is no translation, or one of an earlier text."""
    return _table(language).get(digest(text)) if language in TRANSLATED else None


def language_of(inputs: Any, material: Iterable[Material]) -> str:
    """ISO 639-1 code of what a task is about: as its input says, else as its material reads; or "und"."""
    stated = getattr(getattr(inputs, "passage", inputs), "language", UNKNOWN)
    if isinstance(stated, str) and stated != UNKNOWN:
        return stated
    return detect_language("\n".join(text for _, text in material))


@lru_cache
def _table(language: str) -> Mapping[str, str]:
    file = resources.files("ragassay.tasks.translated").joinpath(f"{language}.toml")
    found = tomllib.loads(file.read_text("utf-8"))
    words = {digest(english): text for english, text in found["words"].items()}
    return words | {each["of"]: each["text"] for each in found["prompts"].values()}
