"""The words and numbers of the report: how it writes an estimate, a setting, a p-value, a duration."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ragassay.evaluation.aggregate import ROUNDING
from ragassay.evaluation.clusters import ANSWERABLE
from ragassay.evaluation.estimate import Comparison, Estimate
from ragassay.evaluation.paired import PairedTest
from ragassay.evaluation.tally import Unanswerable
from ragassay.people.agreement.judge_agreement import QuestionsRead
from ragassay.rag.setting import WHOLE_DOCUMENTS, Setting
from ragassay.records import LABELS, SkippedSource
from ragassay.sweep.best import Ties
from ragassay.sweep.values import ALL

NARROW_SPACE = "\u202f"
SIGNIFICANCE = 0.05
_MOST_PLACES = 9
"""Of a decimal: two numbers that differ by less are taken for equal."""

LABEL_MEANINGS = {
    "fact_single": "the answer is one unit of information that the context states",
    "summary": "the answer gathers several units that the context states",
    "reasoning": "the answer is not stated, but follows from the context",
    "unanswerable": "the context neither states nor implies an answer",
    ANSWERABLE: "all questions together but the unanswerable",
}

FUSION_WORDS = {"raw_linear": "raw linear fusion", "min_max": "min-max linear fusion", "rrf": "reciprocal rank fusion"}


_FAMILIES = (
    "recall", "hit_rate", "mrr", "ndcg", "reference_recall", "precision", "eir", "faithfulness", "completeness",
    "answer_relevance", "context_precision", "abstention_accuracy",
)  # fmt: skip
"""Metrics in the order in which tables list them; others come after them."""


def metric_title(metric: str) -> str:
    """Write a metric as tables do: ``reference recall@5``."""
    return metric.replace("_", " ")


def metric_order(metric: str) -> tuple[int, int, str]:
    """Sort metrics by family, then by rank."""
    family, _, rank = metric.partition("@")
    place = _FAMILIES.index(family) if family in _FAMILIES else len(_FAMILIES)
    return place, int(rank) if rank.isdecimal() else 0, metric


def label_order(labels: Iterable[str]) -> list[str]:
    """Return the four labels in their usual order, then any other, then ``answerable`` and all questions."""
    order: list[str] = [*LABELS]

    def place(name: str) -> tuple[int, int, str]:
        last = (ANSWERABLE, ALL).index(name) + 1 if name in (ANSWERABLE, ALL) else 0
        return last, order.index(name) if name in order else len(order), name

    return sorted(set(labels), key=place)


def count(number: int, one: str = "", plural: str = "") -> str:
    """Write ``1 document``, ``12 840 words``; the thousands are set apart by a narrow space."""
    digits = f"{number:,}".replace(",", NARROW_SPACE)
    if not one:
        return digits
    return f"{digits} {noun(number, one, plural)}"


def portion(part: int, whole: int, one: str = "", plural: str = "") -> str:
    """Write ``59 of 60``, ``59 of 60 examples``."""
    return f"{count(part)} of {count(whole, one, plural)}"


def spread_words(used: int, documents: int, most: int) -> str:
    """Write ``from 9 of 13 documents, at most 10 from one``."""
    several = f"from {portion(used, documents, 'document')}, at most {count(most)} from one"
    return "from 1 document" if documents == 1 else several


def noun(number: int, one: str, plural: str = "") -> str:
    """Write ``example`` for 1, ``examples`` for any other number."""
    return one if number == 1 else plural or one + "s"


def share(part: int, whole: int) -> str:
    """Return a percentage without decimals, or a dash where there is no whole."""
    return f"{100 * part / whole:.0f}{NARROW_SPACE}%" if whole else "–"


def decimal(value: float, places: int = 3) -> str:
    """Return a number with a true minus sign."""
    text = f"{value:.{places}f}"
    return "0" + text[2:] if float(text) == 0 and text.startswith("-") else text.replace("-", "\u2212")


def places_beside(bound: float, values: Iterable[float | None], least: int) -> int:
    """Decimals, ``least`` or more, with which no value is written as if it were at a bound that it is not at."""
    apart = [value for value in values if value is not None and abs(value - bound) > ROUNDING]
    enough = (
        places
        for places in range(least, _MOST_PLACES)
        if all((round(value, places) - bound) * (value - bound) > 0 for value in apart)
    )
    return next(enough, _MOST_PLACES)


def interval(low: float | None, high: float | None, places: int = 2) -> str:
    """Write ``0.83–0.92``, with `to` where a bound is negative; empty when there is no interval."""
    if low is None or high is None:
        return ""
    between = " to " if low < 0 or high < 0 else "–"
    return f"{decimal(low, places)}{between}{decimal(high, places)}"


def why_missing(estimate: Estimate | None) -> str:
    """Return why an estimate has no value; empty if it has one."""
    if estimate is None:
        return "not measured"
    if estimate.value is not None:
        return ""
    if estimate.total == 0:
        return "no questions"
    return f"none of {count(estimate.total)} scored"


def coverage(estimate: Estimate) -> str:
    """Write ``59 of 60`` where some examples have no score, else empty."""
    return portion(estimate.n, estimate.total) if estimate.n != estimate.total else ""


def answered_words(answered: int | None, examples: int) -> str:
    """Say that a sample alone was answered and judged; empty where all were, and where it is not known."""
    if answered is None or answered >= examples:
        return ""
    return (
        f"Answered and judged: {portion(answered, examples)} examples, a sample in which each label has its "
        "share; --judged all takes all. Retrieval is measured on all of them."
    )


def estimate_words(estimate: Estimate | None) -> str:
    """Return a whole estimate in a line: ``0.878 (95 % interval 0.83–0.92, n = 186)``."""
    if estimate is None or estimate.value is None:
        return f"no value ({why_missing(estimate)})"
    bounds = interval(estimate.low, estimate.high)
    method = f", {estimate.method}" if estimate.method else ""
    interval_words = f"95{NARROW_SPACE}% interval {bounds}{method}, " if bounds else ""
    return f"{decimal(estimate.value)} ({interval_words}n\u00a0=\u00a0{coverage(estimate) or count(estimate.n)})"


def headline_words(label: str) -> str:
    """Return the questions that decide on the best of all."""
    return "the answerable questions" if label == ANSWERABLE else label


def readers_words(read: QuestionsRead) -> str:
    """Return what has to be known of the embedded model's questions before figures that rest on them are believed."""
    kinds = f"{count(read.kinds, 'kind')} of documents, none of them used in writing a rule"
    return (
        f"The embedded model asks by rules. Of {count(read.read, 'pair')} from pages of {kinds}, a strict reader found "
        f"{share(read.usable, read.read)} usable and {share(read.right, read.read)} right in substance, and took "
        f"{share(read.accept, read.read)} as they stood; some rules have changed since. With ragassay annotate --task "
        "mend a person keeps, mends or drops each."
    )


