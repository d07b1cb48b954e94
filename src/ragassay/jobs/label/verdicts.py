"""What a model says of the pairs of a data set, and on which text: a label, ratings with reasons, or an error."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from ragassay.datasets.format import add_kind
from ragassay.datasets.texts import Texts
from ragassay.evaluation.aggregate import estimate
from ragassay.evaluation.estimate import Estimate
from ragassay.generate.baselines import OF_KNOWLEDGE
from ragassay.generate.judging import NOT_RATED, rate_pairs
from ragassay.generate.options import MAX_CONTEXT_CHARS
from ragassay.models.base import Model
from ragassay.models.joint import jointly
from ragassay.records import LABELS, UNLABELLED, Critique, Example, Label, Span
from ragassay.report.labels import ALL, RATINGS, CritiqueProfile
from ragassay.tasks.critique import LABEL, NO_RULE, OF_ANSWERS, Pair
from ragassay.tasks.pair_judgement import JudgedPair, pair_judgement

NO_ANSWER = "the example has no answer"
_BOUNDS = (1.0, 5.0)
_NAMES = (*LABELS, UNLABELLED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What was said of one example; one line of ``verdicts.jsonl``.

    requested_label, verified_label: as in ``Example``; the latter as it is now. reason: the labeller's. error: why
    something that was asked of this example has no value; None where all that was asked has one. context_from: what was
    judged, see ``PairContext``; None where there was nothing to judge.
    """

    example_id: str
    requested_label: Label | None
    verified_label: Label | None
    reason: str = ""
    error: str | None = None
    critiques: tuple[Critique, ...] = ()
    context_from: ContextOrigin | None = None
    context_chars: int = 0

    def of(self, example: Example) -> Example:
        """Return the example with the label, and with the ratings in the place of those of the same name."""
        new = {critique.name for critique in self.critiques}
        kept = (critique for critique in example.critiques if critique.name not in new)
        return replace(example, verified_label=self.verified_label, critiques=(*kept, *self.critiques))


class Posed(NamedTuple):
    """An example, what it is judged on, and what was said of it so far."""

    example: Example
    context: PairContext
    verdict: Verdict

    @classmethod
    def of(cls, example: Example, context: PairContext) -> Posed:
        """Begin with nothing said; a pair without a context has an error."""
        verdict = Verdict(
            example_id=example.id,
            requested_label=example.requested_label,
            verified_label=example.verified_label,
            error=context.fault or None,
            context_from=context.origin,
            context_chars=len(context.text or ""),
        )
        return cls(example, context, verdict)

    @property
    def has_context(self) -> bool:
        return self.context.text is not None

    @property
    def pair(self) -> Pair:
        return Pair(context=self.context.text or "", question=self.example.question, answer=self.example.answer)

    def labelled(self, label: Label | None, reason: str) -> Posed:
        """Return it with a label, or without one and the reason why."""
        error = self.verdict.error or (None if label else f"no label: {reason}")
        return self._with(replace(self.verdict, verified_label=label, reason=reason if label else "", error=error))

    def rated(self, critiques: Sequence[Critique], no_failure: frozenset[str] = frozenset((NO_ANSWER,))) -> Posed:
        """Return it with further ratings; one that is missing is an error, except for the reasons in no_failure."""
        missing = next((each for each in critiques if each.value is None and each.reason not in no_failure), None)
        said = f"no rating of {missing.name.replace('_', ' ')}: {missing.reason}" if missing else None
        verdict = self.verdict
        return self._with(replace(verdict, critiques=(*verdict.critiques, *critiques), error=verdict.error or said))

    def _with(self, verdict: Verdict) -> Posed:
        return Posed(verdict.of(self.example), self.context, verdict)


