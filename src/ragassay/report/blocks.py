"""What a result is shown as: blocks, built once for each result and drawn by ``terminal``, ``html`` and ``as_data``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from ragassay.evaluation.estimate import Estimate
from ragassay.report.items import Cases, Items
from ragassay.report.wording import NARROW_SPACE, count, coverage, decimal, duration, interval, why_missing

Format = Literal["text", "count", "decimal", "two", "signed", "percent", "p", "dollars", "seconds", "general"]
"""two: two decimals. signed: a difference. p: of a test. general: as short as it is exact."""
Style = Literal["plain", "strong", "note", "warning", "good", "bad"]
On = Literal["", "page", "terminal"]
"""Where a block is drawn; everywhere if empty."""


class Missing(NamedTuple):
    """A value that does not exist, and why."""

    reason: str = ""


class Noted(NamedTuple):
    """A value with something smaller beside it."""

    value: str | float | Estimate | Missing | None
    note: str


Value: TypeAlias = str | float | Estimate | Missing | Noted | None
"""A cell: a text, a number, a mean with its interval and coverage; None where there is nothing to say."""


class Column(str):
    """The name of a column that says how its values are written; any other text is a column of texts."""

    kind: Format

    def __new__(cls, name: str, kind: Format = "text") -> Column:
        made = super().__new__(cls, name)
        made.kind = kind
        return made

    @property
    def name(self) -> str:
        return str(self)


def typed(kind: Format, *names: str) -> list[Column]:
    """Return columns of one kind."""
    return [Column(name, kind) for name in names]


@dataclass(frozen=True, slots=True)
class Headline:
    """The title of a result and what there is to say first."""

    title: str
    lead: Sequence[str] = ()
    style: Style = "strong"


@dataclass(frozen=True, slots=True)
class Section:
    """Begins a part of a page.

    is_part: a smaller one within it, which the terminal names too. is_folded: closed on a page until it is opened.
    """

    title: str
    is_part: bool = False
    is_folded: bool = False


class Tile(NamedTuple):
    """A figure, what it is of, and what there is to know of it."""

    name: str
    value: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Tiles:
    """What a page says first, side by side; a line each in the terminal."""

    tiles: Sequence[Tile]
    on: On = ""


@dataclass(frozen=True, slots=True)
class Text:
    """Lines of prose, or a list below a title. verbatim: what others wrote, as it is. is_cut: to the width."""

    lines: str | Sequence[str]
    style: Style = "plain"
    title: str = ""
    on: On = ""
    verbatim: bool = False
    is_cut: bool = False

    @property
    def each(self) -> Sequence[str]:
        return (self.lines,) if isinstance(self.lines, str) else self.lines


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of values below named columns.

    note: what the columns mean, for pages. most: rows in the terminal, 0 for all; rest: where the others are.
    shaded: counts are coloured by their share of the row. folded: closed on a page until it is opened, and not in the
    terminal. searched: a page sorts and filters it. has_total: the last row sums the others.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Value]]
    note: str = ""
    most: int = 0
    rest: str = ""
    shaded: bool = False
    folded: bool = False
    searched: bool = False
    has_total: bool = False
    on: On = ""

    @property
    def heads(self) -> list[Column]:
        return [each if isinstance(each, Column) else Column(each) for each in self.columns]

    @property
    def counts_apart(self) -> bool:
        """Whether a column says how many items a mean covers, so that its cell need not."""
        return any(each.name in ("n", "scored") for each in self.heads)


class Lines(NamedTuple):
    """Means with intervals over evenly spaced slots, one line a series. format: of the values."""

    slots: Sequence[str]
    series: Mapping[str, Sequence[Estimate | None]]
    over: str
    axis: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Figure:
    """One chart, or one a panel, with its values in a table."""

    title: str
    panels: Sequence[tuple[str, Lines]]
    note: str = ""


Block: TypeAlias = Headline | Section | Tiles | Text | Table | Figure | Items | Cases


def terms(title: str, of: Mapping[str, Value], on: On = "") -> Table:
    """Return names with their values, as a table without heads."""
    return Table(title, ("", ""), [(name, value) for name, value in of.items() if value not in ("", None)], on=on)


def next_steps(*steps: tuple[str, str]) -> Text:
    """Return commands to try next, each with what it is for."""
    return Text([f"{command}  # {why}" for command, why in steps], title="Next:", on="terminal")


class Written(NamedTuple):
    """A cell as text. missing: why there is no value, a dash where nobody says; the others are then empty."""

    text: str = ""
    interval: str = ""
    coverage: str = ""
    missing: str = ""
    note: str = ""


def written(value: Value, column: Column) -> Written:
    """Return a value as its column writes it."""
    if isinstance(value, Noted):
        return written(value.value, column)._replace(note=value.note)
    if isinstance(value, Missing):
        return Written(missing=value.reason or "\u2013")
    if value is None or isinstance(value, str):
        return Written(text=value or "")
    if not isinstance(value, Estimate):
        return Written(text=figure(value, column.kind))
    if value.value is None:
        return Written(missing=getattr(value, "reason", None) or why_missing(value))
    ends = (value.low, value.high)
    bounds = interval(*ends) if column.kind in ("decimal", "two", "signed") else ""
    if column.kind in ("count", "percent") and None not in ends:
        bounds = f"{figure(max(ends[0] or 0, 0), column.kind)}\u2013{figure(ends[1] or 0, column.kind)}"
    return Written(figure(value.value, column.kind), bounds, coverage(value))


_BESIDE = 24
"""Characters of a reason that stands in a cell of numbers."""


def laid_out(table: Table) -> tuple[list[list[Written]], dict[str, list[str]]]:
    """Return the cells of a table, and long reasons for gaps among numbers, to what they hold of: these stand below."""
    below: dict[str, list[str]] = {}
    rows = []
    for row in table.rows:
        cells = [written(value, column) for value, column in zip(row, table.heads, strict=True)]
        for place, column in enumerate(table.heads):
            reason = cells[place].missing or cells[place].note
            if column.kind != "text" and len(reason) > _BESIDE:
                name = cells[0].text if column.name == "value" else f"{cells[0].text}, {column.name}"
                below.setdefault(reason, []).append(name)
                cells[place] = cells[place]._replace(missing=cells[place].missing and "\u2013", note="")
        rows.append([each._replace(coverage="") for each in cells] if table.counts_apart else cells)
    return rows, below


def figure(number: float, format_: Format) -> str:
    """A number in one of the formats of columns."""
    return _FORMATS[format_](number)


_FORMATS: Mapping[Format, Callable[[float], str]] = {
    "text": str,
    "count": lambda number: count(round(number)),
    "decimal": decimal,
    "two": lambda number: decimal(number, 2),
    "signed": lambda number: ("" if number < 0 else "+") + decimal(number),
    "percent": lambda number: f"{100 * number:.0f}{NARROW_SPACE}%",
    "p": lambda number: "<0.001" if number < 0.001 else decimal(number),
    "dollars": lambda number: f"{number:.4f}",
    "seconds": duration,
    "general": lambda number: f"{number:g}",
}
