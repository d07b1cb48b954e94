"""RAGEval's released scorer, to the last digit: for comparison with published figures, not for new ones."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from ragassay.errors import InputError, RecordError
from ragassay.metrics.answer.comparison import OTHER_WORDS, lcs_length
from ragassay.metrics.answered import Answered
from ragassay.metrics.inputs import Input
from ragassay.metrics.metric import Measured, Metric, meaning_of
from ragassay.metrics.retrieval.rankings import UNSEEN
from ragassay.metrics.retrieval.references import released_effective_information_rate, without_metadata
from ragassay.plain_files import lines_of, open_plain

# In this order, each on what the one before made: after a mark; after six dots; after a double ellipsis; after a mark
# with its closing quote. The character behind is taken, so that of two marks in a row only the first breaks the line.
NO_JIEBA = "Chinese words are cut by jieba; install it with: pip install 'ragassay[jieba]'"
_BREAKS = (
    re.compile(r"([。！？?])([^”’])"),
    re.compile(r"(\.{6})([^”’])"),
    re.compile(r"(…{2})([^”’])"),
    re.compile(r"([。！？?][”’])([^，。！？?])"),
)


def released_rouge_l(answer: str, reference: str, language: str = "en") -> float | None:
    """F of the longest common subsequence of two word lists, in [0, 1); 0 where either text is empty.

    p = lcs / words of the answer, r = lcs / words of the reference, F = 2pr / (p + r + 1e-8).
    Words stand between white space, in Chinese (``zh``) between the cuts of jieba, case and punctuation kept, and are
    cut apart after 。！？? as well. A line that holds only white space counts as one empty word, which two texts may
    share.
    None for Chinese where jieba is not installed. Raises ValueError where both have more than 50 000 words.
    Source: the released RAGEval scorer, in which the package rouge-chinese 1.0.3 stands where it expects ``rouge``.
    """
    if not answer or not reference:
        return 0.0
    if language == "zh":
        try:
            answer, reference = (" ".join(jieba_words(text)) for text in (answer, reference))
        except ModuleNotFoundError:
            return None
    said, wanted = released_words(answer), released_words(reference)
    if not said or not wanted:
        return 0.0
    shared = lcs_length(said, wanted)
    precision, recall = shared / len(said), shared / len(wanted)
    return 2.0 * ((precision * recall) / (precision + recall + 1e-8))


def jieba_words(text: str) -> Iterable[str]:
    """What jieba cuts a Chinese text into, white space included. Raises ModuleNotFoundError where it is missing."""
    words: Iterable[str] = _jieba().cut(text)
    return words


@lru_cache(maxsize=1)
def _jieba() -> Any:
    """Its dictionary is read from the package: jieba would rather keep a cache in the folder of temporary files."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it imports pkg_resources
        import jieba
    tokenizer = jieba.Tokenizer()
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    tokenizer.initialized = True
    return tokenizer


def released_words(text: str) -> list[str]:
    """Return the words that ``released_rouge_l`` compares."""
    if not text.isascii() or "?" in text or "......" in text:  # else no break applies
        for ending in _BREAKS:
            text = ending.sub(r"\1\n\2", text)
    return [word for line in text.rstrip().split("\n") if line for word in line.split() or [""]]


class ReleasedScores(NamedTuple):
    """all_references_recall: what was published as "Precision". Its depth k is the number of chunks given.

    rouge_l_released: None for a Chinese text where jieba is not installed.
    """

    reference_recall: float
    eir_released: float
    all_references_recall: float
    rouge_l_released: float | None


def released_scores(
    *, answer: str, reference_answer: str, references: Sequence[str], chunks: Sequence[str], language: str = "en"
) -> ReleasedScores:
    """Return what the released scorer gives one question, to the last digit.

    references: texts that the answer rests on. chunks: texts of the retrieved chunks as they were shown, a leading
    block of metadata in parentheses included. language: of sentences and words, ``zh`` or else English.
    As released, and unlike ``reference_recall@k`` and its kin: without references recall and EIR are 0; a reference
    without a sentence is found; all-references recall joins the references before it splits them, and is 0 without
    chunks; an empty text has ROUGE-L 0.
    Source: RAGEval (ACL 2025), its released scorer.
    """
    split = [released_sentences(reference, language) for reference in references]
    found = [_all_in(sentences, chunks) for sentences in split]
    together = released_sentences(" ".join(references), language)
    return ReleasedScores(
        reference_recall=sum(found) / len(found) if found else 0.0,
        eir_released=released_effective_information_rate(list(map(without_metadata, chunks)), split, language),
        all_references_recall=float(bool(chunks) and _all_in(together, chunks)),
        rouge_l_released=released_rouge_l(answer, reference_answer, language),
    )


def _all_in(sentences: Sequence[str], chunks: Sequence[str]) -> bool:
    return all(any(sentence in chunk for chunk in chunks) for sentence in sentences)


_ENGLISH_GAP = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"“(])|\n+")
_LAST_WORD = re.compile(r"([A-Za-z]+|(?<!\S)\d{1,2})\.\Z")
_NO_END = frozenset("mr mrs ms dr prof v vs st rev hon sgt capt gen gov sen rep jr sr messrs".split())
"""Words after which pysbd ends no sentence; those of its list that occur in such documents."""
_LOOK_BACK = 12
_CHINESE_END = re.compile(r"(?<=[。！？])|\n")
KEPT_TEXTS = 4096
"""References split so far that are remembered: many systems are scored on the same ones."""


