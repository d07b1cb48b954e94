"""Answers compared with their references: exact match, presence, token F1, ROUGE, and how near they are in meaning."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple, TypeVar
from unicodedata import category, normalize

import numpy as np

from ragassay.metrics.answer.abstention import all_refuse, is_unanswerable
from ragassay.metrics.answered import ABSTAINED, Answered
from ragassay.metrics.inputs import Input
from ragassay.metrics.metric import Measure, Measured, Metric, meaning_of
from ragassay.models.base import Encoder
from ragassay.text import CJK

KEPT_TEXTS = 4
"""Texts whose tokens are remembered: several metrics look at the same two."""
_SQUAD_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_SQUAD_PUNCTUATION = str.maketrans("", "", string.punctuation)
_CJK_SIGN = re.compile(f"[{CJK}]")
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_LETTER = r"[^\W\d_]"
# Inside a word a mark is left out: "don't", "U.S.".
_INSIDE = re.compile(rf"(?<={_LETTER})['\u2019\u02bc](?={_LETTER})|(?<=\b{_LETTER})\.(?={_LETTER}\b)")
_ONE_SIGN = ((re.compile("<="), "\u2264"), (re.compile(">="), "\u2265"), (re.compile(r"(?<=\w)#"), "\u266f"))
# A sign stands before a number, and behind nothing: "-5 °C", but "5-7". A digit behind a letter is the word's: "B12".
_NUMBER = re.compile(
    r"(?:(?<![\w.,)\]])([-+\u2212\u2013])([$\u20ac\u00a3\u00a5]?))?"
    r"(?<!\w)((?<!\d,)\d{1,3}(?:,\d{3})++(?!,?\d)(?:\.\d+)?|\d+(?:\.\d+)*|\.\d+)"
)


class _Signs(dict[int, str]):
    """Each character to itself, to a token of its own, or to a gap."""

    def __missing__(self, code: int) -> str:
        sign = chr(code)
        kind = category(sign)
        if kind == "Cf" or 0xFE00 <= code <= 0xFE0F:  # soft hyphens, joiners, variants of the sign before
            self[code] = ""
        elif sign in "%\u2030" or (kind[0] == "S" and kind != "Sk" and sign not in "|~\u2212") or _CJK_SIGN.match(sign):
            self[code] = f" {sign} "
        else:
            self[code] = " " if kind[0] in "PSZC" else sign  # a minus that is no sign is a dash
        return self[code]


_SIGNS = _Signs()


@lru_cache(maxsize=KEPT_TEXTS)
def answer_tokens(text: str) -> tuple[str, ...]:
    """Words, numbers and signs: what answers are compared by where no published rule is meant.

    Case, punctuation, an article before a word and how Unicode writes a character (NFC, full width) do not count. A
    number is its value: "12.0" is "12" and "1,000" is "1000", "3.5" is not "35", "-5" not "5"; three digits behind a
    point may be thousands and stay. Signs that say something are tokens: "✓", "%", "<=" ("≤"). CJK characters are a
    token each. A text of punctuation alone is compared as it is.
    """
    text = _INSIDE.sub("", normalize("NFC", normalize("NFC", text).translate(_FULL_WIDTH).casefold()))
    for written, sign in _ONE_SIGN:
        text = written.sub(sign, text)
    tokens: list[str] = []
    end = 0
    for number in _NUMBER.finditer(text):
        tokens += text[end : number.start()].translate(_SIGNS).split()
        tokens += [*filter(None, [number[2]]), _value(number[1] or "", number[3])]
        end = number.end()
    tokens += text[end:].translate(_SIGNS).split()
    kept = tuple(
        token
        for token, behind in zip(tokens, (*tokens[1:], ""), strict=False)
        if token not in ("a", "an", "the") or not behind[:1].isalnum()
    )
    return kept or tuple(text.split())


def _value(sign: str, digits: str) -> str:
    digits = digits.replace(",", "")
    if digits.count(".") == 1:
        whole, fraction = digits.split(".")
        fraction = fraction if len(fraction) == 3 else fraction.rstrip("0")
        digits = f"{whole or '0'}.{fraction}".rstrip(".")
    return digits if sign in "+" else f"-{digits}"


@lru_cache(maxsize=KEPT_TEXTS)
def squad_tokens(text: str) -> tuple[str, ...]:
    """The normalisation of SQuAD's evaluation script, to the letter: lower case, no ASCII punctuation, no a, an, the.

    Punctuation leaves no space ("non-profit" is one token, "3.5" is "35", "-5" is "5"); other quotes and dashes stay.
    Source: Rajpurkar et al. 2016 (SQuAD), section 6.1 and its evaluation script.
    """
    return tuple(_SQUAD_ARTICLE.sub(" ", text.lower().translate(_SQUAD_PUNCTUATION)).split())


@lru_cache(maxsize=KEPT_TEXTS)
def rouge_tokens(text: str) -> tuple[str, ...]:
    """Runs of letters and digits in lower case, CJK characters one by one; without stemming and stop words.

    On ASCII text the tokens of the package rouge_score without its stemmer: "-5" is "5".
    """
    return tuple(token for token in normalize("NFC", text.lower()).translate(_SIGNS).split() if token[0].isalnum())


def stand_in(wanted: Sequence[str], tokens: Sequence[str]) -> bool:
    """Return whether the wanted tokens stand side by side, in their order, among the others; none stand everywhere.

    Tokens hold no space, so that a search for the text between spaces, which is linear, finds them.
    """
    return not wanted or f" {' '.join(wanted)} " in f" {' '.join(tokens)} "


Unit = TypeVar("Unit", bound=Hashable)
COMPARED: tuple[Input, ...] = ("answer", "reference answer")
LONGEST = 50_000
"""Tokens of the shorter list up to which seconds are enough; time grows with the product of both lengths."""


class Overlap(NamedTuple):
    """shared: units in both. said, wanted: units of the answer and of the reference."""

    shared: int
    said: int
    wanted: int

    @property
    def f1(self) -> float:
        """2 shared / (said + wanted); 1 where neither text has a unit."""
        units = self.said + self.wanted
        return 2 * self.shared / units if units else 1.0


def lcs_length(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the length of the longest common subsequence: tokens that stand in both in the same order, gaps allowed.

    One column of the usual table is one integer, of which bit i says whether the table rises at row i.
    Raises ValueError where both lists have more than ``LONGEST`` tokens.
    Source: Hyyro 2004, Bit-parallel LCS-length computation revisited.
    """
    rows, columns = (first, second) if len(first) <= len(second) else (second, first)
    if len(rows) > LONGEST:
        raise ValueError(f"both sides have more than {LONGEST} words, too many for a common subsequence")
    places: dict[str, int] = {}
    for place, token in enumerate(rows):
        places[token] = places.get(token, 0) | (1 << place)
    full = (1 << len(rows)) - 1
    level = full  # zeros are rises
    for rows_of_token in filter(None, map(places.get, columns)):
        if matches := level & rows_of_token:
            level = ((level + matches) | (level - matches)) & full
    return len(rows) - level.bit_count()


