"""``ragassay synthesize``: an evaluation set from documents, by the synthesizer that one chooses."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ragassay.cli.made import complain, print_dry_run
from ragassay.cli.model_arguments import (
    DEFAULT_CALLS,
    DEFAULT_SPENDING,
    EMBEDDED,
    Answers,
    Calls,
    Judge,
    Model,
    Spending,
    expanded,
    model_options,
)
from ragassay.cli.output import AsJson, Processes, ReplaceRun, Strict, print_json
from ragassay.cli.reading_options import DEFAULT_READING, Reading, read_options

if TYPE_CHECKING:
    from ragassay.pipeline.make.synthesize import Synthesized

_BALANCE = "Balance"
_OWN = "Single synthesizers"


@expanded
def synthesize(
    out: Annotated[Path, typer.Option(help="Folder for the results; created if missing.", show_default=False)],
    documents: Annotated[
        list[Path] | None,
        typer.Argument(help="Files and folders with documents.", metavar="DOCS", show_default=False),
    ] = None,
    synthesizer: Annotated[
        str,
        typer.Option(
            "--synthesizer",
            "-s",
            help="statements, simple, per_chunk, creative, evolved or scenario, see above; or a plug-in.",
        ),
    ] = "statements",
    n: Annotated[int, typer.Option("--n", help="Examples to make.")] = 100,
    mix: Annotated[
        str | None,
        typer.Option(
            help="Share of each verified label, adding up to 1, such as fact_single=.5,reasoning=.5; "
            "default: 40/20/20/20 for statements, any label for the others.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Random seed; the same seed and documents give the same files.")] = 0,
    balance_by: Annotated[
        str,
        typer.Option(
            help="Label that counts: verified, requested, or both, which drops pairs where the two differ.",
            rich_help_panel=_BALANCE,
            hidden=True,
        ),
    ] = "both",
    type_mix: Annotated[
        str,
        typer.Option(
            help="evolved: share of each question type, such as multi_hop=.5,temporal_sequence=.5.",
            rich_help_panel=_BALANCE,
            hidden=True,
        ),
    ] = "",
    even_lengths: Annotated[
        bool,
        typer.Option(
            "--even-lengths", help="Use as many short contexts as long ones.", hidden=True, rich_help_panel=_BALANCE
        ),
    ] = False,
    per_document: Annotated[
        int | None,
        typer.Option(
            help="Examples of one label from a document before others have their turn.",
            hidden=True,
            rich_help_panel=_BALANCE,
            show_default=False,
        ),
    ] = None,
    most_per_document: Annotated[
        int | None,
        typer.Option(
            help="Maximum examples from one document, over all labels.",
            hidden=True,
            rich_help_panel=_BALANCE,
            show_default=False,
        ),
    ] = None,
    contexts: Annotated[
        str | None,
        typer.Option(
            help="Text that a question is made from: passages or documents; default: passages, but "
            "documents for creative.",
            show_default=False,
            hidden=True,
        ),
    ] = None,
    context_chars: Annotated[
        int, typer.Option(help="Maximum characters of a passage; longer ones are cut.", hidden=True)
    ] = 4000,
    max_context_chars: Annotated[
        int,
        typer.Option(help="Maximum characters of a whole document; longer ones are left out and counted.", hidden=True),
    ] = 10_000,
    theme: Annotated[
        bool,
        typer.Option(
            "--theme/--no-theme",
            help="statements: ask about the whole corpus, or about one document (--no-theme, language models only).",
            rich_help_panel=_OWN,
        ),
    ] = True,
    follow_ups: Annotated[
        float,
        typer.Option(
            help="Share of the examples to turn into follow-up questions, with the question before them as history; "
            "needs --model.",
            rich_help_panel=_BALANCE,
        ),
    ] = 0.0,
    pairs: Annotated[int, typer.Option(help="per_chunk: pairs from a passage in one reply.", rich_help_panel=_OWN)] = 3,
    evolve: Annotated[
        str | None,
        typer.Option(
            help="evolved: reasoning or two_documents; default: both.",
            rich_help_panel=_OWN,
            show_default=False,
            hidden=True,
        ),
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option(
            help="Only ask about documents with this metadata, such as 'date>=2023-10'; repeatable.",
            rich_help_panel=_OWN,
            show_default=False,
        ),
    ] = None,
    only_new: Annotated[
        bool,
        typer.Option("--only-new", help="Leave out documents that the answering model knows.", rich_help_panel=_OWN),
    ] = False,
    cutoff: Annotated[
        str, typer.Option(help="Knowledge cutoff of that model, such as 2023-10.", rich_help_panel=_OWN, hidden=True)
    ] = "",
    baselines: Annotated[
        bool | None,
        typer.Option(
            "--baselines/--no-baselines",
            help="Answer every question without retrieval and with its context; default: creative only.",
            rich_help_panel=_OWN,
            show_default=False,
            hidden=True,
        ),
    ] = None,
    schema: Annotated[
        str,
        typer.Option(
            help="scenario: schema file, or finance, law or medicine; default: inferred from DOCS.",
            rich_help_panel=_OWN,
        ),
    ] = "",
    language: Annotated[
        str, typer.Option(help="scenario: language of a shipped schema, en or zh.", rich_help_panel=_OWN, hidden=True)
    ] = "en",
    scenario_documents: Annotated[
        int, typer.Option("--documents", help="scenario: number of documents to make.", rich_help_panel=_OWN)
    ] = 40,
    types: Annotated[
        str, typer.Option(help="scenario: question types, separated by commas.", rich_help_panel=_OWN, hidden=True)
    ] = "all",
    reading: Reading = DEFAULT_READING,
    processes: Processes = None,
    overwrite: ReplaceRun = False,
    strict: Strict = False,
    as_json: AsJson = False,
    model: Model = EMBEDDED,
    judge: Judge = None,
    answers: Answers = None,
    calls: Calls = DEFAULT_CALLS,
    spending: Spending = DEFAULT_SPENDING,
) -> None:
    """Make an evaluation set from documents.

    A judge labels and rates every pair; pairs that fail are dropped and counted. Synthesizers: statements (answers
    first, all labels), simple (one prompt, one fact), per_chunk (several pairs from a passage in one reply), creative
    (one inventive question per document, with baselines), evolved (a simple question made harder, also with a second
    document), scenario (documents made from a schema).

    Without --model rules make the set, checked by the small verifier, and --synthesizer is left out or scenario. The
    others, --follow-ups, --no-theme and --only-new need a language model.

    Examples:

    ragassay synthesize docs/ --out sets/first

    ragassay synthesize articles.jsonl -s per_chunk --where 'year>=2024' --out sets/new

    ragassay synthesize -s scenario --schema finance --documents 20 --out sets/finance
    """
    from ragassay.cli.progress_bars import progress_bars  # imported late: --help answers in half a second
    from ragassay.errors import check_dry_run
    from ragassay.pipeline.make.dry_synthesis import dry_synthesis
    from ragassay.pipeline.make.synthesis_options import SynthesizeOptions
    from ragassay.pipeline.make.synthesize import synthesize_documents
    from ragassay.synthesis.evolved import EVOLVED_TYPES, parse_ways
    from ragassay.synthesis.metadata_filter import parse_condition
    from ragassay.synthesis.options import parse_mix, parse_shares
    from ragassay.synthesis.scenario.question_types import parse_types

    chosen: Any = {
        "synthesizer": synthesizer,
        "contexts": contexts,
        "balance_by": balance_by,
    }  # any text: SynthesizeOptions.check names what fits
    options = SynthesizeOptions(
        documents=tuple(documents or ()),
        out=out,
        n=n,
        mix=None if mix is None else parse_mix(mix),
        seed=seed,
        type_mix=parse_shares("--type-mix", type_mix, EVOLVED_TYPES, "type") if type_mix else {},
        even_lengths=even_lengths,
        per_document=per_document,
        most_per_document=most_per_document,
        context_chars=context_chars,
        max_context_chars=max_context_chars,
        theme=theme,
        follow_ups=follow_ups,
        pairs=pairs,
        ways=None if evolve is None else parse_ways(evolve),
        conditions=tuple(parse_condition(each) for each in where or ()),
        only_new=only_new,
        cutoff=cutoff,
        baselines=baselines,
        schema=schema,
        schema_language=language,
        scenario_documents=scenario_documents,
        types=parse_types(types),
        models=model_options(calls, spending, model=model, judge=judge, answers=answers),
        read=read_options(reading),
        overwrite=overwrite,
        processes=processes,
        **chosen,
    )
    if spending.dry_run:
        check_dry_run(options.models.uses_servers)
        with progress_bars() as progress:
            estimated = dry_synthesis(options, progress)
        print_dry_run(estimated, as_json)
        return
    with progress_bars() as progress:
        done = synthesize_documents(options, progress)
    _print(done, as_json)
    complain(
        done.folder,
        documents=options.documents,
        made=len(done.examples),
        stopped_by=done.summary.stopped_by,
        coverage=done.coverage,
        least_coverage=options.models.coverage,
        missing=[f"{each.missing} {each.name}" for each in done.summary.missing] if strict else [],
        why="'missing'" if as_json else "the table above",
        writes_on_server="writer" in options.models.on_servers,
    )


def _print(done: Synthesized, as_json: bool) -> None:
    from ragassay.report.synthesis import blocks_of_synthesis, synthesis_object
    from ragassay.report.terminal import show

    if as_json:
        found = synthesis_object(done.summary, done.stages, done.folder)
        print_json(found)
    else:
        show(blocks_of_synthesis(done.summary, done.stages, done.folder))
