"""What a gate is asked to judge: from options, from Python, or from the table [gate] of ``ragassay.toml``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ragassay.errors import InputError, UsageError
from ragassay.evaluation.gates import Condition, Kind, Use
from ragassay.metrics.metric import Scale
from ragassay.pipeline.asking.rubric_file import PROJECT_FILE, register_rubrics
from ragassay.settings import fault_of, read_settings

"""Settings of a project, read from the working directory: a table for each command."""
TABLE = "gate"
COVERAGE = 0.95
"""Least share of questions with a value, as of the other commands."""
Bounds: TypeAlias = Mapping[str, float | str] | Iterable[str]
"""``{"recall@5": 0.7, "recall@5@summary": 0.6}``, or ``["recall@5=.7", "recall@5=.6@summary"]``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GateOptions:
    """baseline: folder of the run that losses are measured against. use: the interval, or the mean alone.

    baseline_option: where the baseline was named. strict: uncertain results fail. coverage: least share of questions
    with a value, else a condition fails. system, baseline_system: which of several systems of a run.
    """

    conditions: tuple[Condition, ...] = ()
    baseline: Path | None = None
    baseline_option: str = "--baseline"
    use: Use = "interval"
    strict: bool = False
    coverage: float = COVERAGE
    system: str | None = None
    baseline_system: str | None = None

    def check(self, *, has_baseline: bool) -> None:
        """Raises UsageError for what cannot be meant. has_baseline: whether there is one, as a folder or at hand."""
        if not self.conditions:
            raise UsageError(
                "the gate has no condition; give --fail-under METRIC=NUMBER, or --max-drop METRIC=NUMBER with "
                f"--baseline, or a table [{TABLE}] in {PROJECT_FILE}"
            )
        if self.use not in ("interval", "mean"):
            raise UsageError(f"--use: unknown value {self.use!r}; choose interval or mean")
        if not 0 <= self.coverage <= 1:
            raise UsageError(f"--coverage: must be between 0 and 1, not {self.coverage:g}")
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


def option_of(kind: Kind) -> str:
    """The option of a kind of condition."""
    return f"--{kind.replace('_', '-')}"


def named(condition: Condition) -> str:
    """``recall@5 of summary``."""
    return f"{condition.metric} of {condition.group}" if condition.group else condition.metric


def check_bound(condition: Condition, scale: Scale, option: str, opposite: str) -> None:
    """Raises UsageError for a bound outside the metric's range, or on its wrong side.

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


def conditions_of(kind: Kind, bounds: Bounds, source: str = "") -> tuple[Condition, ...]:
    """The conditions of one kind. source: where they are from, if not from an option. Raises UsageError."""
    option = source or option_of(kind)
    if isinstance(bounds, str):
        bounds = [bounds]
    if isinstance(bounds, Mapping):
        return tuple(_condition(kind, str(name), bound, option) for name, bound in bounds.items())
    found = []
    for text in bounds:
        name, equals, bound = str(text).partition("=")
        if not equals:
            raise UsageError(
                f"{option}: must be METRIC=NUMBER or METRIC=NUMBER@LABEL, such as recall@5=.7, not {text!r}"
            )
        found.append(_condition(kind, name, bound, option))
    return tuple(found)


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


_Bounds: TypeAlias = dict[str, float | str] | list[str]


class GateTable(BaseModel):
    """The table [gate] of ``ragassay.toml``; None where a key is absent."""

    model_config = ConfigDict(extra="forbid", strict=True)

    fail_under: _Bounds | None = None
    fail_over: _Bounds | None = None
    max_drop: _Bounds | None = None
    baseline: Annotated[str, Field(min_length=1)] | None = None
    use: Use | None = None
    strict: bool | None = None
    coverage: Annotated[float, Field(ge=0, le=1)] | None = None
    system: str | None = None
    baseline_system: str | None = None


def read_gate_table(config: Path | None) -> tuple[GateTable, Path]:
    """The table and the folder that its paths start from; an empty one where no file is named and none is there.

    Raises InputError for a file that cannot be read or has no such table where it was named, UsageError for its values.
    """
    path = config or Path(PROJECT_FILE)
    if config is None and not path.is_file():
        return GateTable(), Path()
    settings: dict[str, Any] = read_settings(path)
    if TABLE not in settings:
        if config is None:
            return GateTable(), Path()
        raise InputError(f"{path} has no table [{TABLE}]; add one, or leave --config out")
    if not isinstance(settings[TABLE], dict):
        raise UsageError(f"{path}: {TABLE} must be a table, as in [{TABLE}]")
    try:
        return GateTable.model_validate(settings[TABLE]), path.parent
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join([TABLE, *(str(each) for each in first["loc"][:1])])
        if first["type"] == "extra_forbidden":
            keys = ", ".join(GateTable.model_fields)
            raise UsageError(f"{path}: {key}: unknown key; choose {keys}") from None
        if first["loc"][:1] and first["loc"][0] in ("fail_under", "fail_over", "max_drop"):
            raise UsageError(f'{path}: {key}: must hold numbers, such as {{ "recall@5" = 0.7 }}') from None
        raise UsageError(f"{path}: {key}: {fault_of(error, 'value')}") from None


def gate_options(
    *,
    fail_under: Bounds | None = None,
    fail_over: Bounds | None = None,
    max_drop: Bounds | None = None,
    baseline: Path | None = None,
    use: str | None = None,
    strict: bool | None = None,
    coverage: float | None = None,
    system: str | None = None,
    baseline_system: str | None = None,
    config: Path | None = None,
    reads_config: bool = True,
) -> GateOptions:
    """What is given goes over the table; None: not given. reads_config: whether ``ragassay.toml`` is looked for.

    Raises UsageError, and what ``read_gate_table`` raises.
    """
    table, folder = GateTable(), Path()
    if reads_config or config is not None:
        table, folder = read_gate_table(config)
        register_rubrics(config or Path(PROJECT_FILE))  # their ranges and directions
    conditions: tuple[Condition, ...] = ()
    given: dict[Kind, Bounds | None] = {"fail_under": fail_under, "fail_over": fail_over, "max_drop": max_drop}
    for kind, bounds in given.items():
        if bounds:
            conditions += conditions_of(kind, bounds)
        elif (of_table := getattr(table, kind)) is not None:
            conditions += conditions_of(kind, of_table, f"{config or PROJECT_FILE}: {TABLE}.{kind}")
    baseline_option = "--baseline"
    if baseline is None and table.baseline is not None:
        baseline, baseline_option = folder / table.baseline, f"{config or PROJECT_FILE}: {TABLE}.baseline"

    def chosen(value: Any, of_table: Any, default: Any) -> Any:
        return value if value is not None else of_table if of_table is not None else default

    return GateOptions(
        conditions=conditions,
        baseline=baseline,
        baseline_option=baseline_option,
        use=chosen(use, table.use, "interval"),
        strict=chosen(strict, table.strict, False),
        coverage=chosen(coverage, table.coverage, COVERAGE),
        system=chosen(system, table.system, None),
        baseline_system=chosen(baseline_system, table.baseline_system, None),
    )
