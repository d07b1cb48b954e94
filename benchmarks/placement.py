"""How many chunks of other people's systems are put in their place, and how fast.

    python benchmarks/placement.py demo/knowledge_base [--articles ../shared/data/ragval/knowledge_blocks.jsonl]

Ten kinds of loaders and splitters (``splitters.py``) cut the documents of a folder. Placed: share of the chunks that
get a place; wrong: those placed in another document, or sharing less than half with the place that they were made
from, where the words there are others. Recall@5: BM25 over the chunks as they are, on questions that the embedded model
asks of the documents, judged by the places found: word for word (as before), and by words. ``--articles`` adds the time
for 100 000 chunks of these, and for half of them.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

import bm25s
import numpy as np
from splitters import SPLITTERS, Chunk

from ragassay.corpus.alignment import Alignment
from ragassay.corpus.store import DocumentStore
from ragassay.datasets.placing import Placer
from ragassay.datasets.texts import Corpus
from ragassay.metrics.retrieval.views import by_chunk
from ragassay.records import Document, Example, Prediction, RankedChunk

MANY = 100_000
TOP = 5
Made = tuple[Document, Chunk]
Place = Callable[[RankedChunk], RankedChunk]


def as_returned(chunk: Chunk) -> RankedChunk:
    """What a system says that knows nothing of our documents."""
    return RankedChunk(chunk_id="c", document_id="", start=0, end=0, score=1.0, text=chunk.text)


def by_words(documents: Sequence[Document]) -> Place:
    """As ``ragassay predict`` places chunks."""
    placer = Placer(documents)
    return lambda chunk: placer.placed(Prediction(example_id="q", system="s", chunks=(chunk,))).chunks[0]


def word_for_word(documents: Sequence[Document]) -> Place:
    """Only white space is forgiven."""
    corpus = Corpus()
    for document in documents:
        corpus.add(document.id, document.text)

    def place(chunk: RankedChunk) -> RankedChunk:
        span = corpus.find(chunk.text or "")
        return chunk if span is None else replace(chunk, document_id=span.document_id, start=span.start, end=span.end)

    return place


def is_wrong(placed: RankedChunk, document: Document, chunk: Chunk, texts: dict[str, str]) -> bool:
    """Whether a place is another than the chunk was made from, and does not have the same words."""
    if placed.document_id == document.id:
        shared = min(placed.end, chunk.end) - max(placed.start, chunk.start)
        if 2 * shared >= max(placed.end - placed.start, chunk.end - chunk.start):
            return False
    there = Alignment([texts[placed.document_id][placed.start : placed.end]])
    found = there.find(document.text[chunk.start : chunk.end])
    return found is None or found.share < 1


def made(documents: Sequence[Document], splitter: str) -> list[Made]:
    cut = SPLITTERS[splitter]
    return [(each, chunk) for each in documents for chunk in cut(each.title, each.text) if chunk.text.strip()]


def recall(chunks: Sequence[Made], examples: Sequence[Example], place: Place) -> float:
    """Mean share of the ground spans that the first five chunks by BM25 hold."""
    texts = [chunk.text for _, chunk in chunks]
    index = bm25s.BM25()
    index.index(bm25s.tokenize(texts, stopwords="en", show_progress=False), show_progress=False)
    asked = bm25s.tokenize([each.question for each in examples], stopwords="en", show_progress=False)
    rows, _ = index.retrieve(asked, k=min(TOP, len(texts)), show_progress=False)
    values = []
    for example, row in zip(examples, rows.tolist(), strict=True):
        ranked = [place(as_returned(chunks[number][1])) for number in row]
        view = by_chunk(ranked, [texts[number] for number in row], example.ground_spans)
        values.append(np.mean([any(name in right for name in view.ranked) for right in view.ground]))
    return float(np.mean(values))


def questions(folder: Path, out: Path) -> list[Example]:
    """What the embedded model asks of the documents, the small language model off: quick, and the same every time."""
    os.environ["RAGASSAY_SMALL_MODEL"] = "off"
    import ragassay
    from ragassay.datasets.registry import read_dataset

    ragassay.synthesize(folder, out, n=100)
    return [each for each in read_dataset(out) if isinstance(each, Example) and each.ground_spans]


def placements(documents: Sequence[Document], examples: Sequence[Example]) -> Iterator[str]:
    """A row of the table for each splitter."""
    texts = {each.id: each.text for each in documents}
    new, old = by_words(documents), word_for_word(documents)
    new(as_returned(Chunk("an index is made", 0, 0)))
    total = placed = wrong = before = 0
    for splitter in SPLITTERS:
        chunks = made(documents, splitter)
        found = [(new(as_returned(chunk)), document, chunk) for document, chunk in chunks]
        inside = [each for each in found if each[0].document_id]
        faults = [each for each in inside if is_wrong(*each, texts)]
        earlier = sum(bool(old(as_returned(chunk)).document_id) for _, chunk in chunks)
        total, placed, wrong = total + len(chunks), placed + len(inside), wrong + len(faults)
        before += earlier
        yield (
            f"| {splitter} | {len(chunks)} | {earlier / len(chunks):.3f} | {len(inside) / len(chunks):.3f} "
            f"| {len(faults)} | {recall(chunks, examples, old):.3f} | {recall(chunks, examples, new):.3f} |"
        )
    yield f"| all | {total} | {before / total:.3f} | {placed / total:.3f} | {wrong} | | |"


def speed(articles: Path) -> Iterator[str]:
    """Seconds for many chunks, and for half of them: twice the chunks take twice the time."""
    documents = []
    with articles.open(encoding="utf-8") as file:
        for number, line in enumerate(file):
            row = json.loads(line)
            documents.append(Document(id=str(number), title=row["title"], source=row["url"], text=row["content"]))
    for most in (MANY // 2, MANY):
        endless = (each for _ in range(100) for splitter in SPLITTERS for each in made(documents, splitter))
        chunks = [as_returned(chunk) for _, chunk in islice(endless, most)]
        started = time.perf_counter()
        place = by_words(documents)
        found = sum(bool(place(chunk).document_id) for chunk in chunks)
        yield (
            f"{len(chunks)} chunks of {len(documents)} articles: {time.perf_counter() - started:.1f} s, "
            f"{found / len(chunks):.3f} placed"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--articles", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        examples = questions(arguments.folder, Path(temporary) / "set")
        with DocumentStore.open(Path(temporary) / "set" / "documents.jsonl") as store:
            documents = list(store)
        print("| chunks of | n | placed before | placed | wrong | recall@5 before | recall@5 |")
        print("| --- | --- | --- | --- | --- | --- | --- |")
        for row in placements(documents, examples):
            print(row, flush=True)
    for row in speed(arguments.articles) if arguments.articles else ():
        print(row, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
