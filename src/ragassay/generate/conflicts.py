"""Answers that another passage of the collection contradicts: readers cannot tell which of the two is right."""

from __future__ import annotations

from collections.abc import Sequence

from ragassay.generate.candidates import Candidate, occurrences
from ragassay.generate.gates import Passage, SearchGates
from ragassay.generate.synthesizer import Finding
from ragassay.models.base import Encoder, Model
from ragassay.records import Span
from ragassay.tasks.drafting import CONFLICTS, ConflictRequest

_PAIRS_A_CALL, _PASSAGES, _MOST_CHARS = 10, 2, 500
"""Pairs held against the passages of one call, how many of these each pair brings, and how much of a pair is shown."""


def _shown(pair: Candidate) -> str:
    text = f"{pair.question} {pair.answer}"
    return text if len(text) <= _MOST_CHARS else text[:_MOST_CHARS].rsplit(" ", 1)[0] + " …"


async def conflicting(
    candidates: Sequence[Candidate], judge: Model, gates: SearchGates, encoder: Encoder
) -> list[tuple[Candidate, Finding]]:
    """Have a judge hold each answer against the passages nearest to it: those that one contradicts, and where."""
    pairs = sorted((each for each in candidates if each.answer), key=lambda each: each.context.document_id)
    texts = [_shown(each) for each in pairs]
    near = gates.nearest_passages(texts, _PASSAGES, encoder, [(each.context, *each.references) for each in pairs])
    shown: list[tuple[Sequence[Candidate], list[Passage], ConflictRequest]] = []
    for first in range(0, len(pairs), _PAIRS_A_CALL):
        some = slice(first, first + _PAIRS_A_CALL)
        if passages := list(dict.fromkeys(each for found in near[some] for each in found)):
            written = tuple(each.head + each.span.text for each in passages)
            shown.append((pairs[some], passages, ConflictRequest(pairs=tuple(texts[some]), passages=written)))
    replies = await judge.ask_all(CONFLICTS, [request for _, _, request in shown])
    found = []
    for (asked, passages, _), reply in zip(shown, replies, strict=True):
        for each in reply.value.conflicts if reply.value else ():
            pair, span = asked[each.pair - 1], passages[each.passage - 1].span
            # words that do not stand there prove nothing
            for start, end in occurrences(span.text, 0, len(span.text), each.quote)[:1]:
                words, at = span.text[start:end], span.start
                place = Span(document_id=span.document_id, start=at + start, end=at + end, text=words)
                if not any(place.places[0].overlaps(of) for own in pair.references for of in own.places):
                    note = Finding(kind="contradiction", note=each.reason, places=(*pair.references, place))
                    found.append((pair, note))
    return found
