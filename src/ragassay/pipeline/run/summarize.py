"""Last stage: everything a report shows, from the records of the other stages."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ragassay.agreement.judge_agreement import JudgeAgreement
from ragassay.evaluation.clusters import ANSWERABLE, clusters_of
from ragassay.evaluation.estimate import Estimate
from ragassay.evaluation.refusals import Unanswerable, unanswerable
from ragassay.metrics.catalogue import metrics_named
from ragassay.pipeline.asking.models import RunModels
from ragassay.pipeline.make.corpus import Corpus
from ragassay.pipeline.make.examples import without_small_model
from ragassay.pipeline.make.run_options import RunOptions
from ragassay.pipeline.run.stages import TEXT_METRICS, AnswersMade, Sweep, judged_metrics
from ragassay.rag.setting import Setting
from ragassay.records import LABELS, UNLABELLED, Example, SkippedSource
from ragassay.report.costs import StageCost
from ragassay.report.summary import (
    BestStrategy,
    CompositionFigures,
    MissingExamples,
    Result,
    RunSummary,
    WorstQuestion,
)
from ragassay.report.trust import judge_trust
from ragassay.sweep.values import ALL, Cell, SettingValues, cells_of_labels
from ragassay.synthesis.synthesizer import SynthesisResult
from ragassay.version import __version__

_WORST = 12
_SHOWN_CHUNKS = 3


def summarize(
    options: RunOptions,
    corpus: Corpus,
    made: SynthesisResult,
    sweep: Sweep | None,
    answers: AnswersMade | None,
    stages: Sequence[StageCost],
    models: RunModels,
    agreement: Sequence[JudgeAgreement] = (),
) -> RunSummary:
    """sweep, answers: None where no example could be made. agreement: what is known of the judge and people."""
    examples = made.examples
    results: list[Result] = []
    best: list[BestStrategy] = []
    worst: list[WorstQuestion] = []
    if sweep and answers:
        of_texts = _cells(list(answers.values.values()), examples, TEXT_METRICS)
        results = [
            Result(label=each.group, setting=each.setting, metric=each.metric, estimate=each.estimate)
            for each in (*sweep.cells, *of_texts)
        ]
        best = _best(sweep, answers, examples, judged_metrics(models))
        worst = _worst(corpus, sweep, answers, examples)
    off = [SkippedSource(source="The whole set", reason=said) for said in without_small_model(options.models)]
    return RunSummary(
        version=__version__,
        model=models.name,
        stopped_by=models.endpoints.budget.reached or "",
        settings=options.settings(),
        corpus=replace(corpus.figures, notes=(*corpus.figures.notes, *off)),
        composition=_composition(made),
        results=tuple(results),
        best=tuple(best),
        worst=tuple(worst),
        unanswerable=_refusals(sweep, answers, examples) if sweep and answers else None,
        answered=len(answers.answered) if answers else None,
        stages=tuple(stages),
        tokens=sweep.tokens if sweep and answers else (),
        trust=judge_trust(models.judge.name, judged_metrics(models), answers.copied, agreement) if answers else None,
        sources={
            example.context.document_id: corpus.store.get(example.context.document_id).source for example in examples
        },
    )


def _composition(made: SynthesisResult) -> CompositionFigures:
    delivered = Counter(str(example.requested_label) for example in made.examples)
    per_document = Counter(example.context.document_id for example in made.examples)
    patterns: dict[str, Counter[str]] = defaultdict(Counter)
    for example in made.examples:
        patterns[example.requested_label or UNLABELLED][example.provenance.pattern] += 1
    return CompositionFigures(
        requested={str(label): count for label, count in made.requested.items()},
        delivered={label: delivered[label] for label in LABELS},
        matrix=made.matrix,
        dropped=made.dropped,
        patterns={label: dict(counts.most_common()) for label, counts in sorted(patterns.items())},
        missing=tuple(
            MissingExamples(label=label, missing=made.requested[label] - delivered[label], reason=reason)
            for label, reason in made.shortfall.items()
        ),
        documents_used=len(per_document),
        most_per_document=max(per_document.values(), default=0),
        difficulty=dict(sorted(Counter(each.difficulty for each in made.examples if each.difficulty).items())),
    )


def _cells(values: Sequence[SettingValues], examples: Sequence[Example], metrics: Sequence[str]) -> Iterable[Cell]:
    """Of each label and the answerable together."""
    labels = [example.label for example in examples]
    named = [metric for metric, _ in metrics_named(metrics)]
    found = cells_of_labels(values, labels, named, clusters_of(examples), "label")
    return (cell for cell in found if cell.metric in metrics and cell.group != ALL)


def _best(
    sweep: Sweep, answers: AnswersMade, examples: Sequence[Example], metrics: Sequence[str]
) -> list[BestStrategy]:
    values = list(answers.judged.values())
    generation: dict[tuple[Setting, str], dict[str, Estimate]] = defaultdict(dict)
    for cell in _cells(values, examples, metrics):
        generation[cell.setting, cell.group][cell.metric] = cell.estimate
    return [
        BestStrategy(
            label=each.label,
            setting=each.setting,
            recall_at_5=each.estimate,
            dense=each.dense,
            lexical=each.lexical,
            neighbours=each.neighbours,
            ties=each.ties,
            next_best=each.comparisons[0] if each.comparisons else None,
            generation=generation[each.setting, each.label],
        )
        for each in sweep.best
    ]


def _refusals(sweep: Sweep, answers: AnswersMade, examples: Sequence[Example]) -> Unanswerable | None:
    """Of the best setting of the headline."""
    headline = next((each.setting.name for each in sweep.best if each.label == ANSWERABLE), None)
    answered = [examples[row] for row in answers.answered]
    return unanswerable(answered, [each for each in answers.predictions if each.system == headline])


def _worst(corpus: Corpus, sweep: Sweep, answers: AnswersMade, examples: Sequence[Example]) -> list[WorstQuestion]:
    """The questions of which the best setting of the headline found least."""
    headline = next((each for each in sweep.best if each.label == ANSWERABLE), None)
    if headline is None:
        return []
    metrics = sweep.values[headline.setting].metrics
    recall, gain, first = metrics["recall@5"], metrics["ndcg@10"], metrics["mrr@10"]
    chunks = {each.example_id: each.chunks for each in answers.predictions if each.system == headline.setting.name}
    rows = [row for row, each in enumerate(examples) if each.requested_label != "unanswerable" and recall[row] < 1]
    rows.sort(key=lambda row: (recall[row], gain[row], examples[row].id))
    found = []
    for row in rows[:_WORST]:
        example = examples[row]
        retrieved = []
        for chunk in chunks[example.id]:
            document = corpus.store.get(chunk.document_id)
            retrieved.append((document.source, document.text[chunk.start : chunk.end]))
        answer = _words(example.answer)
        found.append(
            WorstQuestion(
                example_id=example.id,
                label=example.requested_label or UNLABELLED,
                question=example.question,
                answer=example.answer,
                source=corpus.store.get(example.context.document_id).source,
                references=tuple(span.text for span in example.references),
                first_rank=round(1 / first[row]) if first[row] > 0 else None,
                retrieved=tuple(retrieved[:_SHOWN_CHUNKS]),
                answer_rank=next((n for n, (_, text) in enumerate(retrieved, 1) if answer in _words(text)), None),
            )
        )
    return found


def _words(text: str) -> str:
    """The words of a text alone, so that one text can be looked for in another."""
    return " ".join(["", *re.findall(r"\w+", text.casefold()), ""])
