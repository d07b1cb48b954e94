"""Writes docs/metrics.md from the catalogue of metrics: .venv/bin/python docs/make_metrics_page.py"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import get_args

from ragassay.metrics.catalogue import METRICS
from ragassay.metrics.metric import Kind, Metric, range_words

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

A metric scores one example: a value, or none with the reason, and what the value rests on. Means, intervals and
coverage are the same for all, [your own](own-metrics.md) among them. A name that ends in `@k` takes a number there:
`recall@5`. `ragassay list metrics --all` prints these tables, with `--json` for programs; [Scoring](scoring.md) says
how to get the values.

*Data* says what an example or a prediction must have; without it the example has no value. *Asks* says who else is
needed: an encoder of texts; a model, which is the embedded one unless `--model` names another; or a language model,
because rules have no honest answer. A higher value is better, unless said otherwise.

The evidence of a judged score has a line for each thing that was judged: the statement, keypoint or chunk, the verdict,
the sentence that decided and the reason; then the hash of the prompt of each task, or the version of the rules.

In a [conversation](conversations.md#what-is-measured) a metric that asks a model reads the standalone question, where
there is one. Earlier turns are not shown to judges, and other metrics read none.

Where a published scorer exists, ours is held against it: the figures and speeds are in
[the decision record](decisions/metrics.md).
"""
INTRODUCTIONS: dict[Kind, str] = {
    "retrieval": """
A *ground span* is what a retriever should find: a reference, or the context where nothing answers. Metrics without a
prefix ask whether chunks hold it, `document_` whether its document is found, `sentence_` whether each sentence of the
references is: `document_recall@5`, `sentence_ndcg@5`. A chunk is right for a span if it covers at least half of it or
lies at least half inside it; where its place is not known, if it has the span's words in their order. A chunk that
comes again is a miss. Where people judged whole documents, as in BEIR, all of them are of documents, each at
the place of its first chunk, and `ndcg` gains the grade.

Sentences are looked for word for word: in the text of a chunk or, where more of them stand there, in its document at
the chunk's place, so that marks which a loader added or dropped cost nothing. The published scorers' figures look in
the text alone.

`recall`, `ndcg`, `map` and `r_precision` are held against the ground spans of the example, never against what else was
retrieved. So a value is the same in every command, whether or not it is known how a system cuts its documents, and a
right chunk in place of a wrong one never lowers it ([why](decisions/metrics.md#what-retrieval-is-held-against)). For
`ndcg`, `map` and `r_precision` a span counts from the rank of its first right chunk, the i-th that is found from rank i
at the soonest. Where each span has one right chunk of its own, they are those of trec_eval.

*Of what was retrieved* alone are `context_precision`, which misses no chunk that is not there, and `eir@k`,
which says how much of it is of use.

`context_recall` asks whether the statements of the reference *answer* are found, and needs no reference passages.

`context_relevance` of the embedded judge compares contexts of one question; as an absolute number it says little
([figures](decisions/metrics.md#context-relevance-without-a-language-model)).""",
    "answer and reference": """
`exact_match`, `token_f1` and `string_presence` compare words, numbers and signs: case, punctuation, articles and the
way Unicode writes a character do not count; "12.0" is "12", "✓" is not "✗", "3.5" not "35", "-5 °C" not "5 °C". A
version 3.10 is read as the number 3.1. `squad_exact_match` and `squad_f1` are those of SQuAD's evaluation script, in
which "3.5" and "35", "-5" and "5", "<= 5" and "> 5" are the same: for comparison with published figures. Their means
are its HasAns values; those of the label `unanswerable` are its NoAns values. `rouge_*` take runs of letters and
digits, as the package rouge_score does without its stemmer. Where an example has
several reference answers, each of these metrics takes the best value.

Chinese and Japanese characters are a token each, but for SQuAD. Where the system abstained, also by an empty answer,
the value is 0, or 1 where the reference says that there is no answer; where the example has no reference answer, there
is none. The *knowledge block* is what the question was made from: its documents where they are known, else its context
and references.

A system refuses where it says so (`abstained`), or where its answer opens by declining or saying what is missing, or
concludes so after reasoning: "Unable to answer.", "Insufficient information.", "The exchange cannot be determined.",
but not "It cannot be determined by colour alone". Keypoints and ratings are judged by what a refusal says. Its
`relevance` is 1; who refuses an unanswerable question is truthful (5). A keypoint or reference that says that there is
no answer is met by a refusal; an answer given all the same contradicts such a keypoint.

`factual_correctness` splits answer and reference into claims and holds each against the other text; `correctness` has
the judge sort them in one call. Metrics of tool calls are for rows that hold [calls](datasets.md), those made and those
expected.""",
    "answer": """
These look at the question, the answer and what was retrieved. `faithfulness` and `faithfulness_inferred` are two
wordings of one metric: how far they part shows how much hangs on the prompt. `answer_relevance` takes `--questions` and
`--evasive-is-zero`.""",
    "baseline": """
The plainest ways to ask a language model. A metric with steps has to beat them. Rankings compare two systems on each
example (`--against` names the predictions of the other); the judge is asked in both orders, and where these contradict
each other a coin decides that the seed fixes. The metric with `_agreement` says how often they did not.""",
    "published scorer": """
They give what a published scorer gives, to the last digit, oddities included: for comparison with published figures.
Their means are over all questions, the unanswerable ones among them. For your own figures take the metric
without `_released`.""",
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


def _table(metrics: Sequence[Metric]) -> Iterator[str]:
    yield "| Metric | Meaning | Data | Asks | Range | Source |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for each in metrics:
        direction = "" if each.higher_is_better else ", lower is better"
        meaning = each.meaning.replace("``", "`").replace("|", "\\|")
        inputs = ", ".join(each.inputs)
        cells = (f"`{each.name}`", meaning, inputs, each.needs, range_words(each) + direction, each.source)
        yield f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