async def label_pairs(model: Model, posed: Sequence[Posed]) -> list[Posed]:
    """Label every pair that has a context; what is still outside the four labels after all tries is an error."""
    replies = iter(await model.ask_all(LABEL, [each.pair for each in posed if each.has_context]))
    labelled = []
    for each in posed:
        reply = next(replies) if each.has_context else None
        if reply is None or reply.value is None:
            labelled.append(each.labelled(None, (reply and reply.reason) or ""))
        else:
            labelled.append(each.labelled(reply.value.label, reply.value.reason))
    return labelled


async def rate_posed(model: Model, posed: Sequence[Posed], names: Sequence[str]) -> list[Posed]:
    """Rate every pair by the critiques of these names that apply to it."""
    rated_by = [[name for name in names if each.has_context and _can_be_rated(name, each.example)] for each in posed]
    informed = await _informed(model, [each for each in posed if each.has_context], names)
    ratings = await rate_pairs(informed, [each.pair for each in posed], rated_by)
    return [_rated(each, {of.name: of for of in given}, names) for each, given in zip(posed, ratings, strict=True)]


async def _informed(model: Model, posed: Sequence[Posed], names: Sequence[str]) -> Model:
    """The model; with the ratings of each pair at hand where it gives several in one call."""
    of_names: dict[tuple[str, ...], list[JudgedPair]] = {}
    for example, context, _ in posed:
        asked = tuple(name for name in names if _can_be_rated(name, example))
        pair = JudgedPair(context=context.text or "", question=example.question, answer=example.answer)
        of_names.setdefault(asked, []).append(pair)
    joint = ((pair_judgement(asked), pairs) for asked, pairs in of_names.items() if len(asked) > 1)
    return await jointly(model, *joint)


def _rated(posed: Posed, given: dict[str, Critique], names: Sequence[str]) -> Posed:
    critiques = [
        given.get(name) or Critique(name=name, value=None, reason=posed.context.fault or NO_ANSWER)
        for name in names
        if applies(name, posed.example.label)
    ]
    # Where there is no rule, the judge has not failed, unless nothing was rated: the rating says why.
    is_rated = any(critique.value is not None for critique in critiques)
    return posed.rated(critiques, frozenset((NO_ANSWER, NO_RULE) if is_rated else (NO_ANSWER,)))


def applies(critique: str, label: str) -> bool:
    """Return whether a critique says anything of a pair with this label.

    An unanswerable pair has no answer, and its question is not grounded on purpose.
    """
    return label != "unanswerable" or critique not in NOT_RATED | OF_KNOWLEDGE


def _can_be_rated(critique: str, example: Example) -> bool:
    return applies(critique, example.label) and (critique not in OF_ANSWERS or bool(example.answer.strip()))


