"""How to read the page of a run or a sweep: what labels, settings, metrics and intervals mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ragassay.metrics.catalogue import known_metric
from ragassay.report.blocks import Block, Section, Text, terms
from ragassay.report.wording import LABEL_MEANINGS, metric_title

_SETTINGS = (
    "Text weight is the share of lexical (BM25) scores in a hybrid with dense (vector) scores: 0 is dense alone, 1 is "
    "lexical alone. Raw linear adds the scores as they are; min-max first scales both to 0 to 1 over the chunks of a "
    "question; reciprocal rank fusion adds 1/(60 + rank).",
    "A chunk is right for a reference if it holds it whole. Where no chunk does, those are right that share at least "
    "half of the reference or of themselves with it; failing that, the one that shares most.",
)
_INTERVALS = (
    "A 95 % interval of a mean says how far it would move with other questions of the same kind about other documents "
    "of the same kind. It does not cover other kinds of question or document, or faults in the questions.",
    "Questions of one document hang together. Over documents: the interval comes from the spread between documents. "
    "Within one document: there is only one, so the interval is for other questions about it.",
    "Shares have Wilson's score interval with Student's t in the place of the normal quantile; differences and counts "
    "have a t interval. With few documents intervals are wide.",
    "The best setting was chosen on the questions that it is scored on: the more settings and the fewer questions, the "
    "more its figure flatters it (the winner's curse). Where no other differs by more than noise, take the simplest.",
    "A difference that is not more than noise (p of 0.05 or more after Holm) is not proven to be zero.",
    "A dash is a value that does not exist, with the reason beside it. It is never counted as 0. Where n of total are "
    "scored, the mean is over the n.",
)
_SERVERS = (
    "What models on servers were shown, which holds text of the documents, went to them; every reply is in the log of "
    "calls in the run folder.",
    "A judge's verdicts are opinions. Where one model writes, answers and judges, it judges its own work, and models "
    "tend to like that. A judge from another family is better.",
    "An unusable reply is a missing value with its reason, never a number.",
)
_EMBEDDED = (
    "No language model took part, and nothing left this computer. Questions come from rules: grounded in the text, but "
    "plainer and less varied than those of people, and sentences that no rule understands are passed over.",
    "Labels, critiques and judgements come from rules, a small sentence encoder and a small verifier that learned from "
    "English. They notice a missing or foreign fact far better than a subtle contradiction, and they are of one kind "
    "with what writes the questions: that the two agree is a check of consistency, not a second opinion.",
    "Answers are sentences, rows or list entries picked from the retrieved chunks, so they are faithful to these by "
    "construction.",
    "The dense retriever uses the encoder of the judge. Another encoder may reverse the order of dense and lexical.",
)


def blocks_of_reading(metrics: Iterable[str], *, labels: bool, embedded: bool | None = None) -> Iterator[Block]:
    """Yield what a reader has to know, for pages. embedded: whether no model on a server took part; None: not said."""
    yield Section("How to read this")
    if labels:
        yield terms("Labels: how a context answers a question", LABEL_MEANINGS, on="page")
    named = {metric_title(name): known.meaning for name in metrics if (known := known_metric(name)) is not None}
    yield terms("Metrics", named, on="page")
    yield Text(_SETTINGS, title="Settings", on="page")
    yield Text(_INTERVALS, title="Intervals and tests", on="page")
    if embedded is not None:
        title = "The embedded model: what it is and is not" if embedded else "Models on servers"
        yield Text(_EMBEDDED if embedded else _SERVERS, title=title, on="page")
