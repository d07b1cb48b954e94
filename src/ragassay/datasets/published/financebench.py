"""FinanceBench (Islam et al. 2023): questions on filings, with the evidence and the page that it stands on.

Form: github.com/patronus-ai/financebench, ``data/financebench_open_source.jsonl``. A page of a filing is a document.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragassay.datasets.format import Notes, Source
from ragassay.datasets.published.item import Item, Quote, Text, objects, published, rows_of, text_in


def _items(source: Source, notes: Notes) -> Iterator[Item]:
    for row in rows_of(source, notes, "question", "answer", "evidence"):
        evidence = [each for each in objects(row.value["evidence"]) if text_in(each.get("evidence_text")).strip()]
        pages = [text_in(each.get("evidence_text_full_page")) or text_in(each["evidence_text"]) for each in evidence]
        yield Item(
            where=row.where,
            question=text_in(row.value["question"]),
            id=text_in(row.value.get("financebench_id")),
            answer=text_in(row.value["answer"]),
            texts=[
                Text(page, text_in(each.get("doc_name")) or text_in(row.value.get("doc_name")))
                for each, page in zip(evidence, pages, strict=True)
            ],
            quotes=[Quote(number, text_in(each["evidence_text"]).strip()) for number, each in enumerate(evidence)],
        )


FORMAT = published(
    "financebench",
    "FinanceBench",
    lambda peek: {"question", "evidence"} <= peek.keys and not peek.keys.isdisjoint({"financebench_id", "doc_name"}),
    _items,
)
