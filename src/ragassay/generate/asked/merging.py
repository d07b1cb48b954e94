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
TOPIC = 0.42
"""Cosine of a question and the centre of a topic from which on it belongs there."""
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

    One pass, the most asked question first (leader clustering, Hartigan 1975). times: how often each was asked.
    """
    groups: list[list[int]] = []
    centres = np.empty_like(vectors)
    for place in sorted(range(len(vectors)), key=lambda place: -times[place]):
        near = centres[: len(groups)] @ vectors[place]
        best = int(near.argmax()) if groups else 0
        if groups and near[best] >= TOPIC:
            groups[best].append(place)
        else:
            best = len(groups)
            groups.append([place])
        centre = vectors[groups[best]].sum(axis=0)
        centres[best] = centre / np.linalg.norm(centre)
    for group, centre in zip(groups, centres, strict=False):
        group.sort(key=lambda place, to=centre: -float(to @ vectors[place]))  # type: ignore[misc]
    return sorted(groups, key=lambda group: -sum(times[place] for place in group))
