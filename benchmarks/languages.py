"""What lexical, dense and hybrid search are worth in German, French and Spanish: recall@5 and MRR with intervals.

    apt-get download {debian-reference,maint-guide}-{de,fr,es}; for each in *.deb; do dpkg -x $each unpacked; done
    python benchmarks/languages.py unpacked [--text-weights 0 0.1 1] [--stem-as en]

The documents are 24 pages a language of two Debian manuals, some of them half in English. ``languages.jsonl`` has 30
questions a language, written by one writer from passages drawn by chance, before anything was measured; each with the
passage's stretch that answers. German was for choosing, French and Spanish for checking what was chosen.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from ragassay import sweep_dataset
from ragassay.documents.read import ReadOptions, read_corpus
from ragassay.records import Document, Example, Provenance

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


def main() -> None:
    """Print a row for each language and text weight."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("unpacked", type=Path)
    parser.add_argument("--text-weights", type=float, nargs="+", default=[0, 0.1, 1])
    parser.add_argument("--stem-as", help="language whose stemmer and stop words are used; 'xx' for none")
    options = parser.parse_args()
    for language in ("de", "fr", "es"):
        pages = sorted(options.unpacked.rglob(f"*.{language}.html"))
        paths = [page for page in pages if not page.name.startswith("index")]
        documents = list(read_corpus(paths, ReadOptions(), print, print))
        examples = examples_of(language, documents)
        indexed = [replace(each, language=options.stem_as or each.language) for each in documents]
        for weight in options.text_weights:
            values = values_of(examples, indexed, weight)
            rows = np.random.default_rng(0).integers(0, len(examples), (RESAMPLES, len(examples)))
            for metric, of_metric in zip(METRICS, values, strict=True):
                low, high = np.percentile(of_metric[rows].mean(axis=1), [2.5, 97.5])
                print(f"{language} {weight:g} {metric} {of_metric.mean():.2f} ({low:.2f}–{high:.2f})", flush=True)


if __name__ == "__main__":
    main()
