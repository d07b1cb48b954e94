"""The work of scoring: batches of examples through the metrics, every score written and counted as it comes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import IO, NamedTuple

from ragassay.datasets.foreign import RECORDED
from ragassay.datasets.selection import value_of
from ragassay.documents.sources import by_reason
from ragassay.errors import InputError
from ragassay.evaluation.clusters import answerable_rows, clusters_of
from ragassay.evaluation.prediction_powered import Corrected
from ragassay.evaluation.tally import Tally, grouped, unanswerable
from ragassay.jobs.answer.options import NOWHERE, EvaluateOptions
from ragassay.jobs.asking.costs import Costs
from ragassay.jobs.asking.effort import EffortTally
from ragassay.jobs.asking.models import AskedJudge, Endpoints, RunModels
from ragassay.jobs.folders.progress import Progress
from ragassay.jobs.judge.known_agreement import answering_model, own_work
from ragassay.jobs.score.input import Inputs
from ragassay.jobs.score.panel import PanelScores
from ragassay.metrics.answered import Answered, Judge
from ragassay.metrics.catalogue import is_everywhere, metrics_named
from ragassay.metrics.inputs import first_missing
from ragassay.metrics.judged.faithfulness import CopiedAnswers, added, copied_answers
from ragassay.metrics.judged.judged_metric import judged_scores
from ragassay.metrics.metric import BUILT_IN, Metric
from ragassay.metrics.released import FILE_METRICS, NO_JIEBA, ReleasedItem, released_items
from ragassay.metrics.scoring import Pairs, embedding_similarities, paired, scored
from ragassay.models.cache import cache_folder
from ragassay.parts import LOCAL_BATCH, in_batches
from ragassay.people.agreement.judge_agreement import JudgeAgreement
from ragassay.people.agreement.verdicts_by_people import read_verdicts, values_by_people
from ragassay.people.annotation.files import stale_subjects
from ragassay.records import LABELS, UNLABELLED, Score, to_json
from ragassay.report.costs import StageCost
from ragassay.report.predictions import doubts_of, ranking_notes, rules_note
from ragassay.report.scores import Estimates, JudgePanel, ScoreSummary
from ragassay.report.trust import judge_trust
from ragassay.version import __version__
from ragassay.workers import Lost, Workers

STAGE = "score"
CALLS_FOLDER = "score-calls"
"""In the cache folder: the log of calls of those who name no folder, so that no reply is paid for twice."""
PLAIN_BATCH = 64
"""Examples that go to a process together."""
JUDGED_BATCH = 512
"""Examples that a server is asked about together: enough to keep it busy, few enough to hold in memory."""


class _Packed(NamedTuple):
    """Scores as another process hands them over. found: (example id, metric, value, reason); lines: JSON Lines."""

    found: list[tuple[str, str, float | None, str | None]]
    lines: str


class Batches:
    """One set of predictions on its way through the metrics.

    sink: where scores are written as JSON Lines; None where nobody wants them one by one.
    """

    def __init__(
        self,
        options: EvaluateOptions,
        inputs: Inputs,
        sink: IO[str] | None,
        progress: Progress,
        workers: Workers,
        agreement: Sequence[JudgeAgreement] = (),
    ) -> None:
        """agreement: how far the judge is known to agree with people."""
        self._options = options
        self._inputs = inputs
        self._sink = sink
        self._progress = progress
        self._workers = workers
        scored = options.dragonball if options.chosen.of_file else None  # by the published scorer
        self._of_file: list[ReleasedItem] = list(released_items(scored)) if scored is not None else []
        if scored is not None and not self._of_file:
            raise InputError(f"{scored} holds no answered queries")
        ids = [example.id for example in inputs.examples] or [item.query_id for item in self._of_file]
        self._places = {name: place for place, name in enumerate(ids)}
        self._tally = Tally(_in_order(options), len(ids), clusters_of(inputs.examples) if inputs.examples else None)
        self._stale: set[str] = set()
        self._partly = 0
        self._people = self._by_people(inputs.system or RECORDED)
        self._judge = ""
        self._agreement = agreement
        self._copied: tuple[CopiedAnswers, ...] = ()
        self._judged = EffortTally()
        self._panel: PanelScores | None = None
        self._panel_summary: JudgePanel | None = None
        self._cost = StageCost(name=STAGE, wall_s=0, cpu_s=0, peak_rss_mb=0)
        self._begun, self._begun_cpu = time.perf_counter(), time.process_time()

    def score_file(self) -> None:
        """The published scorer's figures, from the file itself."""
        places = {metric.name: FILE_METRICS.index(metric.name) for metric in self._options.chosen.of_file}
        system = self._inputs.system or RECORDED
        scores = (
            Score(
                example_id=item.query_id,
                system=system,
                metric=name,
                value=item.scores[place],
                reason=NO_JIEBA if item.scores[place] is None else None,
            )
            for item in self._of_file
            if item.query_id in self._places  # others were not taken
            for name, place in places.items()
        )
        self._take(_packed(scores, with_lines=self._sink is not None))

    def score_plainly(self, pairs: Pairs) -> None:
        """The metrics that ask nobody."""
        names = tuple(metric.name for metric, _ in self._options.chosen.plain)
        if not names:
            return
        self._progress.start("scoring examples", len(pairs))
        work = partial(_scored_batch, names, self._sink is not None)
        batches = in_batches(pairs, PLAIN_BATCH)
        is_shared = all(is_everywhere(metric) for metric, _ in self._options.chosen.plain)
        for packed in self._workers.map(work, batches) if is_shared else map(work, batches):
            if isinstance(packed, Lost):
                raise InputError(
                    f"example {packed.item[0].example.id} or a neighbour ends the process that scores it; "
                    "drop it, or shorten its texts"
                )
            self._take(packed)
            self._progress.advance(len(packed.found) // len(names))

    async def ask(self, pairs: Pairs, endpoints: Endpoints) -> None:
        """The metrics of an encoder and of a judge. Calls are logged in the run folder, else in the cache folder."""
        options = self._options
        folder = cache_folder() / CALLS_FOLDER if options.out == NOWHERE else options.out
        folder.mkdir(parents=True, exist_ok=True)
        async with RunModels(options.judging, endpoints, self._workers, self._progress) as models:
            models.ask_servers(folder)
            await self._ask(pairs, models)

    async def _ask(self, pairs: Pairs, models: RunModels) -> None:
        options = self._options
        judges = models.panel(self._judged)
        judge = Judge(
            model=next(iter(judges.values())).model if len(judges) > 1 else models.judging(),
            further=models.further,
            further_prompts=options.judging.prompts,
            encoder=models.encoder,
            prompts=models.judges_prompts,
            questions=options.questions,
            evasive_is_zero=options.evasive_is_zero,
            seed=options.seed,
        )
        if len(judges) > 1 and options.chosen.judged:
            self._panel = PanelScores(list(judges), options.judging.panel)
        if options.chosen.judged:
            asked = dict.fromkeys(judge.of(metric.name).model.name for metric in options.chosen.judged)
            self._judge = "; ".join(dict.fromkeys([*asked, *judges]) if self._panel is not None else asked)
        self._progress.start("judging examples", len(pairs))
        n_together = JUDGED_BATCH if options.judging.uses_servers else LOCAL_BATCH
        costs = Costs(models, self._workers)
        with costs.stage(STAGE):
            for batch in in_batches(pairs, n_together):
                found = await self._by_judges(judge, list(judges.values())[1:], batch)
                self._copied = added([*self._copied, *copied_answers(batch, found)])
                for metric in options.chosen.by_encoder:
                    found += embedding_similarities(models.encoder, metric, batch)
                self._take(_packed(found, with_lines=self._sink is not None))
                self._progress.advance(len(batch))
        self._cost = costs.stages[0]
        if self._panel is not None:
            self._panel_summary = self._panel.summary(self._judged)

    async def _by_judges(self, judge: Judge, others: Sequence[AskedJudge], batch: Sequence[Answered]) -> list[Score]:
        """The judge's scores, joined with those of the other judges."""
        metrics = self._options.chosen.by_judge
        shared = [metric for metric in metrics if metric.is_judged and judge.of(metric.name) is judge]
        first, *more = await asyncio.gather(
            judged_scores(judge, metrics, batch),
            *(
                judged_scores(replace(judge, model=other.model, prompts=other.prompts), shared, batch)
                for other in others
            ),
        )
        return first if self._panel is None else self._panel.joined(first, more)

    def cost(self) -> StageCost:
        """What all of it took so far."""
        return replace(
            self._cost,
            wall_s=time.perf_counter() - self._begun,
            cpu_s=time.process_time() - self._begun_cpu + self._workers.cpu_s,
            peak_rss_mb=self._workers.peak_rss_mb,
        )

    def summary(self, stopped_by: str) -> ScoreSummary:
        """The figures of all that was scored."""
        examples = self._inputs.examples
        labels = grouped([example.label for example in examples], LABELS)
        types = grouped([example.question_type or "" for example in examples])
        served = self._cost.served
        answerer = answering_model(self._options.predictions or self._options.data)
        own = own_work(self._judge, examples, [answerer])
        return ScoreSummary(
            version=__version__,
            system=self._inputs.system or RECORDED,
            judge=self._judge,
            settings=self._options.settings(),
            examples=len(self._places),
            metrics=self._tally.headline([example.label for example in examples]),
            unanswerable=unanswerable(examples, self._inputs.predictions),
            labels=self._of_groups(labels) if set(labels) - {UNLABELLED} else {},
            types=self._of_groups({name: rows for name, rows in types.items() if name}),
            by={name: self._of_field(values) for name, values in self._inputs.fields.items()},
            corrected=self._corrected(labels),
            reasons=self._tally.reasons(),
            judge_coverage=1 - self._cost.unanswered / served if served else None,
            stopped_by=stopped_by,
            doubts=self._doubts(),
            panel=self._panel_summary,
            scales={each.name: each.scale for each in _in_order(self._options) if each.origin != BUILT_IN},
            trust=judge_trust(self._judge, self._options.names, self._copied, self._agreement, own),
        )

    def _doubts(self) -> tuple[str, ...]:
        """Return what to know first: missing and repeated chunks, their order, references in no document at hand."""
        chosen = self._options.chosen.on_records
        examples, predictions = self._inputs.examples, self._inputs.predictions
        found = by_reason(self._inputs.unread)
        if self._stale:
            found.append(
                f"{len(self._stale)} answers have changed since people judged them; these verdicts are left out."
            )
        if self._partly:
            found.append(f"{self._partly} answers have verdicts on some of their keypoints only; these are left out.")
        if any(metric.kind == "retrieval" for metric, _ in chosen):
            found += (*rules_note(examples), *ranking_notes(predictions, by_rank=self._options.rank_by == "rank"))
        if self._inputs.has_collection and any("ground spans" in metric.inputs for metric, _ in chosen):
            found += doubts_of(examples, predictions)
        return tuple(found)

    def _of_field(self, values: Mapping[str, str]) -> dict[str, Estimates]:
        """Values of documents; the examples of none of them are left out."""
        groups = grouped([value_of(example, values) for example in self._inputs.examples])
        return self._of_groups({name: rows for name, rows in groups.items() if name})

    def _corrected(self, labels: Mapping[str, list[int]]) -> dict[str, dict[str, Corrected]]:
        """The judge's figures over answerable questions, and of each label, corrected by people."""
        rows = answerable_rows([example.label for example in self._inputs.examples]).tolist()
        answered = list(paired(self._inputs.examples, self._inputs.predictions)) if self._people else []
        lacking = {
            metric.name: {place for place, each in enumerate(answered) if first_missing(each, metric.inputs)}
            for metric in _in_order(self._options)
            if metric.name in self._people
        }
        return self._tally.corrected(self._people, {"": rows, **(labels if len(labels) > 1 else {})}, lacking)

    def _by_people(self, system: str) -> dict[str, dict[int, float]]:
        """Metric to place to the value by people. Raises InputError where none is of an answer that is scored."""
        path, places = self._options.beside.people, self._places
        if path is None:
            return {}
        self._stale = stale_subjects(path, self._inputs.predictions)
        verdicts = [each for each in read_verdicts(path) if each.subject_id not in self._stale]
        names = (system, self._options.out.name, self._options.data.stem)  # as `compare` calls two runs of one system
        said, self._partly = values_by_people(verdicts, names, str(path), self._inputs.examples)
        known = {
            name: {places[each]: value for each, value in of.items() if each in places} for name, of in said.items()
        }
        if not any(known.values()):
            raise InputError(
                f"{path}: none of the answers that people judged is scored here; annotate this run's answers"
            )
        if not known.keys() & set(self._options.names):
            raise InputError(f"{path}: people judged {', '.join(known)}; ask for one of these with --metrics")
        return known

    def _of_groups(self, groups: Mapping[str, list[int]]) -> dict[str, Estimates]:
        return {name: self._tally.estimates(rows) for name, rows in groups.items()}

    def _take(self, packed: _Packed) -> None:
        for example_id, metric, value, reason in packed.found:
            self._tally.add(self._places[example_id], metric, value, reason)
        if self._sink is not None:
            self._sink.write(packed.lines)


def _in_order(options: EvaluateOptions) -> list[Metric]:
    """All metrics, in the order of their names."""
    chosen = options.chosen
    by_name = {metric.name: metric for metric in (*(metric for metric, _ in chosen.on_records), *chosen.of_file)}
    return [by_name[name] for name in options.names]


def _scored_batch(names: Sequence[str], with_lines: bool, batch: list[Answered]) -> _Packed:
    return _packed(scored(metrics_named(names), batch), with_lines=with_lines)


def _packed(scores: Iterable[Score], *, with_lines: bool) -> _Packed:
    found, lines = [], []
    for score in scores:
        found.append((score.example_id, score.metric, score.value, score.reason))
        if with_lines:
            lines.append(to_json(score) + "\n")
    return _Packed(found, "".join(lines))
