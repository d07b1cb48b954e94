"""From a data set to a round of annotation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from ragassay.annotation.beside import document_sheets
from ragassay.annotation.options import RoundOptions
from ragassay.annotation.sheets import Sheet, asked_about, task_named
from ragassay.annotation.store import Round
from ragassay.corpus.store import spread_order
from ragassay.datasets.registry import read_dataset
from ragassay.errors import InputError, UsageError, choices
from ragassay.records import Example, Prediction, read_jsonl


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
        asked = _few(asked, options.n_items, options.seed)
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
    examples, made, documents = [], [], {}
    for record in read_dataset(data):
        if isinstance(record, Example):
            examples.append(record)
        elif isinstance(record, Prediction):
            made.append(record)
        elif options.task == "triples":
            documents[record.id] = record
    for path in options.predictions:
        made += _predictions(path)
    predictions = _by_system(made, needed, options.systems) if needed else ()
    asked = asked_about(options.task, examples, *predictions, documents=documents)
    return [(example.label, sheet) for example, sheet in asked]


def _few(asked: Sequence[tuple[str, Sheet]], most: int, seed: int) -> list[tuple[str, Sheet]]:
    order = spread_order([name for name, _ in asked], seed)
    return [asked[place] for place in sorted(order[:most])]


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
