"""Runs a system on an evaluation set: every question ends as one prediction, and none is asked twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ragassay.datasets.placing import Placer, is_collection
from ragassay.documents.sources import by_reason
from ragassay.errors import UsageError
from ragassay.jobs.answer.checks import check_system
from ragassay.jobs.answer.folder import PredictFolder, SystemState, predict_folder
from ragassay.jobs.answer.loop import ask_system
from ragassay.jobs.answer.options import EvaluateOptions
from ragassay.jobs.answer.questions import Check, QuestionSet, read_questions
from ragassay.jobs.asking.event_loop import finished
from ragassay.jobs.asking.models import Endpoints, RunModels
from ragassay.jobs.folders.progress import Progress, Silent, Written, followed
from ragassay.models.llm.budget import Spent
from ragassay.records import Example, Prediction
from ragassay.report.notebook import Shown
from ragassay.report.predictions import PredictionFigures, blocks_of_predictions, doubts_of, prediction_figures
from ragassay.report.wording import count
from ragassay.systems.base import Question, System, UnusableSystemError
from ragassay.systems.build import Materials, built_in_system, outside_system
from ragassay.systems.rag import Generator
from ragassay.workers import Workers

if TYPE_CHECKING:
    from ragassay.report.blocks import Block

STAGE = "answers"
_REUSED = "reused; --overwrite asks again."
_MAY_DIFFER = (
    " The system may have changed since, which cannot be seen: pass --system-version NAME; when NAME changes, all "
    "questions are asked again."
)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Predicted(Shown):
    """A finished run of a system.

    predictions: in the order of the examples; shorter than these where a limit was reached. asked: questions put to the
    system now; the others had been answered before. notes: whether the system is still the one that gave them.
    has_documents: whether documents to search are at hand, in which chunks can be placed. outside_corpus: examples that
    rest on documents that the set, or --documents, does not hold. not_judged: queries of a BEIR folder that were left
    out, as its judgements say nothing of them. at_random, total: as of ``QuestionSet``. spent: what calls to models
    took. budget_reached: which limit ended them.
    """

    system: str
    folder: Path
    examples: tuple[Example, ...]
    predictions: tuple[Prediction, ...]
    asked: int
    notes: tuple[str, ...] = ()
    has_documents: bool = False
    outside_corpus: int = 0
    not_judged: int = 0
    at_random: int = 0
    total: int = 0
    spent: Spent = field(default_factory=Spent)
    budget_reached: str | None = None

    @property
    def figures(self) -> PredictionFigures:
        """What is printed of it."""
        return prediction_figures(
            self.system,
            len(self.examples),
            self.predictions,
            asked_now=self.asked,
            outside_corpus=self.outside_corpus,
            not_judged=self.not_judged,
            notes=tuple(dict.fromkeys((*self.notes, *self.doubts))),
        )

    def blocks(self) -> Iterable[Block]:
        return blocks_of_predictions(self.figures, "")

    @property
    def doubts(self) -> tuple[str, ...]:
        """What makes figures doubtful: answers that may be old, references and chunks that no document holds."""
        old = [note for note in self.notes if _REUSED in note]
        return (*old, *(doubts_of(self.examples, self.predictions) if self.has_documents else ()))

    @property
    def failures(self) -> list[Prediction]:
        """Those with an error."""
        return [each for each in self.predictions if each.error is not None]

    @property
    def coverage(self) -> float:
        """Share of the questions that were answered."""
        return (len(self.predictions) - len(self.failures)) / len(self.examples)


def predict(
    options: EvaluateOptions,
    progress: Progress | None = None,
    system: System | None = None,
    log_folder: Path | None = None,
    check: Check = lambda examples: None,
) -> Predicted:
    """Asks the system every question that it has not answered yet, and writes the folder.

    system: the one to ask where it is at hand; None for the one that the options name. log_folder: where calls of
    built-in systems are logged, for several runs that share replies; None for the folder of the run. check: raises for
    examples that are not worth asking.
    Raises UsageError, InputError, RunFolderError or UnusableSystemError for what cannot be used.
    """
    check_system(options)
    endpoints = Endpoints(options.answering)  # a wrong name or a missing key costs no time
    if endpoints.estimates is not None and not options.is_built_in:
        raise UsageError(
            f"--dry-run: only works for built-in systems, not for {options.spec.kind}; try it with --limit 10"
        )
    if system is None and not options.is_built_in:
        system = outside_system(options.spec)
    endpoints.enter(STAGE)
    with ExitStack() as stack:
        folder = stack.enter_context(
            predict_folder(
                options.out,
                options.identity(),
                options.settings_of_answers(),
                overwrite=options.overwrite,
                state=state_of(options, system),
            )
        )
        told = stack.enter_context(followed(progress or Silent(), folder.path, options.command))
        told.start("reading the set", None)
        log_to = log_folder or options.out
        job = _Job(options, endpoints, folder, read_questions(options, folder, stack, check), told, log_to)
        predicted = finished(job.run(system))
        told.stopped(predicted.budget_reached or "")
        return predicted


def state_of(options: EvaluateOptions, system: System | None) -> SystemState:
    """Return the state of the system; built-in ones and files of answers are told apart by settings and contents."""
    if options.is_built_in or options.spec.kind == "recorded":
        return SystemState("as set up", None)
    return SystemState(getattr(system, "code", None), getattr(options.spec.options, "version", None))


@dataclass(frozen=True, slots=True, eq=False)
class _Job:
    """What a run works with."""

    options: EvaluateOptions
    endpoints: Endpoints
    folder: PredictFolder
    data: QuestionSet
    progress: Written
    log_folder: Path

    async def run(self, system: System | None) -> Predicted:
        options, folder, data = self.options, self.folder, self.data
        still_open = list(self._open())
        asked = await self._asked(system, still_open) if still_open else 0
        budget = self.endpoints.budget
        if budget.reached:
            predictions = [found for each in data.examples if (found := folder.recorded(each.id)) is not None]
        else:
            predictions = folder.finish(data.examples)
        known = set(data.store.ids) if data.store is not None else None
        return Predicted(
            system=predictions[0].system if predictions else "",
            folder=options.out,
            examples=tuple(data.examples),
            predictions=tuple(predictions),
            asked=asked,
            has_documents=data.store is not None and is_collection(data.examples, data.store),
            notes=tuple(self._notes(asked, takes_history=system is None or getattr(system, "takes_history", True))),
            outside_corpus=0 if known is None else sum(_is_outside(each, known) for each in data.examples),
            not_judged=data.not_judged,
            at_random=data.at_random,
            total=data.total,
            spent=budget.spent,
            budget_reached=budget.reached,
        )

    def _open(self) -> Iterator[Question]:
        """The questions that are still to be asked."""
        for example in self.data.examples:
            before = self.folder.recorded(example.id)
            if before is None or (self.options.retry_failed and before.error is not None):
                yield Question(example.id, example.question, example.history)

    def _notes(self, asked: int, *, takes_history: bool) -> Iterator[str]:
        data, folder = self.data, self.folder
        reused, follow_ups = len(data.examples) - asked, sum(bool(example.history) for example in data.examples)
        yield from by_reason(data.read_notes)
        if data.skipped:
            first = data.skipped[0]
            skipped = count(len(data.skipped), "document")
            yield f"{skipped} could not be read, the first being {first.source}. {first.reason}"
        if folder.set_aside is not None:
            again, aside = "" if reused else ", so all questions were asked again", folder.set_aside.name
            yield f"The system has changed since the last run{again}. The earlier answers are in {aside}."
        if reused:
            yield f"{count(reused, 'earlier answer')} {_REUSED}{_MAY_DIFFER if folder.is_unseen else ''}"
        yield from (f"{what[0].upper()}{what[1:]}: {count(n)}." for what, n in data.reading.items())
        if follow_ups and not takes_history:
            yield (
                f"Questions with earlier turns: {count(follow_ups)}. The system does not get the turns; give them a "
                "place: a parameter named history, or {history} in the request or input."
            )

    async def _asked(self, system: System | None, questions: Sequence[Question]) -> int:
        """Makes the system ready and asks it; how many were answered or failed."""
        async with AsyncExitStack() as stack:
            if system is None:
                system = await self._built_in(stack)
            stack.push_async_callback(system.close)
            n = len(self.data.examples)
            self.progress.start("asking examples", n, done=n - len(questions))
            return await self._ask(system, questions, self._placer(stack))

    async def _ask(self, system: System, questions: Sequence[Question], placer: Placer | None) -> int:
        asked = 0
        budget = self.endpoints.budget
        ground = {example.id: example.ground_spans for example in self.data.examples}

        def take(prediction: Prediction) -> None:
            nonlocal asked
            if prediction.error is not None and budget.reached is not None:
                return  # it was not asked for want of money: it stays open
            if not asked:
                self.progress.begin()  # a system that cannot be used leaves no trace
            placed = prediction if placer is None else placer.placed(prediction, ground[prediction.example_id])
            self.folder.take(placed)
            asked += 1
            self.progress.advance()

        at_once = self.options.spec.options.concurrency
        try:
            await ask_system(system, questions, take, at_once=at_once, is_over=lambda: budget.reached is not None)
        except UnusableSystemError as error:
            if not asked:
                raise
            raise UnusableSystemError(
                system.name,
                error.kind,
                f"{error.detail}; {asked} questions are done and kept in {self.options.out}; run the same "
                "command again to continue",
            ) from None
        return asked

    def _placer(self, stack: AsyncExitStack) -> Placer | None:
        """What knows where chunks of systems outside are from; ours say so themselves."""
        data = self.data
        if self.options.is_built_in or data.store is None:
            return None
        by_id = data.own.by_id if data.own is not None else {}
        placer = Placer(data.store, by_id, only_named=not is_collection(data.examples, data.store))
        stack.callback(placer.close)
        return placer

    async def _built_in(self, stack: AsyncExitStack) -> System:
        options = self.options
        workers = stack.enter_context(Workers(None, imports=("ragassay.models.embedded.judging.answering",)))
        models = await stack.enter_async_context(RunModels(options.answering, self.endpoints, workers, self.progress))
        models.ask_servers(self.log_folder)
        answerer = models.answerer
        return built_in_system(
            options.spec,
            Materials(
                store=self.data.store,
                examples={example.id: example for example in self.data.examples},
                generator=Generator(answerer, is_language_model=answerer.is_on_server),
                encoder=models.encoder,
                folder=self.folder.path,
                progress=self.progress,
                own=self.data.own,
                workers=workers,
            ),
        )


def _is_outside(example: Example, known: set[str]) -> bool:
    return any(span.document_id and span.document_id not in known for span in example.ground_spans)
