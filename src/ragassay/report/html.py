"""One self-contained HTML page of a run: no network, no script needed, every text of the documents escaped."""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from ragassay.records import Example
from ragassay.report import charts, tables, wording
from ragassay.report.example_views import LISTED_PER_LABEL, OPEN_PER_LABEL, group_examples, worst_views
from ragassay.report.items import Items, embedded
from ragassay.report.safe_text import visible
from ragassay.report.summary import RunSummary
from ragassay.report.sweep_points import SweepPoints
from ragassay.sweep.best import INCLUSIVE

MOST_SOURCES_LISTED = 200


def render_report(summary: RunSummary, examples: Sequence[Example], items: Items | None = None) -> str:
    """The whole page as text, to be written as UTF-8.

    examples: those of the run, in their order; of more than 200 an even selection per label is shown to be read.
    items: all of them with what systems answered, for the table of single items; None where nothing answered.
    """
    css, script = asset("report.css") + asset("items.css"), asset("items.js") + asset("report.js")
    points = SweepPoints(summary.results)
    best = tables.ordered_best(summary)
    return (
        _environment()
        .get_template("report.html.j2")
        .render(
            summary=summary,
            css=Markup(css),
            script=Markup(script),
            items_data=Markup(embedded(items or Items(examples, sources=summary.sources))),
            policy=_content_security_policy(css, script),
            points=points,
            best=best,
            headline=tables.ordered_best(summary, inclusive_first=True),
            spread=wording.label_spread(summary.best),
            labels=wording.label_order([*summary.composition.requested, *summary.composition.delivered]),
            requested=sum(summary.composition.requested.values()),
            delivered=sum(summary.composition.delivered.values()),
            groups=group_examples(examples, summary.sources),
            worst=worst_views(summary.worst),
            open_per_label=OPEN_PER_LABEL,
            listed_per_label=LISTED_PER_LABEL,
            most_sources=MOST_SOURCES_LISTED,
            embedded=is_all_embedded(summary),
            y_low=charts.lowest_axis(points, best),
            numbered=_Numbering(),
        )
    )


@cache
def _environment() -> Environment:
    """Every expression in a template passes ``_printable`` and is then escaped, unless it is markup made here."""
    environment = Environment(
        loader=PackageLoader("ragassay.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_printable,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(charts=charts, tables=tables, words=wording, INCLUSIVE=INCLUSIVE)
    return environment


def _printable(value: object) -> object:
    return value if isinstance(value, Markup) else visible(str(value))


def asset(name: str) -> str:
    """A style sheet or script of the page as text."""
    return files("ragassay.report").joinpath("templates", name).read_text(encoding="utf-8")


def _content_security_policy(css: str, script: str) -> str:
    """Only the page's own style and script run, known by their hashes; nothing is loaded from anywhere."""

    def source(text: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    return (
        f"default-src 'none'; style-src {source(css)}; script-src {source(script)}; base-uri 'none'; form-action 'none'"
    )


def is_all_embedded(summary: RunSummary) -> bool:
    """Whether no model on a server took part: neither in a role of its own nor for the vectors."""
    return summary.model.startswith("embedded") and ";" not in summary.model and "embeddings" not in summary.settings


class _Numbering:
    """Counts tables and figures in the order in which the page shows them."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def __call__(self, kind: str) -> str:
        self._counts[kind] += 1
        return f"{kind} {self._counts[kind]}."