def exact_match(answer: str, reference: str) -> float:
    """1 if both have the same words, numbers and signs in the same order, else 0.

    Case, punctuation and articles do not count; "12.0" is "12", but "3.5" is not "35" (``answer_tokens``).
    Source: after Rajpurkar et al. 2016, whose rule is ``squad_exact_match``.
    """
    return float(answer_tokens(answer) == answer_tokens(reference))


def squad_exact_match(answer: str, reference: str) -> float:
    """Exact match by SQuAD's own rule: 1 if both are the same without case, ASCII punctuation and articles, else 0.

    So "3.5" and "35", "-5" and "5" are the same, "12.0" and "12" are not (``squad_tokens``). Where the question has no
    answer, 1 if the system abstained, else 0, as in SQuAD 2.0.
    Source: Rajpurkar et al. 2016 (SQuAD), its evaluation script.
    """
    return float(squad_tokens(answer) == squad_tokens(reference))


def string_presence(answer: str, reference: str) -> float:
    """1 if the tokens of the reference stand in the answer side by side, in their order, else 0.

    Tokens as in ``exact_match``: "5" is not in "15" nor in "-5".
    Source: RAGAS 0.2 (its documentation, string presence), which compares the texts sign by sign.
    """
    return float(stand_in(answer_tokens(reference), answer_tokens(answer)))


