"""From a data set, or made documents side by side (RAGEval's study), to a round of annotation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from pathlib import Path

from ragassay.datasets.registry import read_dataset
from ragassay.documents.store import spread_order
from ragassay.errors import InputError, UsageError, choices
from ragassay.people.annotation.options import RoundOptions
from ragassay.people.annotation.sheets import (
    FIRST,
    SECOND,
    TIE,
    Sheet,
    SheetQuestion,
    asked_about,
    options_of,
    sides,
    task_named,
)
from ragassay.people.annotation.store import Round
from ragassay.records import Document, Example, Prediction, read_jsonl


def begin_round(folder: Path, options: RoundOptions) -> Round:
    """Begin a round in a folder, or go on with the one that was begun there with the same options.

    Raises UsageError, InputError or RunFolderError for what cannot be used, before anything is written.
    """
    task = task_named(options.task)
    data = options.data
    if data is None:
        raise UsageError("DATASET: missing; name what is to be judged")
    needed = task.n_predictions
    if task.is_of_one and options.overlap not in (None, 1):
        raise UsageError(f"--overlap: must be 1 for the task {options.task}, not {options.overlap}; leave it out")
    if not options.annotators:
        raise UsageError("--annotators: give the names of the people who judge, separated by commas")
    if task.is_of_documents:  # spread over the qualities that are asked for
        asked = [(sheet.asked[0].name, sheet) for sheet in document_sheets(data)]
    else:
        asked = _of_examples(data, options, needed)
    if options.n_items is not None:
        order = spread_order([name for name, _ in asked], options.seed)
        asked = [asked[place] for place in sorted(order[: options.n_items])]
    overlap = 1 if task.is_of_one else len(options.annotators)
    return Round.begin(
        folder,
        options.task,
        [sheet for _, sheet in asked],
        options.annotators,
        overlap if options.overlap is None else options.overlap,
        options.seed,
        in_order=task.is_of_one,
        data=data,
    )


def _of_examples(data: Path, options: RoundOptions, needed: int) -> list[tuple[str, Sheet]]:
    examples, made, documents = [], [], []
    for record in read_dataset(data):
        if isinstance(record, Example):
            examples.append(record)
        elif isinstance(record, Prediction):
            made.append(record)
        elif options.task == "triples":
            documents.append(record)
    for path in options.predictions:
        made += _predictions(path)
    predictions = _by_system(made, needed, options.systems) if needed else ()
    asked = asked_about(options.task, examples, *predictions, documents=documents)
    return [(example.label, sheet) for example, sheet in asked]


def _predictions(path: Path) -> list[Prediction]:
    try:
        return list(read_jsonl(path, Prediction))
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror})") from None


def _by_system(made: Iterable[Prediction], needed: int, systems: Sequence[str]) -> list[list[Prediction]]:
    by_system: dict[str, list[Prediction]] = {}
    for each in made:
        by_system.setdefault(each.system, []).append(each)
    names = list(systems or by_system)
    there = choices(by_system)
    missing = [name for name in names if name not in by_system]
    if missing:
        raise UsageError(f"--system: no predictions of {missing[0]!r}; choose one of {there}")
    if len(names) != needed:
        raise UsageError(
            f"--task needs the answers of {'one system' if needed == 1 else 'two systems'}, and there are those of "
            f"{there}; name {'it' if needed == 1 else 'both'} with --system, or a file with --predictions"
        )
    return [by_system[name] for name in names]


DOCUMENT_QUALITIES = {
    "safety": "Which document is safer: no private data of real people, nothing harmful?",
    "clarity": "Which document is clearer: well ordered, precise, free of contradictions?",
    "conformity": "Which document looks more like a real one of its kind?",
    "richness": "Which document holds more, and more varied, information?",
}
"""RAGEval's qualities of a made document, and what is asked."""
WAY, OF = "way", "of"
"""Metadata of a document that stands beside one of a scenario: how it was made, and the id of that one."""
SCENARIO = "scenario"
BASELINES_FILE = "baselines.jsonl"


def document_sheets(folder: Path) -> list[Sheet]:
    """For each document of a scenario with baselines: every two of them side by side, asked for four qualities.

    Raises InputError for a folder without documents or baselines, and for baselines that name no document of it.
    """
    documents = {each.id: each for each in _documents(folder / "documents.jsonl", "ragassay scenario generate")}
    versions: dict[str, dict[str, Document]] = {}
    for each in _documents(folder / BASELINES_FILE, "ragassay scenario baselines"):
        way, home = each.metadata.get(WAY, ""), each.metadata.get(OF, "")
        if not way or home not in documents:
            raise InputError(
                f"{folder / BASELINES_FILE}: {each.id} must say how it was made ({WAY}) and which document "
                f"of the scenario it stands beside ({OF})"
            )
        versions.setdefault(home, {SCENARIO: documents[home]})[way] = each
    return [sheet for home, of in versions.items() for sheet in _document_pairs(home, of.items())]


def _document_pairs(home: str, versions: Iterable[tuple[str, Document]]) -> Iterator[Sheet]:
    options = options_of({FIRST: "Document 1", SECOND: "Document 2", TIE: "Neither is better"})
    asked = tuple(
        SheetQuestion(name=f"preference:{name}", ask=ask, options=options) for name, ask in DOCUMENT_QUALITIES.items()
    )
    for (first, one), (second, other) in combinations(versions, 2):
        yield Sheet(subject_id=f"{home}@{first}|{second}", shown=sides("Document", (one.text, other.text)), asked=asked)


def _documents(path: Path, command: str) -> list[Document]:
    if not path.is_file():
        raise InputError(f"{path} does not exist; make it with `{command}`")
    found = list(read_jsonl(path, Document))
    if not found:
        raise InputError(f"{path} holds no documents")
    return found
