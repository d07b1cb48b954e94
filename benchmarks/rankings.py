"""Does a set that was made from documents rank retrieval settings as people's questions on the same documents do?

    python benchmarks/rankings.py [--shared ../shared/data] documents --into FOLDER
    ragassay synthesize FOLDER --out SET --n 500
    python benchmarks/rankings.py compare SET

The documents are the 48 encyclopaedia articles of XQuAD, five paragraphs each, without titles; people's questions are
its 1 190 in English, each with a span of the text as its reference. Every question is scored once under each of twelve
settings (text weight, chunk size); all else is drawn from these values. Nothing is tuned on this data.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path

import numpy as np
import numpy.typing as npt
from worth_collections import paragraphs

from ragassay import sweep_dataset
from ragassay.evaluation.clusters import clusters_of
from ragassay.people.agreement.benchmarks import Scored, ceiling_of, order_agreement
from ragassay.records import Document, Example, Provenance, read_jsonl

METRIC, BESIDE = "ndcg@5", "recall@5"
SETTINGS = tuple(product((256, 1024), (0, 0.1, 0.25, 0.5, 0.75, 1)))
"""Chunk size, text weight."""
FEWEST = 20
"""Questions of a label, below which an order of twelve settings says nothing."""
ALL = "all labels"

Floats = npt.NDArray[np.float64]


def write_documents(shared: Path, folder: Path) -> None:
    """Writes the articles as plain texts."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in paragraphs((shared / "xquad/en.jsonl").read_bytes(), "").items():
        (folder / name).write_bytes(data)


def people_examples(shared: Path, documents: Sequence[Document]) -> list[Example]:
    """People's questions, each with its answer's place in the documents. Raises ValueError for one without a place."""
    found = []
    for line in (shared / "xquad/en.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        context, begin, end = row["context"], row["answer_start"], row["answer_start"] + len(row["answer"])
        pieces = (_in_any_spacing(piece) for piece in (context[:begin], context[begin:end], context[end:]))
        place = re.compile("({})({})({})".format(*pieces))
        held = next(((each, match) for each in documents if (match := place.search(each.text))), None)
        if held is None:
            raise ValueError(f"no document of the set holds the paragraph of {row['id']}; make it from 'documents'")
        document, match = held
        found.append(
            Example(
                id=row["id"],
                question=row["question"],
                answer=row["answer"],
                context=document.span(*match.span()),
                references=(document.span(*match.span(2)),),
                keypoints=(),
                requested_label=None,
                verified_label=None,
                provenance=Provenance(synthesizer="people", model="people"),
            )
        )
    return found


def _in_any_spacing(text: str) -> str:
    return r"\s*".join(map(re.escape, re.split(r"\s+", text)))


def scores(examples: Sequence[Example], documents: Sequence[Document], folder: Path) -> Mapping[str, Floats]:
    """Metric to its values, (n_examples, n_settings); NaN where there is none."""
    values: dict[str, list[Floats]] = {METRIC: [], BESIDE: []}
    for size, weight in SETTINGS:
        of_setting = folder / f"{size}-{weight}"
        sweep_dataset(
            examples,
            {"chunk_size": size, "text_weight": weight},
            of_setting,
            metrics=[METRIC, BESIDE],
            documents=documents,
        )
        (kept,) = (of_setting / "values").glob("*.npz")
        with np.load(kept, allow_pickle=False) as file:
            if len(file["rows"]) != len(examples):
                raise ValueError(f"{kept} holds {len(file['rows'])} of {len(examples)} questions")
            for metric, columns in values.items():
                columns.append(file[f"metric {metric}"])
    return {metric: np.stack(columns, axis=1) for metric, columns in values.items()}


def table(examples: Sequence[Example], made: Mapping[str, Floats], people: Scored, seed: int) -> Iterator[list[str]]:
    """Rows: label, questions, tau with its interval, the ceiling for as many, recall@5 from worst to best setting."""
    labels = [each.verified_label or each.requested_label for each in examples]
    clusters = clusters_of(examples)
    names = [f"{size}, {weight:g}" for size, weight in SETTINGS]
    for label in [ALL, *sorted({each for each in labels if each})]:
        rows = np.array([label in (ALL, each) for each in labels])
        n = int(rows.sum())
        tau, ceiling = "too few", ""
        if n >= FEWEST:
            of_label = Scored(made[METRIC][rows], clusters[rows])
            found = order_agreement(METRIC, names, of_label, people, bounds=(0, 1), seed=seed).tau
            tau = "none" if found.value is None else f"{found.value:.2f}"
            if found.low is not None and found.high is not None:
                tau += f" ({found.low:.2f} to {found.high:.2f})"
            ceiling = f"{ceiling_of(people.values, n, seed=seed):.2f}"
        yield [label, str(n), tau, ceiling, _range(made[BESIDE][rows])]


def _range(values: Floats) -> str:
    means = values.mean(axis=0)
    return f"{means.min():.2f} to {means.max():.2f}"


def compare(dataset: Path, shared: Path, out: Path, seed: int) -> None:
    """Prints the tables."""
    begun = time.monotonic()
    documents = list(read_jsonl(dataset / "documents.jsonl", Document))
    every = list(read_jsonl(dataset / "examples.jsonl", Example))
    examples = [each for each in every if each.references]
    asked = people_examples(shared, documents)
    theirs = scores(asked, documents, out / "people")
    made = scores(examples, documents, out / "made")
    people = Scored(theirs[METRIC], clusters_of(asked))
    stages = json.loads((dataset / "stages.json").read_text(encoding="utf-8"))["stages"]
    wall, cpu = (sum(each[name] for each in stages) for name in ("wall_s", "cpu_s"))
    print(f"{len(every)} examples, {len(examples)} of them answerable, made in {wall:.0f} s ({cpu:.0f} s of CPU time)")
    print(f"{len(asked)} questions by people\n")
    print(f"| label | n | tau-b of {METRIC}, 95 % | ceiling for n | {BESIDE}, worst to best |\n|{' --- |' * 5}")
    for row in table(examples, made, people, seed):
        print(f"| {' | '.join(row)} |")
    print(f"| people | {len(asked)} | | | {_range(theirs[BESIDE])} |\n")
    print(f"\n| {METRIC} by chunk size, text weight | the set | people |\n|{' --- |' * 3}")
    for column, (size, weight) in enumerate(SETTINGS):
        mean, theirs_mean = made[METRIC][:, column].mean(), people.values[:, column].mean()
        print(f"| {size}, {weight:g} | {mean:.3f} | {theirs_mean:.3f} |")
    print(f"\nScored and compared in {time.monotonic() - begun:.0f} s.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=Path("../shared/data"))
    commands = parser.add_subparsers(dest="command", required=True)
    write = commands.add_parser("documents", help="write the documents that a set is to be made from")
    write.add_argument("--into", type=Path, required=True)
    against = commands.add_parser("compare", help="a set made from them against people's questions")
    against.add_argument("set", type=Path)
    against.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    if given.command == "documents":
        write_documents(given.shared, given.into)
        return
    with tempfile.TemporaryDirectory(prefix="ragassay-") as folder:
        compare(given.set, given.shared, Path(folder), given.seed)


if __name__ == "__main__":
    main()
