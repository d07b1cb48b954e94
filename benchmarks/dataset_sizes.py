"""Time and memory of writing, converting and checking a data set of made-up text, five examples a document.

    python benchmarks/dataset_sizes.py [--examples 25000]

Memory is the highest so far, so the order of the rows matters; that it does not grow with --examples is the point.
"""

from __future__ import annotations

import argparse
import random
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from ragassay.datasets.format import Notes, Record
from ragassay.datasets.registry import read_dataset, write_dataset
from ragassay.datasets.validation import examine
from ragassay.records import Document, Example, Provenance, content_id

TARGETS = {"beir": "", "ragas": ".jsonl", "dragonball": "", "csv": ".csv", "squad": ".json", "parquet": ""}


def made_up(examples: int) -> Iterator[Record]:
    """Documents of 400 words, each before its five examples."""
    chance = random.Random(1)
    words = [f"word{number}" for number in range(20_000)]
    for number in range(examples // 5):
        text = " ".join(chance.choices(words, k=400))
        document = Document(id=content_id("doc", text), title=f"Text {number}", source="", text=text, language="en")
        yield document
        for _ in range(5):
            start = chance.randrange(1_500)
            span = document.span(start, start + 80)
            question = f"What is {' '.join(chance.choices(words, k=10))}?"
            yield Example(
                id=content_id("q", question),
                question=question,
                answer=span.text,
                context=document.span(0, len(text)),
                references=(span,),
                keypoints=(span.text,),
                requested_label="fact_single",
                verified_label="fact_single",
                provenance=Provenance(synthesizer="made up", model=""),
                language="en",
            )


def measured(name: str, work: Callable[[], object]) -> None:
    """Does the work and prints a row of a table."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"| {name} | {wall:.2f} | {cpu:.2f} | {peak:.0f} |", flush=True)


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=25_000)
    examples = parser.parse_args().examples
    print("| | wall s | CPU s | peak MB |\n| --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / "source"
        measured("write jsonl", lambda: write_dataset(source, made_up(examples)))
        measured("check", lambda: examine(read_dataset(source), Notes()))
        for target, suffix in TARGETS.items():
            path = folder / f"{target}{suffix}"
            records = read_dataset(source)
            measured(f"jsonl to {target}", lambda p=path, r=records, t=target: write_dataset(p, r, format_name=t))


if __name__ == "__main__":
    main()
