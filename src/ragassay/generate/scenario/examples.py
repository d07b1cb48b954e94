"""From drafted questions to examples: references chosen, made consistent, cleaned up, counted.

References support a keypoint if every number and name in it is said there or follows by arithmetic.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import permutations, product
from random import Random

from ragassay.generate.scenario.questions import LABEL_OF, Drafted, Fact, drafts
from ragassay.generate.scenario.schema import Schema
from ragassay.generate.scenario.values import dates_in, is_telling, numbers_in, readings_in, states
from ragassay.generate.scenario.writer import Written, says
from ragassay.records import Example, Provenance, QuestionType, Span, content_id

_NAME = re.compile(r"[A-Z][A-Za-z'’-]+(?: (?:of |the )?[A-Z][A-Za-z'’-]+)+")
"""Two capitalised words or more: one alone may only begin its sentence."""
_POSSESSIVE = re.compile(r"['’]s?(?![A-Za-z])")
_PLURAL = re.compile(r"(?:ies|es|s|y)$")


def missing(keypoint: str, references: Sequence[str], known: str, values: Iterable[str]) -> list[str]:
    """What a keypoint says that its references neither say nor let one compute: numbers, names, values.

    known: text that every reader has. values: those of the configurations, so that what is no number and, as in
    Chinese, looks like no name is checked too.
    """
    said = "\n".join((*references, known))
    telling = [value for value in dict.fromkeys(values) if len(value) > 1 and is_telling(value)]
    found = [value for value in telling if says(keypoint, value) and not states(said, value)]
    if absent := set(numbers_in(keypoint)).difference(readings_in(said)):
        found += [f"{number.normalize():f}" for number in sorted(absent - _computed(absent, said))]
    text = _POSSESSIVE.sub("", " ".join(said.split()))
    names = [*_names(text), *(value for value in telling if says(said, value))]
    for name in _names(keypoint):
        if not _is_named(name, text) and not any(name.endswith(f" {each}") for each in names):
            found.append(name)
    return found


def known_of(question: str, titles: Iterable[str]) -> str:
    """Text that every reader has: titles, and the names and words of the question; numbers belong into references."""
    return "\n".join((re.sub(r"\d", "", question), *titles))


def _names(text: str) -> list[str]:
    return _NAME.findall(_POSSESSIVE.sub(",", text))


def _is_named(name: str, text: str) -> bool:
    """Whether a text without "'s" has a name, in the singular or plural, or what follows a word that is no name."""
    stem, (first, _, rest) = _PLURAL.sub("", name), name.partition(" ")
    if re.search(rf"(?<![A-Za-z]){re.escape(stem)}{_PLURAL.pattern[:-1]}?(?![A-Za-z])", text, re.IGNORECASE):
        return True
    is_word = first in _OPENERS or re.search(rf"(?<![A-Za-z]){first.lower()}(?![A-Za-z])", text)
    return bool(rest and is_word) and _is_named(rest, text)


def _computed(wanted: Iterable[Decimal], text: str) -> set[Decimal]:
    """Those of some numbers that follow from the numbers and dates of a text."""
    numbers, dates = sorted(set(numbers_in(text))), dates_in(text)
    days = [day.toordinal() for _, _, day, precision in dates if precision == "day"]
    months = [12 * day.year + day.month for _, _, day, _ in dates]
    apart = set[int]()
    for longer, some in ((7, days), (12, months)):  # weeks and years, where they are whole
        found = {abs(first - second) for first, second in permutations(some, 2)}
        apart |= found | {each // longer for each in found if each % longer == 0}
    return {each for each in wanted if each in apart or _is_result(each, numbers)}


def _is_result(wanted: Decimal, numbers: Sequence[Decimal]) -> bool:
    """Whether a number is the sum or difference of two, or a share or growth in percent, to one decimal."""
    known = set(numbers)
    if not wanted or any(wanted - each in known or wanted + each in known for each in numbers):
        return bool(wanted)
    half = Decimal("0.05")
    for whole in numbers if wanted == round(wanted, 1) else ():
        least, most = ((wanted + off) * whole / 100 for off in (-half, half))
        ranges = ((least, most), (whole + least, whole + most), (whole - most, whole - least))
        if any(bisect_left(numbers, low) < bisect_left(numbers, high) for low, high in ranges):
            return True
    return False


SYNTHESIZER = "scenario"
Dropped = tuple[QuestionType, str]
"""The type of a question that became no example, and why: a kind of fault and, after a colon, what shows it."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A drafted question as it is worded and answered. fault: why it becomes no example; empty if it does."""

    drafted: Drafted
    question: str
    answer: str = ""
    references: tuple[Span, ...] = ()
    keypoints: tuple[str, ...] = ()
    fault: str = ""


def make_examples(
    schema: Schema, written: Sequence[Written], counts: dict[QuestionType, int], random: Random, model: str
) -> tuple[list[Example], list[Dropped]]:
    """Up to ``counts`` examples of each type, spread over patterns and documents; and what was dropped."""
    made: list[Example] = []
    asked: set[str] = set()
    dropped: list[Dropped] = []
    framing = _Framing(schema, random)
    for kind, count in counts.items():
        wanted = len(made) + count
        for drafted in spread(drafts(schema, written, kind, random), random):
            if len(made) == wanted:
                break
            question, wording = framing.wording(drafted)
            references = tuple(span for at in drafted.documents for span in _references(drafted.facts, at, written[at]))
            answered = Answered(drafted, question, schema.space.join(drafted.keypoints), references, drafted.keypoints)
            reason = "asked already" if _plain(question) in asked else unsupported(answered, written)
            if reason:
                dropped.append((kind, reason))
                continue
            asked.add(_plain(question))
            framing.used[wording] += 1
            made.append(example_of(schema, written, answered, model))
    return made, dropped


