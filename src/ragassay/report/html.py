"""One self-contained HTML page of a run: no network, no script needed, every text of the documents escaped."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ragassay.agreement.questions_read import questions_read
from ragassay.records import Example
from ragassay.report import tables
from ragassay.report.compared import compared_in_run
from ragassay.report.compared_page import render_compared
from ragassay.report.composition import composition_of, verified_labels
from ragassay.report.example_views import LISTED_PER_LABEL, OPEN_PER_LABEL, group_examples, worst_views
from ragassay.report.items import Items
from ragassay.report.pattern_table import pattern_groups
from ragassay.report.set_page import critique_profiles
from ragassay.report.summary import RunSummary, recommended
from ragassay.report.wording import readers_words

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
    composition = summary.composition
    shown = items or Items(examples, sources=summary.sources)
    answered = {each.system for each in shown.predictions if each.answer is not None}
    shown = replace(shown, recommended=recommended(summary.best, answered))
    return render_compared(
        "report.html.j2",
        summary.version,
        compared_in_run(summary),
        items=shown,
        alarms=tables.alarms(summary),
        settings={"models that took part": summary.model, **summary.settings},
        versions=versions,
        summary=summary,
        requested=sum(composition.requested.values()),
        delivered=sum(composition.delivered.values()),
        stacked_labels=composition_of([("asked for", composition.requested), ("delivered", composition.delivered)]),
        stacked_verified=verified_labels(composition.matrix),
        groups_of_patterns=pattern_groups(composition.patterns, examples),
        profiles=critique_profiles(examples),
        groups=group_examples(examples, summary.sources),
        worst=worst_views(summary.worst),
        open_per_label=OPEN_PER_LABEL,
        listed_per_label=LISTED_PER_LABEL,
        most_sources=MOST_SOURCES_LISTED,
        embedded=is_all_embedded(summary),
        readers=readers_words(questions_read()) if summary.model.startswith("embedded (") else "",
    )


def is_all_embedded(summary: RunSummary) -> bool:
    """Whether no model on a server took part: neither in a role of its own nor for the vectors."""
    models = _ROLES.split(summary.model)
    return all(_EMBEDDED.match(each) for each in models) and "embeddings" not in summary.settings


_ROLES = re.compile("; (?:judge|answers): ")
_EMBEDDED = re.compile(r"(?:SmolLM2\S* with writer [0-9a-f]+, beside )?embedded \(")
"""The embedded model, which may have a writer of the user's own."""
