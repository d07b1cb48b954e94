"""Questions that ask the same, and topics: by words and sentence vectors; the same questions give the same groups."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from ragassay.models.embedded.judging.places import read_question
from ragassay.models.embedded.reading.terms import total_weight

_SHARED, _SAME_PASSAGE, _SAME_KIND = 0.3, 0.15, 0.1
"""What shared content words, the same nearest passage and the same kind of question add to the cosine of two questions;
fitted on half of a log of another collection than that of docs/questions.md."""
SAME = 1.0
"""Sum from which on two questions ask the same: 92 % of such pairs in the other half do."""
TOPIC = 0.35
"""Mean cosine of the questions of two topics from which on they are one."""
_MOST_LINKED = 1_000
"""Questions that topics are made of, which takes the cube of their number; the others join the nearest topic."""
Vectors = npt.NDArray[np.float32]


def in_same_words(wordings: Mapping[str, int]) -> list[list[str]]:
    """Group wordings with the same content words that ask for the same kind of thing, the most asked first.

    wordings: to times asked. Within a group the most asked wording comes first, ties in the order given.
    """
    groups: defaultdict[Hashable, list[str]] = defaultdict(list)
    for text in sorted(wordings, key=lambda text: -wordings[text]):
        asked = read_question(text)
        groups[(frozenset(asked.terms), asked.types[0]) if asked.terms else text.lower()].append(text)
    return sorted(groups.values(), key=lambda group: -sum(map(wordings.__getitem__, group)))


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
        same_kind = len({read[one].types[0], read[other].types[0]} - {"other"}) < 2
        extra = _SHARED * _shared(terms[one], terms[other]) + _SAME_PASSAGE * same_passage + _SAME_KIND * same_kind
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


def _shared(one: frozenset[str], other: frozenset[str]) -> float:
    """Share of the weight of the terms of two questions that both have."""
    return total_weight(one & other) / total_weight(one | other) if one | other else 0.0


def topics(vectors: Vectors, times: Sequence[int]) -> list[list[int]]:
    """Group places of questions by what they are about, the most asked topic first, its most central question first.

    Average linkage on cosines (Sokal and Michener 1958). times: how often each was asked, which weighs the centre.
    """
    first = np.argsort(-np.asarray(times), kind="stable")[:_MOST_LINKED].tolist()
    groups = [[first[place] for place in group] for group in _linked(vectors[first])]
    centres = np.array([vectors[group].mean(axis=0) for group in groups]).reshape(len(groups), -1)
    for place in sorted(set(range(len(vectors))) - set(first)):
        groups[int(np.argmax(centres @ vectors[place]))].append(place)
    weights = np.asarray(times, np.float32)
    found = []
    for group in groups:
        centre = weights[group] @ vectors[group]
        order = np.argsort(-(vectors[group] @ centre), kind="stable").tolist()
        found.append([group[place] for place in order])
    return sorted(found, key=lambda group: (-sum(times[place] for place in group), group[0]))


def _linked(vectors: Vectors) -> list[list[int]]:
    """Join the two nearest groups until none are near enough."""
    near = vectors @ vectors.T
    np.fill_diagonal(near, -np.inf)
    groups = {place: [place] for place in range(len(near))}
    while len(groups) > 1:
        one, other = sorted(divmod(int(near.argmax()), len(near)))
        if near[one, other] < TOPIC:
            break
        n, m = len(groups[one]), len(groups[other])
        near[one] = near[:, one] = (n * near[one] + m * near[other]) / (n + m)
        near[other] = near[:, other] = -np.inf
        groups[one] += groups.pop(other)
    return list(groups.values())
