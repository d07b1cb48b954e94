"""What a seed document says under which heading and name: its pairs, lists and running prose."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ragassay.records import Block, Document
from ragassay.synthesis.scenario.inference.values import is_date, leading_date

_NUMBERING = re.compile(
    r"^\s*(?:第?[一二三四五六七八九十]{1,3}[、.．部]|[（(][一二三四五六七八九十\dA-Za-z]{1,3}[)）]|[IVXLC]{1,5}[.)]|\d{1,3}[.)、．]"
    r"|[A-Z][.)]|[-•*#])\s*"
)
_NAMED_HEADING = re.compile(
    r"(?P<name>[\u4e00-\u9fff]{2,16}?(?P<kind>人民法院|人民检察院|(?:人民|中心|中医)?医院))(?:刑?事?民?事?判决书|病历)?$"
)
"""A heading that names who issued the document, and so is a value and no name."""
_NEXT_KEY = re.compile(r"\s+(?=(?:[\u4e00-\u9fff]\s?){2,6}：)")
_MOST_LABEL_WORDS = 7
_MOST_LABEL_HAN = 14
_GENERAL = re.compile(r"\s*\b(?:information|details|particulars|data)\b\s*$|(?:信息|情况|资料|说明)$", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?。！？；;]")


@dataclass(frozen=True, slots=True)
class Entry:
    """One statement of a seed. section: the heading above; label: its name, empty in running prose.

    item: it is one of a list without names of their own that all seeds share.
    """

    section: str
    label: str
    value: str
    kind: Literal["pair", "item", "prose"]


def outline(seed: Document) -> list[Entry]:
    """The statements of a seed in its order; names without numbering and emphasis, equal ones made distinct."""
    return _apart(_grouped(list(_entries(seed))))


def plain_label(text: str) -> str:
    """A heading or name without numbering, emphasis and colon."""
    text = re.sub(r"[*_`#\\]+", "", text).strip()
    before = None
    while before != text:
        before, text = text, _NUMBERING.sub("", text).strip()
    text = re.sub(r"(?<=[\u4e00-\u9fff]) +(?=[\u4e00-\u9fff])", "", " ".join(text.strip(" :：-—–.").split()))
    return text.capitalize() if text.isupper() and text.isascii() else text


def is_label(text: str) -> bool:
    """Whether a text is short enough for a name, and no sentence."""
    if (
        not text
        or re.search("[,，]", text)
        or not any(sign.isalpha() for sign in text)
        or _SENTENCE_END.search(text.rstrip("."))
    ):
        return False
    han = sum("\u4e00" <= sign <= "\u9fff" for sign in text)
    return han <= _MOST_LABEL_HAN if han else len(text.split()) <= _MOST_LABEL_WORDS


def _entries(seed: Document) -> Iterator[Entry]:
    values = {(block.group, block.row): block for block in seed.blocks if block.kind == "value"}
    taken = [(block.start, block.end) for block in seed.blocks if block.kind in ("key", "value")]
    section = ""
    for block in sorted(seed.blocks, key=lambda each: each.start):
        text = seed.text[block.start : block.end]
        organisation = _NAMED_HEADING.match(plain_label(text)) if block.kind in ("title", "heading") else None
        if organisation:
            yield Entry("", organisation["kind"], organisation["name"], "pair")
        elif block.kind == "heading":
            label, colon, value = _halves(text)
            if colon and value and is_label(label):
                yield Entry(section, label, value, "pair")
            elif is_label(plain_label(text)):
                section = plain_label(text)
        elif block.kind == "key":
            value_block = values.get((block.group, block.row))
            yield from _pair(section, text, seed.text[value_block.start : value_block.end] if value_block else "")
        elif block.kind in ("paragraph", "item", "step") and not _inside(block, taken):
            yield from _prose(section, text, item=block.kind != "paragraph")


def _inside(block: Block, taken: Sequence[tuple[int, int]]) -> bool:
    """Whether a block is what keys and values say already."""
    return any(start >= block.start and end <= block.end for start, end in taken)


def _halves(text: str) -> tuple[str, str, str]:
    left, colon, right = re.sub(r"[*_`]+", "", text).replace("：", ":").partition(":")
    return plain_label(left), colon, " ".join(right.split())


def _pair(section: str, key: str, value: str) -> Iterator[Entry]:
    label = plain_label(key)
    value, *rest = _NEXT_KEY.split(" ".join(value.split()).strip("*_ "))
    for more in rest:  # several names on one line
        name, _, its = more.partition("：")
        yield from _pair(section, name, its)
    if is_date(label):  # a list of what happened when
        yield Entry(section, "", f"{label} {value}", "prose")
    elif value and is_label(label) and not value.endswith(("：", ":")) and not value.startswith("["):
        yield Entry(section, label, value, "pair")


def _prose(section: str, text: str, item: bool) -> Iterator[Entry]:
    for line in text.split("\n"):
        label, colon, value = _halves(line)
        if colon and is_date(label):
            yield Entry(section, "", f"{label} {value}", "prose")
        elif colon and value and is_label(label):
            yield Entry(section, label, value, "item" if item else "pair")
        elif line.strip():
            yield Entry(section, "", _NUMBERING.sub("", line).strip("*_ "), "item" if item else "prose")


def _grouped(entries: list[Entry]) -> list[Entry]:
    """Rows such as Event, Date, Description, over and over: each row is called by its first value."""
    counts = Counter((each.section, each.label) for each in entries if each.label)
    found: list[Entry] = []
    called: dict[str, str] = {}
    for each in entries:
        repeated = counts[each.section, each.label] > 1 if each.label else False
        first = called.get(each.section, "")
        if repeated and is_label(each.value) and not leading_date(each.value) and (not first or first == each.label):
            called[each.section] = each.label
            called[f"{each.section}\0"] = each.value
        elif repeated and first:
            name = called[f"{each.section}\0"]
            short = bool(leading_date(each.value)) and len(each.value) < 40
            found.append(replace(each, label=name) if short else replace(each, label="", section=name, kind="prose"))
        else:
            found.append(each)
    return found


def _apart(entries: list[Entry]) -> list[Entry]:
    """Two of a name in several sections are called by their sections too: the defendant's name, the lawyer's name."""
    sections: dict[str, set[str]] = {}
    for each in entries:
        if each.label:
            sections.setdefault(each.label.lower(), set()).add(each.section)
    found = []
    stated: set[tuple[str, str]] = set()
    for each in entries:
        if each.label and any(label == each.label.lower() and value.startswith(each.value) for label, value in stated):
            continue  # who signs at the end was named before
        stated.add((each.label.lower(), each.value))
        if len(sections.get(each.label.lower(), ())) > 1 and each.section:
            owner = _GENERAL.sub("", each.section).strip()
            space = "" if owner and "\u4e00" <= owner[-1] <= "\u9fff" else " "
            label = f"{owner}{space}{each.label.lower()}"
            found.append(replace(each, label=label) if owner and is_label(label) else each)
        else:
            found.append(each)
    return found
