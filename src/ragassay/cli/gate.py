"""``ragassay gate``: is a run good enough for CI to pass?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from ragassay.cli.project_settings import say_read, was_left_out

_BOUND = "METRIC=NUMBER[@LABEL]"


def gate(
    run: Annotated[Path, typer.Argument(help="Folder with scores.", metavar="RUN", show_default=False)],
    fail_under: Annotated[
        list[str] | None,
        typer.Option(help="Least mean of a metric, over all questions or those of a label or type.", metavar=_BOUND),
    ] = None,
    fail_over: Annotated[
        list[str] | None,
        typer.Option(help="Greatest mean, for metrics whose low values are the good ones.", metavar=_BOUND),
    ] = None,
    max_drop: Annotated[
        list[str] | None,
        typer.Option(help="By how much a metric may be worse than in the baseline.", metavar=_BOUND),
    ] = None,
    baseline: Annotated[
        Path | None, typer.Option(help="Folder with scores of the same questions, for --max-drop.", metavar="RUN")
    ] = None,
    use: Annotated[
        str | None,
        typer.Option(help="What to compare with the bounds: interval (default) or mean.", metavar="interval|mean"),
    ] = None,
    strict_gate: Annotated[
        bool | None, typer.Option("--strict-gate/--no-strict-gate", help="Also fail where the result is uncertain.")
    ] = None,
    coverage: Annotated[
        float | None, typer.Option(help="Least share of questions with a value; default: 0.95.", metavar="SHARE")
    ] = None,
    system: Annotated[str | None, typer.Option(help="System of RUN, if there are several.")] = None,
    baseline_system: Annotated[str | None, typer.Option(help="System of the baseline, if there are several.")] = None,
    config: Annotated[
        Path | None,
        typer.Option(help="File with a table [gate]; default: ragassay.toml of this folder, if any.", metavar="FILE"),
    ] = None,
    junit: Annotated[
        Path | None, typer.Option(help="Write JUnit XML, a test for each condition.", metavar="FILE")
    ] = None,
    markdown: Annotated[Path | None, typer.Option(help="Write a summary in Markdown.", metavar="FILE")] = None,
    github_summary: Annotated[
        bool, typer.Option("--github-summary", help="Append the summary to that of the job on GitHub.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")] = False,
) -> None:
    """Check a run against bounds, for CI: exit code 0 if it passes, 9 if it fails.

    A condition passes where the whole 95 % interval is good enough, and fails where none of it is. In between it cannot
    be told from so few questions: that passes with a note, or fails with --strict-gate. --use mean looks at the mean
    alone. --max-drop compares question by question, as `ragassay compare` does. Examples:

    ragassay gate runs/new --fail-under faithfulness=.8 --fail-under recall@5=.7@fact_single

    ragassay gate runs/new --baseline runs/main --max-drop recall@5=.02 --junit gate.xml
    """
    from ragassay.errors import GateError  # imported late: --help stays fast
    from ragassay.pipeline.asking.rubric_file import PROJECT_FILE
    from ragassay.pipeline.gate.files import GateFiles
    from ragassay.pipeline.gate.gate import gate as hold
    from ragassay.pipeline.gate.options import gate_options, read_gate_table
    from ragassay.report.gate import blocks_of_gate, condition_words, gate_object
    from ragassay.report.terminal import show

    typed: dict[str, Any] = {
        "fail_under": fail_under,
        "fail_over": fail_over,
        "max_drop": max_drop,
        "baseline": baseline,
        "use": use,
        "strict": strict_gate,
        "coverage": coverage,
        "system": system,
        "baseline_system": baseline_system,
    }
    options = gate_options(**typed, config=config)
    from_file = read_gate_table(config)[0].model_fields_set
    say_read(
        config or Path(PROJECT_FILE), "gate", [key for key in typed if key in from_file and was_left_out(typed[key])]
    )
    files = GateFiles(junit=junit, markdown=markdown, github_summary=github_summary)
    files.check()
    found = hold(options, run)
    files.write(found)
    if as_json:
        typer.echo(json.dumps(gate_object(found), ensure_ascii=False, indent=1))
    else:
        show(blocks_of_gate(found))
    if not found:
        raise GateError(f"the gate failed: {'; '.join(condition_words(each.condition) for each in found.failing)}")
