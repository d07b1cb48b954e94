"""``ragassay label``: any data set in, the same set with what a model says of it out, or those examples that pass.

The set is read in full before the first call, so that a bad line costs nothing; then example by example, and a last
time when it is written. Memory grows with ids, not with texts.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from ragassay.datasets.format import Notes, Record
from ragassay.datasets.registry import read_dataset, refuse_taken, write_dataset
from ragassay.datasets.texts import Texts
from ragassay.errors import CONTINUE, BudgetError, InputError
from ragassay.generate.baselines import (
    ANSWERED_WITH_BLOCK,
    KNOWN_IN_EVERY_TRY,
    KNOWN_WITHOUT_CONTEXT,
    NEW,
    NEW_TO_MODEL,
    Attempts,
    Baseline,
    attempts,
)
from ragassay.generate.filtered import knowledge_checks
from ragassay.jobs.asking.event_loop import finished
from ragassay.jobs.asking.models import CountedModel, Endpoints, RunModels
from ragassay.jobs.folders.job import is_own_result, kept_folder, note_result, opened_models
from ragassay.jobs.folders.progress import Progress, Silent
from ragassay.jobs.folders.run_folder import EXAMPLES_FILE, REPORT_FILE, VERDICTS_FILE
from ragassay.jobs.label.conditions import Conditions, Dropped, documents_of
from ragassay.jobs.label.options import LabelOptions
from ragassay.jobs.label.verdicts import NO_ANSWER, Posed, Tally, Verdict, label_pairs, pair_context, rate_posed
from ragassay.models.llm.budget import Spent
from ragassay.parts import LOCAL_BATCH, in_batches
from ragassay.plain_files import write_object
from ragassay.records import Critique, Document, Example, Prediction, read_jsonl, to_json
from ragassay.report.costs import JudgingCost
from ragassay.report.labels import JudgedSummary, Kept
from ragassay.report.notebook import Shown
from ragassay.report.synthesis import KnowledgeFigures, KnowledgePart, knowledge_figures
from ragassay.tasks.critique import NO_RULE
from ragassay.tasks.statements import Passage
from ragassay.version import __version__

if TYPE_CHECKING:
    from ragassay.report.blocks import Block

SUMMARY_FILE = "summary.json"
DROPPED_FILE = "dropped.jsonl"
WITHOUT_ANSWER = "no answer: not rated by critiques that need one"
WITHOUT_RULE = f"not rated by every critique: {NO_RULE}"
BATCH = 512
"""Examples that a server is asked about together: enough to keep a server busy, few enough to hold in memory."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Labelled(Shown):
    """summary: the same for the same inputs. cost: of this process. folder: verdicts, examples, figures, calls."""

    summary: JudgedSummary
    cost: JudgingCost
    out: Path
    folder: Path

    @property
    def verdicts(self) -> Iterator[Verdict]:
        """What was said of every example, in their order."""
        return read_jsonl(self.folder / VERDICTS_FILE, Verdict)

    @property
    def dropped(self) -> Iterator[Dropped]:
        """The examples that did not pass, each with all reasons."""
        return read_jsonl(self.folder / DROPPED_FILE, Dropped)

    def blocks(self) -> Iterable[Block]:
        from ragassay.report.blocks import Text
        from ragassay.report.labels import blocks_of_labels

        yield from blocks_of_labels(self.summary, self.cost)
        named = {"Reasons of every example": "verdicts", "Dropped examples, with reasons": "dropped"}
        yield Text([f"{said}: {path}" for said, file in named.items() if (path := self._files[file])])

    def as_object(self) -> dict[str, Any]:
        from ragassay.report.labels import labels_object

        return labels_object(self.summary, self.cost) | self._files

    @property
    def _files(self) -> dict[str, str]:
        return {
            "verdicts": str(self.folder / VERDICTS_FILE) if self.summary.parts else "",
            "dropped": str(self.folder / DROPPED_FILE) if self.summary.kept else "",
        }


