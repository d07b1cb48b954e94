"""Quality against tokens: every setting that was compared, and those that no other one surpasses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from markupsafe import Markup

from ragassay.evaluation.estimate import Estimate
from ragassay.rag.setting import NO_GENERATOR, Setting, preference
from ragassay.report.compared import Compared
from ragassay.report.figures import MARKS, Priced, best_of_groups, front_of, keys, pareto_figure, parts
from ragassay.report.sweep_rows import apart
from ragassay.report.tables import Cell, DataRow, DataTable, cell
from ragassay.report.wording import count, decimal

MOST_SHOWN = 200
"""Settings in the figure and its table: the front, and the best of the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenFront:
    """The figure, its legend and its values; front: those that none surpasses, the cheapest first. of: what tokens."""

    drawing: Markup
    keys: Sequence[tuple[Markup, str]]
    table: DataTable
    front: Sequence[Priced]
    tried: int
    of: str

    @property
    def summed_up(self) -> str:
        """How many are on the front, and the best of each chunk size that has any there."""
        named = "; ".join(
            f"{each.name}, {decimal(each.quality)} for {count(round(each.tokens))}"
            for each in best_of_groups(self.front)
        )
        return (
            f"On the front: {count(len(self.front))} of {count(self.tried, 'setting')}. The best of each "
            f"chunk size on it, with its value for so many tokens a question: {named}."
        )


class _Measured(NamedTuple):
    setting: Setting
    quality: Estimate
    tokens: Estimate


def token_front(compared: Compared) -> TokenFront | None:
    """Over the questions of the headline; None with fewer than two settings that have both figures.

    None too for a metric of which less is better: the front would be that of the worst.
    """
    measured = sorted(_measured(compared), key=lambda each: preference(each.setting))
    if len(measured) < 2 or not compared.higher_is_better:
        return None
    front = front_of([_priced(each) for each in measured])
    places = {each.name: place for place, each in enumerate(front)}
    measured.sort(key=lambda each: (places.get(each.setting.name, len(front)), -(each.quality.value or 0)))
    shown = measured[: max(MOST_SHOWN, len(front))]
    cuts = sorted({(each.setting.chunker, each.setting.chunk_size, _size(each.setting)) for each in shown})
    sizes = list(dict.fromkeys(size for _, _, size in cuts))
    groups = parts(sizes if 1 < len(sizes) <= len(MARKS) else [])
    drawn = sorted(shown, key=lambda each: preference(each.setting))
    short = apart([each.setting.name for each in drawn])
    of = tokens_words(each.setting for each in shown)
    return TokenFront(
        drawing=pareto_figure(
            [_priced(each)._replace(name=name) for each, name in zip(drawn, short, strict=True)],
            compared.deciding,
            "tokens",
            groups=groups,
            axis=of,
        ),
        keys=keys(groups),
        table=_table(shown, places, compared.deciding, of),
        front=front,
        tried=len(measured),
        of=of,
    )


def tokens_words(settings: Iterable[Setting]) -> str:
    """What the tokens of these settings are of: where nothing answers, none are written."""
    if any(setting.generator != NO_GENERATOR for setting in settings):
        return "tokens of a question, read and written"
    return "tokens of a question and its chunks"


def _measured(compared: Compared) -> Iterable[_Measured]:
    for setting, tokens in compared.tokens.items():
        quality = compared.estimate(compared.headline, setting)
        if quality is not None and quality.value is not None and tokens.value is not None:
            yield _Measured(setting, quality, tokens)


def _priced(each: _Measured) -> Priced:
    setting, quality, tokens = each
    return Priced(
        setting.name,
        tokens.value or 0,
        quality.value or 0,
        group=_size(setting),
        low=quality.low,
        high=quality.high,
    )


def _size(setting: Setting) -> str:
    return f"chunks of {count(setting.chunk_size)} {setting.unit}"


def _table(shown: Sequence[_Measured], front: Iterable[str], quality: str, of: str) -> DataTable:
    """The front first, as it stands in the figure; then the others, the best first."""
    rows: list[DataRow] = []
    for each in shown:
        name = each.setting.name
        heads = ("yes" if name in front else "no", name, count(each.setting.chunk_size))
        total = Cell(value=count(round(total_of(each.tokens))))
        rows.append((heads, [cell(each.quality), _token_cell(each.tokens), total]))
    columns = ["on the front", "setting", "chunk size", quality, "tokens", "in total"]
    return DataTable(caption=f"{quality} and {of}", heads=columns, rows=rows)


def total_of(tokens: Estimate) -> float:
    """The tokens of all questions that the mean is over."""
    return (tokens.value or 0) * tokens.n


def _token_cell(estimate: Estimate) -> Cell:
    value, low, high = (
        "" if each is None else count(round(each)) for each in (estimate.value, estimate.low, estimate.high)
    )
    return Cell(value=value, interval=f"{low}–{high}" if low and high else "")
