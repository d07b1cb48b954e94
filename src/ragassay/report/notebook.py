"""Results as notebooks show them: what the terminal prints, as text in which nothing is markup."""

from __future__ import annotations

import html
from collections.abc import Callable, Sized
from dataclasses import dataclass, fields
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragassay.evaluation.run_comparison import RunComparison
from ragassay.report.safe_text import visible
from ragassay.sweep.swept import Swept

if TYPE_CHECKING:
    from rich.console import Console

WIDTH = 100


def printed(show: Callable[[Console], None], width: int = WIDTH) -> str:
    """What a function prints, as plain text, whatever the environment says of colours.

    In a notebook rich would show it at once, in place of writing it to the file.
    """
    from rich.console import Console

    page = StringIO()
    show(Console(file=page, width=width, force_terminal=False, force_jupyter=False, color_system=None))
    return page.getvalue()


def notebook_html(show: Callable[[Console], None]) -> str:
    """The same as HTML, for ``_repr_html_``."""
    return f"<pre>{html.escape(visible(printed(show)))}</pre>"


class Shown:
    """A result that prints as the terminal shows it, in notebooks too; its ``repr`` leaves out what is long."""

    __slots__ = ()

    def _print(self, console: Console) -> None:
        console.print(repr(self), markup=False, highlight=False)

    def __str__(self) -> str:
        return printed(self._print)

    def _repr_html_(self) -> str:
        return notebook_html(self._print)

    def __repr__(self) -> str:
        held = {each.name: getattr(self, each.name) for each in fields(self)}  # type: ignore[arg-type]
        return f"{type(self).__name__}({', '.join(f'{name}={_brief(value)}' for name, value in held.items())})"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ShownComparison(Shown, RunComparison):
    """A comparison that notebooks show. name_a, name_b: folder and system of each run."""

    name_a: str
    name_b: str

    @classmethod
    def of(cls, found: RunComparison, name_a: str, name_b: str) -> ShownComparison:
        return cls(**_fields(found), name_a=name_a, name_b=name_b)

    def _print(self, console: Console) -> None:
        from ragassay.report.compare_tables import print_comparison

        print_comparison(self, self.name_a, self.name_b, console)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ShownSweep(Shown, Swept):
    """A sweep that notebooks show."""

    @classmethod
    def of(cls, found: Swept) -> ShownSweep:
        return cls(**_fields(found))

    def _print(self, console: Console) -> None:
        from ragassay.report.sweep_tables import print_sweep

        print_sweep(self, console)


def _brief(value: Any) -> str:
    if value is None or isinstance(value, str | int | float | Path):
        return repr(value)[:WIDTH]
    return f"<{len(value)}>" if isinstance(value, Sized) else f"<{type(value).__name__}>"


def _fields(found: Any) -> dict[str, Any]:
    return {each.name: getattr(found, each.name) for each in fields(found)}
