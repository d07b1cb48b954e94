"""Texts of seeds without their names: what a field names is replaced by it, what is left with a name is dropped."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from ragassay.synthesis.scenario.inference.values import dates_in, has_year, names_in
from ragassay.text import sentence_spans

_MONEY = re.compile(
    r"[$€£¥]\s?\d|\d\s?(?:万|亿)?(?:元|美元)|\d(?:,\d{3})+|\d{4,}"
    r"|(?:Article|第)\s?(?:No\.? ?)?[\d一二三四五六七八九十百]+条?"
)


def scrubbed(text: str, names: Mapping[str, str], common: Collection[str], most_chars: int) -> str | None:
    """The first sentences of a text that hold no name, date or sum of the seed; None where there is none.

    names: surface to what stands for it, such as ``{defendant}``; common: lower-case words that are no names.
    """
    found = ""
    for start, end in sentence_spans(text):
        clean = _without_names(text[start:end], names)
        if clean is None or text[start:end].rstrip().endswith((":", "：")) or _telling(clean, common):
            if found:
                break
            continue
        space = " " if found and clean[0].isascii() else ""
        if found and len(found) + len(clean) > most_chars:
            break
        found += space + clean
    found = found.strip().lstrip(":：,，;；.。-— ")
    if not any(sign.isalnum() for sign in found) or len(found) > 2 * most_chars:
        return None
    return found.rstrip("。.;；:：,， ")


def _without_names(text: str, names: Mapping[str, str]) -> str | None:
    text = re.sub(r"[{}]", " ", text)
    marks: dict[str, str] = {}
    for at, surface in enumerate(sorted(names, key=len, reverse=True)):
        bounds = (r"(?<![\w])", r"(?![\w])") if surface[0].isascii() else ("", "")
        if re.search(bounds[0] + re.escape(surface) + bounds[1], text):
            mark = f"\x00{at}\x00"
            text = re.sub(rf"(?:(?:Mr|Ms|Mrs|Dr)\.? )?{bounds[0]}{re.escape(surface)}{bounds[1]}", mark, text)
            marks[mark] = names[surface]
    for mark, field in marks.items():
        if not field:
            return None
        text = text.replace(mark, field)
    return text


def _telling(text: str, common: Collection[str]) -> bool:
    """Whether a text still says something that belongs to one seed."""
    bare = re.sub(r"\{[a-z][a-z0-9_]*\}", "x", text)
    return bool(_MONEY.search(bare) or dates_in(bare) or names_in(bare, common))


__all__ = ["has_year", "scrubbed"]