def label(options: LabelOptions, progress: Progress | None = None) -> Labelled:
    """Have a model say of every example of a set what is asked, and write the set, or the examples that pass.

    Raises UsageError, InputError or ModelError for what cannot be used; ``options.out`` then stays as it was. Calls
    that were answered are in the log whatever happens, and the same options go on from there.
    """
    options.check()
    _refuse_taken(options)
    folder, endpoints, begun = options.folder, Endpoints(options.asking), time.perf_counter()
    about = {"command": options.command, "settings": options.settings()}
    with kept_folder(folder, options.command, about, progress or Silent()) as told, Texts() as texts:
        _refuse_taken(options)  # once more: another process may have ended since
        work = _Work(options, texts)
        work.read(told)
        told.begin()
        try:
            finished(work.ask(endpoints, told))
            if not work.has_kept and (reached := endpoints.budget.reached):
                raise BudgetError(f"{reached}: no example that was looked at passes so far; {CONTINUE}")
            if endpoints.estimates is None:  # what a stand-in says meets conditions by chance
                work.write(told)
        finally:
            work.clear()
        summary = work.summary(endpoints.budget.reached or "")
        write_object(folder / SUMMARY_FILE, json.loads(to_json(summary)))
        told.stopped(summary.stopped_by)
    cost = JudgingCost.of(work.models, Spent(), endpoints.budget.spent, begun)
    return Labelled(summary=summary, cost=cost, out=options.out, folder=folder)


def _refuse_taken(options: LabelOptions) -> None:
    """Raise RunFolderError where something is in the place of the result, unless this very work was stopped there."""
    if not is_own_result(options.folder, options.out):
        refuse_taken(options.out, overwrite=options.overwrite)