@lru_cache(maxsize=KEPT_TEXTS)
def released_sentences(text: str, language: str = "en") -> tuple[str, ...]:
    """Return the sentences of a reference without white space around them; empty ones are left out.

    English: those of pysbd 0.3.4, which the released scorer uses. This is not pysbd but a rule that gives the same for
    every reference of the published DragonBall file; lists, decorated text and rare abbreviations may differ. ``zh``:
    after 。！？ and at line breaks. Other languages are split as English.
    Source: RAGEval's released scorer.
    """
    parts = _CHINESE_END.split(text) if language == "zh" else _english(text)
    return tuple(stripped for part in parts if (stripped := part.strip()))


def _english(text: str) -> list[str]:
    parts, start = [], 0
    for gap in _ENGLISH_GAP.finditer(text):
        if "\n" not in gap.group() and _is_abbreviated(text, start, gap):
            continue
        parts.append(text[start : gap.start()])
        start = gap.end()
    return [*parts, text[start:]]


def _is_abbreviated(text: str, start: int, gap: re.Match[str]) -> bool:
    """Whether the stop in front of the gap belongs to an initial, a title, or the number of an item or article."""
    end = gap.start()
    found = _LAST_WORD.search(text, max(start, end - _LOOK_BACK), end)
    if found is None:
        return False
    word = found[1]
    if word.isdecimal():
        return found.start() == start
    if word.lower() == "no":
        return text[gap.end()].isdecimal()
    return (len(word) == 1 and word.isupper()) or word.lower() in _NO_END


_SOURCE = "RAGEval (ACL 2025), its released scorer"


def _scores(item: Answered, k: int) -> ReleasedScores:
    return released_scores(
        answer="",  # its ROUGE-L is a metric of its own, below
        reference_answer="",
        references=[span.text for span in item.example.references],
        chunks=item.chunk_texts[:k],
        language=item.language,
    )


def _rouge_l(item: Answered, _: int) -> Measured:
    compared = (f"{len(item.answer):,} characters against {len(item.example.answer):,} of the reference",)
    try:
        value = released_rouge_l(item.answer, item.example.answer, item.language)
    except ValueError as error:  # too long to compare
        return Measured(None, reason=str(error))
    return Measured(value, compared) if value is not None else Measured(None, reason=NO_JIEBA)


def _entry(name: str, meaning: str, inputs: tuple[Input, ...], place: int) -> Metric:
    return Metric(
        name=name,
        kind="published scorer",
        meaning=meaning,
        inputs=inputs,
        source=_SOURCE,
        unseen=UNSEEN,
        high=None if place == 1 else 1.0,
        over_all=True,
        measure=lambda item, k: Measured(_scores(item, k)[place], item.told_matches(k, as_returned=True)),
    )


DEPTH = 5
"""Chunks that the published figures count."""
FILE_METRICS = (
    f"reference_recall_released@{DEPTH}",
    f"eir_released@{DEPTH}",
    f"all_references_recall_released@{DEPTH}",
    "rouge_l_released",
)
"""The four metrics that are worked out from such a file, in the order of ``ReleasedScores``."""


class ReleasedItem(NamedTuple):
    """query_id: the id of the example that our reader of DragonBall makes of the query."""

    query_id: str
    scores: ReleasedScores


def released_items(path: Path) -> Iterator[ReleasedItem]:
    """Yield the four figures of each query, over its first five chunks, in the order of the file.

    path: JSONL with query, ground_truth and prediction in every object.
    Raises InputError where the file cannot be read, RecordError that names the line of an object that is not one of
    DragonBall's, has no prediction, or repeats a query.
    """
    seen: set[str] = set()
    try:
        with open_plain(path) as file:
            for number, line in enumerate(lines_of(file, path.name), start=1):
                if line.strip():
                    item = _item(line.decode("utf-8"), f"{path.name} line {number}")
                    if item.query_id in seen:
                        raise RecordError(f"{path.name} line {number}: query {item.query_id} occurs twice; drop one")
                    seen.add(item.query_id)
                    yield item
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}") from None


def _item(line: str, where: str) -> ReleasedItem:
    try:
        row: Any = json.loads(line)
        query, truth, prediction = row["query"], row["ground_truth"], row["prediction"]
        texts = [_checked_text(prediction["content"]), _checked_text(truth["content"])]
        references, chunks = ([_checked_text(text) for text in part["references"]] for part in (truth, prediction))
        language = "zh" if row.get("language") == "zh" else "en"
        query_id = str(query["query_id"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise RecordError(f"{where}: not an answered DragonBall query ({type(error).__name__}: {error})") from None
    scores = released_scores(
        answer=texts[0],
        reference_answer=texts[1],
        references=references,
        chunks=chunks[:DEPTH],
        language=language,
    )
    return ReleasedItem(query_id, scores)


def _checked_text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{type(value).__name__} in place of a text")
    return value


METRICS: Sequence[Metric] = (
    _entry(
        "reference_recall_released@k",
        "As reference_recall@k, with the sentences of the released scorer, and 0 without references.",
        ("chunk texts",),
        0,
    ),
    _entry(
        "eir_released@k",
        "Words of all matched reference sentences / words of the first k chunks without their metadata, joined by "
        "spaces, from 0; 0 without references. In Chinese each character is a word, spaces too. A sentence of two "
        "references counts twice.",
        ("chunk texts",),
        1,
    ),
    _entry(
        "all_references_recall_released@k",
        'As all_references_recall@k, published as "Precision" (k = 5): references are joined by spaces and then split; '
        "1 without references, 0 without chunks.",
        ("chunk texts",),
        2,
    ),
    Metric(
        name="rouge_l_released",
        kind="published scorer",
        meaning=meaning_of(released_rouge_l),
        inputs=("prediction",),
        source=_SOURCE,
        unseen=OTHER_WORDS,
        over_all=True,
        measure=_rouge_l,
    ),
)
