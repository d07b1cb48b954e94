"""What a sweep leaves behind: its folder, with what was worked out of each setting, and records of what was found."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from math import isnan
from pathlib import Path
from typing import Any, NamedTuple

from ragassay.documents.store import DocumentStore
from ragassay.errors import RecordError, RunFolderError
from ragassay.jobs.folders.progress import PROGRESS_FILE
from ragassay.jobs.folders.run_folder import OTHER_FILES, SWEEP_FILE, check_place, lasting_folder
from ragassay.jobs.folders.versions import VERSIONS, versions_here
from ragassay.jobs.sweep.answers import NOTHING_ANSWERED
from ragassay.jobs.sweep.data import SweepData
from ragassay.jobs.sweep.ranking import Ranked
from ragassay.plain_files import read_object, write_object
from ragassay.rag.setting import Setting
from ragassay.records import Example, Prediction, RankedChunk, Score, read_jsonl, write_jsonl
from ragassay.report.items import SHOWN_CHUNKS, Items
from ragassay.sweep.values import SettingValues
from ragassay.version import __version__

RESULTS_FILE, COMPARISONS_FILE, SUMMARY_FILE = "results.csv", "comparisons.csv", "summary.json"
PARQUET_FILE = "results.parquet"
VALUES_FOLDER, PREDICTIONS_FOLDER, WORK_FOLDER = "values", "predictions", "work.part"


class SweepFolder:
    """Where values, predictions and results lie. Made by ``sweep_folder``."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def work(self) -> Path:
        """For what is needed only while the sweep runs."""
        return self.path / WORK_FOLDER

    def load(self, setting: Setting, fingerprint: str) -> SettingValues | None:
        """The values of a setting; None where they were not worked out."""
        return SettingValues.load(self.path / VALUES_FOLDER / f"{fingerprint}.npz", setting)

    def predictions(self, fingerprint: str, example_ids: Sequence[str]) -> list[Prediction] | None:
        """What is kept for these questions, in their order; None where that is not all of them."""
        try:
            kept = read_jsonl(self.path / PREDICTIONS_FOLDER / f"{fingerprint}.jsonl", Prediction)
            by_id = {each.example_id: each for each in kept}
        except (OSError, RecordError):
            return None
        return [by_id[name] for name in example_ids] if by_id.keys() >= set(example_ids) else None

    def keep_predictions(self, predictions: Sequence[Prediction], fingerprint: str) -> None:
        (self.path / PREDICTIONS_FOLDER).mkdir(exist_ok=True)
        write_jsonl(self.path / PREDICTIONS_FOLDER / f"{fingerprint}.jsonl", predictions)

    def keep(self, values: SettingValues, predictions: Sequence[Prediction], fingerprint: str) -> None:
        """Keep what was worked out, unless some of it has to be asked again. Where values are, predictions are too."""
        if predictions:
            self.keep_predictions(predictions, fingerprint)
        if values.unheard:
            return
        (self.path / VALUES_FOLDER).mkdir(exist_ok=True)
        values.save(self.path / VALUES_FOLDER / f"{fingerprint}.npz")

    def claim(self, fingerprint: str, settings: dict[str, Any], *, overwrite: bool) -> None:
        """Note which sweep this is. Raises RunFolderError where the folder holds another one.

        overwrite: the results of another sweep are replaced; what it worked out of the same settings is used.
        """
        held = read_object(self.path / SWEEP_FILE)
        if held and held.get("fingerprint") != fingerprint and not overwrite:
            raise RunFolderError(
                f"--out: {self.path} holds another sweep; name another folder, or replace it with --overwrite"
            )
        content = {"version": __version__, "fingerprint": fingerprint, "settings": settings, VERSIONS: versions_here()}
        write_object(self.path / SWEEP_FILE, content)


@contextmanager
def sweep_folder(path: Path) -> Iterator[SweepFolder]:
    """The folder, made if missing; locked while the sweep works in it.

    Raises RunFolderError for a folder that holds something else, or in which another process works.
    """
    check = partial(check_place, path, SWEEP_FILE, lambda held: "" if held else OTHER_FILES)
    with lasting_folder(path, check, frozenset({PROGRESS_FILE})):
        folder = SweepFolder(path)
        try:
            folder.work.mkdir(exist_ok=True)
            yield folder
        finally:
            shutil.rmtree(folder.work, ignore_errors=True)


class Retrieved(NamedTuple):
    """texts: chunk id to text. sources: document id to where it came from."""

    texts: Mapping[str, str]
    sources: Mapping[str, str]


def ranked_predictions(
    data: SweepData, setting: Setting, ranked: Ranked, answered: Mapping[int, Prediction]
) -> Iterator[Prediction]:
    """One for each example, in their order, with all chunks of the ranking; what was answered, or the chunks alone.

    answered: row to what was answered.
    """
    for row in range(len(data.examples)):
        scores = [] if ranked.scores is None else ranked.scores[row].tolist()
        made = answered.get(row) or ranked.questions[row].done(setting.name)
        yield replace(made, system=setting.name, chunks=data.ranked(setting.chunking, ranked.first(row), scores))


def retrieved(store: DocumentStore, chunks: Iterable[RankedChunk]) -> Retrieved:
    """Texts and sources of chunks; every document is read once."""
    by_id = {chunk.chunk_id: chunk for chunk in chunks}
    texts, sources = {}, {}
    for chunk in sorted(by_id.values(), key=lambda chunk: store.ordinal(chunk.document_id)):
        document = store.get(chunk.document_id)
        texts[chunk.chunk_id] = document.text[chunk.start : chunk.end]
        sources[document.id] = document.source
    return Retrieved(texts, sources)


def sweep_items(
    data: SweepData,
    values: Sequence[SettingValues],
    predictions: Sequence[Prediction],
    metrics: Sequence[str],
    recommended: str,
) -> Items:
    """Every question with what the settings that are shown found and answered, and their scores.

    recommended: the setting that the table opens on. Metrics of answers are left out where a setting answers nothing.
    """
    chunks = (chunk for each in predictions for chunk in each.chunks[:SHOWN_CHUNKS])
    texts, sources = retrieved(data.store, chunks)
    asked_of = {span.document_id for each in data.examples for span in (each.context, *each.references)}
    named = {name: data.store.get(name).source for name in sorted(asked_of - sources.keys()) if name in data.store}
    return Items(
        data.examples,
        predictions,
        [score for each in values for score in _scores(each, metrics, data.examples)],
        sources={**sources, **named},
        text_of=lambda chunk: texts.get(chunk.chunk_id, ""),
        recommended=recommended,
    )


def _scores(values: SettingValues, metrics: Sequence[str], examples: Sequence[Example]) -> Iterable[Score]:
    for metric in metrics:
        reasons = {row: reason for reason, rows in values.missing.get(metric, {}).items() for row in rows}
        for row, value in zip(values.rows.tolist(), values.metrics[metric].tolist(), strict=True):
            if reasons.get(row) == NOTHING_ANSWERED:
                continue
            yield Score(
                example_id=examples[row].id,
                system=values.setting.name,
                metric=metric,
                value=None if isnan(value) else value,
                reason=reasons.get(row),
            )