class _Work:
    """One labelling: ``read``, then ``ask``, then ``write``."""

    def __init__(self, options: LabelOptions, texts: Texts) -> None:
        self._options = options
        self._texts = texts
        self._notes = Notes()
        names = (*options.rated_by, *(RATINGS if "knowledge" in options.parts else ()))
        self._conditions = Conditions(options, names)
        self._knowledge = Knowledge(options, self._conditions.documents_meet)
        self._tally = Tally(names)
        self._passes = bytearray()
        self._dropped: set[str] = set()
        self._parts = {name: options.folder / f"{name}.part" for name in (VERDICTS_FILE, DROPPED_FILE, EXAMPLES_FILE)}
        self._total = 0
        self._kept_counts: Kept | None = None
        self.models: list[CountedModel] = []

    @property
    def has_kept(self) -> bool:
        return any(self._passes)

    def read(self, progress: Progress) -> None:
        """Read the set once and keep the texts of its documents.

        Raises InputError where there is no example, or a record cannot be read, and as ``Conditions.check``.
        """
        progress.start("reading examples", None)
        for record in self._records(self._notes):
            if isinstance(record, Prediction):
                continue
            self._conditions.look(record)
            if isinstance(record, Document):
                self._texts.add(record.id, record.text)
                self._knowledge.look(record)
            else:
                self._total += 1
                progress.advance()
        if not self._total:
            raise InputError(f"{self._options.data} holds no examples")
        self._conditions.check()

    def clear(self) -> None:
        """Take away what was not put in place."""
        for part in self._parts.values():
            part.unlink(missing_ok=True)

    async def ask(self, endpoints: Endpoints, progress: Progress) -> None:
        """Ask about every example, write what was said, one line an example, and decide which pass."""
        options = self._options
        with self._open(DROPPED_FILE) as dropped:
            if not options.parts:
                for example in self._examples():
                    self._decide(example, dropped)
                return
            progress.start("labelling examples", self._total)
            opened = opened_models(
                options.models,
                endpoints,
                progress,
                options.folder,
                processes=options.processes,
                imports=("ragassay.models.embedded.judging.labelling",),
            )
            async with opened as (models, _):
                with self._open(VERDICTS_FILE) as verdicts:
                    for batch in self._batches():
                        for example, _, verdict in await self._said(models, batch):
                            self._tally.add(verdict)
                            verdicts.write(to_json(verdict) + "\n")
                            self._decide(example, dropped)
                        progress.advance(len(batch))
                self.models = [model for model in models.distinct if model.calls] or [models.judge]

    def _open(self, name: str) -> IO[str]:
        return self._parts[name].open("w", encoding="utf-8", newline="\n")

    def _decide(self, example: Example, dropped: IO[str]) -> None:
        found = self._conditions.decide(example)
        self._passes.append(found is None)
        if found is not None:
            self._dropped.add(found.example_id)
            dropped.write(to_json(found) + "\n")

    async def _said(self, models: RunModels, posed: list[Posed]) -> list[Posed]:
        options = self._options
        if "labels" in options.parts:
            posed = await label_pairs(models.judging(), posed)
        if options.rated_by:
            posed = await rate_posed(models.judging(), posed, options.rated_by)
        if "knowledge" in options.parts:
            posed = await self._knowledge.ask(models, posed)
        return posed

    def _batches(self) -> Iterator[list[Posed]]:
        most = BATCH if self._options.models.uses_servers else LOCAL_BATCH
        for batch in in_batches(self._examples(), most):
            contexts = (pair_context(each, self._texts, self._options.max_context_chars) for each in batch)
            yield [Posed.of(example, context) for example, context in zip(batch, contexts, strict=True)]

    def write(self, progress: Progress) -> None:
        """Write the set; its examples, as pages show them, stay beside the verdicts.

        Raises UsageError where no example passes.
        """
        options, folder = self._options, self._options.folder
        self._kept_counts = self._conditions.kept() if options.keeps_some else None
        progress.start("writing examples", self._total)
        is_own = is_own_result(folder, options.out)
        if is_own and options.out.is_dir():  # a folder is never written over
            shutil.rmtree(options.out)
        with self._open(EXAMPLES_FILE) as file:
            write_dataset(
                options.out,
                self._kept(lambda example: file.write(to_json(example) + "\n"), progress),
                format_name=options.to_format,
                notes=self._notes,
                overwrite=options.overwrite or is_own,
                on_written=lambda written: note_result(folder, written),
            )
        (folder / REPORT_FILE).unlink(missing_ok=True)  # of what was said before
        there = {EXAMPLES_FILE: True, VERDICTS_FILE: bool(options.parts), DROPPED_FILE: options.keeps_some}
        for name, is_there in there.items():
            if is_there:
                self._parts[name].replace(folder / name)
            else:
                (folder / name).unlink(missing_ok=True)

    def _kept(self, note: Callable[[Example], Any], progress: Progress) -> Iterator[Record]:
        """Yield documents, the examples that pass with what was said of them, and what was predicted for these."""
        said = read_jsonl(self._parts[VERDICTS_FILE], Verdict) if self._options.parts else None
        passes = iter(self._passes)
        for record in self._records():
            if isinstance(record, Example):
                progress.advance()
                verdict = next(said, None) if said else None
                if said and (verdict is None or verdict.example_id != record.id):
                    raise InputError(f"{self._options.data} changed while it was read; run the command again")
                example = verdict.of(record) if verdict else record
                if next(passes, False):
                    note(example)
                    yield example
            elif isinstance(record, Document) or record.example_id not in self._dropped:
                yield record

    def summary(self, stopped_by: str) -> JudgedSummary:
        options, tally = self._options, self._tally
        unrated = {WITHOUT_ANSWER: tally.without_answer, WITHOUT_RULE: tally.without_rule}
        return JudgedSummary(
            version=__version__,
            parts=options.parts,
            data=str(options.data),
            out=str(options.out),
            model=", ".join(model.name for model in self.models),
            settings=options.settings(),
            examples=self._total,
            judged=tally.judged if options.parts else self._total,
            errors=dict(tally.errors.most_common()),
            contexts=dict(tally.contexts.most_common()),
            matrix=tally.matrix() if "labels" in options.parts else {},
            agreement=tally.agreement() if "labels" in options.parts else None,
            profile=tally.profile(),
            notes={**self._notes.counts, **{note: count for note, count in unrated.items() if count}},
            stopped_by=stopped_by,
            knowledge=self._knowledge.figures() if "knowledge" in options.parts else (),
            kept=self._kept_counts,
        )

    def _examples(self) -> Iterator[Example]:
        return (record for record in self._records() if isinstance(record, Example))

    def _records(self, notes: Notes | None = None) -> Iterator[Record]:
        options = self._options
        return read_dataset(options.data, format_name=options.from_format, documents=options.documents, notes=notes)


