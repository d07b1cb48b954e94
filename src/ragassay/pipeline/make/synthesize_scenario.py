"""``ragassay synthesize --synthesizer scenario``: the whole pipeline from seeds or a schema to a labelled set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ragassay.corpus.read import read_corpus
from ragassay.corpus.sources import by_reason
from ragassay.errors import InputError
from ragassay.models.base import Model
from ragassay.models.llm.call_records import open_records
from ragassay.models.llm.prices import Prices
from ragassay.pipeline.asking.effort import EffortTally
from ragassay.pipeline.asking.event_loop import finished
from ragassay.pipeline.asking.models import Endpoints, RunModels
from ragassay.pipeline.folders.progress import Progress, Silent, followed
from ragassay.pipeline.folders.run_folder import run_folder
from ragassay.pipeline.make.corpus_stage import workers_of
from ragassay.pipeline.make.scenario_models import check_reader, infer_schema, make_scenario
from ragassay.pipeline.make.synthesis_options import SynthesizeOptions
from ragassay.pipeline.make.synthesize import JUDGE, WRITER, Synthesized
from ragassay.records import Document, Example, Label, SkippedSource, to_json
from ragassay.report.synthesis import SYNTHESIS_FILE, SynthesisSummary, TaskEffort
from ragassay.synthesis.metadata_filter import check_conditions
from ragassay.synthesis.scenario.folder import write_scenario
from ragassay.synthesis.scenario.generate import Scenario, ScenarioOptions, generate
from ragassay.synthesis.scenario.question_types import LABEL_OF
from ragassay.synthesis.scenario.schema import Schema
from ragassay.synthesis.scenario.schema_file import load_schema, schema_text
from ragassay.synthesis.shortfall import Shortage
from ragassay.tasks.labelling import LABEL, Pair
from ragassay.version import __version__

_NAME = "inferred"
_MOST_FIELDS = 115
"""A document of one kind has some 20 to 110 fields; seeds of many kinds give hundreds that no document has together."""
_TOO_LONG = "its documents are longer together than --max-context-chars"


def synthesize_scenario(options: SynthesizeOptions, progress: Progress | None = None) -> Synthesized:
    """Makes documents and examples, has the examples labelled, and writes the folder.

    Labels never drop an example: what a scenario asks is answered by its values, whatever the judge makes of it. Raises
    as ``synthesize_documents``.
    """
    asked = ScenarioOptions(documents=options.scenario_documents, n=options.n, seed=options.seed, types=options.types)
    asked.check()
    skipped: list[SkippedSource] = []
    endpoints = Endpoints(options.models)
    with run_folder(options) as folder, followed(progress or Silent(), folder, options.command) as told:
        schema, text, notes = _schema(options, skipped, told)
        on_server = "writer" in options.models.on_servers
        told.start("writing documents and questions", None)
        made = (
            make_scenario(schema, asked, options.models, options.out, told=told)
            if on_server
            else generate(schema, asked)
        )
        tally = EffortTally()
        labelled, unlabelled = finished(_labelled(made, options, endpoints, tally, told))
        made = replace(made, examples=labelled)
        write_scenario(folder, made, schema, text, asked, __version__)
        written = _of_log(options.out) if on_server else ()
        summary = _summary(options, made, notes, unlabelled, skipped, (*written, *tally.rows()))
        (folder / SYNTHESIS_FILE).write_text(to_json(summary) + "\n", encoding="utf-8")
        told.stopped(endpoints.budget.reached or "")
    return Synthesized(folder=options.out, summary=summary, examples=tuple(made.examples))


def _schema(
    options: SynthesizeOptions, skipped: list[SkippedSource], progress: Progress
) -> tuple[Schema, str, list[str]]:
    """The schema with its file's text, and what the reader should know of it."""
    if options.schema:
        return *load_schema(options.schema, options.schema_language), []
    check_reader(options.models)
    progress.start("reading documents", None)
    seeds, read_notes = [], list[SkippedSource]()
    for seed in read_corpus(options.documents, options.read, skipped.append, read_notes.append):
        seeds.append(seed)
        progress.advance()
    check_conditions(options.conditions, seeds)
    seeds = [seed for seed in seeds if all(each.holds(seed) for each in options.conditions)]
    languages = sorted({each.language for each in seeds} - {"und"})
    if len(languages) > 1:
        raise InputError(
            f"DOCS: the seeds of a scenario are in several languages ({', '.join(languages)}); give seeds in one"
        )
    progress.start("finding the schema", len(seeds))
    inferred = infer_schema(seeds, _NAME, options.models, options.out, told=progress)
    if len(inferred.schema.fields) > _MOST_FIELDS:
        raise InputError(
            f"DOCS: {len(seeds)} seeds give a schema of {len(inferred.schema.fields)} fields, so they are "
            "of many kinds; give a few of one kind, or edit the output of `ragassay schema infer` and "
            "give it with --schema"
        )
    return inferred.schema, schema_text(inferred.schema), [*by_reason(read_notes), *inferred.notes]


