"""Three ways to write questions, side by side: one table, for the terminal and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ragassay.records import LABELS

Figures = Mapping[str, Any]


def rows(found: Figures) -> Iterator[tuple[str, ...]]:
    """Name of a figure and its value in each way."""
    ways: list[Figures] = list(found["ways"].values())
    judged = [sum(way["labels"].values()) for way in ways]
    yield "delivered", *(f"{way['delivered']} of {way['asked_for']}" for way in ways)
    yield "candidates judged", *(f"{count:,}" for count in judged)
    for label in LABELS:
        shares = (_share(way["labels"][label], count) for way, count in zip(ways, judged, strict=True))
        yield f"labelled {label}", *shares
    yield "label as requested", *(_share(way["as_requested"], way["requested"]) for way in ways)
    yield "critiques passed", *(_share(way["passed"], way["rated"]) for way in ways)
    for name in dict.fromkeys(name for way in ways for name in way["critiques"]):
        yield f"mean {name.replace('_', ' ')}", *(_number(way["critiques"].get(name)) for way in ways)
    for size in (1, 2):
        yield f"distinct-{size}", *(_number(way[f"distinct_{size}"]) for way in ways)
    for role in ("writer", "judge"):
        yield f"calls, {role}", *(f"{way['effort'][role]['calls']:,}" for way in ways)
        yield f"tokens, {role}", *(_count(way["effort"][role]["tokens"]) for way in ways)
    yield "seconds", *(f"{way['seconds']:.0f}" for way in ways)
    yield "seconds of processor time", *(f"{way['cpu_seconds']:.0f}" for way in ways)


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
