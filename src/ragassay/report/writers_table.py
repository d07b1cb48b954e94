"""Three ways to write questions, side by side: one table, for the terminal and as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ragassay.records import LABELS

Figures = Mapping[str, Any]


def rows(found: Figures) -> Iterator[tuple[str, ...]]:
    """Name of a figure and its value in each way."""
    ways: list[Figures] = list(found["ways"].values())

    def row(name: str, value: Callable[[Figures], str]) -> tuple[str, ...]:
        return (name, *map(value, ways))

    yield row("delivered", lambda way: f"{way['delivered']} of {way['asked_for']}")
    yield row("candidates judged", lambda way: f"{sum(way['labels'].values()):,}")
    for label in LABELS:
        yield row(
            f"labelled {label}", lambda way, label=label: _share(way["labels"][label], sum(way["labels"].values()))
        )  # type: ignore[misc]
    yield row("label as asked for", lambda way: _share(way["as_requested"], way["requested"]))
    yield row("critiques passed", lambda way: _share(way["passed"], way["rated"]))
    for name in dict.fromkeys(name for way in ways for name in way["critiques"]):
        yield row(f"mean {name.replace('_', ' ')}", lambda way, name=name: _number(way["critiques"].get(name)))  # type: ignore[misc]
    yield row("distinct-1, distinct-2", lambda way: f"{_number(way['distinct_1'])}, {_number(way['distinct_2'])}")
    for role in ("writer", "judge"):
        yield row(f"calls, {role}", lambda way, role=role: f"{way['effort'][role]['calls']:,}")  # type: ignore[misc]
        yield row(f"tokens, {role}", lambda way, role=role: _count(way["effort"][role]["tokens"]))  # type: ignore[misc]
    yield row("seconds", lambda way: f"{way['seconds']:.0f}")


def notes(found: Figures) -> Iterator[str]:
    """What the figures are of."""
    yield "Shares and means are of all candidates that the judge saw, not of the examples chosen among them."
    yield f"distinct: of the first {found['questions_compared']} questions of each. Tokens: of models on servers."
    for way, figures in found["ways"].items():
        yield f"{way}: {figures['models']}"


def markdown(found: Figures) -> str:
    """The table, what it is of, and a few questions of each way."""
    heads = ("", *found["ways"])
    lines = [
        "# Three ways to write questions",
        "",
        _line(heads),
        _line(("---",) * len(heads)),
        *map(_line, rows(found)),
    ]
    lines += ["", *(f"- {_plain(each)}" for each in notes(found))]
    for way, figures in found["ways"].items():
        lines += ["", f"## {way}: the first questions", "", *(f"- {_plain(each)}" for each in figures["sample"])]
    return "\n".join(lines) + "\n"


def _line(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"


def _plain(text: str) -> str:
    """Text of users as text: no markup of theirs counts."""
    return "".join(f"\\{each}" if each in "\\`*_[]<>|#!" else each for each in " ".join(text.split()))


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} % of {whole:,}" if whole else "-"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _count(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"