async def _labelled(
    made: Scenario, options: SynthesizeOptions, endpoints: Endpoints, tally: EffortTally, progress: Progress
) -> tuple[list[Example], Counter[str]]:
    """The examples with the judge's labels, and reason to count of those that got none."""
    documents = {each.id: each for each in made.documents}
    contexts = [_context(example, documents, options.max_context_chars) for example in made.examples]
    fit = [place for place, text in enumerate(contexts) if len(text) <= options.max_context_chars]
    pairs = [
        Pair(context=contexts[place], question=made.examples[place].question, answer=made.examples[place].answer)
        for place in fit
    ]
    examples = list(made.examples)
    unlabelled = Counter({_TOO_LONG: len(examples) - len(fit)})
    progress.start("labelling", len(fit))
    with workers_of(replace(options.corpus, documents=(Path(),))) as workers:
        async with RunModels(options.models, endpoints, workers, progress) as models:
            models.ask_servers(options.out)
            judge: Model = tally.watched(models.judge, JUDGE)
            for place, reply in zip(fit, await judge.ask_all(LABEL, pairs), strict=True):
                if reply.value is None:
                    unlabelled[reply.reason or ""] += 1
                else:
                    examples[place] = replace(examples[place], verified_label=reply.value.label)
    return examples, +unlabelled


def _context(example: Example, documents: dict[str, Document], most_chars: int) -> str:
    """The documents that a question is about; of two that are too long together, the paragraphs that answer."""
    homes = dict.fromkeys((example.context.document_id, *(span.document_id for span in example.references)))
    whole = "\n\n".join(documents[home].text for home in homes)
    if len(whole) <= most_chars or len(homes) < 2:
        return whole
    return "\n\n".join(part for home in homes for part in _telling(documents[home], example))


def _telling(document: Document, example: Example) -> Iterator[str]:
    yield document.title
    cited = [span for span in example.references if span.document_id == document.id]
    for block in document.blocks:
        if block.kind == "paragraph" and any(span.start < block.end and block.start < span.end for span in cited):
            yield document.text[block.start : block.end]


def _of_log(folder: Path) -> tuple[TaskEffort, ...]:
    """What the writer took, by the log of calls: its pipeline asks through a model of its own."""
    with open_records(folder) as records:
        return tuple(
            TaskEffort(
                role=WRITER,
                task=each.task,
                asked=each.calls,
                unanswered=each.failed + each.unreadable,
                prompt_tokens=each.prompt_tokens,
                completion_tokens=each.completion_tokens,
            )
            for each in records.by_task(Prices.load(None))
            if each.task != LABEL.name
        )


def _summary(
    options: SynthesizeOptions,
    made: Scenario,
    notes: Sequence[str],
    unlabelled: Counter[str],
    skipped: Sequence[SkippedSource],
    effort: tuple[TaskEffort, ...],
) -> SynthesisSummary:
    matrix: dict[str, Counter[str]] = {}
    wanted: Counter[str] = Counter()
    for example in made.examples:
        wanted[example.requested_label or ""] += 1
        if example.verified_label:
            matrix.setdefault(example.requested_label or "", Counter())[example.verified_label] += 1
    missing = [
        Shortage(
            name=each.question_type,
            asked=each.wanted,
            candidates=each.made,
            good=each.made,
            delivered=each.made,
            dropped={},
            reason=each.reason,
        )
        for each in made.shortages
    ]
    for each in made.shortages:
        label: Label = LABEL_OF[each.question_type]
        wanted[label] += each.wanted - each.made
    per_document = Counter(example.context.document_id for example in made.examples)
    unlabelled_notes = [f"{count} examples have no verified label: {why}" for why, count in unlabelled.items()]
    return SynthesisSummary(
        version=__version__,
        synthesizer=options.synthesizer,
        models=made.model,
        asked=options.n,
        requested=dict(wanted),
        delivered=dict(Counter(example.requested_label or example.label for example in made.examples)),
        matrix={label: dict(row) for label, row in matrix.items()},
        dropped={},
        missing=tuple(missing),
        by_type=dict(Counter(each.question_type for each in made.examples if each.question_type)),
        documents=len(made.written),
        visited=len(made.written),
        used=len(per_document),
        most_per_document=max(per_document.values(), default=0),
        skipped=tuple(skipped),
        notes=(*notes, *unlabelled_notes),
        effort=effort,
        counted_by="requested",
    )
