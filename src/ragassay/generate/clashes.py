"""Which pairs of a set are asked about together, whether they exclude each other: near questions, unlike answers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ragassay.generate.candidates import Candidate
from ragassay.generate.repeats import holds, telling
from ragassay.generate.synthesizer import Finding
from ragassay.models.base import Encoder, Model
from ragassay.tasks.drafting import CLASHES, NearPairs

_NEAR = 0.8
_PAIRS_A_CALL, _MOST_IN_CALL, _MOST_CHARS = 10, 12, 300
"""At most one call for so many pairs of the set, with so many pairs, and so long a text of each: documents from one
template are all near each other, and took nine tenths of a set's tokens."""


def groups_that_may_clash(accepted: Sequence[Candidate], encoder: Encoder) -> list[list[Candidate]]:
    """Group pairs of different documents whose questions are near and whose answers differ, the nearest ones first.

    A pair is in one group at most.
    """
    pairs = [each for each in accepted if each.answer]
    if len(pairs) < 2:
        return []
    vectors = encoder.encode([each.question for each in pairs])
    cosines = vectors @ vectors.T
    np.fill_diagonal(cosines, -1)
    nearest = cosines.max(axis=1)
    answers = [telling(each.answer) for each in pairs]
    grouped: set[int] = set()
    groups: list[list[Candidate]] = []
    for hub in np.argsort(-nearest, kind="stable").tolist():
        if nearest[hub] < _NEAR or len(groups) * _PAIRS_A_CALL >= len(pairs):
            break
        if hub in grouped:
            continue
        group = [hub]
        for other in np.argsort(-cosines[hub], kind="stable").tolist():
            if cosines[hub, other] < _NEAR or len(group) == _MOST_IN_CALL:
                break
            is_elsewhere = pairs[other].context.document_id != pairs[hub].context.document_id
            if is_elsewhere and other not in grouped and not holds(answers[hub], answers[other]):
                group.append(other)
        if len(group) > 1:
            grouped.update(group)
            groups.append([pairs[place] for place in sorted(group)])
    return groups


def near_pairs(group: Sequence[Candidate]) -> NearPairs:
    """What the judge is shown of a group."""
    return NearPairs(pairs=tuple(f"{each.question} {each.answer}"[:_MOST_CHARS] for each in group))


async def clashing(
    accepted: Sequence[Candidate], judge: Model, encoder: Encoder
) -> list[tuple[Candidate, Candidate, Finding]]:
    """Have a judge say which pairs exclude an earlier one of their group: the earlier, the later, what is at odds."""
    groups = groups_that_may_clash(accepted, encoder)
    replies = await judge.ask_all(CLASHES, [near_pairs(group) for group in groups])
    found = []
    for group, said in ((group, reply.value) for group, reply in zip(groups, replies, strict=True) if reply.value):
        for clash in said.clashing:
            first, second = group[clash.earlier - 1], group[clash.number - 1]
            places = (*first.references, *second.references)
            found.append((first, second, Finding(kind="contradiction", note=said.reason, places=places)))
    return found
