"""Answers that another passage of the collection contradicts: readers cannot tell which of the two is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ragassay.generate.candidates import Candidate, occurrences
from ragassay.generate.gates import Passage, SearchGates
from ragassay.generate.synthesizer import Finding
from ragassay.models.base import Encoder, Model
from ragassay.records import Span
from ragassay.tasks.drafting import CONFLICTS, ConflictRequest
from ragassay.text import words

_PAIRS_A_CALL, _PASSAGES, _MOST_CHARS = 10, 2, 500
"""Pairs held against the passages of one call, how many of these each pair brings, and how much of a pair is shown."""


def _shown(pair: Candidate) -> str:
    text = f"{pair.question} {pair.answer}"
    if len(text) <= _MOST_CHARS:
        return text
    cut = text.rfind(" ", _MOST_CHARS - 30, _MOST_CHARS)  # Chinese has no spaces
    return f"{text[: cut if cut > 0 else _MOST_CHARS]} …"


async def conflicting(
    candidates: Sequence[Candidate], judge: Model, gates: SearchGates, encoder: Encoder
) -> tuple[list[tuple[Candidate, Finding]], Counter[str]]:
    """Have a judge hold each answer against the passages nearest to it.

    Returns those that a passage contradicts, whose words are the last place of the finding; and why pairs were not
    looked at, to how many.
    """
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
    found, unheard = [], Counter[str]()
    for (asked, passages, _), reply in zip(shown, replies, strict=True):
        if reply.value is None:
            unheard[f"kept, but not held against other passages: {reply.reason}"] += len(asked)
        for each in reply.value.conflicts if reply.value else ():
            pair, span = asked[each.pair - 1], passages[each.passage - 1].span
            # words that do not stand there prove nothing, nor does a sign or a single word
            quote = each.quote if len(words(each.quote)) > 1 else ""
            for start, end in occurrences(span.text, 0, len(span.text), quote)[:1]:
                at, said = span.start, span.text[start:end]
                place = Span(document_id=span.document_id, start=at + start, end=at + end, text=said)
                if not any(place.places[0].overlaps(of) for own in pair.references for of in own.places):
                    note = Finding(kind="contradiction", note=each.reason, places=(*pair.references, place))
                    found.append((pair, note))
    return found, unheard
