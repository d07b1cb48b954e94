"""What a gate is asked to judge, and where CI looks for what it found."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import field
from functools import partial
from math import isfinite
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from ragassay.errors import RunFolderError, UsageError
from ragassay.evaluation.gates import Condition, Kind, Use
from ragassay.jobs.folders.page_file import Ours, check_place, write_page
from ragassay.metrics.metric import Scale
from ragassay.options import Group, Option, Share, settings, typed_as
from ragassay.report.gate import JUNIT_MARK, MARKDOWN_MARK, GateResult, gate_junit, gate_markdown

GITHUB_VARIABLE = "GITHUB_STEP_SUMMARY"
"""Names the file whose Markdown GitHub shows with the job."""
_OURS = {mark: Ours(re.compile(re.escape(mark)), "a file of a gate") for mark in (JUNIT_MARK, MARKDOWN_MARK)}


@settings
class GateFiles:
    """Files that are written anew, and whether the job's summary grows."""

    junit: Annotated[
        Path | None, Option("Write JUnit XML, a test for each condition.", metavar="FILE", panel="Output")
    ] = None
    markdown: Annotated[Path | None, Option("Write a summary in Markdown.", metavar="FILE", panel="Output")] = None
    github_summary: Annotated[bool, Option("Append the summary to that of the job on GitHub.", panel="Output")] = False

    def check(self) -> None:
        """Raise UsageError or RunFolderError for a place where nothing can be written, before anything is read."""
        if self.junit and self.markdown and os.path.realpath(self.junit) == os.path.realpath(self.markdown):
            raise UsageError("--markdown: it is the file of --junit; name another")
        if self.github_summary and not os.environ.get(GITHUB_VARIABLE):
            raise UsageError(
                f"--github-summary: {GITHUB_VARIABLE} is not set; it is on GitHub's runners, elsewhere use --markdown"
            )
        for target, option, mark in self._targets():
            check_place(target, option=option, ours=_OURS[mark])

    def write(self, result: GateResult) -> None:
        """Write what was asked for, each file whole or not at all. Raises RunFolderError where that cannot be."""
        for target, option, mark in self._targets():
            text = gate_junit(result) if mark == JUNIT_MARK else gate_markdown(result)
            write_page(target, text, option=option, ours=_OURS[mark])
        if self.github_summary:
            try:
                with open(os.environ[GITHUB_VARIABLE], "a", encoding="utf-8", newline="\n") as file:
                    file.write(gate_markdown(result))
            except OSError as error:
                raise RunFolderError(f"--github-summary: the summary cannot be written ({error.strerror})") from None

    def _targets(self) -> list[tuple[Path, str, str]]:
        asked = ((self.junit, "--junit", JUNIT_MARK), (self.markdown, "--markdown", MARKDOWN_MARK))
        return [(target, option, mark) for target, option, mark in asked if target is not None]


COVERAGE = 0.95
"""Least share of questions with a value, as of the other commands."""
Bounds: TypeAlias = Mapping[str, float | str] | Iterable[str]
"""``{"recall@5": 0.7, "recall@5@summary": 0.6}``, or ``["recall@5=.7", "recall@5=.6@summary"]``."""
_BOUND = "METRIC=NUMBER[@LABEL]"


def option_of(kind: Kind) -> str:
    """The option of a kind of condition."""
    return f"--{kind.replace('_', '-')}"


def conditions_of(kind: Kind, bounds: Any) -> tuple[Condition, ...]:
    """The conditions of one kind. Raises UsageError."""
    option = option_of(kind)
    if isinstance(bounds, Mapping):
        return tuple(_condition(kind, str(name), bound, option) for name, bound in bounds.items())
    listed = bounds if isinstance(bounds, list | tuple) else [bounds]
    return tuple(each if isinstance(each, Condition) else _typed(kind, each, option) for each in listed)


def _typed(kind: Kind, text: object, option: str) -> Condition:
    name, equals, bound = str(text).partition("=")
    if not equals:
        raise UsageError(f"{option}: must be METRIC=NUMBER or METRIC=NUMBER@LABEL, such as recall@5=.7, not {text!r}")
    return _condition(kind, name, bound, option)


