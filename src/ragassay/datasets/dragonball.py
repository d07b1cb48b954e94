"""DragonBall, the set of RAGEval (Zhu et al., ACL 2025): queries with keypoints, and documents in a file beside them.

Its references are sentences without places; they are looked for in the documents that the query names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from ragassay.datasets.documents_file import read_documents
from ragassay.datasets.foreign import example_of, prediction_of
from ragassay.datasets.format import Format, Notes, Peek, Record, Source
from ragassay.datasets.lines import Row, json_line, note_other_fields, read_objects, text_of, texts_of
from ragassay.datasets.texts import Texts, chunk_texts, find_quote, unplaced
from ragassay.errors import InputError
from ragassay.records import NO_CONTEXT, Document, Example, Prediction, QuestionType, Span

UNANSWERABLE: QuestionType = "unanswerable"
_NAMES: dict[QuestionType, tuple[str, str]] = {
    "factual": ("Factual Question", "事实性问题"),
    "summarization": ("Summary Question", "总结性问题"),
    "multi_hop": ("Multi-hop Reasoning Question", "多跳推理问题"),
    "information_integration": ("Multi-document Information Integration Question", "多文档信息整合问题"),
    "numerical_comparison": ("Multi-document Comparison Question", "多文档对比问题"),
    "temporal_sequence": ("Multi-document Time Sequence Question", "多文档时间序列问题"),
    UNANSWERABLE: ("Irrelevant Unsolvable Question", "无关无解问"),
}
"""Our name of each type: the names in English and in Chinese queries."""
_TYPES = {name: kind for kind, names in _NAMES.items() for name in names} | {
    "Summarization Question": "summarization",
    "无关无解问题": UNANSWERABLE,
}
_NO_ANSWER = {"zh": "无法回答"}
QUERIES, DOCUMENTS = "dragonball_queries.jsonl", "dragonball_docs.jsonl"


def _recognises(peek: Peek) -> bool:
    return QUERIES in peek.files or (peek.suffix == ".jsonl" and {"query", "ground_truth"} <= peek.keys)


def _read(source: Source, notes: Notes) -> Iterator[Record]:
    folder = source.path if source.path.is_dir() else source.path.parent
    queries = folder / QUERIES if source.path.is_dir() else source.path
    documents = source.documents or next(
        (folder / name for name in (DOCUMENTS, "documents.jsonl") if (folder / name).is_file()), None
    )
    if documents is None:
        raise InputError(f"{queries.name} needs its documents; give their file with --documents")
    with Texts() as texts:
        for document in read_documents(documents, notes):
            if texts.add(document.id, document.text):
                yield document
            else:
                notes.fault(f"{documents.name}: two documents have the id {document.id!r}")
        for row in read_objects(queries, notes):
            yield from _query(row, texts, notes)


def _query(row: Row, texts: Texts, notes: Notes) -> Iterator[Record]:
    query, truth = (_inner(row, name, notes) for name in ("query", "ground_truth"))
    if query is None or truth is None:
        return
    note_other_fields(row, frozenset({"query", "ground_truth", "prediction", "language", "domain"}), notes)
    query_id, question = text_of(query, "query_id", notes), text_of(query, "content", notes)
    named_type, answer = text_of(query, "query_type", notes, default=""), text_of(truth, "content", notes, default="")
    quotes, keypoints = texts_of(truth, "references", notes), texts_of(truth, "keypoints", notes)
    ids = _document_ids(truth, texts, notes)
    if query_id is None or question is None or named_type is None or answer is None:
        return
    if quotes is None or keypoints is None or ids is None:
        return
    kind = _TYPES.get(named_type, named_type) or None
    if kind is not None and kind not in _NAMES:
        notes.add("question types that are not among the seven")
    is_answerable = kind != UNANSWERABLE
    context = NO_CONTEXT
    if ids:
        text = texts.get(ids[0]) or ""
        context = Span(document_id=ids[0], start=0, end=len(text), text=text)
    prediction = _prediction(row, query_id, notes)
    if prediction is not None:
        yield prediction
    references = [_placed(quote, ids, texts, notes) for quote in quotes]
    covered = {context.document_id, *(span.document_id for span in references)}
    notes.add("documents of a question in which none of its references stands", len(set(ids) - covered))
    language = row.value.get("language")
    yield example_of(
        origin="dragonball",
        question=question,
        answer=answer if is_answerable else "",
        example_id=query_id,
        context=context,
        references=references,
        keypoints=[_unnumbered(text, place) for place, text in enumerate(keypoints, 1)],
        language=language if isinstance(language, str) else None,
        question_type=kind,
        unanswerable_in=None if is_answerable else "document",
    )


def _inner(row: Row, name: str, notes: Notes) -> Row | None:
    value = row.value.get(name)
    if isinstance(value, dict):
        return Row(f"{row.where}, {name}", value)
    notes.fault(f"{row.where}: the field {name!r} must be an object")
    return None


def _document_ids(truth: Row, texts: Texts, notes: Notes) -> list[str] | None:
    value = truth.value.get("doc_ids", [])
    if not isinstance(value, list) or not all(type(each) in (int, str) for each in value):
        notes.fault(f"{truth.where}: doc_ids must be a list of ids")
        return None
    ids = [str(each) for each in value]
    unknown = next((each for each in ids if each not in texts), None)
    if unknown is not None:
        notes.fault(f"{truth.where}: doc_ids names {unknown!r}, which is not among the documents")
        return None
    return ids


def _placed(quote: str, ids: list[str], texts: Texts, notes: Notes) -> Span:
    """The first place of a reference in the documents of its query.

    Ten of the 1 050 references of the published finance queries in English open with a sentence that their documents
    have in other words; these stay without a place.
    """
    for document_id in ids:
        text = texts.get(document_id) or ""
        found = find_quote(text, quote)
        if found is not None:
            if text[found[0] : found[1]] != quote:
                notes.add("references with other white space than their document; the document's is taken")
            return Span(document_id=document_id, start=found[0], end=found[1], text=text[found[0] : found[1]])
    notes.add("references that are in none of their documents")
    return unplaced(ids[0] if ids else "", quote)


def _prediction(row: Row, query_id: str, notes: Notes) -> Prediction | None:
    if row.value.get("prediction") is None:
        return None
    inner = _inner(row, "prediction", notes)
    if inner is None:
        return None
    answer, retrieved = text_of(inner, "content", notes, default=""), texts_of(inner, "references", notes)
    return None if answer is None or retrieved is None else prediction_of(query_id, answer or None, retrieved)


def _unnumbered(keypoint: str, place: int) -> str:
    """Without the number in front, if that is the keypoint's own."""
    return re.sub(rf"\A{place}[.．、] ?", "", keypoint)