class Tally:
    """names: of the ratings that were asked for."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._ratings: dict[tuple[str, str], Counter[int]] = {}
        self._pairs: Counter[tuple[str | None, str]] = Counter()
        self.judged = 0
        self.errors: Counter[str] = Counter()
        self.contexts: Counter[str] = Counter()
        self.without_answer = 0
        self.without_rule = 0

    def add(self, verdict: Verdict) -> None:
        self.judged += verdict.error is None
        if verdict.error is not None:
            add_kind(self.errors, verdict.error)
        if verdict.context_from is not None:
            self.contexts[verdict.context_from] += 1
        if verdict.verified_label is not None:
            self._pairs[verdict.requested_label, verdict.verified_label] += 1
        self.without_answer += any(critique.reason == NO_ANSWER for critique in verdict.critiques)
        self.without_rule += any(critique.reason == NO_RULE for critique in verdict.critiques)
        label = verdict.verified_label or verdict.requested_label or UNLABELLED
        given = {critique.name: critique.value or 0 for critique in verdict.critiques}
        for name in self._names:
            if applies(name, label):
                self._ratings.setdefault((label, name), Counter())[given.get(name, 0)] += 1

    def matrix(self) -> dict[str, dict[str, int]]:
        """Requested label, or unlabelled, to verified label to count."""
        matrix: dict[str, dict[str, int]] = {}
        for (requested, verified), count in self._pairs.items():
            matrix.setdefault(requested or UNLABELLED, {})[verified] = count
        return matrix

    def agreement(self) -> Estimate | None:
        """Share of the requested labels that were verified; None where none was requested."""
        requested = {pair: count for pair, count in self._pairs.items() if pair[0]}
        same = [float(one == other) for (one, other), count in requested.items() for _ in range(count)]
        return estimate(same) if same else None

    def profile(self) -> tuple[CritiqueProfile, ...]:
        """Every rating over all examples, then over those of each label that it applies to."""
        rows: list[CritiqueProfile] = []
        for row in (ALL, *_NAMES):
            for name in self._names:
                of_labels = [self._ratings.get((label, name)) for label in (_NAMES if row == ALL else (row,))]
                counts = sum(filter(None, of_labels), Counter[int]())
                if any(of_labels):
                    rows.append(_profile(name, row, counts))
        return tuple(rows)


def _profile(name: str, row: str, counts: Counter[int]) -> CritiqueProfile:
    values = [rating or None for rating in (0, *RATINGS) for _ in range(counts[rating])]
    one, two, three, four, five = (counts[rating] for rating in RATINGS)
    return CritiqueProfile(
        critique=name,
        label=row,
        estimate=estimate(values, bounds=_BOUNDS),
        histogram=(one, two, three, four, five),
    )


ContextOrigin = Literal["context", "documents", "references"]
"""Where the text came from: the example's own context, its documents in full, or only the references themselves."""
_BETWEEN = "\n\n"


class PairContext(NamedTuple):
    """text: what the question is judged on; None where there is none, and ``fault`` says why."""

    text: str | None
    origin: ContextOrigin | None
    fault: str = ""


def pair_context(example: Example, texts: Texts, most_chars: int = MAX_CONTEXT_CHARS) -> PairContext:
    """What an example is judged on: the first of these that is there and not too long.

    Its context, where that holds all of its references. The documents that it names, one after the other. Its
    references. Sets that were made elsewhere often have no more than a sentence for a
    context: where that is one of the references, the document is the context.
    texts: of the documents of the set, as far as they are known.
    """
    own = example.context
    spans = [span for span in (own, *example.references) if span.document_id or span.text.strip()]
    offered: list[tuple[ContextOrigin, str]] = []
    is_mere_reference = not example.provenance.model and own in example.references
    if _holds_references(example) and not is_mere_reference:
        offered.append(("context", own.text))
    else:
        offered.append(("documents", _documents(spans, texts)))
    offered.append(("references", _BETWEEN.join(_distinct(span.text for span in example.references or spans))))
    there = [(origin, text) for origin, text in offered if text.strip()]
    for origin, text in there:
        if len(text) <= most_chars:
            return PairContext(text, origin)
    if there:
        return PairContext(None, None, f"the context is longer than {most_chars:,} characters")
    return PairContext(None, None, "no context: the example has no context, no references and no document")


def _holds_references(example: Example) -> bool:
    own = example.context
    return bool(own.text.strip()) and all(
        span.text in own.text
        if span.start == span.end or not own.document_id
        else span.document_id == own.document_id and own.start <= span.start and span.end <= own.end
        for span in example.references
    )


def _documents(spans: Iterable[Span], texts: Texts) -> str:
    """The documents of all spans, joined; empty unless every one of them is known."""
    found = []
    for document_id in dict.fromkeys(span.document_id for span in spans):
        text = texts.get(document_id)
        if text is None or not text.strip():
            return ""
        found.append(text)
    return _BETWEEN.join(found)


def _distinct(quotes: Iterable[str]) -> list[str]:
    """The quotes that say something, in order, without those that lie within another."""
    kept: list[str] = []
    for quote in dict.fromkeys(each for each in quotes if each.strip()):
        if not any(quote in other for other in kept):
            kept = [other for other in kept if other not in quote] + [quote]
    return kept
