"""Reads what a judge is checked on. The shape of a line is recognised from its fields; an odd line is named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf, isfinite, nan
from pathlib import Path
from typing import Any, NamedTuple, cast

from ragassay.agreement.check_items import ASPECTS, QUALITIES, Aspect, Compared, Items, Pair, Quality, Rated
from ragassay.datasets.format import Notes
from ragassay.datasets.lines import Row, read_objects, text_of
from ragassay.datasets.replies.reading import tokens_of
from ragassay.errors import InputError, RecordError, UsageError

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
    """Reads a file of pairs, comparisons or rated answers; None for the set that comes with the package.

    quality: what to read from it; None for what its lines say in a field ``quality``; else comparisons are preferences,
    and a rated answer is read for each quality that it has a rating of.
    blocks: JSONL file with knowledge blocks, found by url, id or title; if None, a file ``knowledge_blocks.jsonl``
    beside the set. A line's own field ``block`` goes first.
    Raises InputError for a file that cannot be read or holds nothing of the quality, RecordError, which names the line,
    for one of none of the shapes, and UsageError where no quality is named and the lines do not say it.
    """
    source = SHIPPED if path is None else path
    reader = _Reader(source, quality, blocks)
    found: dict[Quality, list[Pair | Compared | Rated]] = {}
    try:
        for row in read_objects(source, Notes()):
            for named in reader.qualities_of(row):
                of_quality = found.setdefault(named, [])
                of_quality.append(reader.item(row, named))
                if type(of_quality[0]) is not type(of_quality[-1]):
                    first = of_quality[0].where
                    raise RecordError(f"{row.where}: shape differs from {first}; use one file for each shape")
    except OSError as error:
        raise InputError(f"{source} cannot be read ({error.strerror})") from None
    if not found:
        wanted = f" for {quality}" if quality else ""
        raise InputError(f"{source} holds no item{wanted}")
    return JudgeSet(
        str(path or "the shipped set"),
        {name: cast("Items", tuple(found[name])) for name in QUALITIES if name in found},
    )


class _Reader:
    """Makes items of lines."""

    def __init__(self, source: Path, quality: Quality | None, blocks: Path | None) -> None:
        if blocks is not None and not blocks.is_file():
            raise InputError(f"--blocks: {blocks} cannot be read; name a JSONL file of knowledge blocks")
        self._quality = quality
        beside = source.with_name(BLOCKS_FILE)
        self._blocks_file = blocks or (beside if beside.is_file() else None)
        self._blocks: dict[str, str] | None = None

    def qualities_of(self, row: Row) -> Sequence[Quality]:
        """What the line is for; nothing where that is not what is asked for."""
        said = row.value.get("quality")
        if said is None:
            if self._quality is not None:
                return (self._quality,)
            if "model1" in row.value:
                return ("preference",)
            rated = [each for each, names in _RATING_FIELDS.items() if any(name in row.value for name in names)]
            if not rated:
                raise UsageError(f"--quality: {row.where} has no quality; choose one of {', '.join(QUALITIES)}")
            return rated
        named = next((each for each in QUALITIES if each == said), None)
        if named is None:
            raise RecordError(f"{row.where}: unknown quality {str(said)[:40]!r}; choose one of {', '.join(QUALITIES)}")
        return (named,) if self._quality in (None, named) else ()

    def item(self, row: Row, quality: Quality) -> Pair | Compared | Rated:
        fields = row.value.keys()
        if "model1" in fields and "model2" in fields:
            if quality != "preference":
                raise RecordError(
                    f"{row.where}: a comparison by a reference checks preference only; use --quality preference"
                )
            return _compared(row)
        if "better" in fields and "worse" in fields:
            return self._pair(row, quality)
        if "answer" in fields or (quality == "context_relevance" and "context" in fields):
            return self._rated(row, quality)
        raise RecordError(f"{row.where}: fields must have one of three shapes: {_SHAPES}")

    def _pair(self, row: Row, quality: Quality) -> Pair:
        if quality in ("preference", "truthfulness"):
            wanted = "comparisons" if quality == "preference" else "rated answers"
            raise RecordError(f"{row.where}: a pair cannot check {quality}, which needs {wanted}: {_SHAPES}")
        return Pair(
            where=row.where,
            question=_text(row, "question", "query"),
            better=_text(row, "better"),
            worse=_text(row, "worse"),
            context=_text(row, "context") if quality == "faithfulness" else "",
        )

    def _rated(self, row: Row, quality: Quality) -> Rated:
        if quality == "preference":
            raise RecordError(f"{row.where}: one answer cannot check preference, which needs comparisons: {_SHAPES}")
        names = _RATING_FIELDS[quality]
        name = next((each for each in names if each in row.value), None)
        if name is None:
            raise RecordError(f"{row.where}: the rating is missing; give a number in the field {' or '.join(names)}")
        needs_context = quality in ("faithfulness", "context_relevance")
        return Rated(
            where=row.where,
            question=_text(row, "question", "query"),
            answer=_text(row, "answer") if quality != "context_relevance" else "",
            rating=_number(row.value[name], f"{row.where}: the field {name!r}"),
            context=_text(row, "context") if needs_context else "",
            block=self._block(row, needed=quality == "truthfulness"),
            tokens=tokens_of(row.value),
        )

    def _block(self, row: Row, *, needed: bool) -> str:
        if "block" in row.value:
            return _text(row, "block")
        keys = [str(row.value[name]) for name in ("url", "id", "title") if row.value.get(name) is not None]
        if self._blocks_file is not None and self._blocks is None:
            self._blocks = _read_blocks(self._blocks_file)
        found = next((self._blocks[key] for key in keys if key in self._blocks), None) if self._blocks else None
        if found is None and needed:
            where = self._blocks_file or "no file of blocks"
            raise RecordError(
                f"{row.where}: unknown knowledge block ({where}); give its text in the field block, or "
                "its url, id or title in the --blocks file"
            )
        return found or ""


def _compared(row: Row) -> Compared:
    labels: dict[Aspect, float] = {}
    for aspect in ASPECTS:
        value = row.value.get(f"{aspect}_label")
        if value is not None:
            labels[aspect] = _number(value, f"{row.where}: the field '{aspect}_label'")
    if not labels:
        raise RecordError(
            f"{row.where}: the label is missing; give a number in the field "
            f"{', '.join(f'{each}_label' for each in ASPECTS)}"
        )
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
    """The text in the first of the fields that is there. Raises RecordError where none is, or it is no text."""
    name = next((each for each in names if each in row.value), names[0])
    return cast("str", text_of(row, name, Notes()))


def _number(value: Any, what: str) -> float:
    try:
        number = float(value) if isinstance(value, int | float) and not isinstance(value, bool) else nan
    except OverflowError:  # a whole number of hundreds of digits
        number = inf
    if not isfinite(number):
        raise RecordError(f"{what} must be a number, not {str(value)[:40]!r}")
    return number


def _read_blocks(path: Path) -> dict[str, str]:
    """Key to text; keys are urls, ids and titles. A title that two blocks have stands for neither."""
    texts: dict[str, str] = {}
    shared: set[str] = set()
    try:
        for row in read_objects(path, Notes()):
            text = _text(row, "content", "text", "block")
            for name in ("url", "id", "title"):
                key = row.value.get(name)
                if key is None:
                    continue
                if texts.setdefault(str(key), text) != text:
                    shared.add(str(key))
    except OSError as error:
        raise InputError(f"--blocks: {path} cannot be read ({error.strerror})") from None
    return {key: text for key, text in texts.items() if key not in shared}