def spread(found: list[Drafted], random: Random) -> list[Drafted]:
    """Shuffled into an order in which no pattern and no document comes much more often than the others."""
    random.shuffle(found)
    patterns = len({each.pattern for each in found})
    documents = len({at for each in found for at in each.documents})
    by_pattern: Counter[str] = Counter()
    by_document: Counter[int] = Counter()
    ranks: list[int] = []
    for each in found:
        in_documents = max(by_document[at] for at in each.documents)
        ranks.append(by_pattern[each.pattern] * patterns + in_documents * documents)
        by_pattern[each.pattern] += 1
        by_document.update(each.documents)
    return [found[at] for at in sorted(range(len(found)), key=ranks.__getitem__)]


def example_of(schema: Schema, written: Sequence[Written], answered: Answered, model: str) -> Example:
    """Return the example of a question that stands."""
    drafted = answered.drafted
    about, label = written[drafted.documents[0]].document, LABEL_OF[drafted.kind]
    return Example(
        id=content_id("ex", answered.question, about.id, drafted.kind),
        question=answered.question,
        answer=answered.answer,
        context=about.span(0, len(about.text)),
        references=answered.references,
        keypoints=answered.keypoints,
        requested_label=label,
        verified_label=None,
        provenance=Provenance(
            synthesizer=SYNTHESIZER,
            model=model,
            pattern=f"{schema.name}: {drafted.pattern}",
            statement=schema.space.join(fact.text for fact in drafted.facts),
            unanswerable_in="corpus" if label == "unanswerable" else None,
        ),
        language=schema.language,
        question_type=drafted.kind,
    )


def _references(facts: Sequence[Fact], at: int, written: Written) -> list[Span]:
    """The fewest sentences that, taken greedily, say all fields of a document's facts; in the order of the text.

    The sentence for a fact is one that says the field asked for, and of those the one that says most besides.
    """
    chosen: set[tuple[int, int]] = set()
    for fact in (each for each in facts if each.document == at):
        open_fields = [name for name in fact.fields if not chosen.intersection(written.places[name])]
        while open_fields:
            name, wanted = open_fields[0], set(open_fields)
            best = max(
                written.places[name],
                key=lambda span: (sum(span in written.places[each] for each in wanted), -span[0]),
            )
            chosen.add(best)
            open_fields = [each for each in open_fields if best not in written.places[each]]
    return [written.document.span(start, end) for start, end in sorted(chosen)]


def unsupported(answered: Answered, written: Sequence[Written]) -> str:
    """Say why references do not hold the keypoints, or do not come of each document; empty where they do."""
    if not answered.drafted.facts:
        return ""
    documents = [written[at] for at in answered.drafted.documents]
    known = known_of(answered.question, (each.document.title for each in documents))
    values = [text for each in documents for text in each.configuration.texts.values()]
    quoted = [span.text for span in answered.references]
    for keypoint in answered.keypoints:
        if lacking := missing(keypoint, quoted, known, values):
            return f"a keypoint says what its references do not: {', '.join(map(repr, lacking))}"
    cited = {span.document_id for span in answered.references}
    return "" if cited == {each.document.id for each in documents} else "a document has no reference"


def _plain(question: str) -> str:
    return "".join(sign.lower() for sign in question if sign.isalnum())


class _Framing:
    """Chooses, for each question, the wording that its pattern has used least; the same for the same random state."""

    def __init__(self, schema: Schema, random: Random) -> None:
        self._frames = list(product(schema.endings, schema.frames))
        self._english = schema.language != "zh"
        self._random = random
        self.used: Counter[tuple[str, int, int]] = Counter()
        self._orders: dict[str, list[tuple[int, int]]] = {}

    def wording(self, drafted: Drafted) -> tuple[str, tuple[str, int, int]]:
        """The wording to use next, plain ones first; and what to count in ``used`` where an example has it."""
        order = self._orders.setdefault(drafted.pattern, self._order(len(drafted.asks)))
        usable = [(drafted.pattern, ask, frame) for ask, frame in order if ask < len(drafted.asks)]
        chosen = min(usable, key=self.used.__getitem__)
        return self._framed(self._frames[chosen[2]], drafted.asks[chosen[1]]), chosen

    def _order(self, asks: int) -> list[tuple[int, int]]:
        plain = [(ask, 0) for ask in range(asks)]
        framed = [(ask, frame) for ask in range(asks) for frame in range(1, len(self._frames))]
        self._random.shuffle(plain)
        self._random.shuffle(framed)
        return plain + framed

    def _framed(self, around: tuple[str, str], question: str) -> str:
        """In English a question after a comma begins in lower case, unless its first word is a name."""
        ending, frame = around
        first = question.split(" ", 1)[0]
        if self._english and ", {question}" in frame and first in _OPENERS:
            question = question[0].lower() + question[1:]
        return frame.replace("{question}", question) + ending


_OPENERS = frozenset(
    "What When Where Which Who Whose How Why In On At To By Into For From With Under Within Is Was Were "
    "Did Does Has Had Give Summarise Describe Outline Compare The After Of It Both While Although Mr Mrs Ms".split()
)
"""Words that a sentence begins with and that are no part of a name."""
