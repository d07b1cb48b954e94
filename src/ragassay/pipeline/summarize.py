"""Last stage: everything a report shows, from the records of the other stages."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from ragassay.agreement.judge_agreement import JudgeAgreement
from ragassay.evaluation.aggregate import estimate
from ragassay.evaluation.answerable import ANSWERABLE
from ragassay.evaluation.clusters import clusters_of
from ragassay.evaluation.estimate import Estimate
from ragassay.evaluation.refusals import Unanswerable, unanswerable
from ragassay.pipeline.answer_stage import TEXT_METRICS, Answers, judged_metrics
from ragassay.pipeline.corpus_stage import Corpus
from ragassay.pipeline.models import RunModels
from ragassay.pipeline.options import RunOptions
from ragassay.pipeline.retrieval_stage import Sweep
from ragassay.records import LABELS, UNLABELLED, Example, Score
from ragassay.report.judge_trust import judge_trust
from ragassay.report.summary import (
    BestStrategy,
    CompositionFigures,
    MissingExamples,
    Result,
    RunSummary,
    StageCost,
    WorstQuestion,
)
from ragassay.synthesis.synthesizer import SynthesisResult
from ragassay.version import __version__

_WORST = 12
_SHOWN_CHUNKS = 3


def summarize(
    options: RunOptions,
    corpus: Corpus,
    made: SynthesisResult,
    sweep: Sweep | None,
    answers: Answers | None,
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
        results = [
            Result(label=each.label, configuration=each.configuration, metric=each.metric, estimate=each.estimate)
            for each in sweep.scored
        ]
        results += _text_results(sweep, answers, examples)
        best = _best(sweep, answers, examples, judged_metrics(models))
        worst = _worst(corpus, sweep, examples)
    return RunSummary(
        version=__version__,
        model=models.name,
        stopped_by=models.endpoints.budget.reached or "",
        settings=options.settings(),
        corpus=corpus.figures,
        composition=_composition(made),
        results=tuple(results),
        best=tuple(best),
        worst=tuple(worst),
        unanswerable=_refusals(sweep, answers, examples) if sweep and answers else None,
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
        drafts=dict(Counter(str(example.requested_label) for example in made.examples if example.is_draft)),
    )


def _by_system(scores: Iterable[Score]) -> dict[tuple[str, str], dict[str, float | None]]:
    """(system, metric) to example id to value."""
    found: dict[tuple[str, str], dict[str, float | None]] = defaultdict(dict)
    for score in scores:
        found[score.system, score.metric][score.example_id] = score.value
    return found


def _rounds(examples: Sequence[Example]) -> dict[str, list[Example]]:
    rounds = {label: [each for each in examples if each.requested_label == label] for label in LABELS}
    answerable = [each for each in examples if each.requested_label != "unanswerable"]
    return {**{label: members for label, members in rounds.items() if members}, ANSWERABLE: answerable}


def _estimate(values: Mapping[str, float | None], members: Sequence[Example]) -> Estimate:
    return estimate([values.get(each.id) for each in members], clusters=clusters_of(members))


def _text_results(sweep: Sweep, answers: Answers, examples: Sequence[Example]) -> list[Result]:
    values = _by_system(score for score in answers.scores if score.metric in TEXT_METRICS)
    return [
        Result(
            label=label,
            configuration=configuration,
            metric=metric,
            estimate=_estimate(values[configuration.name, metric], members),
        )
        for label, members in _rounds(examples).items()
        for configuration in sweep.shown
        for metric in TEXT_METRICS
    ]


def _best(sweep: Sweep, answers: Answers, examples: Sequence[Example], metrics: Sequence[str]) -> list[BestStrategy]:
    values = _by_system(score for score in answers.scores if score.metric in metrics)
    rounds = _rounds(examples)
    return [
        BestStrategy(
            label=each.label,
            configuration=each.configuration,
            recall_at_5=each.recall_at_5,
            dense=each.dense,
            lexical=each.lexical,
            neighbours=each.neighbours,
            ties=each.ties,
            generation={
                metric: _estimate(values[each.configuration.name, metric], rounds[each.label]) for metric in metrics
            },
        )
        for each in sweep.best
    ]


def _refusals(sweep: Sweep, answers: Answers, examples: Sequence[Example]) -> Unanswerable | None:
    """Of the best configuration of the headline."""
    headline = next((each.configuration.name for each in sweep.best if each.label == ANSWERABLE), None)
    return unanswerable(examples, [each for each in answers.predictions if each.system == headline])


def _worst(corpus: Corpus, sweep: Sweep, examples: Sequence[Example]) -> list[WorstQuestion]:
    """The questions of which the best configuration of the headline found least."""
    headline = next((each for each in sweep.best if each.label == ANSWERABLE), None)
    if headline is None:
        return []
    result = sweep.of(headline.configuration)
    recall, gain, first = result.metrics["recall@5"], result.metrics["ndcg@10"], result.metrics["mrr@10"]
    rows = [row for row, each in enumerate(examples) if each.requested_label != "unanswerable" and recall[row] < 1]
    rows.sort(key=lambda row: (recall[row], gain[row], examples[row].id))
    table = corpus.tables[headline.configuration.chunk_size]
    found = []
    for row in rows[:_WORST]:
        example = examples[row]
        retrieved = []
        for chunk in result.rankings.chunks[row].tolist():
            if chunk >= 0:
                document = corpus.store[int(table.documents[chunk])]
                retrieved.append((document.source, document.text[int(table.starts[chunk]) : int(table.ends[chunk])]))
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
