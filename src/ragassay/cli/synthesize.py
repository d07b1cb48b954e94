"""``ragassay synthesize``: an evaluation set from documents, by the synthesizer that one chooses."""

from __future__ import annotations

import json
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
from ragassay.cli.reading_options import DEFAULT_READING, Reading, read_options

if TYPE_CHECKING:
    from ragassay.pipeline.synthesis_options import SynthesizeOptions
    from ragassay.pipeline.synthesize import Synthesized

_BALANCE = "Balance"
_OWN = "Options of single synthesizers"


@expanded
def synthesize(
    out: Annotated[Path, typer.Option(help="Folder for the results; made if missing.", show_default=False)],
    documents: Annotated[
        list[Path] | None,
        typer.Argument(help="Files and folders with documents.", metavar="DOCS", show_default=False),
    ] = None,
    synthesizer: Annotated[
        str,
        typer.Option(
            "--synthesizer", "-s", help="statements, simple, per_chunk, creative, evolved or scenario; see below."
        ),
    ] = "statements",
    n: Annotated[int, typer.Option("--n", help="Examples to make.")] = 100,
    mix: Annotated[
        str | None,
        typer.Option(
            help="Share of each verified label, adding up to 1, such as fact_single=.5,reasoning=.5. If not given: "
            "40/20/20/20 for statements, any label for the others.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed and documents give the same files.")] = 0,
    balance_by: Annotated[
        str,
        typer.Option(
            help="Whose label counts: verified, requested, or both, where a pair of which the two differ is dropped.",
            rich_help_panel=_BALANCE,
        ),
    ] = "both",
    type_mix: Annotated[
        str,
        typer.Option(
            help="evolved: share of each question type, such as multi_hop=.5,temporal_sequence=.5.",
            rich_help_panel=_BALANCE,
        ),
    ] = "",
    even_lengths: Annotated[
        bool,
        typer.Option("--even-lengths", help="As many short contexts as long ones.", rich_help_panel=_BALANCE),
    ] = False,
    per_document: Annotated[
        int | None,
        typer.Option(
            help="Examples of one label that a document gives before others have had their turn.",
            rich_help_panel=_BALANCE,
            show_default=False,
        ),
    ] = None,
    most_per_document: Annotated[
        int | None,
        typer.Option(
            help="Most examples of one document, of all labels together.", rich_help_panel=_BALANCE, show_default=False
        ),
    ] = None,
    contexts: Annotated[
        str | None,
        typer.Option(
            help="What a question is made from: passages, or whole documents (as creative does if not told).",
            show_default=False,
        ),
    ] = None,
    context_chars: Annotated[int, typer.Option(help="Longest passage, in characters; longer ones are cut.")] = 4000,
    max_context_chars: Annotated[
        int, typer.Option(help="Whole documents that are longer are left out, and counted.")
    ] = 10_000,
    theme: Annotated[
        bool,
        typer.Option(
            "--theme/--no-theme",
            help="statements: questions for a whole corpus, or for one document. No theme: language models only.",
            rich_help_panel=_OWN,
        ),
    ] = True,
    drafts: Annotated[
        bool,
        typer.Option(
            "--drafts",
            help="statements: fill what is missing with questions on prose that a person has to mend; see 'ragassay "
            "annotate --task mend'.",
            rich_help_panel=_OWN,
        ),
    ] = False,
    pairs: Annotated[
        int, typer.Option(help="per_chunk: pairs that a passage is asked for at once.", rich_help_panel=_OWN)
    ] = 3,
    evolve: Annotated[
        str | None,
        typer.Option(
            help="evolved: reasoning, two_documents, or both if not given.", rich_help_panel=_OWN, show_default=False
        ),
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option(
            help="creative: only blocks whose metadata fit, such as 'date>=2023-10'. May be given again.",
            rich_help_panel=_OWN,
            show_default=False,
        ),
    ] = None,
    only_new: Annotated[
        bool,
        typer.Option(
            "--only-new", help="creative: leave out blocks that the answering model knows.", rich_help_panel=_OWN
        ),
    ] = False,
    cutoff: Annotated[
        str, typer.Option(help="creative: until when that model has learnt, such as 2023-10.", rich_help_panel=_OWN)
    ] = "",
    baselines: Annotated[
        bool | None,
        typer.Option(
            "--baselines/--no-baselines",
            help="Answer every question with nothing retrieved and with its context; creative does if not told.",
            rich_help_panel=_OWN,
            show_default=False,
        ),
    ] = None,
    schema: Annotated[
        str,
        typer.Option(
            help="scenario: schema file, or finance, law, medicine; DOCS are seeds for one if not given.",
            rich_help_panel=_OWN,
        ),
    ] = "",
    language: Annotated[
        str, typer.Option(help="scenario: of a shipped schema, en or zh.", rich_help_panel=_OWN)
    ] = "en",
    scenario_documents: Annotated[
        int, typer.Option("--documents", help="scenario: documents to make.", rich_help_panel=_OWN)
    ] = 40,
    types: Annotated[
        str, typer.Option(help="scenario: question types, separated by commas.", rich_help_panel=_OWN)
    ] = "all",
    reading: Reading = DEFAULT_READING,
    processes: Annotated[
        int | None, typer.Option(help="Processes that share the work; one a core, at most 8, if not given.")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace another run in the folder.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with code 5 if examples are missing.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")] = False,
    model: Model = EMBEDDED,
    judge: Judge = None,
    answers: Answers = None,
    calls: Calls = DEFAULT_CALLS,
    spending: Spending = DEFAULT_SPENDING,
) -> None:
    """Make an evaluation set from documents. A judge labels and rates every pair; what fails is dropped and counted.

    Synthesizers: statements (answers first, every label can be asked for), simple (one prompt, one fact), per_chunk
    (several pairs of a passage in one reply), creative (one inventive question a document, with baselines), evolved (a
    simple question made harder, also with a second document), scenario (documents made from a schema).

    All work with the embedded model and with models on servers. Without one on a server, --no-theme and --only-new
    cannot be used, and baselines have no answers without retrieval.

    Examples:

    ragassay synthesize docs/ --out sets/first

    ragassay synthesize docs/ --synthesizer per_chunk --pairs 5 --n 200 --out sets/chunks

    ragassay synthesize articles.jsonl -s creative --where 'year>=2024' --model openai:gpt-4o-mini --out sets/new

    ragassay synthesize -s scenario --schema finance --documents 20 --out sets/finance
    """
    from ragassay.pipeline.synthesis_options import SynthesizeOptions  # imported late: --help answers in half a second
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
        drafts=drafts,
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
        _estimate(options, as_json)
        return
    done = _synthesize(options)
    _print(done, as_json)
    complain(
        done.folder,
        made=len(done.examples),
        stopped_by=done.summary.stopped_by,
        coverage=done.coverage,
        least_coverage=options.models.coverage,
        missing=[f"{each.missing} {each.name}" for each in done.summary.missing] if strict else [],
        why="the table above",
    )


def _estimate(options: SynthesizeOptions, as_json: bool) -> None:
    from ragassay.cli.progress_bars import progress_bars
    from ragassay.errors import UsageError
    from ragassay.pipeline.dry_run import dry_synthesis

    if not options.models.uses_servers:
        raise UsageError("--dry-run: no model on a server is asked, so it costs nothing; name one with --model")
    with progress_bars() as progress:
        found = dry_synthesis(options, progress)
    print_dry_run(found, as_json)


def _synthesize(options: SynthesizeOptions) -> Synthesized:
    from ragassay.cli.progress_bars import progress_bars
    from ragassay.pipeline.synthesize import synthesize_documents

    try:
        with progress_bars() as progress:
            return synthesize_documents(options, progress)
    except KeyboardInterrupt:
        typer.echo(
            "ragassay: stopped; calls that were answered are kept, so that the same command goes on from there",
            err=True,
        )
        raise typer.Exit(130) from None


def _print(done: Synthesized, as_json: bool) -> None:
    from ragassay.report.streams import open_console
    from ragassay.report.synthesis_tables import print_synthesis, synthesis_object

    if as_json:
        found = synthesis_object(done.summary, done.stages, done.folder)
        typer.echo(json.dumps(found, ensure_ascii=False, indent=1))
    else:
        print_synthesis(done.summary, done.stages, done.folder, open_console())
