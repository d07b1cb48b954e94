"""Runs the product on collections, draws pairs from what it makes, and writes them down for a strict reader."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ragassay.documents.chunkers import recursive_chunks
from ragassay.records import LABELS
from ragassay.retrieval.chunk_table import ChunkTable
from ragassay.retrieval.index import build_lexical_index
from ragassay.retrieval.tokens import tokenize_documents

AROUND_CHARS, CHUNK_CHARS, CHUNKS = 600, 1024, 3
"""Of a sheet: characters shown on each side of the passage; size and number of the chunks that a reader gets to check
an unanswerable question with."""
COUNTS_FILE, RUNS_FOLDER, READER_FILE = "counts.json", "runs", "FOR_THE_READER.md"
PILE_FILE, PAGES_FILE = "pile.jsonl", "pile.md"

INSTRUCTIONS = """# For the reader

You did not write these pairs, and you do not know how they were made. Judge each by itself, strictly: would you put
it into an evaluation set of your own, as it stands, without touching a word? If you hesitate, refuse it. Accept a pair
only if all of this holds:

1. **Grammatical.** A careful native speaker would write the question so: articles, agreement, tense, word order, names
   whole.
2. **Natural.** Somebody who needs something from these documents, and has not read them, could ask this in these words.
3. **Self-contained.** The question says what it is about. No "it", "this", "the following", "we" or "the section" that
   only the page explains; and in this collection it can mean one thing only.
4. **Worth asking.** Somebody would want to know. Not what a heading is called, what a link says, what an example
   sentence mentions in passing, or what the question itself gives away.
5. **Right and complete.** By the passage and what stands around it the answer is true, answers this question, and
   leaves out nothing that a fair answer needs. A whole sentence is fine; one that is cut off, or talks of something
   else besides, is not.
6. **The right label.** fact_single: one statement of the text answers it. summary: several statements have to be
   brought together. reasoning: the answer is not written there, but follows from what is. unanswerable: it belongs to
   the subject, yet what the "scope" line names (the passage, the document, the whole collection) does not answer it.
   Look at the chunks below such a question, and search the documents where you are unsure.

Write one JSON object a line:
{"id": "001", "usable": true, "right": true, "accept": false, "fault": "...", "note": "..."}

- usable: one can tell what is asked, a system that finds the passage can answer it, and the answer is right
  (unanswerable: what the scope names does not answer it), whatever the wording.
- right: the answer is right in substance (unanswerable: nothing answers it), even if the question is odd.
- accept: all six points hold. If not, the fault is the first that applies of: {faults}.

