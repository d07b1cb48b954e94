"""The text that a (context, question) pair of any data set is judged on: its context, else what it names as sources."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from ragassay.datasets.texts import Texts
from ragassay.records import Example, Span
from ragassay.synthesis.options import MAX_CONTEXT_CHARS

ContextOrigin = Literal["context", "documents", "surroundings", "references"]
"""Where the text came from: the example's own context, its documents in full, the stretches of its documents around
its references, or only the references themselves."""
_BETWEEN = "\n\n"


class PairContext(NamedTuple):
    """text: what the question is judged on; None where there is none, and ``fault`` says why."""

    text: str | None
    origin: ContextOrigin | None
    fault: str = ""


def pair_context(example: Example, texts: Texts, most_chars: int = MAX_CONTEXT_CHARS) -> PairContext:
    """What an example is judged on: the first of these that is there and not too long.

    Its context, where that holds all of its references. The documents that it names, one after the other. What stands
    around its references. The references. Sets that were made elsewhere often have no more than a sentence for a
    context: where that is one of the references, the document is the context.
    texts: of the documents of the set, as far as they are known.
    """
    own = example.context
    spans = [span for span in (own, *example.references) if span.document_id or span.text.strip()]
    offered: list[tuple[ContextOrigin, str]] = []
    if _holds_references(example) and not _is_mere_reference(example):
        offered.append(("context", own.text))
    else:
        offered.append(("documents", _documents(spans, texts)))
    offered.append(("surroundings", _surroundings(example.references, texts, most_chars)))
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


def _is_mere_reference(example: Example) -> bool:
    return not example.provenance.model and example.context in example.references


def _documents(spans: Iterable[Span], texts: Texts) -> str:
    """The documents of all spans, joined; empty unless every one of them is known."""
    found = []
    for document_id in dict.fromkeys(span.document_id for span in spans):
        text = texts.get(document_id)
        if text is None or not text.strip():
            return ""
        found.append(text)
    return _BETWEEN.join(found)


def _surroundings(references: Sequence[Span], texts: Texts, most_chars: int) -> str:
    """Stretches of the documents around all references, in their order, of equal length and of whole lines.

    Empty where a reference was not found in a document that is known, or fills its stretch alone.
    """
    room = most_chars // max(1, len(references)) - len(_BETWEEN)
    stretches: dict[str, list[tuple[int, int]]] = {}
    for span in references:
        text = texts.get(span.document_id)
        if text is None or text[span.start : span.end] != span.text or not 0 < len(span.text) <= room:
            return ""
        stretches.setdefault(span.document_id, []).append(_around(text, span, room))
    found = []
    for document_id, pairs in stretches.items():
        text = texts.get(document_id) or ""
        found += [text[start:end].strip() for start, end in _merged(pairs)]
    return _BETWEEN.join(found)


def _around(text: str, span: Span, room: int) -> tuple[int, int]:
    margin = (room - len(span.text)) // 2
    start, end = max(0, span.start - margin), min(len(text), span.end + margin)
    if start:
        line = text.find("\n", start, span.start)
        start = start if line < 0 else line + 1
    if end < len(text):
        line = text.rfind("\n", span.end, end)
        end = end if line < 0 else line
    return start, end


def _merged(pairs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(pairs):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged


def _distinct(quotes: Iterable[str]) -> list[str]:
    """The quotes that say something, in order, without those that lie within another."""
    kept: list[str] = []
    for quote in dict.fromkeys(each for each in quotes if each.strip()):
        if not any(quote in other for other in kept):
            kept = [other for other in kept if other not in quote] + [quote]
    return kept
