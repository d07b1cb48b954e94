"""What a result is shown as: blocks, built once for each result and drawn by ``terminal``, ``html`` and ``json``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from ragassay.evaluation.estimate import Estimate

if TYPE_CHECKING:
    from ragassay.report.items import Items

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
    unit: str

    def __new__(cls, name: str, kind: Format = "text", unit: str = "") -> Column:
        made = super().__new__(cls, name)
        made.kind, made.unit = kind, unit
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
    """Begins a part of a page. is_part: a smaller one within it, which the terminal names too."""

    title: str
    is_part: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """Lines of prose: a paragraph each, or a list below a title. verbatim: what somebody else wrote, as it is."""

    lines: str | Sequence[str]
    style: Style = "plain"
    title: str = ""
    on: On = ""
    verbatim: bool = False

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


class Bars(NamedTuple):
    """One bar a row, cut into the shares of its parts. rows: name to part to amount."""

    rows: Sequence[tuple[str, Mapping[str, float]]]
    parts: Sequence[str]


class Dots(NamedTuple):
    """Means with intervals: one row for what was measured, one marker a series. axis: its ends; fitted if None."""

    rows: Sequence[tuple[str, Mapping[str, Estimate | None]]]
    series: Sequence[str]
    axis: tuple[float, float] | None = None


class Lines(NamedTuple):
    """Means with intervals over evenly spaced slots, one line a series. format: of the values."""

    slots: Sequence[str]
    series: Mapping[str, Sequence[Estimate | None]]
    over: str
    axis: tuple[float, float] | None = None
    falls: bool = False
    """Whether the least value is on top."""


class Spot(NamedTuple):
    name: str
    x: float
    y: Estimate
    group: str = ""


class Scatter(NamedTuple):
    """Quality against cost; ``front``: names of the points that no other one beats, joined by a line."""

    spots: Sequence[Spot]
    front: Sequence[str]
    x: str
    y: str


Chart: TypeAlias = Bars | Dots | Lines | Scatter


@dataclass(frozen=True, slots=True)
class Figure:
    """One chart, or one a panel. values: whether the page has a table of what is drawn."""

    title: str
    panels: Sequence[tuple[str, Chart]]
    note: str = ""
    values: bool = True


Block: TypeAlias = "Headline | Section | Text | Table | Figure | Items"


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A whole page. kind: of what it is about, as ``sweep``. version: of ragassay, which makes it."""

    kind: str
    version: str
    blocks: Sequence[Block]
    title: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)


def terms(title: str, of: Mapping[str, Value], on: On = "") -> Table:
    """Return names with their values, as a table without heads."""
    return Table(title, ("", ""), [(name, value) for name, value in of.items() if value not in ("", None)], on=on)
