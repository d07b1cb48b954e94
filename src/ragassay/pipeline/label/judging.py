"""Labels and critiques as stages of their own: any data set in, the same set with what a judge says of it out.

The set is read in full before the first call, so that a bad line costs nothing; then example by example, and a last
time when it is written. Memory grows with ids, not with texts.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from ragassay.corpus.sources import printable
from ragassay.datasets.format import Notes, Record
from ragassay.datasets.output import refuse_taken
from ragassay.datasets.registry import read_dataset, write_dataset
from ragassay.datasets.texts import Texts
from ragassay.errors import InputError
from ragassay.models.base import Model
from ragassay.models.estimating import CallEstimate, Estimates, EstimatingModel
from ragassay.models.llm.endpoints import Endpoint
from ragassay.models.stand_in import StandIn
from ragassay.parts import LOCAL_BATCH
from ragassay.pipeline.asking.event_loop import finished
from ragassay.pipeline.asking.models import CountedModel, Endpoints, RunModels
from ragassay.pipeline.folders.at_work import at_work
from ragassay.pipeline.folders.own_result import is_own_result, note_result
from ragassay.pipeline.folders.progress import Progress, Silent
from ragassay.pipeline.folders.run_folder import EXAMPLES_FILE, REPORT_FILE, VERDICTS_FILE
from ragassay.pipeline.label.options import JudgingOptions
from ragassay.pipeline.label.pair_contexts import pair_context
from ragassay.pipeline.label.tally import JudgingTally
from ragassay.pipeline.label.verdicts import Posed, Verdict, critique_pairs, label_pairs, with_critiques, with_label
from ragassay.records import Document, Example, read_jsonl, to_json
from ragassay.report.baselines import KnowledgeFigures
from ragassay.report.costs import JudgingCost
from ragassay.report.labels import JudgedSummary
from ragassay.report.notebook import Shown
from ragassay.tasks.base import Task
from ragassay.tasks.critique import CRITIQUES, NO_RULE
from ragassay.tasks.labelling import LABEL
from ragassay.tasks.prompts import prompt_hash
from ragassay.version import __version__
from ragassay.workers import Workers

SUMMARY_FILE = "summary.json"
WITHOUT_ANSWER = "no answer: not rated by critiques that need one"
WITHOUT_RULE = f"not rated by every critique: {NO_RULE}"
BATCH = 512
"""Examples that a server is asked about together: enough to keep a server busy, few enough to hold in memory."""


class Stage(NamedTuple):
    """One thing that is said of every example.

    name: of the command. part: of an example that it fills, as formats call it. critiques: those it asks for.

    tasks: that the judge answers, or another role. look: told of each document, before anything is asked. figures: of
    what a model knows, once all is asked.
    """

    name: str
    part: str
    critiques: tuple[str, ...]
    tasks: tuple[Task[Any, Any], ...]
    judge: Callable[[RunModels, list[Posed]], Awaitable[list[Verdict]]]
    merged: Callable[[Example, Verdict], Example]
    look: Callable[[Document], None] = lambda _: None
    figures: Callable[[], tuple[KnowledgeFigures, ...]] = tuple


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Judged(Shown):
    """summary: the same for the same inputs. cost: of this process. folder: verdicts, examples, figures, calls."""

    summary: JudgedSummary
    cost: JudgingCost
    out: Path
    folder: Path

    @property
    def verdicts(self) -> Iterator[Verdict]:
        """What was said of every example, in their order."""
        return read_jsonl(self.folder / VERDICTS_FILE, Verdict)


def label_dataset(options: JudgingOptions, progress: Progress | None = None) -> Judged:
    """Labels every example of a data set and writes the set with the labels.

    Raises UsageError, InputError or ModelError for what cannot be used; ``options.out`` then stays as it was. Calls
    that were answered are in the log whatever happens, and the same options go on from there.
    """
    return judged(_labelling(), options, progress or Silent())


def critique_dataset(options: JudgingOptions, progress: Progress | None = None) -> Judged:
    """Rates every example of a data set by every critique asked for and writes the set with the ratings.

    Raises as ``label_dataset``.
    """
    return judged(_critique(options.critiques), options, progress or Silent())


def estimate_labels(options: JudgingOptions, progress: Progress | None = None) -> list[CallEstimate]:
    """What ``label_dataset`` would ask of a model on a server; nothing is sent or written."""
    return estimated(_labelling(), options, progress or Silent())


def estimate_critiques(options: JudgingOptions, progress: Progress | None = None) -> list[CallEstimate]:
    """What ``critique_dataset`` would ask of a model on a server; nothing is sent or written."""
    return estimated(_critique(options.critiques), options, progress or Silent())


def _labelling() -> Stage:
    async def judge(models: RunModels, posed: list[Posed]) -> list[Verdict]:
        return await label_pairs(models.judging(), posed)

    return Stage("label", "labels", (), (LABEL,), judge, with_label)


def _critique(names: tuple[str, ...]) -> Stage:
    async def judge(models: RunModels, posed: list[Posed]) -> list[Verdict]:
        return await critique_pairs(models.judging(), posed, names)

    return Stage("critique", "critiques", names, tuple(CRITIQUES[name] for name in names), judge, with_critiques)


def work_folder(out: Path, stage: str) -> Path:
    """Where a stage keeps its log of calls, its verdicts and its figures: beside what it writes."""
    return out.with_name(f"{out.stem}.{stage}")


def judged(stage: Stage, options: JudgingOptions, progress: Progress) -> Judged:
    """Puts every example of a set to a stage and writes the set with what was said. Raises as ``label_dataset``."""
    options.check(stage.part)
    folder = work_folder(options.out, stage.name)
    _refuse_taken(options, folder)
    endpoints = Endpoints(options.models)
    begun = time.perf_counter()
    notes = Notes()
    with at_work(folder, stage.name, _settings(stage, options), progress) as told, Texts() as texts:
        _refuse_taken(options, folder)  # once more: another process may have ended since
        total = _read_through(stage, options, texts, notes, told)
        told.begin()
        part = folder / f"{VERDICTS_FILE}.part"
        try:
            tally, models = finished(_asked(stage, options, endpoints, texts, total, part, told))
            _put_in_place(stage, options, folder, notes, total, told)
        finally:
            part.unlink(missing_ok=True)
        summary = _summary(stage, options, tally, models, notes, endpoints.budget.reached or "")
        _write_whole(folder / SUMMARY_FILE, to_json(summary))
        told.stopped(summary.stopped_by)
    spent = endpoints.budget.spent
    cost = JudgingCost(
        asked=sum(each.calls for each in models),
        unanswered=sum(each.unanswered for each in models),
        calls=spent.calls,
        prompt_tokens=spent.prompt_tokens,
        completion_tokens=spent.completion_tokens,
        cost_usd=spent.cost_usd,
        unpriced=spent.unpriced,
        wall_s=time.perf_counter() - begun,
    )
    return Judged(summary=summary, cost=cost, out=options.out, folder=folder)


def _refuse_taken(options: JudgingOptions, folder: Path) -> None:
    """Raises UsageError where something is in the place of the result, unless this very work was stopped there."""
    if not is_own_result(folder, options.out):
        refuse_taken(options.out, overwrite=options.overwrite)


def estimated(stage: Stage, options: JudgingOptions, progress: Progress) -> list[CallEstimate]:
    """What ``judged`` would ask of models on servers; nothing is sent or written."""
    options.check(stage.part)
    endpoints = Endpoints(options.models, without_keys=True)
    estimates = Estimates(endpoints.prices)
    estimates.stage = stage.name

    def stand_in(inner: Model, endpoint: Endpoint) -> Model:
        return EstimatingModel(StandIn(inner), endpoint.name, estimates, overrides=options.models.prompts)

    with Texts() as texts, tempfile.TemporaryDirectory(prefix="ragassay-") as folder:
        total = _read_through(stage, options, texts, Notes(), progress)
        part = Path(folder, VERDICTS_FILE)
        finished(_asked(stage, options, endpoints, texts, total, part, progress, stand_in))
    return estimates.rows()


def _read_through(stage: Stage, options: JudgingOptions, texts: Texts, notes: Notes, progress: Progress) -> int:
    """Reads the set once, keeps the texts of its documents and returns how many examples there are.

    Raises InputError where there is none, or a record cannot be read.
    """
    progress.start("reading examples", None)
    total = 0
    for record in _records(options, notes):
        if isinstance(record, Document):
            texts.add(record.id, record.text)
            stage.look(record)
        elif isinstance(record, Example):
            total += 1
            progress.advance()
    if not total:
        raise InputError(f"{options.data} holds no examples")
    return total


def _records(options: JudgingOptions, notes: Notes | None = None) -> Iterator[Record]:
    return read_dataset(options.data, format_name=options.from_format, documents=options.documents, notes=notes)


async def _asked(
    stage: Stage,
    options: JudgingOptions,
    endpoints: Endpoints,
    texts: Texts,
    total: int,
    verdicts: Path,
    progress: Progress,
    stand_in: Callable[[Model, Endpoint], Model] | None = None,
) -> tuple[JudgingTally, list[CountedModel]]:
    """Asks about every example and writes what was said, one line an example. Returns the models that were asked."""
    verb = {"label": "labelling", "critique": "rating", "knowledge": "answering"}[stage.name]
    progress.start(f"{verb} examples", total)
    tally = JudgingTally(stage.critiques)
    with ExitStack() as stack:
        workers = stack.enter_context(
            Workers(options.processes, imports=("ragassay.models.embedded.judging.labelling",))
        )
        async with RunModels(options.models, endpoints, workers, progress) as models:
            if stand_in is None:
                models.ask_servers(verdicts.parent)
            else:
                models.stand_in(stand_in)
            file = stack.enter_context(verdicts.open("w", encoding="utf-8", newline="\n"))
            for batch in _batches(options, texts):
                for verdict in await stage.judge(models, batch):
                    tally.add(verdict)
                    file.write(to_json(verdict) + "\n")
                progress.advance(len(batch))
            return tally, [each for each in models.distinct if each.calls] or [models.judge]


def _batches(options: JudgingOptions, texts: Texts) -> Iterator[list[Posed]]:
    batch: list[Posed] = []
    most = BATCH if options.models.uses_servers else LOCAL_BATCH
    for record in _records(options):
        if isinstance(record, Example):
            batch.append(Posed(record, pair_context(record, texts, options.max_context_chars)))
        if len(batch) == most:
            yield batch
            batch = []
    if batch:
        yield batch


def _put_in_place(
    stage: Stage, options: JudgingOptions, folder: Path, notes: Notes, total: int, progress: Progress
) -> None:
    """Writes the set with what was said of it; its examples, as pages show them, stay beside the verdicts."""
    progress.start("writing examples", total)
    verdicts, beside = folder / f"{VERDICTS_FILE}.part", folder / f"{EXAMPLES_FILE}.part"

    def merged() -> Iterator[Record]:
        said = read_jsonl(verdicts, Verdict)
        for record in _records(options):
            if not isinstance(record, Example):
                yield record
                continue
            verdict = next(said, None)
            if verdict is None or verdict.example_id != record.id:
                raise InputError(f"{options.data} changed while it was read; run the command again")
            progress.advance()
            example = stage.merged(record, verdict)
            file.write(to_json(example) + "\n")
            yield example

    try:
        with beside.open("w", encoding="utf-8", newline="\n") as file:
            is_own = is_own_result(folder, options.out)
            if is_own and options.out.is_dir():  # a folder is never written over
                shutil.rmtree(options.out)
            write_dataset(
                options.out,
                merged(),
                format_name=options.to_format,
                notes=notes,
                overwrite=options.overwrite or is_own,
                on_written=lambda written: note_result(folder, written),
            )
        (folder / REPORT_FILE).unlink(missing_ok=True)  # of what was said before
        beside.replace(folder / EXAMPLES_FILE)
        verdicts.replace(folder / VERDICTS_FILE)
    finally:
        beside.unlink(missing_ok=True)


def _settings(stage: Stage, options: JudgingOptions) -> dict[str, str]:
    """Option name to value, as pages show them."""
    named = {"critiques": ", ".join(stage.critiques)} if stage.critiques else {}
    return {
        "data": printable(str(options.data)),
        "out": printable(str(options.out)),
        **named,
        **options.settings(),
    }


def _summary(
    stage: Stage,
    options: JudgingOptions,
    tally: JudgingTally,
    models: Sequence[CountedModel],
    notes: Notes,
    stopped_by: str,
) -> JudgedSummary:
    hashes = {
        f"prompt of {task.name}": prompt_hash(task, options.models.prompts)
        for task in stage.tasks
        if options.models.on_servers
    }
    unrated = {WITHOUT_ANSWER: tally.without_answer, WITHOUT_RULE: tally.without_rule}
    return JudgedSummary(
        version=__version__,
        stage=stage.name,
        data=str(options.data),
        out=str(options.out),
        model=", ".join(each.name for each in models),
        settings={**options.settings(), **hashes},
        examples=tally.examples,
        judged=tally.judged,
        errors=dict(tally.errors.most_common()),
        contexts=dict(tally.contexts.most_common()),
        matrix={label: dict(row) for label, row in tally.matrix.items()},
        agreement=tally.agreement(),
        profile=tally.profile() if stage.critiques else (),
        notes={**notes.counts, **{note: count for note, count in unrated.items() if count}},
        stopped_by=stopped_by,
        knowledge=stage.figures(),
    )


def _write_whole(path: Path, line: str) -> None:
    part = path.with_name(path.name + ".part")
    part.write_text(json.dumps(json.loads(line), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    os.replace(part, path)
