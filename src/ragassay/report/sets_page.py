"""One self-contained page of sets side by side (Know Your RAG, figures 2 and 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup

from ragassay.report import figures
from ragassay.report.composition import NO_LABEL, Composition, composition_of, label_parts
from ragassay.report.page import render_page
from ragassay.report.set_beside import SetFigures, names_of_critiques
from ragassay.report.sets_tables import sets_tables
from ragassay.report.wording import label_order
from ragassay.version import __version__

MOST_WORDS = 5
"""Question words with a colour of their own; the others are one."""
OTHERS = "all others"
_RATINGS = figures.parts(("5", "4", "3", "2", "1"))[::-1]


class Distribution(NamedTuple):
    """The ratings of one critique, a bar for each set."""

    name: str
    drawing: Markup


def render_sets(sets: Sequence[SetFigures]) -> str:
    """The whole page as text, to be written as UTF-8."""
    return render_page(
        "sets.html.j2",
        __version__,
        sets=sets,
        tables=sets_tables(sets),
        labels=composition_of([(each.name, each.labels) for each in sets]),
        verified=_verified(sets),
        question_words=_question_words(sets),
        means=_means(sets),
        distributions=_distributions(sets),
        ratings_keys=figures.keys(_RATINGS, filled=True),
    )


def _verified(sets: Sequence[SetFigures]) -> Composition | None:
    """One bar for each label that was asked for and set; None where no set says what was asked for."""
    rows = [
        (f"{asked or NO_LABEL}: {each.name}", {given or NO_LABEL: n for given, n in each.matrix[asked].items()})
        for asked in label_order(label for each in sets for label in each.matrix)
        for each in sets
        if any(each.matrix.get(asked, {}).values())
    ]
    if not rows:
        return None
    labels = label_order({label for _, counts in rows for label, n in counts.items() if n})
    series = label_parts(labels)
    drawing = figures.stacked_figure(rows, series, "verified", "Verified labels, by requested label and set")
    return Composition(drawing, figures.keys(series, filled=True), labels, rows)


def _question_words(sets: Sequence[SetFigures]) -> Composition:
    shares: dict[str, float] = {}
    for each in sets:
        for word, n in each.question_words.items():
            shares[word] = shares.get(word, 0.0) + n / each.examples
    order = sorted(shares, key=lambda word: (-shares[word], word))
    kept = order if len(order) <= MOST_WORDS else order[: MOST_WORDS - 1]
    rows: list[tuple[str, Mapping[str, int]]] = []
    for each in sets:
        counts = {word: each.question_words.get(word, 0) for word in kept}
        rows.append((each.name, {**counts, OTHERS: each.examples - sum(counts.values())}))
    names = [*kept, *([OTHERS] if len(kept) < len(order) else [])]
    series = figures.parts(names)
    drawing = figures.stacked_figure(rows, series, "question-words", "Examples by question word")
    return Composition(drawing, figures.keys(series, filled=True), names, rows)


def _means(sets: Sequence[SetFigures]) -> tuple[Markup, Sequence[tuple[Markup, str]]] | None:
    """Mean ratings, one marker for each set, and the legend; None where nothing is rated."""
    rows = [
        (name.replace("_", " "), {each.name: each.critiques[name].mean for each in sets if name in each.critiques})
        for name in names_of_critiques(sets)
    ]
    if not rows:
        return None
    series = figures.parts([each.name for each in sets if each.critiques])
    title = "Mean ratings of the critiques, by set"
    return figures.profile_figure(rows, series, "critiques-means", title), figures.keys(series)


def _distributions(sets: Sequence[SetFigures]) -> list[Distribution]:
    found: list[Distribution] = []
    for name in names_of_critiques(sets):
        rows = [
            (each.name, {str(rating): n for rating, n in each.critiques[name].ratings.items()})
            for each in sets
            if name in each.critiques
        ]
        shown = name.replace("_", " ")
        title = f"Ratings of {shown}, by set"
        drawing = figures.stacked_figure(rows, _RATINGS, f"ratings-{len(found)}", title)
        found.append(Distribution(shown, drawing))
    return found