def setting_words(setting: Setting) -> str:
    """Explain the name of a setting: its chunks, and what words and vectors weigh."""
    whole = setting.chunk_size >= WHOLE_DOCUMENTS
    chunks = "whole documents" if whole else f"chunks of {count(setting.chunk_size)} {setting.unit}"
    weights = f"words (BM25) weigh {setting.text_weight:g}, vectors {1 - setting.text_weight:g}"
    alone = {"dense": "search by vectors alone", "lexical": "search by words (BM25) alone"}
    mix = alone.get(setting.retriever, f"{FUSION_WORDS[setting.fusion]}: {weights}")
    prefix = f" with {' and '.join(setting.prefix)} in front" if setting.prefix else ""
    reranked = f", the first {count(setting.candidates)} re-ranked by {setting.reranker}" if setting.candidates else ""
    return f"{setting.name} is {chunks}{prefix}, {mix}{reranked}."


def few_chunks_words(metric: str, chunks: int) -> str:
    """Say that the first k chunks of a metric are more than a tenth of all; empty where they are not."""
    name, _, k = metric.partition("@")
    if not k.isdecimal() or 10 * int(k) <= chunks:
        return ""
    smaller = f"Use {name}@{chunks // 10}, or take" if chunks >= 10 else "Take"
    return f"{metric} says little here: the documents make {count(chunks, 'chunk')}. {smaller} more documents."


