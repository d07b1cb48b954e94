"""Any synthesizer from end to end: documents in, the evaluation set that was asked for out."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ragassay.documents.store import DocumentStore, length_class, spread_order
from ragassay.generate.balance import SPREAD, Quotas, chosen, lacking
from ragassay.generate.candidates import Candidate, Strategy
from ragassay.generate.gates import SearchGates
from ragassay.generate.judging import Judge
from ragassay.generate.options import ANY, SetPlan, counts_of
from ragassay.generate.repeats import Repeats
from ragassay.generate.shortfall import Shortage, Visits, shortages, spare
from ragassay.models.base import Encoder, Model
from ragassay.records import LABELS, Document, Example, Span

_ENOUGH_DOCUMENTS = 2
"""Documents visited for each example asked for, after which a label needs no more candidates than examples."""
_EXHAUSTIVE = 2
"""Rounds over all documents after which a document's allowance no longer counts."""
_MOST_AT_ONCE = 32
"""Documents: enough to be worked on side by side, few enough to stop soon once the set is full."""
_FIRST_BATCH = 2
"""Documents that are read at first, since reading them costs money."""
BEFORE_LABELS = "before a label"
"""Where losses are counted that come before a candidate has a label: documents without a theme, say."""
Progress = Callable[[int, int], None]
"""Told of the accepted candidates so far and of how many are looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A pair that was drafted and is not in the set, and why. document_id: that it was drafted from."""

    label: str
    question: str
    answer: str
    reason: str
    document_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A fault of the documents: passages that are at odds, or can be read in two ways. note: what, in a sentence."""

    kind: str
    note: str
    places: tuple[Span, ...]

    def repeats(self, other: Finding) -> bool:
        """Return whether the other one is of the same passages already."""
        return self.kind == other.kind and all(touching([each], other.places) for each in self.places)


def touching(spans: Iterable[Span], others: Iterable[Span]) -> bool:
    """Return whether one of the spans lies in one of the others, or the other way round."""
    places = [place for each in others for place in each.places]
    return any(place.overlaps(each) for span in spans for place in span.places for each in places)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafting:
    """What drafts tell besides the set.

    about: how the collection was described. refused: pairs that came and are not in the set. findings: faults of the
    documents. shared_words: mean share of a question's content words that stand in its references, None without any.
    """

    about: str
    refused: tuple[Refused, ...]
    findings: tuple[Finding, ...]
    shared_words: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SynthesisResult:
    """examples: in the order of documents. requested: label, or ``ANY``, to count.

    shortages: what is missing and why. matrix: requested to verified label to candidates.
    dropped: label, or BEFORE_LABELS, to reason to count. visited: documents read.
    rounds: times that they were. spare: label to good candidates that are not in the set.
    drafting: what drafts tell besides; None of other synthesizers. unused: id of a document to why it gave no example,
    as far as that is known. by_model: the command that has a language model make all of it; empty where one did.
    """

    examples: tuple[Example, ...]
    requested: Mapping[str, int]
    shortages: tuple[Shortage, ...]
    matrix: Mapping[str, Mapping[str, int]]
    dropped: Mapping[str, Mapping[str, int]]
    visited: int
    rounds: int = 1
    spare: Mapping[str, int] = field(default_factory=dict)
    drafting: Drafting | None = None
    unused: Mapping[str, str] = field(default_factory=dict)
    by_model: str = ""

    @property
    def shortfall(self) -> dict[str, str]:
        """Label to a sentence that says why some are missing; only of labels of which some are."""
        return {each.name: each.reason for each in self.shortages if each.name in self.requested}


async def synthesize(
    store: DocumentStore,
    strata: Sequence[tuple[str, int]],
    gates: SearchGates | None,
    strategy: Strategy,
    writer: str,
    judging: Model,
    options: SetPlan,
    progress: Progress = lambda done, total: None,
    stopped: Callable[[], bool] = lambda: False,
    encoder: Encoder | None = None,
) -> SynthesisResult:
    """Make the set that ``options`` asks for, or as much of it as the documents give.

    strata: (folder, characters) of every document in the order of the store, for an even spread.
    gates: None where questions are asked of one document, which is not searched for.
    strategy: makes the pairs, by the model named writer. judging: labels, rates and completes them.
    stopped: asked before each batch of documents; once it says so, no more of them are read.
    encoder: tells questions that ask the same in other words; without one, only words are compared.
    """
    quotas = counts_of(options.n, options.mix)
    order = spread_order([(folder, length_class(characters)) for folder, characters in strata], options.seed)
    search = _Search(
        store=store,
        order=order,
        lengths={document_id: characters for document_id, (_, characters) in zip(store.ids, strata, strict=True)},
        gates=gates,
        repeats=Repeats(encoder),
        judge=Judge(judging, options),
        options=options,
        total=sum(_times(quotas, options.oversupply).values()),
        progress=progress,
        stopped=stopped,
    )
    rounds = await search.rounds(strategy, quotas)
    accepted, judge = search.accepted, search.judge
    picked = chosen(accepted, quotas, search.lengths, options)
    dropped = {**judge.dropped, BEFORE_LABELS: strategy.dropped}
    visits = Visits(visited=search.visited, documents=len(order), rounds=rounds, stopped=stopped())
    return SynthesisResult(
        examples=tuple(each.as_example(writer) for each in picked),
        requested=quotas,
        shortages=shortages(picked, accepted, quotas, judge.dropped, strategy.dropped, visits, options),
        matrix={label: dict(row) for label, row in judge.matrix.items()},
        dropped={label: dict(row) for label, row in dropped.items() if row},
        visited=search.visited,
        rounds=rounds,
        spare=spare(picked, accepted, quotas, options),
    )


@dataclass(kw_only=True)
class _Search:
    """What all rounds over the documents share, and what they have brought so far.

    order: ordinals of documents as they are visited. lengths: document id to characters. total: candidates looked for.
    reserve: candidates that passed the gates and were not judged so far. visited: documents that were read.
    """

    store: DocumentStore
    order: Sequence[int]
    lengths: Mapping[str, int]
    gates: SearchGates | None
    repeats: Repeats
    judge: Judge
    options: SetPlan
    total: int
    progress: Progress
    stopped: Callable[[], bool]
    accepted: list[Candidate] = field(default_factory=list)
    reserve: list[Candidate] = field(default_factory=list)
    visited: int = 0

    async def rounds(self, strategy: Strategy, quotas: Quotas) -> int:
        """Add what the strategy can make of what the quotas ask for; return how often the documents were read.

        First a little of every document; where that is not enough, all that a document may give; and where even that
        is not, all that there is in it, until a whole round brings nothing good: then what is missing cannot be had.
        """
        looked_for = _times(quotas, self.options.oversupply)
        for depth in itertools.count():
            first, good_before = 0, len(self.accepted)
            all_allowed = depth > 0
            while not self.stopped():
                has_choice = all_allowed or first >= _ENOUGH_DOCUMENTS * self.options.n
                missing = self._lacking(quotas if has_choice else looked_for, depth)
                if not missing:
                    break
                given = self._given(depth)
                passing = self._from_reserve(missing, given)
                if not passing:
                    if first >= len(self.order):
                        break
                    ordinals = self.order[first : first + _batch(missing, first, self.options)]
                    batch = [(first + place, self.store[ordinal]) for place, ordinal in enumerate(ordinals)]
                    first += len(batch)
                    self.visited = max(self.visited, first)
                    labels = [label for label in LABELS if label in missing]
                    candidates = await strategy.candidates(batch, labels, all_allowed=all_allowed)
                    passing = self._new(candidates, missing, given, all_allowed=all_allowed)
                judged = await self.judge.accepted(passing)
                self.accepted += self._sifted(judged, self.repeats.kept(judged))
                self.progress(min(len(self.accepted), self.total), self.total)
            is_over = not self._lacking(quotas, depth + 1) or (
                depth >= _EXHAUSTIVE and len(self.accepted) == good_before
            )
            if self.stopped() or (all_allowed and is_over):
                return depth + 1
        raise AssertionError("the rounds have no end of their own")

    def _lacking(self, quotas: Quotas, depth: int) -> dict[str, int]:
        return lacking(self.accepted, quotas, self.lengths, self.options, within_allowance=depth < _EXHAUSTIVE)

    def _given(self, depth: int) -> Counter[str] | None:
        """How many candidates each document has given, where those beyond ``SPREAD`` do not count; else None."""
        if depth >= _EXHAUSTIVE or self.options.n > len(self.lengths):
            return None
        return Counter(each.context.document_id for each in self.accepted)

    def _new(
        self,
        candidates: Sequence[Candidate],
        missing: Mapping[str, int],
        given: Counter[str] | None,
        *,
        all_allowed: bool,
    ) -> list[Candidate]:
        """Those that are judged now, of those that pass the gates; the others go into the reserve."""
        if self.gates is not None:
            searched = self.gates.searched(candidates)
            rated = [
                replace(each, difficulty=found.difficulty) for each, found in zip(candidates, searched, strict=True)
            ]
            candidates = self._sifted(rated, [found.fault for found in searched])
        found = self._sifted(candidates, self.repeats.faults(candidates))
        passing = found if all_allowed else _first_ones(found, self.options.pairs)
        passing = self._at_most(passing, missing, given)
        self.reserve += _others(found, passing)
        return passing

    def _sifted(self, candidates: Sequence[Candidate], faults: Sequence[str | None]) -> list[Candidate]:
        """Those without a fault; the others are dropped for it."""
        kept = []
        for candidate, fault in zip(candidates, faults, strict=True):
            if fault:
                self.judge.drop(candidate, fault)
            else:
                kept.append(candidate)
        return kept

    def _from_reserve(self, missing: Mapping[str, int], given: Counter[str] | None) -> list[Candidate]:
        """Take what is still wanted from the candidates that passed the gates and were not judged so far."""
        useful = [
            each for each in self.reserve if each.label is None or self.options.counts_under(each.label) in missing
        ]
        taken = self._at_most(useful, missing, given)
        self.reserve = _others(self.reserve, taken)
        return taken

    def _at_most(
        self, passing: Sequence[Candidate], most: Mapping[str, int], given: Counter[str] | None
    ) -> list[Candidate]:
        """The first so many of each label that is missing, none of the others, and no document's beyond ``SPREAD``.

        Of those whose label the judge has yet to find, as many as are missing of all labels together.
        given: by each document before; None where a document may give more.
        """
        limits = {ANY: sum(most.values()), **most}
        seen: Counter[str] = Counter()
        of_document = Counter(given)
        kept = []
        for candidate in passing:
            label, home = self.options.counts_under(candidate.label), candidate.context.document_id
            if seen[label] < limits.get(label, 0) and (given is None or of_document[home] < SPREAD):
                seen[label] += 1
                of_document[home] += 1
                kept.append(candidate)
        return kept


def _times(quotas: Quotas, factor: float) -> Quotas:
    return {label: int(count * factor) for label, count in quotas.items() if count}


def _first_ones(passing: Sequence[Candidate], most: int) -> list[Candidate]:
    """The first so many candidates of each document and label."""
    seen: Counter[tuple[str, str | None]] = Counter()
    kept = []
    for candidate in passing:
        place = (candidate.context.document_id, candidate.label)
        seen[place] += 1
        if seen[place] <= most:
            kept.append(candidate)
    return kept


def _batch(missing: Mapping[str, int], read: int, options: SetPlan) -> int:
    """Documents to read next: no more than may be needed, since reading them costs money.

    The first batches are small, each as large as what was read before: whatever a limit allows, it goes into examples
    that are finished, not into the beginnings of many.
    """
    return min(_MOST_AT_ONCE, max(_FIRST_BATCH, read), -(-max(missing.values()) // options.pairs))


def _others(group: Sequence[Candidate], taken: Sequence[Candidate]) -> list[Candidate]:
    known = set(map(id, taken))
    return [each for each in group if id(each) not in known]


def strata_of(document: Document) -> tuple[str, int]:
    """The stratum of a document for an even spread: its folder and its length."""
    folder, _, _ = document.source.rpartition("/")
    return folder, len(document.text)