RATINGS = (KNOWN_WITHOUT_CONTEXT, KNOWN_IN_EVERY_TRY, ANSWERED_WITH_BLOCK, NEW_TO_MODEL)


class Knowledge:
    """Asks the answering model every question without context, several times, and with it, and has all rated.

    Keeps what the table is made of: a few numbers for each example.
    """

    def __init__(self, options: LabelOptions, meets: Callable[[Example], bool]) -> None:
        """meets: whether the documents of an example meet ``--where``."""
        self._options = options
        self._meets = meets
        self._titles: dict[str, str] = {}
        self._parts: dict[KnowledgePart, list[Attempts]] = {
            "all": [],
            **({"where": []} if options.where else {}),
            "new": [],
        }
        self._answerer = ""

    def look(self, document: Document) -> None:
        self._titles[document.id] = document.title

    async def ask(self, models: RunModels, posed: Sequence[Posed]) -> list[Posed]:
        """Rate what the model knows of each example, in their order."""
        self._answerer = models.answerer.name
        there = [each for each in posed if each.has_context]
        asked = [each for each in there if each.example.answer.strip()]
        blocks = {each.example.id: each.context.text or "" for each in asked}
        passages = [Passage(title=self._title(each.example), text=each.context.text or "") for each in there]
        checks = await knowledge_checks(models.answerer, passages, self._options.cutoff)
        new = {each.example.id: check for each, check in zip(there, checks, strict=True)}
        examples = [each.example for each in asked]
        tried = await attempts(examples, blocks, models.answerer, models.judge, self._options.tries)
        return [self._rated(each, new.get(each.example.id), tried.get(each.example.id)) for each in posed]

    def figures(self) -> tuple[KnowledgeFigures, ...]:
        """Of the whole set, of the documents that meet the conditions, and of those of them that are new."""
        return tuple(knowledge_figures(part, tried, self._answerer) for part, tried in self._parts.items())

    def _title(self, example: Example) -> str:
        return next((self._titles[name] for name in documents_of(example) if name in self._titles), "")

    def _rated(self, posed: Posed, new: Critique | None, tried: Attempts | None) -> Posed:
        example, context, _ = posed
        if tried is not None:
            self._count(example, new, tried)
        answers = _critiques(tried, NO_ANSWER if posed.has_context else context.fault)
        return posed.rated(
            (
                *(answers if example.label != "unanswerable" else ()),
                new or Critique(name=NEW_TO_MODEL, value=None, reason=context.fault),
            )
        )

    def _count(self, example: Example, new: Critique | None, tried: Attempts) -> None:
        self._parts["all"].append(tried)
        if not self._meets(example):
            return
        if "where" in self._parts:
            self._parts["where"].append(tried)
        if new is not None and new.value == NEW:
            self._parts["new"].append(tried)


def _critiques(tried: Attempts | None, why_not: str) -> tuple[Critique, ...]:
    names = RATINGS[:3]
    if tried is None:
        return tuple(Critique(name=name, value=None, reason=why_not) for name in names)
    failed = [each for each in tried.closed if each.lower is None]
    if failed:
        n = len(tried.closed)
        best = worst = Baseline(None, failed[0].reason if n == 1 else f"{len(failed)} of {n} tries: {failed[0].reason}")
    else:
        best = max(tried.closed, key=lambda each: each.lower or 0)
        worst = min(tried.closed, key=lambda each: each.lower or 0)
    return tuple(each.critique(name) for name, each in zip(names, (best, worst, tried.open), strict=True))
