"""``ragassay judge``, ``annotate`` and ``agree``: a judge and people."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ragassay.cli.command import Command, Commands, Job, print_json
from ragassay.errors import CONTINUE, BudgetError, CoverageError, check_coverage

if TYPE_CHECKING:
    from ragassay.jobs.judge.check import JudgeReport
    from ragassay.jobs.judge.options import JudgeOptions
    from ragassay.people.annotation.options import AnnotateOptions
    from ragassay.people.annotation.store import Round
    from ragassay.report.blocks import Block

_JUDGE_OPTIONS = "ragassay.jobs.judge.options:JudgeOptions"


def judge_blocks(done: JudgeReport) -> Iterable[Block]:
    from ragassay.report.blocks import Text

    yield from done.blocks()
    if done.folder is not None and not done.measures:
        yield Text(f"Values of every item, and what they rest on: {done.folder / 'values.jsonl'}")


def check_judge(done: JudgeReport, options: JudgeOptions) -> None:
    if done.stopped_by:
        raise BudgetError(f"{done.stopped_by}: answers so far are kept; {CONTINUE}")
    check_coverage(
        done.coverage if options.uses_servers else None,
        options.models.coverage,
        ("the judge answered", "of the calls"),
        f"see the reasons above and in {done.folder}",
    )
    if done.silent:
        raise CoverageError(f"the judge gave no value for {', '.join(done.silent)}; see the reasons above")


class RoundDone(NamedTuple):
    """What was done, for scripts and for people; or the round to be judged, and where it is served."""

    described: dict[str, Any]
    text: str
    served: Round | None = None
    host: str = ""
    port: int = 0


def annotate(options: AnnotateOptions) -> RoundDone:
    """Begin or continue a round; write it where that is asked."""
    from ragassay.people.annotation.files import write_annotations
    from ragassay.people.annotation.rounds import begin_round
    from ragassay.people.annotation.store import Round

    options.check()
    round_ = Round(options.out) if options.round.data is None else begin_round(options.out, options.round)
    if options.export is not None:
        n = write_annotations(options.export, round_.annotations())
        return RoundDone({"written": n, "file": str(options.export)}, f"{n} annotations written to {options.export}")
    if options.export_set is not None:
        return _mended(round_, options.export_set, untouched=options.untouched, overwrite=options.overwrite)
    return RoundDone({}, "", round_, options.host, options.port)


def show_round(done: RoundDone, as_json: bool) -> None:
    """Print what was done, or serve the pages until Ctrl-C."""
    if done.served is None:
        print_json(done.described) if as_json else click.echo(done.text)
    else:
        _serve(done.served, done.host, done.port, as_json)


def _mended(round_: Round, out: Path, *, untouched: bool, overwrite: bool) -> RoundDone:
    from ragassay.jobs.data.mending import write_mended
    from ragassay.report.safe_text import visible
    from ragassay.report.wording import count

    done = write_mended(round_, out, untouched=untouched, overwrite=overwrite)
    left = "in it as they are" if untouched else "left out (--untouched keeps them)"
    lines = [
        f"{count(done.examples, 'example')} written to {out}: {done.kept} kept, {done.mended} mended, "
        f"{done.dropped} dropped; {done.untouched} that nobody has judged are {left}",
        *(f"{what} ({n} times)" for what, n in done.notes.items()),
        *(f"{name}: left out, another example asks the same" for name in done.repeats),
        *(f"{name}: the answer has no keypoints ({why})" for name, why in done.without_keypoints.items()),
        *(f"{name}: the labeller says {label}; the person's label stands" for name, label in done.doubted.items()),
    ]
    return RoundDone({**asdict(done), "file": str(out)}, "\n".join(map(visible, lines)))


def _serve(round_: Round, host: str, port: int, as_json: bool) -> None:
    from ragassay.web.annotate import annotation_app, link_of, overseer_link
    from ragassay.web.serving import address_of, listening, names_of, serve

    bound = listening(host, port)
    address = address_of(bound, host)

    def say() -> None:
        links = {name: link_of(address, round_, name) for name in round_.annotators}
        overseer = overseer_link(address, round_)
        if as_json:
            # One line: it is read while the pages are served.
            click.echo(json.dumps({"task": round_.task, "links": links, "progress": overseer}))
            return
        click.echo("Each annotator opens one link (it works as a key; do not share it):\n")
        click.echo("\n".join(f"{name}: {link}" for name, link in links.items()))
        click.echo(f"\nProgress of all: {overseer}\nCtrl-C stops the page; judgements are kept in {round_.file}")

    serve(annotation_app(round_, names_of(host)), bound, say)


_JUDGE = Commands(
    "Measure a judge against people, and against itself.",
    {
        "judge check": Command(
            Job(
                options=_JUDGE_OPTIONS,
                run="ragassay.jobs.judge.check:check_judge",
                blocks=judge_blocks,
                check=check_judge,
                counts_calls=True,
            ),
            """Measure a judge against comparisons or ratings by people.

        Prints accuracy, AUROC and correlations with 95 % intervals. FILE has one of four shapes, recognised from
        its fields: pairs (question, better, worse), comparisons (query, gt_answer, model1, model2 and labels, one
        row for each judgement), rated answers (question, answer and the rating in a field with the name of the
        quality), claims (text, and claims with text, supported and type). The judge is compared with people, if two
        judged the same, with controls (length, chance, one cosine) and, for language models, with the baselines GPT
        score and GPT ranking; claims are reported by type, with the calibration of the judge.

        Examples:

        ragassay judge check

        ragassay judge check --claims

        ragassay judge check pairs.jsonl --quality faithfulness --model openai:gpt-4o-mini --max-cost 1

        ragassay judge check rated.jsonl --quality truthfulness --blocks articles.jsonl --json
        """,
        ),
        "judge repeat": Command(
            Job(
                options=_JUDGE_OPTIONS,
                run="ragassay.jobs.judge.check:repeat_judge",
                blocks=judge_blocks,
                check=check_judge,
                counts_calls=True,
            ),
            """Run a judge twice and compare its values.

        Prints correlation, mean absolute difference and share of equal values for each metric. Takes the files that
        `ragassay judge check` takes. Each run has its own log, so that no reply is shared, and continues where it
        stopped.

        Examples:

        ragassay judge repeat --model openai:gpt-4o-mini --temperature 0.7 --max-cost 1

        ragassay judge repeat pairs.jsonl --quality faithfulness --model http://localhost:8000/v1#llama-3.1-8b
        """,
        ),
    },
)
COMMANDS = {
    "judge": _JUDGE,
    "annotate": Command(
        Job(
            options="ragassay.people.annotation.options:AnnotateOptions",
            run=annotate,
            show=show_round,
            has_progress=False,
        ),
        """Let people judge examples or answers in a browser.

    Each person has a page of their own and sees no judgement of others or of models. Every click is saved at once. The
    same command, or --out alone, continues where it stopped; Ctrl-C stops the page.

    Examples:

    ragassay annotate runs/first/examples.jsonl --out judged --annotators ana,ben --overlap 2

    ragassay annotate runs/first --task preference --system "512 dense" --system "512 bm25" --out judged

    ragassay annotate --out judged --export judged.csv

    ragassay annotate runs/first --task mend --annotators me --out mending

    ragassay annotate --out mending --export-set sets/mended
    """,
    ),
    "agree": Command(
        Job(
            options="ragassay.jobs.data.agree:AgreeOptions",
            run="ragassay.jobs.data.agree:agree_on",
            has_progress=False,
        ),
        """Measure the agreement of people with each other and a judge.

    Prints kappa, alpha, confusion and correlation. Labels and critiques of the judge come from the examples of
    --against, verdicts on keypoints from its scores of completeness; ratings and preferences are compared with
    --metric, in the direction in which it is better.

    Examples:

    ragassay agree judged

    ragassay agree judged --against runs/first --out agreement.html

    ragassay agree ana.csv ben.csv --task quality --against runs/first --metric faithfulness --json
    """,
    ),
}
