"""Results as Python shows them: printed as in the terminal, in notebooks as on pages."""

from __future__ import annotations

from collections.abc import Iterable, Sized
from dataclasses import dataclass, fields
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragassay.evaluation.run_comparison import RunComparison
from ragassay.sweep.results import Swept

if TYPE_CHECKING:
    from ragassay.report.blocks import Block

WIDTH = 100


def printed(blocks: Iterable[Block], width: int = WIDTH) -> str:
    """Return what the terminal prints, as plain text, whatever the environment says of colours."""
    from rich.console import Console

    from ragassay.report.terminal import show

    page = StringIO()  # rich would show it in a notebook at once, in place of writing it to the file
    show(blocks, Console(file=page, width=width, force_terminal=False, force_jupyter=False, color_system=None))
    return page.getvalue()


class Shown:
    """A result that prints as in the terminal, in notebooks as on a page; its ``repr`` leaves out what is long."""

    __slots__ = ()

    def blocks(self) -> Iterable[Block]:
        from ragassay.report.blocks import Text

        return [Text(repr(self))]

    def __str__(self) -> str:
        return printed(self.blocks())

    def _repr_html_(self) -> str:
        from ragassay.report.html import render_fragment

        return render_fragment(self.blocks())

    def as_data(self) -> list[dict[str, Any]]:
        """Return the same as plain data, an object a block, for programs that draw it themselves."""
        from ragassay.report.json import as_data

        return as_data(self.blocks())

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

    def blocks(self) -> Iterable[Block]:
        from ragassay.report.comparison import blocks_of_comparison

        return blocks_of_comparison(self, self.name_a, self.name_b)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ShownSweep(Shown, Swept):
    """A sweep that notebooks show."""

    @classmethod
    def of(cls, found: Swept) -> ShownSweep:
        return cls(**_fields(found))

    def blocks(self) -> Iterable[Block]:
        from ragassay.report.sweep import blocks_of_sweep

        return blocks_of_sweep(self)


def _brief(value: Any) -> str:
    if value is None or isinstance(value, str | int | float | Path):
        return repr(value)[:WIDTH]
    return f"<{len(value)}>" if isinstance(value, Sized) else f"<{type(value).__name__}>"


def _fields(found: Any) -> dict[str, Any]:
    return {each.name: getattr(found, each.name) for each in fields(found)}