The note is optional and is not kept.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A chunk that BM25 finds for a question."""

    title: str
    source: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A pair as a reader sees it.

    id: kind and the example's id. before, after: what stands around the passage. scope, chunks: of an unanswerable pair
    only, how far the product says to have looked, and what BM25 finds for the question in the whole collection. people:
    whether people wrote it.
    """

    id: str
    kind: str
    label: str
    question: str
    answer: str
    references: tuple[str, ...]
    title: str
    source: str
    before: str
    passage: str
    after: str
    scope: str
    chunks: tuple[Chunk, ...]
    people: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """What a run on one kind delivered. error: why there is no set, or ""."""

    kind: str
    seed: int
    asked: Mapping[str, int]
    delivered: Mapping[str, int]
    seconds: float
    error: str = ""


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The records of a JSON Lines file. Raises ValueError with the line that is none."""
    records = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            records.append(json.loads(line))
        except json.JSONDecodeError as error:
            raise ValueError(f"{path}, line {number}: {error}") from error
    return records


def make_set(documents: Path, out: Path, n: int, seed: int) -> str:
    """Runs ``ragassay synthesize`` with its defaults in a process of its own; its last words if it failed, or ""."""
    command = [sys.executable, "-m", "ragassay", "synthesize", str(documents), "--out", str(out)]
    command += ["--n", str(n), "--seed", str(seed), "--overwrite"]
    source = str(Path(__file__).resolve().parents[1] / "src")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (source, os.environ.get("PYTHONPATH"))))}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    return "" if not done.returncode else f"exit code {done.returncode}: {done.stderr.strip()[-500:]}"


def label_of(example: Mapping[str, Any]) -> str:
    """The verified label, else the one asked for."""
    return str(example["verified_label"] or example["requested_label"])


def draw(examples: Iterable[Mapping[str, Any]], per_label: int, seed: int) -> list[Mapping[str, Any]]:
    """At most ``per_label`` pairs of each label, each as likely as any other of its label, in the order of LABELS.

    Every form of question thus comes as often as it comes in the set. The same ids and seed give the same draw.
    """
    by_label: dict[str, list[Mapping[str, Any]]] = {label: [] for label in LABELS}
    for example in sorted(examples, key=lambda each: str(each["id"])):
        by_label.setdefault(label_of(example), []).append(example)
    chosen: list[Mapping[str, Any]] = []
    for label, of_label in by_label.items():
        chosen += random.Random(f"{seed} {label}").sample(of_label, min(per_label, len(of_label)))
    return chosen


class Finder:
    """BM25 over all chunks of a collection."""

    def __init__(self, documents: Sequence[Mapping[str, Any]]) -> None:
        self._chunks = [
            Chunk(title=each["title"], source=each["source"], text=each["text"][start:end])
            for each in documents
            for start, end in recursive_chunks(each["text"], CHUNK_CHARS)
        ]
        texts = [chunk.text for chunk in self._chunks]
        columns = range(len(texts)), [0] * len(texts), map(len, texts)
        table = ChunkTable(*(np.fromiter(column, np.int32) for column in columns))
        self._tokens = tokenize_documents(texts)
        self._index = build_lexical_index(self._tokens, table)

    def best(self, question: str, k: int = CHUNKS) -> tuple[Chunk, ...]:
        """The first k chunks that share a word with the question; ties in the order of the collection."""
        scores = self._index.scores([self._tokens.terms_of(question)])[0]
        order = sorted(range(len(scores)), key=lambda at: (-scores[at], at))[:k]
        return tuple(self._chunks[at] for at in order if scores[at] > 0)


def rows_of(kind: str, chosen: Sequence[Mapping[str, Any]], documents: Sequence[Mapping[str, Any]]) -> list[Row]:
    """The sheet of a kind."""
    by_id = {each["id"]: each for each in documents}
    finder = Finder(documents)
    rows = []
    for example in chosen:
        context, label = example["context"], label_of(example)
        document = by_id[context["document_id"]]
        text, start, end = document["text"], context["start"], context["end"]
        unanswerable = label == "unanswerable"
        rows.append(
            Row(
                id=f"{kind}/{example['id']}",
                kind=kind,
                label=label,
                question=example["question"],
                answer=example["answer"],
                references=tuple(each["text"] for each in example["references"]),
                title=document["title"],
                source=document["source"],
                before=text[max(0, start - AROUND_CHARS) : start],
                passage=text[start:end],
                after=text[end : end + AROUND_CHARS],
                scope=str(example["provenance"].get("unanswerable_in") or "not said") if unanswerable else "",
                chunks=finder.best(example["question"]) if unanswerable else (),
            )
        )
    return rows


def write_sheet(rows: Sequence[Row], folder: Path, kind: str) -> None:
    """Writes the pairs of a kind, to be put into a pile."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps(asdict(row), ensure_ascii=False) for row in rows)
    (folder / f"{kind}.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def sheets_of(folder: Path) -> list[dict[str, Any]]:
    """All pairs of a folder's sheets, in the order in which they were drawn. Raises ValueError where there is none."""
    paths = [folder / f"{kind}.jsonl" for kind in read_counts(folder)]
    rows = [row for path in paths if path.is_file() for row in read_lines(path)]
    if not rows:
        raise ValueError(f"{folder} has no pairs to judge; make a set with 'worth.py draw'")
    return rows


def write_pile(sheets: Sequence[Path], folder: Path, faults: Sequence[str], seed: int) -> int:
    """Shuffles the pairs of several folders into one pile of numbered pages that do not say who made them; how many.

    The reader gets FOR_THE_READER.md and pile.md alone. pile.jsonl tells which number is which pair.
    """
    rows = [row for each in sheets for row in sheets_of(each)]
    random.Random(seed).shuffle(rows)
    numbered = [{"number": f"{number:03d}"} | row for number, row in enumerate(rows, 1)]
    folder.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps(row, ensure_ascii=False) for row in numbered)
    (folder / PILE_FILE).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    (folder / PAGES_FILE).write_text("\n\n---\n\n".join(map(_page, numbered)) + "\n", encoding="utf-8")
    (folder / READER_FILE).write_text(INSTRUCTIONS.replace("{faults}", ", ".join(faults)), encoding="utf-8")
    for each in sheets:
        for counts in read_counts(each).values():
            keep_counts(folder, counts)
    return len(rows)


