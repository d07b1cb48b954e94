"""``ragassay run``, ``synthesize``, ``questions``, ``refresh`` and ``label``: sets made, kept true, or part of one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragassay.cli.command import Command, Job
from ragassay.errors import CONTINUE, BudgetError, GateError, ShortfallError, check_coverage

if TYPE_CHECKING:
    from ragassay.jobs.label.label import Labelled
    from ragassay.jobs.label.options import LabelOptions
    from ragassay.jobs.make.refresh import Refreshed, RefreshOptions
    from ragassay.jobs.make.run_options import RunOptions
    from ragassay.jobs.make.synthesis_options import SynthesizeOptions
    from ragassay.jobs.make.synthesize import Synthesized
    from ragassay.jobs.run.run import Run

_ASKED_ABOUT = frozenset({"en", "und"})
"""Languages of documents that questions are made from without a language model; short texts are undetermined."""


def _check_calls(done: Any, options: Any, stopped_by: str) -> None:
    if stopped_by:
        raise BudgetError(f"{stopped_by}: results so far are in {done.folder}; {CONTINUE}")
    check_coverage(
        done.coverage,
        options.models.coverage,
        ("the models answered", "of the calls of a stage"),
        f"`ragassay report {done.folder} --calls --failed` lists the others",
    )


def _check_set(
    done: Run | Synthesized,
    options: RunOptions | SynthesizeOptions,
    *,
    stopped_by: str,
    missing: Sequence[str],
    why: str,
) -> None:
    """Raise for what a script should hear of although there are results.

    stopped_by: the limit that was reached, or empty. missing: such as ``3 summary``. why: where the reasons are.
    """
    from ragassay.documents.sources import shown_path

    _check_calls(done, options, stopped_by)
    if not done.examples:
        said = f"no examples could be made from {', '.join(map(shown_path, options.documents))}"
        raise ShortfallError(
            f"{said}; see {why}{'' if 'writer' in options.models.on_servers else _with_a_model(done.folder)}"
        )
    if missing and options.strict:
        raise ShortfallError(f"--strict: missing {', '.join(missing)}; see {why}")


def _with_a_model(folder: Path) -> str:
    """What a language model could do with documents that gave nothing without one, and why it was nothing."""
    from ragassay.jobs.folders.run_folder import DOCUMENTS_FILE
    from ragassay.records import Document, read_jsonl
    from ragassay.tasks.languages import language_name

    path = folder / DOCUMENTS_FILE
    found = {each.language for each in read_jsonl(path, Document)} if path.is_file() else set()
    if not found or found & _ASKED_ABOUT:
        return ". A language model (--model) finds questions in more kinds of text"
    names = ", ".join(sorted(language_name(code) or code for code in found))
    return (
        f". The documents are in {names}: without a language model (--model) questions are made from English alone, "
        "and answers judged in English and Chinese"
    )


def check_run(done: Run, options: RunOptions) -> None:
    missing = [f"{each.missing} {each.label}" for each in done.summary.composition.missing]
    _check_set(done, options, stopped_by=done.budget_reached or "", missing=missing, why="the report")


def check_synthesized(done: Synthesized, options: SynthesizeOptions) -> None:
    missing = [f"{each.missing} {each.name}" for each in done.summary.missing]
    why = "the table above, or 'missing' in JSON"
    _check_set(done, options, stopped_by=done.summary.stopped_by, missing=missing, why=why)


def check_refreshed(done: Refreshed, options: RefreshOptions) -> None:
    summary = done.summary
    if summary.stopped_by:
        raise BudgetError(f"{summary.stopped_by}: results so far are in {done.folder}; {CONTINUE}")
    if done.folder is None and summary.kept < summary.total:
        lost = summary.total - summary.kept
        raise GateError(f"{lost} of {summary.total} questions have changed or gone; write a new set with --out")


def check_labelled(done: Labelled, options: LabelOptions) -> None:
    summary = done.summary
    if summary.stopped_by:
        again = "with --overwrite" if options.out.suffix else f"after removing {options.out}"
        raise BudgetError(
            f"{summary.stopped_by}: {summary.judged} of {summary.examples} examples are done; run the "
            f"same command {again} to continue; its limits start from zero"
        )
    check_coverage(
        summary.coverage,
        options.models.coverage,
        ("", "of the examples are done"),
        f"{done.folder / 'verdicts.jsonl'} gives the reason for each",
    )


COMMANDS = {
    "run": Command(
        Job(
            options="ragassay.jobs.make.run_options:RunOptions",
            run="ragassay.jobs.run.run:run",
            blocks=lambda done: done.brief(),
            check=check_run,
            counts_calls=True,
            shares_work=True,
        ),
        """Make a set from documents, compare retrievers, write a report.

    Reads text, web pages, PDF, Office and OpenDocument files, e-books, notebooks, mails and JSON.

    Examples:

    ragassay run docs/ --out runs/first

    ragassay run articles.jsonl --text-field content --n 200 --out runs/second

    ragassay run docs/ --out runs/gpt --model openai:gpt-4o-mini --dry-run
    """,
    ),
    "synthesize": Command(
        Job(
            options="ragassay.jobs.make.synthesis_options:SynthesizeOptions",
            run="ragassay.jobs.make.synthesize:synthesize_documents",
            check=check_synthesized,
            counts_calls=True,
            shares_work=True,
        ),
        """Make an evaluation set from documents.

    With --model, drafts: a call writes the pairs of a text, as people would ask, another checks and mends them; faults
    of the documents are reported. Other synthesizers: statements (the paper's separate calls), simple (one prompt, one
    fact), per_chunk (several pairs from a passage in one reply), creative (one inventive question per document, with
    baselines); a judge labels and rates their pairs.

    Without --model rules make the set, checked by the small verifier.

    Examples:

    ragassay synthesize docs/ --out sets/first

    ragassay synthesize articles.jsonl -s per_chunk --model openai:gpt-4o-mini --where 'year>=2024' --out sets/new
    """,
    ),
    "refresh": Command(
        Job(
            options="ragassay.jobs.make.refresh:RefreshOptions",
            run="ragassay.jobs.make.refresh:refresh",
            check=check_refreshed,
            counts_calls=True,
            shares_work=True,
        ),
        """Keep a set true while its documents change.

    Each question is same, moved, changed (its text has other words: judged again) or gone. With --out the questions
    that hold get their places in the new texts, and new questions are asked of new and changed texts until the set has
    its size and mix again. SET stays as it is. Without --out the state is printed: exit code 9 if a question no longer
    holds.

    Examples:

    ragassay refresh runs/spring docs/

    ragassay refresh runs/spring docs/ --out runs/autumn --model openai:gpt-4o-mini
    """,
    ),
    "questions": Command(
        Job(
            options="ragassay.jobs.make.log:LogOptions",
            run="ragassay.jobs.make.log:ask_log",
            check=lambda done, options: _check_calls(done, options, done.summary.stopped_by),
            counts_calls=True,
            shares_work=True,
        ),
        """Say what people ask of documents, what no page answers, and make a set.

    Reads a log of real questions, takes personal details out, merges those that ask the same, and groups them by topic.
    Of each question: a page answers, no page answers, or not known. What is answered for sure becomes a set, with its
    references. Faults of the documents are reported: pages that say the same; with --model, contradictions.

    Examples:

    ragassay questions docs/ --log questions.csv --out sets/asked

    ragassay questions docs/ --log traces.jsonl --map question=inputs.query --model openai:gpt-4o-mini --out sets/asked
    """,
    ),
    "label": Command(
        Job(
            options="ragassay.jobs.label.options:LabelOptions",
            run="ragassay.jobs.label.label:label",
            check=check_labelled,
            counts_calls=True,
            shares_work=True,
        ),
        """Label and rate the examples of any set, and keep those that are good enough.

    labels: how the context answers the question: fact_single, summary, reasoning or unanswerable. critiques: ratings
    from 1 to 5 with reasons: question_groundedness, answer_groundedness, feasibility, stand_alone, question_usefulness,
    context_usefulness, context_clarity, tautology. knowledge: what a language model (--answers, or --model) knows
    without the documents: the ratings known_without_context, known_in_every_try, answered_with_block, new_to_model.

    With conditions, only examples that meet all of them are written; a missing rating meets no threshold. Verdicts,
    dropped examples with reasons and the log of calls are in a folder beside --out: the same command continues where it
    stopped.

    Examples:

    ragassay label runs/first --out labelled.jsonl

    ragassay label squad.json --what labels,critiques --model openai:gpt-4o-mini --out rated.jsonl --dry-run

    ragassay label rated.jsonl --min stand_alone=4,tautology=4 --verified-only --out good.jsonl

    ragassay label sets/forty --what knowledge --cutoff 2023-10 --model openai:gpt-4o-mini --only-new --out sets/new
    """,
    ),
}