def _write(path: Path, records: Iterable[Record], notes: Notes) -> None:
    waiting: dict[str, Prediction] = {}
    domains: dict[str, str] = {}
    with ExitStack() as stack:
        queries, documents = (
            stack.enter_context((path / name).open("w", encoding="utf-8", newline="\n"))
            for name in (QUERIES, DOCUMENTS)
        )
        texts = stack.enter_context(Texts())
        for record in records:
            if isinstance(record, Document):
                texts.add(record.id, record.text)
                domains[record.id] = record.metadata.get("domain", "")
                documents.write(json_line(_document_line(record)))
            elif isinstance(record, Prediction):
                if record.example_id in waiting:
                    notes.add("not written: predictions of further systems; --system names the one to take")
                waiting.setdefault(record.example_id, record)
            else:
                queries.write(json_line(_query_line(record, waiting.pop(record.id, None), domains, texts, notes)))


def _document_line(document: Document) -> Mapping[str, Any]:
    return {
        "domain": document.metadata.get("domain", ""),
        "language": document.language,
        "doc_id": _number(document.id),
        "title": document.title,
        "content": document.text,
        "metadata": {name: value for name, value in document.metadata.items() if name != "domain"},
    }


def _query_line(
    example: Example, prediction: Prediction | None, domains: Mapping[str, str], texts: Texts, notes: Notes
) -> Mapping[str, Any]:
    is_answerable = bool(example.answer)
    ids = list(dict.fromkeys(span.document_id for span in (example.context, *example.references) if span.document_id))
    chinese = example.language == "zh"
    kind = (example.question_type or "") if is_answerable else UNANSWERABLE
    line: dict[str, Any] = {
        "domain": domains.get(ids[0], "") if ids else "",
        "language": example.language,
        "query": {
            "query_id": _number(example.id),
            "query_type": _NAMES[kind][chinese] if kind in _NAMES else kind,
            "content": example.question,
        },
        "ground_truth": {
            "doc_ids": [_number(each) for each in ids],
            "content": example.answer or _NO_ANSWER.get(example.language, "Unable to answer"),
            "references": [span.text for span in example.references],
            "keypoints": [f"{place}. {text}" for place, text in enumerate(example.keypoints, 1)],
        },
    }
    if prediction is not None:
        retrieved = chunk_texts(prediction.chunks, texts)
        notes.add("retrieved chunks without a known text", len(prediction.chunks) - len(retrieved))
        line["prediction"] = {"content": prediction.answer or "", "references": retrieved}
    return line


def _number(name: str) -> int | str:
    """Ids as the published files have them: whole numbers where they are some."""
    return int(name) if name.isascii() and name.isdecimal() and str(int(name[:18])) == name else name


FORMAT = Format(
    name="dragonball",
    title="DragonBall (RAGEval): queries, with documents in a file beside them",
    holds=frozenset(
        {
            "example ids",
            "questions",
            "answers",
            "references",
            "keypoints",
            "question types",
            "languages of examples",
            "documents",
            "document ids",
            "titles",
            "languages of documents",
            "metadata",
            "predictions",
        }
    ),
    writes=("",),
    recognises=_recognises,
    read=_read,
    write=_write,
)
