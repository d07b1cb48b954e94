"""From accepted candidates to the set that was asked for: exact counts, spread over documents and over patterns."""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ragassay.corpus.sampling import length_class
from ragassay.synthesis.candidates import Candidate
from ragassay.synthesis.options import ANY_TYPE, SetPlan

SPREAD = 3
"""Pairs of one document beyond which others come first, whatever their label."""

WORDING_SHARE = 0.08
"""Share of a set that may begin with the same three words while others can fill it: three such make under a quarter."""


class Cell(NamedTuple):
    """What a candidate counts under: a label and a question type, each ``ANY`` where none was asked for."""

    label: str
    question_type: str


@dataclass(frozen=True, slots=True)
class Quotas:
    """How many examples are wanted, by label and by question type; both add up to the same."""

    labels: Mapping[str, int]
    types: Mapping[str, int]

    def times(self, factor: float) -> Quotas:
        """So many times as many; what is not asked for at all is left out."""
        grown = [
            {name: int(count * factor) for name, count in counts.items() if count}
            for counts in (self.labels, self.types)
        ]
        return Quotas(*grown)

    def filled(self, available: Mapping[Cell, int]) -> dict[Cell, int]:
        """How many to take of each cell, so that as many as possible are taken and no count is exceeded.

        A greatest flow from labels to question types (Ford and Fulkerson 1956); cells are few.
        """
        taken = dict.fromkeys(available, 0)
        labels, types = dict(self.labels), dict(self.types)
        while (path := self._path(available, taken, labels, types)) is not None:
            more = min(labels[path[0].label], types[path[-1].question_type])
            for step, cell in enumerate(path):
                more = min(more, taken[cell] if step % 2 else available[cell] - taken[cell])
            for step, cell in enumerate(path):
                taken[cell] += -more if step % 2 else more
            labels[path[0].label] -= more
            types[path[-1].question_type] -= more
        return taken

    def _path(
        self,
        available: Mapping[Cell, int],
        taken: Mapping[Cell, int],
        labels: Mapping[str, int],
        types: Mapping[str, int],
    ) -> list[Cell] | None:
        """Cells to take more, fewer, more ... of, from a label that is short to a type that is; None where none is."""
        paths = [[cell] for cell in available if labels.get(cell.label) and taken[cell] < available[cell]]
        seen = {path[-1].question_type for path in paths}
        while paths:
            path = paths.pop(0)
            end = path[-1].question_type
            if types.get(end):
                return path
            # what another label has of this type could be of another type
            for back in available:
                if back.question_type != end or not taken[back] or back in path:
                    continue
                for on in available:
                    if on.label == back.label and on.question_type not in seen and taken[on] < available[on]:
                        seen.add(on.question_type)
                        paths.append([*path, back, on])
        return None


@dataclass(slots=True)
class _Used:
    """What the candidates that were picked so far have taken up."""

    documents: Counter[str] = field(default_factory=Counter)
    of_label: Counter[tuple[str, str]] = field(default_factory=Counter)
    patterns: Counter[tuple[str, str]] = field(default_factory=Counter)
    wordings: Counter[str] = field(default_factory=Counter)
    lengths: Counter[tuple[str, int]] = field(default_factory=Counter)

    def add(self, label: str, candidate: Candidate) -> None:
        home = candidate.context.document_id
        self.documents[home] += 1
        self.of_label[label, home] += 1
        self.patterns[label, candidate.pattern] += 1
        self.wordings[wording_of(candidate.question)] += 1
        self.lengths[label, length_class(len(candidate.context.text))] += 1


def cell_of(candidate: Candidate, options: SetPlan) -> Cell:
    """What a candidate counts under; a question type that nobody knows is "" and fills no quota of types."""
    label = candidate.verified or candidate.label
    if options.balance_by == "requested":
        label = candidate.label or candidate.verified
    kind = (candidate.question_type or "") if options.type_mix else ANY_TYPE
    return Cell(options.counts_under(label), kind)