@settings
class GateOptions:
    """Bounds, what they hold for, and how sure a result has to be."""

    run: Annotated[Path | None, Option("Folder with scores.", metavar="RUN", is_argument=True)] = None
    fail_under: Annotated[
        tuple[Condition, ...],
        typed_as(partial(conditions_of, "fail_under")),
        Option("Least mean of a metric, over all questions or those of a label or type.", metavar=_BOUND),
    ] = ()
    fail_over: Annotated[
        tuple[Condition, ...],
        typed_as(partial(conditions_of, "fail_over")),
        Option("Greatest mean, for metrics whose low values are the good ones.", metavar=_BOUND),
    ] = ()
    max_drop: Annotated[
        tuple[Condition, ...],
        typed_as(partial(conditions_of, "max_drop")),
        Option("By how much a metric may be worse than in the baseline.", metavar=_BOUND),
    ] = ()
    baseline: Annotated[
        Path | None, Option("Folder with scores of the same questions, for --max-drop.", metavar="RUN")
    ] = None
    use: Annotated[Use, Option("What to compare with the bounds: interval or mean.", metavar="interval|mean")] = (
        "interval"
    )
    strict: Annotated[bool, Option("Also fail where the result is uncertain.")] = False
    coverage: Annotated[Share, Option("Least share of questions with a value.", metavar="SHARE")] = COVERAGE
    system: Annotated[str | None, Option("System of RUN, if there are several.", metavar="NAME")] = None
    baseline_system: Annotated[
        str | None, Option("System of the baseline, if there are several.", metavar="NAME", is_rare=True)
    ] = None
    files: Annotated[GateFiles, Group()] = field(default_factory=GateFiles)

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """All of them, by kind."""
        return (*self.fail_under, *self.fail_over, *self.max_drop)

    def check(self, *, has_baseline: bool) -> None:
        """Raise UsageError for what cannot be meant. has_baseline: whether there is one, as a folder or at hand."""
        if not self.conditions:
            raise UsageError(
                "the gate has no condition; give --fail-under METRIC=NUMBER, or --max-drop METRIC=NUMBER with "
                "--baseline, or a table [gate] in ragassay.toml"
            )
        compares = any(each.kind == "max_drop" for each in self.conditions)
        if compares and not has_baseline:
            raise UsageError("--max-drop: needs a run to compare with; name it with --baseline")
        if has_baseline and not compares:
            raise UsageError("--baseline: nothing is compared with it; add --max-drop METRIC=NUMBER")
        seen = set()
        for each in self.conditions:
            if (key := (each.kind, each.metric, each.group)) in seen:
                raise UsageError(f"{option_of(each.kind)}: {named(each)} is given twice; give it once")
            seen.add(key)


def named(condition: Condition) -> str:
    """``recall@5 of summary``."""
    return f"{condition.metric} of {condition.group}" if condition.group else condition.metric


def check_bound(condition: Condition, scale: Scale, option: str, opposite: str) -> None:
    """Raise UsageError for a bound outside the metric's range, or on its wrong side.

    scale: of the metric. option: what the bound is called; opposite: what one on the other side is called.
    """
    metric, bound = condition.metric, condition.bound
    wrong_way = {"fail_under": True, "fail_over": False}.get(condition.kind)
    if wrong_way is not None and scale.higher_is_better != wrong_way:
        good = "low" if wrong_way else "high"
        raise UsageError(f"{option}: {good} values of {metric} are the good ones; use {opposite}")
    low, high = scale.low, float("inf") if scale.high is None else scale.high
    if condition.kind == "max_drop":
        low, high = 0.0, high - low
    if not isfinite(bound) or not low <= bound <= high:
        within = (
            f"between {low:g} and {high:g}" if isfinite(high) else f"{low:g} or more" if isfinite(low) else "finite"
        )
        raise UsageError(f"{option}: the bound of {metric} must be {within}, not {bound:g}")


def _condition(kind: Kind, name: str, bound: object, option: str) -> Condition:
    """The label or type may stand behind the metric or behind the number."""
    metric, group = name.strip(), ""
    text, at, behind = str(bound).partition("@")
    head, _, tail = metric.rpartition("@")
    grouped = bool(at)
    if at:
        group = behind.strip()
    elif head and not tail.isdecimal():  # recall@5 has a depth, recall@5@summary a label
        metric, group, grouped = head, tail.strip(), True
    try:
        number = float("nan" if isinstance(bound, bool) else text)
    except ValueError:
        number = float("nan")
    if not metric or (grouped and not group) or not isfinite(number):
        raise UsageError(f"{option}: {name}={bound} must be METRIC=NUMBER or METRIC=NUMBER@LABEL, such as recall@5=.7")
    return Condition(kind=kind, metric=metric, bound=number, group=group)
