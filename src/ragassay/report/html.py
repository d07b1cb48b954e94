"""One self-contained HTML page of a run: no network, no script needed, every text of the documents escaped."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ragassay.records import Example
from ragassay.report import tables, wording
from ragassay.report.composition import composition_of, verified_labels
from ragassay.report.example_views import LISTED_PER_LABEL, OPEN_PER_LABEL, group_examples, worst_views
from ragassay.report.items import Items
from ragassay.report.page import render_page
from ragassay.report.pattern_table import pattern_groups
from ragassay.report.set_page import critique_profiles
from ragassay.report.summary import RunSummary, recommended
from ragassay.report.sweep_points import SweepPoints
from ragassay.report.token_front import token_front

MOST_SOURCES_LISTED = 200


def render_report(
    summary: RunSummary,
    examples: Sequence[Example],
    items: Items | None = None,
    versions: Mapping[str, str] | None = None,
) -> str:
    """The whole page as text, to be written as UTF-8.

    examples: those of the run, in their order; of more than 200 an even selection per label is shown to be read.
    items: all of them with what systems answered, for the table of single items; None where nothing answered.
    versions: name to version of what the run was made with, as its folder says.
    """
    points = SweepPoints(summary.results)
    best = tables.ordered_best(summary)
    shown = items or Items(examples, sources=summary.sources)
    shown = replace(shown, recommended=recommended(summary.best))
    return render_page(
        "report.html.j2",
        summary.version,
        items=shown,
        summary=summary,
        points=points,
        best=best,
        priced=token_front(points, summary.tokens),
        headline=tables.ordered_best(summary, inclusive_first=True),
        spread=wording.label_spread(summary.best),
        labels=wording.label_order([*summary.composition.requested, *summary.composition.delivered]),
        requested=sum(summary.composition.requested.values()),
        delivered=sum(summary.composition.delivered.values()),
        stacked_labels=composition_of(
            [("asked for", summary.composition.requested), ("delivered", summary.composition.delivered)]
        ),
        stacked_verified=verified_labels(summary.composition.matrix),
        groups_of_patterns=pattern_groups(summary.composition.patterns, examples),
        profiles=critique_profiles(examples),
        versions=versions or {},
        groups=group_examples(examples, summary.sources),
        worst=worst_views(summary.worst),
        open_per_label=OPEN_PER_LABEL,
        listed_per_label=LISTED_PER_LABEL,
        most_sources=MOST_SOURCES_LISTED,
        embedded=is_all_embedded(summary),
    )


def is_all_embedded(summary: RunSummary) -> bool:
    """Whether no model on a server took part: neither in a role of its own nor for the vectors."""
    models = _ROLES.split(summary.model)
    return all(_EMBEDDED.match(each) for each in models) and "embeddings" not in summary.settings


_ROLES = re.compile("; (?:judge|answers): ")
_EMBEDDED = re.compile(r"(?:SmolLM2\S* with writer [0-9a-f]+, beside )?embedded \(")
"""The embedded model, which may have a writer of the user's own."""