def _page(row: Mapping[str, Any]) -> str:
    parts = [
        f"## {row['number']}",
        f"Label: **{row['label']}**",
        f"Question: **{row['question']}**",
        f"Answer: {row['answer'] or '(none)'}",
    ]
    parts += [f"Reference: {each}" for each in row["references"]]
    parts.append(f"Document: {row['title']} ({row['source']})")
    for name in ("before", "passage", "after"):
        parts += [f"{name.capitalize()}:", _quoted(row[name])] if row[name].strip() else []
    if row["scope"]:
        parts.append(f"Scope: no answer in the {row['scope']}")
    for at, chunk in enumerate(row["chunks"], 1):
        found = f"Chunk {at} of the whole collection, from {chunk['title']} ({chunk['source']}):"
        parts += [found, _quoted(chunk["text"])]
    return "\n\n".join(parts)


def _quoted(text: str) -> str:
    """As code, so that no markup of a document changes the page; with more backticks than the text holds in a row."""
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{fence}\n{text}\n{fence}"


def draw_kind(kind: str, documents: Path, sheets: Path, n: int, per_label: int, seed: int) -> Counts:
    """Makes a set of a collection and its sheet. A run that failed is a Counts with an error."""
    run = sheets / RUNS_FOLDER / kind
    shutil.rmtree(run, ignore_errors=True)
    (sheets / f"{kind}.jsonl").unlink(missing_ok=True)
    start = time.monotonic()
    error = make_set(documents, run, n, seed)
    seconds = round(time.monotonic() - start, 1)
    if error or not (run / "examples.jsonl").is_file():
        error = error.replace(str(documents), kind) or "the run wrote no examples.jsonl"
        return Counts(kind=kind, seed=seed, asked={"any": n}, delivered={}, seconds=seconds, error=error)
    examples, texts = read_lines(run / "examples.jsonl"), read_lines(run / "documents.jsonl")
    write_sheet(rows_of(kind, draw(examples, per_label, seed), texts), sheets, kind)
    asked = json.loads((run / "synthesis.json").read_text(encoding="utf-8"))["requested"]
    delivered = dict(Counter(map(label_of, examples)))
    return Counts(kind=kind, seed=seed, asked=asked, delivered=delivered, seconds=seconds)


def keep_counts(sheets: Path, counts: Counts) -> None:
    """Adds a kind's counts to the folder's, in place of those of an earlier draw."""
    path = sheets / COUNTS_FILE
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    kept[counts.kind] = asdict(counts)
    path.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def read_counts(sheets: Path) -> dict[str, Counts]:
    """Kind to counts. Raises ValueError where the folder holds none."""
    path = sheets / COUNTS_FILE
    if not path.is_file():
        raise ValueError(f"{sheets} has no {COUNTS_FILE}; make it with 'worth.py draw'")
    kept = json.loads(path.read_text(encoding="utf-8"))
    return {kind: Counts(**entry) for kind, entry in kept.items()}
