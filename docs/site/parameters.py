"""Our docstrings for mkdocstrings: what they say of parameters becomes the section that draws the table."""

from __future__ import annotations

import re
from typing import Any

import griffe

GENERAL = re.compile(r"(?:^|(?<=\. ))(?=(?:Raises|Warns|The rest is|The arguments are)\b)", re.MULTILINE)
PAGE = re.compile(r"\bdocs/([a-z-]+)\.md\b")


class Parameters(griffe.Extension):
    """``documents, chunks: as for ``run``. out: folder.`` is what a docstring says of three parameters."""

    def on_function(self, *, func: griffe.Function, **_: Any) -> None:
        if func.docstring is not None:
            names = [each.name for each in func.parameters]
            func.docstring.value = as_sections(func.docstring.value, names)

    def on_class(self, *, cls: griffe.Class, **_: Any) -> None:
        if cls.docstring is not None:
            names = [name for name, each in cls.members.items() if each.is_attribute]
            cls.docstring.value = as_sections(cls.docstring.value, names, "Attributes")


def as_sections(text: str, names: list[str], section: str = "Args") -> str:
    """The docstring with what it says of these names in a section of Google's style."""
    text = PAGE.sub(r"[\1](\1.md)", text)
    if not names:
        return text
    either = "|".join(map(re.escape, names))
    start = re.compile(rf"(?:^|(?<=[.;] ))((?:{either})(?:, (?:{either}))*): ", re.MULTILINE)
    said: dict[str, str] = {}
    rest = []
    for piece in GENERAL.split(text):
        before, *named = start.split(piece)
        rest.append(before)
        for these, meaning in zip(named[::2], named[1::2], strict=True):
            words, general = _own(meaning)
            rest.append(general)
            said |= dict.fromkeys(these.split(", "), words)
    rows = "".join(f"\n    {name}: {said[name]}" for name in names if name in said)
    body = "\n\n".join(filter(None, (each.strip() for each in rest)))
    return f"{body}\n\n{section}:{rows}\n" if rows else body


def _own(meaning: str) -> tuple[str, str]:
    """What is about the parameter, and what follows in a paragraph or sentence on a line of its own."""
    own, blank, general = meaning.partition("\n\n")
    lines = own.splitlines()
    for place in range(1, len(lines)):
        if lines[place - 1].endswith(".") and lines[place][:1].isupper():
            own, general = "\n".join(lines[:place]), "\n".join(lines[place:]) + blank + general
            break
    words = " ".join(own.split()).rstrip(";")
    return words[:1].upper() + words[1:], general