def token_f1(answer: str, reference: str) -> Overlap:
    """F1 of the words, numbers and signs that both have, each as often as it stands in both, in [0, 1].

    Case, punctuation and articles do not count; "12.0" is "12", but "3.5" is not "35" (``answer_tokens``); Chinese by
    characters. Source: after Rajpurkar et al. 2016, whose rule is ``squad_f1``.
    """
    return _shared(answer_tokens(answer), answer_tokens(reference))


def squad_f1(answer: str, reference: str) -> Overlap:
    """Token F1 by SQuAD's own rule: of tokens without case, ASCII punctuation and articles, in [0, 1].

    So "3.5" and "35" are the same, and Chinese is cut at spaces only (``squad_tokens``). Where either text has no
    token, 1 if neither has, else 0, as in SQuAD 2.0; where the question has no answer, 1 if the system abstained, else
    0. Source: Rajpurkar et al. 2016 (SQuAD), its evaluation script.
    """
    return _shared(squad_tokens(answer), squad_tokens(reference))


def rouge_1(answer: str, reference: str) -> Overlap | None:
    """F1 of the words that both have, each as often as it stands in both, in [0, 1].

    Words in lower case without punctuation and signs, not stemmed (``rouge_tokens``): "-5" is "5". Chinese by
    characters. None where the reference has no word. Source: Lin 2004, section 2, as F with equal weights.
    """
    said, wanted = rouge_tokens(answer), rouge_tokens(reference)
    return _shared(said, wanted) if wanted else None


def rouge_2(answer: str, reference: str) -> Overlap | None:
    """F1 of the pairs of neighbouring words that both have, in [0, 1].

    None where the reference has fewer than two words. Source: as ``rouge_1``.
    """
    said, wanted = ([*pairwise(rouge_tokens(text))] for text in (answer, reference))
    return _shared(said, wanted) if wanted else None


def rouge_l(answer: str, reference: str) -> Overlap | None:
    """F1 of the words in the longest common subsequence of both texts, in [0, 1].

    Over the two whole texts; words as in ``rouge_1``. The published DragonBall figure is another:
    ``released_rouge_l``. Raises ValueError where both have more than 50 000 words.
    Source: Lin 2004, section 3.1, as F with equal weights.
    """
    said, wanted = rouge_tokens(answer), rouge_tokens(reference)
    return Overlap(lcs_length(said, wanted), len(said), len(wanted)) if wanted else None


def _shared(said: Sequence[Hashable], wanted: Sequence[Hashable]) -> Overlap:
    return Overlap((Counter(said) & Counter(wanted)).total(), len(said), len(wanted))


