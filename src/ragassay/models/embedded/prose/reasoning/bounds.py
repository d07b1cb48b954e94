"""Numbers with a bound, as sentences give them: "within 30 days", "at least two", "more than €50", "18 or older"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ragassay.models.embedded.prose.forms.kinds import is_person

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

Side = Literal["at_most", "below", "at_least", "above", "within"]

NUMBER_WORDS = {
    word: value
    for value, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
}
NAMES = {value: word for word, value in NUMBER_WORDS.items()}

_CUES: tuple[tuple[str, Side], ...] = (
    (
        r"(?:at most|up to|no more than|not more than|(?:a |the )?maximum of|no longer than|not exceed(?:ing)?)",
        "at_most",
    ),
    (r"(?:less than|fewer than|under|below|shorter than|smaller than)", "below"),
    (r"(?:at least|no less than|no fewer than|not less than|(?:a |the )?minimum of|at the very least)", "at_least"),
    (r"(?:more than|over|above|greater than|longer than|larger than|exceeds?|exceeding)", "above"),
    (r"(?:within|no later than|not later than)", "within"),
)
_AMOUNT = (
    r"(?P<sign>[€$£]\s?)?(?P<number>\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?|"
    + "|".join(word for word in NUMBER_WORDS if word != "zero")
    + r")(?![\w.,/:-]*\d)(?![-/:])(?P<percent>\s?%|\s?per ?cent\b)?"
)
_BEFORE = tuple(
    (re.compile(rf"\b{cue}\s+(?:the (?:last|past|first|next) )?{_AMOUNT}", re.I), side) for cue, side in _CUES
)
_AFTER: tuple[tuple[re.Pattern[str], Side], ...] = (
    (
        re.compile(
            rf"(?<![\w.,-]){_AMOUNT}(?P<unit> \w+)?"
            r" (?:or (?:more|older|above|longer|greater|over)|and (?:over|above|older))\b",
            re.I,
        ),
        "at_least",
    ),
    (
        re.compile(
            rf"(?<![\w.,-]){_AMOUNT}(?P<unit> \w+)?"
            r" or (?:less|fewer|younger|below|shorter|smaller|under)\b",
            re.I,
        ),
        "at_most",
    ),
)


@dataclass(frozen=True, slots=True)
class Bound:
    """One bound of a sentence.

    value: of the number. text: the number as written. unit: the noun that is counted, None for money and percentages.
    tokens: the words that say bound and number, without the unit. sign: of a currency. percent: the sign after it.
    """

    side: Side
    value: float
    text: str
    unit: Token | None
    tokens: tuple[Token, ...]
    sign: str
    percent: str

    def allows(self, value: float) -> bool:
        """Whether a number keeps to the bound."""
        if self.side in ("at_most", "within"):
            return value <= self.value
        if self.side == "below":
            return value < self.value
        return value >= self.value if self.side == "at_least" else value > self.value

    def written(self, value: float, *, like: bool = True) -> str:
        """Another number of the same kind: "40", "1,200", "€75", "three" where the bound is a word, too."""
        whole = int(value)
        number = f"{whole:,}" if "," in self.text else str(whole) if value == whole else f"{value:g}"
        if like and self.text.lower() in NUMBER_WORDS and whole in NAMES:
            number = NAMES[whole]
        return f"{self.sign}{number}{self.percent}"


def bounds(doc: Doc) -> Iterator[Bound]:
    """The bounds of a sentence in their order. Years and versions are none."""
    found: list[tuple[int, int]] = []
    for pattern, side in (*_BEFORE, *_AFTER):
        for match in pattern.finditer(doc.text):
            if any(match.start() < end and start < match.end() for start, end in found):
                continue
            bound = _bound(doc, match, side)
            if bound is not None:
                found.append(match.span())
                yield bound


def _bound(doc: Doc, match: re.Match[str], side: Side) -> Bound | None:
    text = match.group("number")
    value = float(NUMBER_WORDS.get(text.lower(), 0) or text.replace(",", ""))
    sign, percent = (match.group("sign") or "").strip(), match.group("percent") or ""
    unit_text = match.groupdict().get("unit") or ""
    span = doc.char_span(match.start(), match.end(), alignment_mode="expand")
    number = doc.char_span(match.start("number"), match.end("number"), alignment_mode="expand")
    if span is None or number is None or value <= 0:
        return None
    tokens = list(span)
    if side != "within" and any(token.lower_ in ("past", "last", "first", "next") for token in tokens):
        return None
    unit: Token | None = None
    if not sign and not percent:
        last = number[-1]
        unit = last.head if last.dep_ == "nummod" and last.head.i > last.i else None
        if unit is None and unit_text and last.i + 1 < len(doc):
            unit = doc[last.i + 1]
        if unit is None and last.i + 1 < len(doc) and doc[last.i + 1].pos_ == "NOUN":
            unit = doc[last.i + 1]
        while unit is not None and unit.dep_ == "compound" and unit.head.i > unit.i:
            unit = unit.head
        aged = span[-1].lower_ in ("older", "younger") or (
            side in ("above", "below") and span[0].lower_ in ("over", "under") and is_person(span[0].head)
        )
        if aged and (unit is None or unit.i > span[-1].i or unit.i < span[0].i):
            unit = None
        elif unit is None or unit.pos_ not in ("NOUN", "PROPN") or unit.i - last.i > 4:
            return None
        if 1900 <= value <= 2100 and "," not in text:
            return None
        tokens = [token for token in tokens if token != unit]
    following = doc[number[-1].i + 1] if number[-1].i + 1 < len(doc) else None
    if following is not None and following.lower_ in ("million", "billion", "thousand", "hundred", "of", "to", "dozen"):
        return None
    return Bound(side, value, text, unit, tuple(tokens), sign, percent)


def beyond(value: float, *, up: bool, key: int) -> float | None:
    """A number clear of a bound, and not absurdly far: about half as much again, or about two thirds.

    key: 0 or 1, which of two distances. None where there is no such number, as below one.
    """
    if up:
        if value < 4:
            return value + 1 + key
        if value < 10:
            return value + 2 + key
        return _round(value * (1.4 if key else 1.3), value)
    if value <= 1 or value != int(value):
        return None
    if value <= 3:
        return value - 1
    if value < 10:
        return value - 2
    return _round(value * (0.6 if key else 0.7), value)


def _round(value: float, like: float) -> float:
    """To as round a number as the one that it is compared with."""
    if like % 1000 == 0:
        step = 500 if like > 1000 else 100
    elif like % 100 == 0:
        step = 50 if like > 100 else 10
    elif like % 10 == 0 or like % 5 == 0:
        step = 5
    else:
        step = 1
    rounded: float = round(value / step) * step
    if rounded == like or rounded <= 0:
        rounded = like + step if value > like else like - step
    return float(rounded) if rounded > 0 else float(round(value))