def lacking(
    accepted: Sequence[Candidate],
    quotas: Quotas,
    lengths: Mapping[str, int],
    options: SetPlan,
    *,
    within_allowance: bool,
) -> dict[str, int]:
    """How many candidates the labels lack that have too few.

    within_allowance: those beyond a document's allowance are left aside, and those beyond ``SPREAD`` where there are
    at least as many documents as examples are wanted. lengths: document id to characters.
    """
    have: Counter[str] = Counter()
    if options.most_per_document is not None:  # which of a document's candidates are taken decides about the others
        have.update(cell_of(each, options).label for each in chosen(accepted, quotas, lengths, options))
    else:
        counted = Counter(cell_of(each, options) for each in accepted)
        if within_allowance:
            counted = _available(accepted, lengths, options)
        for cell, count in quotas.filled(counted).items():
            have[cell.label] += count
    return {label: count - have[label] for label, count in quotas.labels.items() if have[label] < count}


def _available(accepted: Sequence[Candidate], lengths: Mapping[str, int], options: SetPlan) -> Counter[Cell]:
    """The candidates that count while other documents may still give some."""
    of_label: Counter[tuple[str, str]] = Counter()
    of_document: Counter[str] = Counter()
    available: Counter[Cell] = Counter()
    for each in accepted:
        cell, home = cell_of(each, options), each.context.document_id
        is_one_too_many = options.n <= len(lengths) and of_document[home] >= SPREAD
        if is_one_too_many or of_label[cell.label, home] >= options.allowance(lengths[home]):
            continue
        of_label[cell.label, home] += 1
        of_document[home] += 1
        available[cell] += 1
    return available


def chosen(
    accepted: Sequence[Candidate], quotas: Quotas, lengths: Mapping[str, int], options: SetPlan
) -> list[Candidate]:
    """As many candidates of each label and question type as asked for, or all there are, by document and place.

    In turns: the candidate whose document has given least so far, then whose pattern has given least, then the best
    rated. Only when nothing else is left a document gives more than ``SPREAD``,
    or more of a label than its allowance, or a pattern more than ``pattern_share`` of a label, or a wording more than
    ``WORDING_SHARE`` of the set; and never a document more than ``most_per_document``.
    lengths: document id to characters.
    """
    used = _Used()
    picked: list[Candidate] = []
    pools: dict[Cell, list[Candidate]] = {}
    for each in accepted:
        pools.setdefault(cell_of(each, options), []).append(each)
    wanted = quotas.filled({cell: len(pool) for cell, pool in pools.items()})
    # what is hard to fill chooses first, so that others do not use up its documents
    for cell in sorted(wanted, key=lambda cell: (len(pools[cell]) - wanted[cell], cell)):
        of_label = quotas.labels.get(cell.label, 0)
        picked += _of_cell(cell, pools[cell], wanted[cell], of_label, used, lengths, options)
    return sorted(
        picked, key=lambda each: (each.ordinal, each.context.start, each.verified or each.label or "", each.question)
    )


def wording_of(question: str) -> str:
    """The first three words of a question."""
    return " ".join(question.lower().split()[:3])


def _of_cell(
    cell: Cell,
    pool: Sequence[Candidate],
    count: int,
    of_label: int,
    used: _Used,
    lengths: Mapping[str, int],
    options: SetPlan,
) -> list[Candidate]:
    """of_label: how many examples of the cell's label are wanted in all."""
    cap = max(1, math.ceil(of_label * options.pattern_share))
    wording_cap = max(1, int(options.n * WORDING_SHARE))

    def rank(each: Candidate) -> tuple[object, ...]:
        home = each.context.document_id
        return (
            used.documents[home] >= SPREAD,
            used.of_label[cell.label, home] >= options.allowance(lengths[home]),
            used.patterns[cell.label, each.pattern] >= cap,
            used.wordings[wording_of(each.question)] >= wording_cap,
            used.lengths[cell.label, length_class(len(each.context.text))] if options.even_lengths else 0,
            used.documents[home],
            used.patterns[cell.label, each.pattern],
            -each.quality,
            each.ordinal,
            each.question,
        )

    # Ranks only ever rise while others are picked, so the least one is found by looking again at the least known one.
    heap = [(rank(each), place) for place, each in enumerate(pool)]
    heapq.heapify(heap)
    picked: list[Candidate] = []
    while heap and len(picked) < count:
        known, place = heapq.heappop(heap)
        each = pool[place]
        now = rank(each)
        if now != known:
            heapq.heappush(heap, (now, place))
        elif options.has_room(used.documents[each.context.document_id]):
            picked.append(each)
            used.add(cell.label, each)
    return picked
