"""Keypoints with one thing changed: a number, a month, a negation, a name. For ``judge.py``."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any

from ragassay.models.embedded.reading.grammar import lemma
from ragassay.tasks.verdicts import KeypointsOnAnswer

MONTHS = "January February March April May June July August September October November December".split()
KINDS = ("true", "number", "month", "negation", "entity")


def corrupted(rows: Sequence[dict[str, Any]]) -> dict[str, list[KeypointsOnAnswer]]:
    """Kind of change to keypoints, each against the references that it was made from; ``true`` are unchanged."""
    entities = sorted(
        {name for row in rows for text in row["ground_truth"]["keypoints"] for name in ENTITY.findall(text)}
    )
    chance = random.Random(0)
    kinds: dict[str, list[KeypointsOnAnswer]] = {name: [] for name in KINDS}
    for row in rows:
        answer = " ".join(row["ground_truth"]["references"])
        for text in row["ground_truth"]["keypoints"]:
            keypoint = re.sub(r"^\d+\.\s*", "", text)
            changed = {
                "true": keypoint,
                "number": other_number(keypoint),
                "month": other_month(keypoint),
                "negation": negated(keypoint),
                "entity": other_entity(keypoint, entities, chance),
            }
            for kind, changed_text in changed.items():
                if changed_text:
                    kinds[kind].append(
                        KeypointsOnAnswer(question=row["query"]["content"], keypoints=(changed_text,), answer=answer)
                    )
    return kinds


ENTITY = re.compile(
    r"\b(?:[A-Z][A-Za-z]+ )+(?:Ltd\.|Inc\.|Corporation|Corp|Group|Solutions|Services|Co\.|Innovations|Emporium|Company)"
)


def other_number(text: str) -> str | None:
    """The first number that is neither a year nor a day of a month, made half as large again and one more."""
    for match in re.finditer(r"(?<![\w.,-])(\d+(?:,\d{3})*(?:\.\d+)?)(?!\w)", text):
        if re.fullmatch(r"(?:19|20)\d\d", match[1]) or re.search(rf"(?:{'|'.join(MONTHS)}) $", text[: match.start()]):
            continue
        value = float(match[1].replace(",", "")) * 1.5 + 1
        written = f"{value:.1f}" if "." in match[1] else str(int(value))
        return text[: match.start()] + written + text[match.end() :]
    return None


def other_month(text: str) -> str | None:
    match = re.search(rf"\b(?:{'|'.join(MONTHS)})\b", text)
    if match is None:
        return None
    return text[: match.start()] + MONTHS[(MONTHS.index(match.group()) + 5) % 12] + text[match.end() :]


def negated(text: str) -> str | None:
    """ "was" becomes "was not", "acquired" becomes "did not acquire"."""
    if " not " in text:
        return None
    match = re.search(r"\b(?:is|are|was|were|has|have|had|will|can|could|would|should)\b", text)
    if match is not None:
        return text[: match.end()] + " not" + text[match.end() :]
    match = re.search(r"(?<=\w )[a-z]{3,}ed\b", text)
    if match is None:
        return None
    base = lemma(match.group())
    return f"{text[: match.start()]}did not {base}{text[match.end() :]}"


def other_entity(text: str, entities: Sequence[str], chance: random.Random) -> str | None:
    match = ENTITY.search(text)
    if match is None:
        return None
    others = [name for name in entities if name.split()[0] != match.group().split()[0]]
    return text[: match.start()] + chance.choice(others) + text[match.end() :]
