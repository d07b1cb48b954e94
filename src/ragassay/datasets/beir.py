"""BEIR folders: corpus.jsonl, queries.jsonl and qrels/*.tsv (Thakur et al. 2021), and runs of TREC.

Judged documents that are not in the corpus, or have no text, stay references that no search finds, as in trec_eval.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from itertools import islice
from pathlib import Path

from ragassay.datasets.foreign import document_of, document_of_text, example_of
from ragassay.datasets.format import Format, Notes, Record, Source
from ragassay.datasets.lines import Row, json_line, note_other_fields, read_lines, read_objects, text_of
from ragassay.datasets.texts import unplaced
from ragassay.errors import InputError, RecordError
from ragassay.records import NO_CONTEXT, Document, Example, Prediction, RankedChunk, Span

Grades = Mapping[str, Mapping[str, int]]
"""Query id to the ids of its relevant documents and their grades, 1 or more; none where all grades are 0."""


def _read(source: Source, notes: Notes) -> Iterator[Record]:
    relevant = read_grades(source.path, notes)
    wanted = {document_id for documents in relevant.values() for document_id in documents}
    spans: dict[str, Span] = {}
    corpus = source.documents or source.path / "corpus.jsonl"
    for row in read_objects(corpus, notes):
        document = _document(row, corpus, notes)
        if document is None:
            continue
        if document.id in wanted:
            spans[document.id] = document.span(0, len(document.text))
            notes.add("judged documents without text", not document.text)
        yield document
    for row in read_objects(source.path / "queries.jsonl", notes):
        query_id, question = text_of(row, "_id", notes), text_of(row, "text", notes)
        if query_id is None or question is None:
            continue
        note_other_fields(row, frozenset({"_id", "text"}), notes)
        of_query = relevant.pop(query_id, {})
        if not question.strip():
            notes.add("queries without text, left out")
            continue
        notes.add("judgements of documents that are not in the corpus", sum(each not in spans for each in of_query))
        notes.add("queries without a relevant document", not of_query)
        references = [
            replace(spans.get(each) or unplaced(each, ""), grade=grade)
            for each, grade in sorted(of_query.items(), key=lambda pair: -pair[1])  # best first
        ]
        context = next((span for span in references if span.text), NO_CONTEXT)
        yield example_of(origin="beir", question=question, example_id=query_id, references=references, context=context)
    if relevant:
        notes.add("not read: qrels of queries that are not in queries.jsonl", len(relevant))


def _document(row: Row, corpus: Path, notes: Notes) -> Document | None:
    value = row.value
    texts = [value.get(name) or "" for name in ("text", "title")]
    if "_id" not in value or not all(isinstance(each, str) for each in texts) or texts[0].strip():
        return document_of(row, corpus, notes)
    if texts[1].strip():
        notes.add("documents without text, whose titles are searched")
        return document_of(Row(row.where, {**value, "text": texts[1]}), corpus, notes)
    notes.add("documents with neither text nor title, which no search can find")
    own_id = text_of(row, "_id", notes)
    return None if own_id is None else replace(document_of_text("", "", corpus, row.where), id=own_id)


_WHOLE = re.compile(r" *([+-]?[0-9]{1,9})(?:\.0*)? *")
"""A whole score, also as pandas writes one beside empty cells; larger ones mean nothing."""


_QRELS = (".tsv", ".txt", ".qrels")
"""Suffixes of judgements: BEIR's, and those of TREC's own form with an iteration in the second of four columns."""


def read_grades(folder: Path, notes: Notes, split: str | None = None) -> dict[str, dict[str, int]]:
    """Return query id to the grades of its relevant documents, later lines hold. split: "test", say; None for all."""
    found = sorted(path for path in (folder / "qrels").glob("*") if path.suffix in _QRELS)
    if not found:
        raise InputError(f"{folder.name} has no qrels/*.tsv, where BEIR keeps relevance judgements")
    splits = [path for path in found if split in (None, path.stem)]
    if not splits:
        raise InputError(f"{folder.name} has no split {split!r}; it has {', '.join(path.stem for path in found)}")
    if len(splits) > 1:
        notes.add(f"{len(splits)} splits were joined")
    grades: dict[str, dict[str, int]] = {}
    for path in splits:
        for number, (where, line) in enumerate(read_lines(path, notes)):
            cells = line.decode("utf-8", "replace").rstrip("\r\n").split("\t" if path.suffix == ".tsv" else None)
            if number == 0 and cells[-1].strip() == "score":
                continue
            if len(cells) == 4:  # TREC's own form has an iteration in the second column
                del cells[1]
            score = _WHOLE.fullmatch(cells[2]) if len(cells) == 3 else None
            if score is None:
                notes.fault(f"{where}: must be query-id, corpus-id and a whole score, separated by tabs")
                continue
            grade = int(score[1])
            of_query = grades.setdefault(cells[0], {})
            if grade <= 0:
                notes.add("not read: documents that are judged not relevant")
                continue
            of_query[cells[1]] = grade
    return grades


def _write(path: Path, records: Iterable[Record], notes: Notes) -> None:
    (path / "qrels").mkdir()
    known: set[str] = set()
    with ExitStack() as stack:
        corpus, queries, qrels = (
            stack.enter_context((path / name).open("w", encoding="utf-8", newline="\n"))
            for name in ("corpus.jsonl", "queries.jsonl", "qrels/test.tsv")
        )
        qrels.write("query-id\tcorpus-id\tscore\n")
        for record in records:
            if isinstance(record, Document):
                known.add(record.id)
                line = {"_id": record.id, "title": record.title, "text": record.text, "metadata": dict(record.metadata)}
                corpus.write(json_line(line))
            elif isinstance(record, Example):
                queries.write(json_line({"_id": record.id, "text": record.question, "metadata": {}}))
                found = {span.document_id: span.grade or 1 for span in reversed(record.references)}
                notes.add("queries without a relevant document", not found)
                notes.add("relevant documents that are not in the corpus", sum(each not in known for each in found))
                for document_id, grade in reversed(found.items()):
                    qrels.write(f"{_tsv(record.id)}\t{_tsv(document_id)}\t{grade}\n")


def _tsv(name: str) -> str:
    if not name or any(sign in name for sign in "\t\r\n"):
        raise InputError(f"the id {name[:80]!r} cannot be written to a tab-separated file; rename it before converting")
    return name


FORMAT = Format(
    name="beir",
    holds=frozenset(
        {"example ids", "questions", "references", "grades", "documents", "document ids", "titles", "metadata"}
    ),
    writes=("",),
    when=({"files": ["corpus.jsonl", "queries.jsonl"]},),
    read=_read,
    write=_write,
)


_COLUMNS = 6


def is_run(path: Path) -> bool:
    """Return whether the first line of a file has the six columns."""
    lines = [line for _, line in islice(read_lines(path, Notes(keep_going=True)), 1)]
    return bool(lines) and len(cells := lines[0].split()) == _COLUMNS and _number(cells[4]) is not None


def read_run(path: Path) -> Iterator[Prediction]:
    """Yield one prediction for each query and system, named by its tag. Raises RecordError that names a line.

    Lines are ``query Q0 document rank score tag``, as trec_eval reads them: by the scores, whatever the ranks say, and
    of documents with the same score the last id comes first. Source: https://github.com/usnistgov/trec_eval.
    """
    found: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for where, line in read_lines(path, Notes()):
        cells = line.decode("utf-8", "replace").split()
        score = _number(cells[4].encode()) if len(cells) == _COLUMNS else None
        if score is None:
            raise RecordError(f"{where}: must be query, Q0, document, rank, score and tag, separated by white space")
        query, _, document, _, _, tag = cells
        if document in found[tag, query]:
            raise RecordError(f"{where}: document {document!r} occurs twice for query {query!r}; drop one")
        found[tag, query][document] = score
    for (tag, query), scores in found.items():
        ranked = sorted(scores.items(), key=lambda pair: (pair[1], pair[0]), reverse=True)
        yield Prediction(
            example_id=query,
            system=tag,
            chunks=tuple(
                RankedChunk(chunk_id=document, document_id=document, start=0, end=0, score=score)
                for document, score in ranked
            ),
        )


def _number(text: bytes) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if abs(value) < float("inf") else None
