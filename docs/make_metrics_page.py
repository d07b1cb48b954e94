"""Writes docs/metrics.md from the catalogue of metrics: .venv/bin/python docs/make_metrics_page.py"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, get_args

from ragassay.metrics.catalogue import METRICS
from ragassay.metrics.metric import Kind, Metric

QUALITY = re.compile("(?:gpt_ranking_)?(?:faithfulness|(?:answer|context)[ _]relevance)")
"""What variants of one metric differ in."""
YEAR = re.compile(r" \((?:COLING|ACL|EACL|SynDAiTE) \d{4}\)")
"""Of papers that docs/papers.md lists."""
PAGE = Path(__file__).with_name("metrics.md")
TITLES: dict[Kind, str] = {
    "retrieval": "Retrieval",
    "answer and reference": "Answers against a reference",
    "answer": "Answers without a reference",
    "baseline": "Baselines of judges",
    "published scorer": "Published scorers",
}
HEAD = """<!-- Made by docs/make_metrics_page.py from the catalogue of metrics; change it there. -->
# Metrics

A metric gives each example a value with evidence, or none with the reason ([how to score](scoring.md)). `@k` in a name
takes a number: `recall@5`. Values lie in [0, 1], and higher is better, unless stated otherwise. An empty cell repeats
the one above.

*Needs* lists what an example or a prediction must have, and in bold who is asked: an encoder; a model (the embedded
one, unless `--model` names another); or a language model. In a [conversation](conversations.md#metrics), a model
reads the standalone question. See also the [papers](papers.md) and how [published scorers](decisions/metrics.md)
compare.
"""
INTRODUCTIONS: dict[Kind, str] = {
    "retrieval": """
A *ground span* is what a retriever should find: a reference, or the context of an unanswerable question. Metrics
without a prefix ask whether chunks hold it, `document_` whether its document is found (`document_recall@5`),
`sentence_` whether each sentence of the references is (`sentence_ndcg@5`), word for word. A chunk is right for a span
if it covers at least half of it or lies at least half inside it; if the chunk's place is unknown, if it has the
span's words in order. A repeated chunk is a miss. In sets made by rules, the reference for a table cell is its row;
the header stands in the context and need not be retrieved.

For `ndcg`, `map` and `r_precision`, a span counts from the rank of its first right chunk, the i-th span found from
rank i at the earliest ([why](decisions/metrics.md)); if each span has one right chunk, the values are those of
trec_eval. If people judged whole documents, as in BEIR, documents are ranked, each by its first chunk, and `ndcg`
uses the grade.

The embedded judge's `context_relevance` compares contexts of one question; as an absolute number it says little.""",
    "answer and reference": """
`exact_match`, `token_f1` and `string_presence` compare words, numbers and signs without case, punctuation and
articles: "12.0" is "12", but "3.5" is not "35", "-5 °C" not "5 °C", "✓" not "✗". `squad_exact_match` and `squad_f1`
follow SQuAD's script, for which "3.5" is "35" and "-5 °C" is "5 °C". `rouge_*` use runs of letters and digits, like
the package rouge_score without its stemmer. A Chinese or Japanese character is a token, except for SQuAD. Of several
reference answers, the best value counts.

A system refuses if it says so (`abstained`), or if its answer opens or ends by declining. The value is then 0, or 1 if
the reference says that there is no answer; `relevance` is 1, and `truthfulness` 5 if the question is unanswerable. The
*knowledge block* is the documents of a question if they are known, else its context and references.

`factual_correctness` splits answer and reference into claims and checks each against the other text; for `correctness`,
the judge calls each claim the same, contradicted, extra or missing. Metrics of tool calls need [rows](datasets.md) with
calls made and expected.""",
    "answer": """
`faithfulness` and `faithfulness_inferred` are two wordings of one metric: their difference shows how much depends on
the prompt. `answer_relevance` takes `--questions` and `--evasive-is-zero`.""",
    "baseline": """
These are the plainest ways to ask a language model; a metric with steps has to beat them. Rankings compare two systems
(`--against` names the other) in both orders; if these disagree, a seeded coin decides. Answer relevance needs no chunk
texts, context relevance no answer.""",
    "published scorer": """
These reproduce published scorers to the last digit, oddities included, over all questions. For your own figures, use
the metric without `_released`.""",
}


def page() -> str:
    """The whole page."""
    return "\n".join(_lines()).rstrip() + "\n"


def _lines() -> Iterator[str]:
    yield HEAD
    for kind in get_args(Kind):
        yield f"## {TITLES[kind]}"
        yield INTRODUCTIONS[kind]
        yield ""
        yield from _table([metric for metric in METRICS.values() if metric.kind == kind])
        yield ""


class Row(NamedTuple):
    """The cells of a row of a table, in their order."""

    metric: str
    meaning: str
    unseen: str
    needs: str
    source: str


UNSEEN, NEEDS, SOURCE = 2, 3, 4


def _table(metrics: Sequence[Metric]) -> Iterator[str]:
    """Rows with the same needs stand together, so that an empty cell can repeat the one above."""
    yield "Metric | Meaning | Does not see | Needs | Source"
    yield "---|---|---|---|---"
    variants: dict[str, list[Metric]] = {}
    for metric in metrics:
        variants.setdefault(QUALITY.sub("the named quality", metric.meaning), []).append(metric)
    rows = [_row(of, meaning) for meaning, of in variants.items()]
    for part in (SOURCE, UNSEEN, NEEDS):  # the last counts most: the order of what was put together before is kept
        rows = [row for cell in dict.fromkeys(row[part] for row in rows) for row in rows if row[part] == cell]
    above: Sequence[str] = ("",) * 5
    for row in rows:
        shown = ["" if cell == before else f" {cell} " for cell, before in zip(row, above, strict=True)]
        while not shown[-1]:
            shown.pop()
        yield "|".join(shown).strip()
        above = row


def _row(variants: Sequence[Metric], meaning: str) -> Row:
    """meaning: of several variants, without what they differ in."""
    first = variants[0]
    if len(variants) == 1:
        meaning = first.meaning
    needs = list(dict.fromkeys(name for metric in variants for name in metric.inputs))
    if first.needs != "nothing":
        needs.append(f"**{first.needs}**")
    direction = "" if first.higher_is_better else " Lower is better."
    return Row(
        metric=", ".join(f"`{metric.name}`" for metric in variants),
        meaning=meaning.replace(", in [0, 1]", "").replace("``", "`").replace("|", "\\|") + direction,
        unseen=first.unseen,
        needs=", ".join(needs),
        source=YEAR.sub("", first.source),
    )


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
