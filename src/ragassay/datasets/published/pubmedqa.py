"""PubMedQA (Jin et al. 2019): questions on abstracts, whose conclusions are the answers.

Forms: pubmedqa.github.io (one JSON object by PMID), and ``pubmed_qa`` as the library datasets has it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragassay.datasets.format import Notes, Peek, Source
from ragassay.datasets.lines import Row
from ragassay.datasets.published.item import (
    Item,
    Quote,
    Text,
    has_fields,
    published,
    rows_of,
    strings,
    text_in,
    whole_object,
)


def _items(source: Source, notes: Notes) -> Iterator[Item]:
    for row in _rows(source, notes):
        context = row.value["context"]
        parts = strings(context.get("contexts") if isinstance(context, dict) else context)
        text = "\n\n".join(parts)
        decision, conclusion = text_in(row.value.get("final_decision")), text_in(row.value.get("long_answer"))
        notes.add("decisions (yes, no, maybe) beside a conclusion, not read", bool(decision and conclusion))
        yield Item(
            where=row.where,
            question=text_in(row.value["question"]),
            id=text_in(row.value.get("pubid")),
            answer=conclusion or decision,
            texts=[Text(text)],
            quotes=[Quote(0, text)] if text else [],
        )


def _rows(source: Source, notes: Notes) -> Iterator[Row]:
    if source.path.suffix.lower() != ".json":
        yield from rows_of(source, notes, "question", "context")
        return
    names = {"question": "QUESTION", "context": "CONTEXTS", "long_answer": "LONG_ANSWER"}
    for key, value in whole_object(source).items():
        row = Row(f"{source.path.name}: {key}", value if isinstance(value, dict) else {})
        if has_fields(row, notes, "QUESTION", "CONTEXTS"):
            found = {name: row.value.get(theirs) for name, theirs in names.items()}
            decision = row.value.get("final_decision")
            yield Row(row.where, {**found, "pubid": key, "final_decision": decision})


def _recognises(peek: Peek) -> bool:
    return {"pubid", "question", "context"} <= peek.keys or {"QUESTION", "CONTEXTS"} <= peek.keys


FORMAT = published("pubmedqa", "PubMedQA", _recognises, _items)