def ties_words(ties: Ties) -> str:
    """Say how many others the questions do not tell from the best, what would tell, and which is recommended."""
    some = f"{count(ties.tied)} of the {count(ties.others, 'other setting')}"
    said = f"With these {count(ties.questions, 'question')}, {some} cannot be distinguished from it."
    if not ties.tied:
        said = (
            f"{'The other setting' if ties.others == 1 else 'Every other setting'} differs from it by more than noise."
        )
    elif ties.needed is None:
        said += " All of them have the same values." if ties.questions > 1 else ""
    elif ties.needed <= ties.questions:
        said += " A difference of five points would probably have been detected."
    else:
        said += f" Detecting a difference of five points would take about {count(ties.needed, 'question')}."
    return (
        f"{said} Recommended: {ties.cheapest.name}, which takes the fewest tokens of those within five points of the "
        "best mean."
    )


def methods_words(estimates: Iterable[Estimate | Comparison | PairedTest | None]) -> str:
    """Say how intervals were made: ``Method: Wilson with t over documents.``; empty where no method is told."""
    names = sorted({each.method for each in estimates if each is not None and each.method})
    return f"Method: {', '.join(names)}." if names else ""


def unused_words(unused: Sequence[SkippedSource], number: int) -> str:
    """Name the first of so many documents that gave no question; empty where all gave one, and in earlier runs."""
    if not unused:
        return ""
    more = f" and {count(number - _NAMED)} more" if number > _NAMED else ""
    return f"{count(number, 'document')} gave no question: {', '.join(each.source for each in unused[:_NAMED])}{more}"


_NAMED = 3
_CLOSE_TO_WORDS = 0.8
"""Share of questions that a search by words finds, from which on a set says more for it than people's questions do."""


def difficulty_words(counts: Mapping[str, int]) -> str:
    """Return how many questions a search by words leads to their document, and what that favours; empty if unknown."""
    easy, all_ = counts.get("easy", 0), sum(counts.values())
    if not all_:
        return ""
    found = f"Keyword search finds the right document in three chunks for {portion(easy, all_, 'question')}"
    favours = ": lexical search looks better here than with people who ask in their own words"
    return f"{found}{favours if easy >= _CLOSE_TO_WORDS * all_ else ''}."


def refusals_words(found: Unanswerable | None) -> str:
    """Return the row of the unanswerable questions as a sentence; empty where there is none."""
    if found is None:
        return ""
    wrong = count(found.wrong, "wrong answer")
    said = f"Unanswerable questions: right abstentions {estimate_words(found.right)}, {wrong}."
    if not found.undecided:
        return said
    few = f"{count(found.undecided, 'other')} {noun(found.undecided, 'is', 'are')} not counted"
    return f"{said} {few}: only the passage is known to lack the answer, so a system may be right to give one."


def worst_words(first_rank: int | None, answer_rank: int | None) -> str:
    """Say where its reference stands among what was retrieved, and where the words of the answer do, if elsewhere."""
    if first_rank:
        return f"first chunk with its reference at rank {first_rank}"
    if answer_rank:
        return f"its reference was not retrieved; the words of the answer are at rank {answer_rank}"
    return "its reference was not retrieved"


def duration(seconds: float) -> str:
    """Write ``0.42 s``, ``12.3 s``, ``4 min 05 s``, ``1 h 02 min``."""
    if seconds < 9.995:
        return f"{seconds:.2f} s"
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"
