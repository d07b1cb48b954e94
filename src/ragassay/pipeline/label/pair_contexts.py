"""The text that a (context, question) pair of any data set is judged on: its context, else what it names as sources."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from ragassay.datasets.texts import Texts
from ragassay.records import Example, Span
from ragassay.synthesis.options import MAX_CONTEXT_CHARS

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
    if _holds_references(example) and not _is_mere_reference(example):
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


def _distinct(quotes: Iterable[str]) -> list[str]:
    """The quotes that say something, in order, without those that lie within another."""
    kept: list[str] = []
    for quote in dict.fromkeys(each for each in quotes if each.strip()):
        if not any(quote in other for other in kept):
            kept = [other for other in kept if other not in quote] + [quote]
    return kept
