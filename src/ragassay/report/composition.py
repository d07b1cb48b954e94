"""What sets are made of, as stacked bars: labels of each set, and the labels given to each label asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup

from ragassay.records import LABELS
from ragassay.report import figures
from ragassay.report.wording import label_order

NO_LABEL = "no label"


class Composition(NamedTuple):
    """A figure with its legend and the counts behind it. rows: name of a bar to label to count."""

    drawing: Markup
    keys: Sequence[tuple[Markup, str]]
    labels: Sequence[str]
    rows: Sequence[tuple[str, Mapping[str, int]]]


def composition_of(sets: Sequence[tuple[str, Mapping[str, int]]]) -> Composition:
    """Labels of each set, one bar a set."""
    return _stacked(sets, "composition", "Examples by label")


def verified_labels(matrix: Mapping[str, Mapping[str, int]]) -> Composition | None:
    """The labels that were given, one bar for each label that was asked for; None where there is nothing."""
    rows = [
        (label or NO_LABEL, {given or NO_LABEL: number for given, number in matrix[label].items()})
        for label in label_order(matrix)
        if any(matrix[label].values())
    ]
    return _stacked(rows, "verified", "Verified labels by requested label") if rows else None


def label_parts(labels: Collection[str]) -> list[figures.Part]:
    """Series for labels, in their order; each of the four labels looks the same in all figures of all pages."""
    every = figures.parts(label_order({*LABELS, *labels}))
    return [part for part in every if part.name in labels]


def _stacked(rows: Sequence[tuple[str, Mapping[str, int]]], identity: str, title: str) -> Composition:
    labels = label_order(_labels(rows))
    series = label_parts(labels)
    drawing = figures.stacked_figure(rows, series, identity, title)
    return Composition(drawing, figures.keys(series, filled=True), labels, rows)


def _labels(rows: Iterable[tuple[str, Mapping[str, int]]]) -> set[str]:
    return {label for _, counts in rows for label, number in counts.items() if number}
