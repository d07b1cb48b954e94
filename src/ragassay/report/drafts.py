"""What is said of drafts: how many there are, what that means for figures, and how a person mends them."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from ragassay.records import Example
from ragassay.report.wording import count, noun


def drafts_among(drafts: Mapping[str, int], delivered: Mapping[str, int]) -> str:
    """``21 of 38 examples are drafts``; empty where none is. Both: label to count."""
    few, all_ = sum(drafts.values()), sum(delivered.values())
    return f"{count(few)} of {count(all_, 'example')} {noun(few, 'is a draft', 'are drafts')}" if few else ""


def doubt_of_drafts(drafts: Mapping[str, int], delivered: Mapping[str, int]) -> str:
    """What figures over them are worth, in a sentence; empty where none is a draft."""
    among = drafts_among(drafts, delivered)
    return f"{among}, to be mended by a person (ragassay annotate --task mend): figures rest on them." if among else ""


def doubts_of(examples: Iterable[Example]) -> tuple[str, ...]:
    """The same of examples at hand, if any of them is a draft."""
    labels, drafts = Counter[str](), Counter[str]()
    for each in examples:
        labels[each.label] += 1
        drafts[each.label] += each.is_draft
    said = doubt_of_drafts(drafts, labels)
    return (said,) if said else ()


def to_be_mended(drafts: Mapping[str, int], delivered: Mapping[str, int], folder: Path) -> str:
    """How many examples are drafts, with the command that mends them; empty where none is."""
    few, all_ = sum(drafts.values()), sum(delivered.values())
    if not few:
        return ""
    command = ("ragassay", "annotate", folder, "--task", "mend", "--annotators", "me", "--out", f"{folder}-mended")
    of_them = noun(few, "a draft", "drafts")
    return f"{count(all_, 'example')}, {count(few)} of them {of_them} to be mended: {shlex.join(map(str, command))}"
