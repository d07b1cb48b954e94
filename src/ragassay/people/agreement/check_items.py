"""What a judge is checked on: items that people have compared or rated, and the files that hold them.

The shape of a line is recognised from its fields; an odd line is named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf, isfinite, nan
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast, get_args

from ragassay.datasets.format import Notes
from ragassay.datasets.lines import Row, read_objects, text_of
from ragassay.datasets.replies.reading import tokens_of
from ragassay.errors import InputError, RecordError, UsageError

Quality = Literal["faithfulness", "answer_relevance", "context_relevance", "preference", "truthfulness"]
"""What is judged. preference: which of two answers is better by a reference; truthfulness: by a knowledge block."""
QUALITIES: tuple[Quality, ...] = get_args(Quality)

Aspect = Literal["correctness", "completeness", "overall"]
"""In what respect one of two answers is preferred (RAGChecker's annotations)."""
ASPECTS: tuple[Aspect, ...] = get_args(Aspect)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two items of which the better one is known.

    better, worse: answers, or contexts for context relevance. context: that answers are faithful to; else empty.
    where: file and line, for messages and for the values that are written down.
    """

    where: str
    question: str
    better: str
    worse: str
    context: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """Two answers with what one person said of them.

    key: the same for all judgements of one pair. labels: aspect to a number, above 0 where the second answer is better,
    below 0 where the first is, 0 where they are alike.
    """

    where: str
    key: str
    question: str
    reference: str
    first: str
    second: str
    labels: Mapping[Aspect, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated:
    """One answer, or one context, with a rating.

    block: the knowledge that the rater had; empty where it had none. tokens: that the answer took, read and written.
    """

    where: str
    question: str
    answer: str
    rating: float
    context: str = ""
    block: str = ""
    tokens: tuple[int | None, int | None] = (None, None)


Items = tuple[Pair, ...] | tuple[Compared, ...] | tuple[Rated, ...]
"""The items of one quality: all of one shape, in the order of the file."""


SHIPPED = Path(__file__).with_name("judge_set.jsonl")
"""A small set written for this package: runs anywhere, decides little."""
BLOCKS_FILE = "knowledge_blocks.jsonl"
"""The file of knowledge blocks that is looked for beside a file of ratings where none is named."""

_RATING_FIELDS: Mapping[Quality, tuple[str, ...]] = {
    "faithfulness": ("faithfulness",),
    "answer_relevance": ("answer_relevance", "relevance"),
    "context_relevance": ("context_relevance",),
    "truthfulness": ("truthfulness",),
}
_SHAPES = (
    "a pair has the fields question, better and worse (and context for faithfulness); a comparison has query, "
    "gt_answer, model1 and model2 with a response each, and correctness_label, completeness_label or overall_label; a "
    "rated answer has question, answer and the rating in a field with the name of the quality"
)


class JudgeSet(NamedTuple):
    """items: by quality. where: the file."""

    where: str
    items: Mapping[Quality, Items]


def read_judge_set(path: Path | None, quality: Quality | None = None, blocks: Path | None = None) -> JudgeSet:
    """Read a file of pairs, comparisons or rated answers; None for the set that comes with the package.

    quality: what to read from it; None for what its lines say in a field ``quality``; else comparisons are preferences,
    and a rated answer is read for each quality that it has a rating of. blocks: JSONL file with knowledge blocks, found
    by url, id or title; else ``knowledge_blocks.jsonl`` beside the set. A line's own field ``block`` goes first.
    Raises InputError for a file that cannot be read or holds nothing of the quality, RecordError, which names the line,
    for one of none of the shapes, and UsageError where no quality is named and the lines do not say it.
    """
    source = SHIPPED if path is None else path
    beside = source.with_name(BLOCKS_FILE)
    texts = _blocks_in(blocks or beside) if blocks is not None or beside.is_file() else {}
    found: dict[Quality, list[Pair | Compared | Rated]] = {}
    with _readable(source):
        for row in read_objects(source, Notes()):
            for named in _qualities_of(row, quality):
                of_quality = found.setdefault(named, [])
                of_quality.append(_item(row, named, texts))
                if type(of_quality[0]) is not type(of_quality[-1]):
                    first = of_quality[0].where
                    raise RecordError(f"{row.where}: shape differs from {first}; use one file for each shape")
    if not found:
        raise InputError(f"{source} holds no item{f' for {quality}' if quality else ''}")
    items = {name: cast("Items", tuple(found[name])) for name in QUALITIES if name in found}
    return JudgeSet(str(path or "the shipped set"), items)


@contextmanager
def _readable(path: Path, option: str = "") -> Any:
    try:
        yield
    except OSError as error:
        raise InputError(f"{option}{path} cannot be read ({error.strerror})") from None


def _blocks_in(file: Path) -> dict[str, str]:
    """Return knowledge blocks by url, id and title. A title that two blocks have stands for neither."""
    texts: dict[str, str] = {}
    shared: set[str] = set()
    with _readable(file, "--blocks: "):
        for row in read_objects(file, Notes()):
            text = _text(row, "content", "text", "block")
            shared |= {key for key in _keys_of(row) if texts.setdefault(key, text) != text}
    return {key: text for key, text in texts.items() if key not in shared}


def _keys_of(row: Row) -> list[str]:
    return [str(row.value[name]) for name in ("url", "id", "title") if row.value.get(name) is not None]


def _qualities_of(row: Row, asked: Quality | None) -> Sequence[Quality]:
    """Return what the line is for; nothing where that is not what is asked for."""
    said = row.value.get("quality")
    if said is None:
        if asked is not None:
            return (asked,)
        if "model1" in row.value:
            return ("preference",)
        rated = [each for each, names in _RATING_FIELDS.items() if any(name in row.value for name in names)]
        if not rated:
            raise UsageError(f"--quality: {row.where} has no quality; choose one of {', '.join(QUALITIES)}")
        return rated
    named = next((each for each in QUALITIES if each == said), None)
    if named is None:
        raise RecordError(f"{row.where}: unknown quality {str(said)[:40]!r}; choose one of {', '.join(QUALITIES)}")
    return (named,) if asked in (None, named) else ()


def _item(row: Row, quality: Quality, blocks: Mapping[str, str]) -> Pair | Compared | Rated:
    fields = row.value.keys()
    if {"model1", "model2"} <= fields:
        if quality == "preference":
            return _compared(row)
        raise RecordError(f"{row.where}: a comparison by a reference cannot check {quality}; use --quality preference")
    if {"better", "worse"} <= fields:
        if quality not in ("preference", "truthfulness"):
            return Pair(
                where=row.where,
                question=_text(row, "question", "query"),
                better=_text(row, "better"),
                worse=_text(row, "worse"),
                context=_text(row, "context") if quality == "faithfulness" else "",
            )
        raise RecordError(f"{row.where}: a pair cannot check {quality}: {_SHAPES}")
    if "answer" in fields or (quality == "context_relevance" and "context" in fields):
        if quality != "preference":
            return _rated(row, quality, blocks)
        raise RecordError(f"{row.where}: one answer cannot check preference: {_SHAPES}")
    raise RecordError(f"{row.where}: fields must have one of three shapes: {_SHAPES}")


def _rated(row: Row, quality: Quality, blocks: Mapping[str, str]) -> Rated:
    names = _RATING_FIELDS[quality]
    name = next((each for each in names if each in row.value), None)
    if name is None:
        raise RecordError(f"{row.where}: the rating is missing; give a number in the field {' or '.join(names)}")
    rating = _number(row, name)
    known = next((blocks[key] for key in _keys_of(row) if key in blocks), None)
    block = _text(row, "block") if "block" in row.value else known
    if quality == "truthfulness" and block is None:
        raise RecordError(
            f"{row.where}: unknown knowledge block; give its text in the field block, or its url, id or title in the "
            "--blocks file"
        )
    return Rated(
        where=row.where,
        question=_text(row, "question", "query"),
        answer=_text(row, "answer") if quality != "context_relevance" else "",
        rating=rating,
        context=_text(row, "context") if quality in ("faithfulness", "context_relevance") else "",
        block=block or "",
        tokens=tokens_of(row.value),
    )


def _compared(row: Row) -> Compared:
    labels = {
        aspect: _number(row, f"{aspect}_label") for aspect in ASPECTS if row.value.get(f"{aspect}_label") is not None
    }
    if not labels:
        names = ", ".join(f"{each}_label" for each in ASPECTS)
        raise RecordError(f"{row.where}: the label is missing; give a number in the field {names}")
    question, reference = _text(row, "query", "question"), _text(row, "gt_answer", "reference")
    first, second = _response(row, "model1"), _response(row, "model2")
    key = row.value.get("instance_id")
    return Compared(
        where=row.where,
        key=str(key) if key is not None else "\x1f".join((question, first, second)),
        question=question,
        reference=reference,
        first=first,
        second=second,
        labels=labels,
    )


def _response(row: Row, name: str) -> str:
    value = row.value[name]
    said = value.get("response") if isinstance(value, dict) else value
    if not isinstance(said, str):
        raise RecordError(f"{row.where}: the field {name!r} has no text in its field response")
    return said


def _text(row: Row, *names: str) -> str:
    """Return the text in the first of the fields that is there. Raises RecordError where none is, or it is no text."""
    name = next((each for each in names if each in row.value), names[0])
    return cast("str", text_of(row, name, Notes()))


def _number(row: Row, name: str) -> float:
    value = row.value[name]
    try:
        number = float(value) if isinstance(value, int | float) and not isinstance(value, bool) else nan
    except OverflowError:  # a whole number of hundreds of digits
        number = inf
    if not isfinite(number):
        raise RecordError(f"{row.where}: the field {name!r} must be a number, not {str(value)[:40]!r}")
    return number