def _of_best(function: Callable[[str, str], float | Overlap | None], unit: str) -> Measure:
    """Compare with each reference answer, as SQuAD's script does: the best value counts.

    unit: what an overlap is counted in.
    """

    def compared(answer: str, reference: str) -> Measured:
        found = function(answer, reference)
        if found is None:
            return Measured(None, reason=f"the reference answer has no {unit}")
        if isinstance(found, Overlap):
            evidence = f"{found.shared} {unit}s in common; {found.said} in the answer, {found.wanted} in the reference"
            return Measured(found.f1, (evidence,))
        return Measured(found, (f"{len(answer):,} characters against {len(reference):,} of the reference",))

    def measure(item: Answered, _: int) -> Measured:
        if item.prediction.abstained:
            return Measured(float(all_refuse(item.reference_answers)), (ABSTAINED,))
        try:
            found = [compared(item.answer, reference) for reference in item.reference_answers]
        except ValueError as error:  # too long to compare
            return Measured(None, reason=str(error))
        best = max(
            (each for each in found if each.value is not None), key=lambda each: each.value or 0, default=found[0]
        )
        many = (f"the best of {len(found)} reference answers",) if len(found) > 1 else ()
        return best._replace(evidence=(*best.evidence, *many))

    return measure


def _with_unanswerable(measure: Measure) -> Measure:
    """Score questions without an answer too, as SQuAD 2.0's script does: 1 for an abstention, 0 for any answer."""

    def also(item: Answered, depth: int) -> Measured:
        if item.example.answer.strip():
            return measure(item, depth)
        has_none, unknown = is_unanswerable(item.example)
        if not has_none:
            return Measured(None, reason=unknown or "the example has no reference answer")
        return Measured(float(item.prediction.abstained), ("the question has no answer",))

    return also


def embedding_similarity(encoder: Encoder, pairs: Sequence[tuple[str, str]]) -> list[float]:
    """Cosine similarity of each (answer, reference), cut to [0, 1] and rounded to six decimals.

    All texts are encoded in one call, each different one once. An encoder reads a text up to its token limit only,
    and a high cosine does not say that the facts agree: "in 2019" and "in 2020" are near.
    Source: answer similarity of RAGAS 0.1, with the cosine of Reimers and Gurevych 2019.
    """
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    if not texts:
        return []
    rows = {text: row for row, text in enumerate(texts)}
    vectors = encoder.encode(texts)
    first = vectors[[rows[answer] for answer, _ in pairs]]
    second = vectors[[rows[reference] for _, reference in pairs]]
    cosines = np.einsum("ij,ij->i", first, second, dtype=np.float64)
    return [round(min(1.0, max(0.0, float(cosine))), 6) for cosine in cosines]


def _answer_and_reference(each: Answered) -> tuple[str, str] | None:
    return None if each.prediction.abstained else (each.answer, each.example.answer)


_OURS, _SQUAD, _LIN = "ours, after Rajpurkar et al. 2016 (SQuAD)", "Rajpurkar et al. 2016 (SQuAD)", "Lin 2004"
OTHER_WORDS = "the same said in other words"
METRICS = (
    *(
        Metric(
            name=name,
            kind="answer and reference",
            meaning=meaning_of(function),
            inputs=("answer",) if source == _SQUAD else COMPARED,
            source=source,
            unseen="other words, and further claims" if name == "string_presence" else OTHER_WORDS,
            measure=_with_unanswerable(_of_best(function, unit)) if source == _SQUAD else _of_best(function, unit),
            is_usual=name in ("exact_match", "token_f1", "rouge_l"),
        )
        for name, function, source, unit in (
            ("exact_match", exact_match, _OURS, ""),
            ("squad_exact_match", squad_exact_match, _SQUAD, ""),
            ("string_presence", string_presence, "RAGAS 0.2, string presence", ""),
            ("token_f1", token_f1, _OURS, "token"),
            ("squad_f1", squad_f1, _SQUAD, "token"),
            ("rouge_1", rouge_1, _LIN, "word"),
            ("rouge_2", rouge_2, _LIN, "word pair"),
            ("rouge_l", rouge_l, _LIN, "word"),
        )
    ),
    Metric(
        name="embedding_similarity",
        kind="answer and reference",
        meaning=meaning_of(embedding_similarity),
        inputs=COMPARED,
        source="RAGAS 0.1; Reimers and Gurevych 2019",
        unseen="changed figures, names and negations, mostly",
        needs="encoder",
        texts=_answer_and_reference,
    ),
)
