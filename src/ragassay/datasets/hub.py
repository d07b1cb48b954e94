"""A folder for ``datasets.load_dataset``: Parquet files with a card that names them, ready for the Hugging Face hub.

Source: https://huggingface.co/docs/datasets/repository_structure and https://huggingface.co/docs/hub/datasets-cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from ragassay.datasets.format import ALL_PARTS, Format, Notes, Record
from ragassay.datasets.own import DOCUMENTS, EXAMPLES, PARQUET, PREDICTIONS
from ragassay.records import Example

CARD = "README.md"
SCORES = "scores"
_TITLES = {
    EXAMPLES: "questions with reference answers, the spans that these rest on, and labels",
    DOCUMENTS: "the documents that the questions are about",
    PREDICTIONS: "what systems retrieved and answered",
    SCORES: "a row for each question and system, with a column for each metric; empty where there is no value, which "
    "`reasons` explains",
}


def _write(path: Path, records: Iterable[Record], notes: Notes) -> None:
    labels, languages = Counter[str](), set[str]()

    def counted() -> Iterator[Record]:
        for record in records:
            if isinstance(record, Example):
                labels[record.label] += 1
                languages.add(record.language)
            yield record

    assert PARQUET.write is not None
    PARQUET.write(path, counted(), notes)
    write_card(path, labels, sorted(languages - {"und"}))


def write_card(folder: Path, labels: Counter[str], languages: list[str]) -> None:
    """Write the card of the Parquet files that are in a folder. labels: to their number; languages: ISO 639-1 codes."""
    import yaml

    names = [name for name in _TITLES if (folder / f"{name}.parquet").exists()]
    configs = [{"config_name": name, "data_files": f"{name}.parquet"} for name in names]
    configs[0]["default"] = True  # type: ignore[assignment]
    head = {
        **({"language": languages} if languages else {}),
        "task_categories": ["question-answering", "text-retrieval"],
        "tags": ["rag", "evaluation", "ragassay"],
        "configs": configs,
    }
    card = yaml.safe_dump(head, sort_keys=False)
    counts = ", ".join(f"{count} `{name}`" for name, count in sorted(labels.items()))
    parts = "\n".join(f"- `{name}`: {_TITLES[name]}" for name in names)
    made = f"{sum(labels.values())} questions, made or scored with Ragassay: {counts}."
    example = f'from datasets import load_dataset\n\nload_dataset("FOLDER", "{EXAMPLES}", split="train")'
    text = f"---\n{card}---\n\n# Evaluation set\n\n{made}\n\n{parts}\n\n```python\n{example}\n```\n"
    (folder / CARD).write_text(text, encoding="utf-8", newline="\n")


FORMAT = Format(
    name="datasets",
    title="Hugging Face datasets: a folder of Parquet files with a card",
    holds=ALL_PARTS,
    writes=("",),
    read=PARQUET.read,
    write=_write,
)
