"""Questions that ask the same, and topics: by words and sentence vectors; the same questions give the same groups."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
import numpy.typing as npt

from ragassay.models.embedded.judging.places import read_question
from ragassay.models.embedded.reading.terms import total_weight

_SHARED, _SAME_PASSAGE, _SAME_KIND = 0.3, 0.15, 0.1
"""What shared content words, the same nearest passage and the same kind of question add to the cosine of two questions;
fitted on half of a log of another collection than that of docs/questions.md."""
SAME = 1.0
"""Sum from which on two questions ask the same: 92 % of such pairs in the other half do."""
_TOLD = frozenset({"person", "date", "amount", "choice"})
"""Kinds that a question word tells: who did it and when are two questions, however like their words."""
TOPIC = 0.3
"""Mean cosine of the questions of two topics from which on they are one."""
_TIE = 1e-5
"""Cosines that differ by less, which sums of 32 bits do, are equal."""
_FEW = 20
"""Questions that must share something before it counts as shared by all."""
Vectors = npt.NDArray[np.float32]


def merged(questions: Sequence[str], vectors: Vectors, passages: Sequence[Hashable | None]) -> list[list[int]]:
    """Group places of questions that ask the same; the first of each group, which came first, stands for it.

    vectors: (n_questions, dimension) of unit length. passages: what is nearest to each, None where nobody looked.
    """
    read = [read_question(question) for question in questions]
    terms = [frozenset(each.terms) for each in read]
    groups: list[list[int]] = []
    hubs = np.empty_like(vectors)

    def alike(one: int, other: int) -> float:
        same_passage = passages[one] is not None and passages[one] == passages[other]
        same_kind = read[one].types[0] == read[other].types[0]
        shared = total_weight(terms[one] & terms[other]) / max(total_weight(terms[one] | terms[other]), 1e-9)
        if not same_kind and {read[one].types[0], read[other].types[0]} <= _TOLD:
            return -1.0
        extra = _SHARED * shared + _SAME_PASSAGE * same_passage + _SAME_KIND * same_kind
        return float(vectors[one] @ vectors[other]) + extra

    for place, vector in enumerate(vectors):
        near = np.flatnonzero(hubs[: len(groups)] @ vector >= SAME - _SHARED - _SAME_PASSAGE - _SAME_KIND)
        # of all that it holds: "lend my card" is near both "lose my card" and "apply for my card"
        worth = {number: min(alike(place, member) for member in groups[number]) for number in near.tolist()}
        best = max(worth, key=worth.__getitem__, default=-1)
        if best >= 0 and worth[best] >= SAME:
            groups[best].append(place)
        else:
            hubs[len(groups)] = vector
            groups.append([place])
    return groups


def topics(vectors: Vectors, times: Sequence[int]) -> list[list[int]]:
    """Group places of questions by what they are about, the most asked topic first, its most central question first.

    Average linkage of cosines, by chains of nearest neighbours (Murtagh 1983), of vectors without what all questions
    share: the name of the product brings none together. times: how often each was asked.
    """
    own = vectors - vectors.sum(axis=0) / (len(vectors) + _FEW)
    own /= np.maximum(np.linalg.norm(own, axis=1, keepdims=True), 1e-9)
    sums, sizes = own.copy(), np.ones(len(own), np.float32)
    groups, found, chain = [[place] for place in range(len(own))], list[list[int]](), list[int]()

    def take(row: int) -> list[int]:
        """Remove a group; the last one gets its row."""
        last, group = len(groups) - 1, groups[row]
        sums[row], sizes[row], groups[row] = sums[last], sizes[last], groups[last]
        groups.pop()
        chain[:] = [row if each == last else each for each in chain if each != row]
        return group

    while groups:
        here = chain[-1] if chain else 0
        rows = len(groups)
        near = sums[:rows] @ sums[here] / (sizes[:rows] * sizes[here])
        near[here] = -1
        before = chain[-2] if len(chain) > 1 else here
        best = before if near[before] >= near.max() - _TIE else int(near.argmax())
        chain = chain or [here]
        if near[best] < TOPIC:  # no later merger comes nearer
            found.append(take(here))
        elif best == before:
            sums[best] += sums[here]
            sizes[best] += sizes[here]
            groups[best] += groups[here]
            del chain[-2:]
            take(here)
        else:
            chain.append(best)
    for group in found:
        group.sort(key=lambda place: (-times[place], place))
        central = np.round(own[group] @ own[group].sum(axis=0), 4)
        group[:] = [group[place] for place in np.argsort(-central, kind="stable")]
    return sorted(found, key=lambda group: -sum(times[place] for place in group))
