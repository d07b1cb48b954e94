"""MultiHop-RAG (Tang and Yang 2024): queries with their evidence, and the news that it is taken from.

Form: ``yixuantt/MultiHopRAG``: MultiHopRAG.json, and corpus.json beside it or where ``--documents`` says. Without the
corpus, each piece of evidence is a document of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragassay.datasets.documents_file import read_documents
from ragassay.datasets.format import Notes, Source
from ragassay.datasets.published.item import Item, Quote, Text, has_fields, objects, published, text_in
from ragassay.datasets.rows import read_rows
from ragassay.datasets.texts import Corpus
from ragassay.records import Document

_TYPES = {
    "inference_query": "multi_hop",
    "comparison_query": "information_integration",
    "temporal_query": "temporal_sequence",
    "null_query": "unanswerable",
}


def _items(source: Source, notes: Notes) -> Iterator[Item | Document]:
    beside = source.path.with_name("corpus.json")
    path = source.documents or (beside if beside.is_file() else None)
    corpus = Corpus()
    for document in read_documents(path, notes) if path else ():
        corpus.add(document.id, document.text)
        yield document
    for row in read_rows(source.path, notes):
        if not has_fields(row, notes, "query", "answer", "evidence_list"):
            continue
        evidence = [each for each in objects(row.value["evidence_list"]) if text_in(each.get("fact")).strip()]
        found = [corpus.find(text_in(each["fact"])) for each in evidence]
        texts = [
            Text(text_in(each["fact"]), text_in(each.get("title")))
            for each, span in zip(evidence, found, strict=True)
            if span is None
        ]
        notes.add("evidence found in no document; kept as a document of its own", len(texts) if path else 0)
        kind = _TYPES.get(text_in(row.value.get("question_type")))
        yield Item(
            where=row.where,
            question=text_in(row.value["query"]),
            answer=text_in(row.value["answer"]),
            texts=texts,
            quotes=[Quote(number, each.text) for number, each in enumerate(texts)],
            placed=[span for span in found if span is not None],
            context=None,
            unanswerable="corpus" if kind == "unanswerable" else None,
            question_type=kind,
        )


FORMAT = published("multihop_rag", "MultiHop-RAG", lambda peek: {"query", "evidence_list"} <= peek.keys, _items)
