"""What lexical, dense and hybrid search are worth in German, French and Spanish: recall@5 and MRR with intervals.

    apt-get download {debian-reference,maint-guide}-{de,fr,es}; for each in *.deb; do dpkg -x $each unpacked; done
    python benchmarks/languages.py unpacked [--text-weights 0 0.1 1] [--stem-as en] [--read]

The documents are 24 pages a language of two Debian manuals, some of them half in English. ``languages.jsonl`` has 30
questions a language (29 in Spanish), written by one writer from passages drawn by chance, before anything was
measured; each with the stretch of its passage that answers. German was for choosing, French and Spanish for checking.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from ragassay import sweep_dataset
from ragassay.documents.read import ReadOptions, read_corpus
from ragassay.models.embedded.model import EmbeddedModel
from ragassay.models.embeddings import SentenceEncoder
from ragassay.records import Document, Example, Provenance
from ragassay.tasks.answering import ANSWER, QuestionWithChunks
from ragassay.tasks.critique import LABEL, Pair

METRICS = ("recall@5", "mrr@10")
CHUNK_CHARS = 512
RESAMPLES = 4000


def examples_of(language: str, documents: Sequence[Document]) -> list[Example]:
    """The questions of a language, each at its place. Raises ValueError for one without a place of its own."""
    found = []
    lines = Path(__file__).with_name("languages.jsonl").read_text("utf-8").splitlines()
    for row in (row for row in map(json.loads, lines) if row["language"] == language):
        page = next(each for each in documents if Path(each.source).name == row["page"])
        start = page.text.find(row["reference"])
        if page.text.count(row["reference"]) != 1:
            raise ValueError(f"{row['page']} does not hold {row['reference']!r} once; take versions 2.100 and 1.2.53")
        span = page.span(start, start + len(row["reference"]))
        found.append(
            Example(
                id=f"{language}{len(found)}",
                question=row["question"],
                answer=row["reference"],
                context=span,
                references=(span,),
                keypoints=(),
                requested_label=None,
                verified_label=None,
                provenance=Provenance(synthesizer="people", model="people"),
            )
        )
    return found


def values_of(examples: Sequence[Example], documents: Sequence[Document], text_weight: float) -> np.ndarray:
    """(n_metrics, n_examples) float64."""
    with tempfile.TemporaryDirectory() as folder:
        out, setting = Path(folder) / "sweep", {"chunk_size": CHUNK_CHARS, "text_weight": text_weight}
        sweep_dataset(examples, setting, out, metrics=[*METRICS], documents=documents)
        (kept,) = (out / "values").glob("*.npz")
        with np.load(kept, allow_pickle=False) as file:
            return np.stack([file[f"metric {metric}"] for metric in METRICS])


async def read(examples: Sequence[Example], documents: Sequence[Document]) -> str:
    """What the embedded judge and reader make of the questions; a passage is the line that holds the reference."""
    texts = {each.id: each.text for each in documents}
    spans = [each.references[0] for each in examples]
    lines = [texts[each.document_id] for each in spans]
    passages = [
        text[text.rfind("\n", 0, span.start) + 1 : text.find("\n", span.end)].strip()
        for text, span in zip(lines, spans, strict=True)
    ]
    model, n = EmbeddedModel(SentenceEncoder()), len(examples)

    async def labelled(shift: int) -> float:
        pairs = [Pair(context=passages[(k + shift) % n], question=each.question) for k, each in enumerate(examples)]
        return float(np.mean([reply.value.label != "unanswerable" for reply in await model.ask_all(LABEL, pairs)]))

    async def answers(shifts: Sequence[int]) -> list[str]:
        asked = [
            QuestionWithChunks(question=each.question, chunks=tuple(passages[(k + shift) % n] for shift in shifts))
            for k, each in enumerate(examples)
        ]
        values = [reply.value for reply in await model.ask_all(ANSWER, asked)]
        return ["" if value.abstained else value.text for value in values]

    found = await answers((2, 0, 1, 3, 4))
    right = np.mean([answer != "" and answer[:40] in own for answer, own in zip(found, passages, strict=True)])
    abstains = np.mean([answer == "" for answer in await answers((1, 2, 3, 4))])
    return (
        f"answerable on its own passage {await labelled(0):.2f}, on another {await labelled(1):.2f}; of five passages"
        f" answers from the right one {right:.2f}, abstains without it {abstains:.2f}"
    )


def main() -> None:
    """Print a row for each language and text weight."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("unpacked", type=Path)
    parser.add_argument("--text-weights", type=float, nargs="+", default=[0, 0.1, 1])
    parser.add_argument("--stem-as", help="language whose stemmer and stop words are used; 'xx' for none")
    parser.add_argument("--read", action="store_true", help="what the embedded judge and reader make of them, too")
    options = parser.parse_args()
    for language in ("de", "fr", "es"):
        pages = sorted(options.unpacked.rglob(f"*.{language}.html"))
        paths = [page for page in pages if not page.name.startswith("index")]
        documents = list(read_corpus(paths, ReadOptions(), print, print))
        examples = examples_of(language, documents)
        if options.read:
            print(f"{language} {asyncio.run(read(examples, documents))}", flush=True)
        indexed = [replace(each, language=options.stem_as or each.language) for each in documents]
        for weight in options.text_weights:
            values = values_of(examples, indexed, weight)
            rows = np.random.default_rng(0).integers(0, len(examples), (RESAMPLES, len(examples)))
            for metric, of_metric in zip(METRICS, values, strict=True):
                low, high = np.percentile(of_metric[rows].mean(axis=1), [2.5, 97.5])
                print(f"{language} {weight:g} {metric} {of_metric.mean():.2f} ({low:.2f}–{high:.2f})", flush=True)


if __name__ == "__main__":
    main()
