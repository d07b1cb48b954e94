"""Question-answer pairs, and drafts with their verdicts, as training items for the writer."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ragassay.errors import InputError
from ragassay.models.small import wording
from ragassay.plain_files import lines_of, open_plain
from ragassay.training.examples import is_dataset, read_examples
from ragassay.training.items import TextBranch, TextItem, asking

MOST_STRAY_QUOTES = 0.2
"""With a larger share of quotes that do not stand in their passage, the file is of something else."""

LEAST_PAIRS = 50

WRONG_ANSWERS = frozenset({"wrong_answer", "incomplete_answer"})
"""Faults of a draft whose answer is not the one to ask for."""

_VERDICTS = frozenset({"good", "mend", "bad"})

Row = Mapping[str, Any]


@dataclass(slots=True)
class Read:
    """items: with at least one branch each. stray: quotes that do not stand in their passage, by record. quotes: all.

    sha256: of the files' bytes, in order.
    """

    items: list[TextItem] = field(default_factory=list)
    stray: list[str] = field(default_factory=list)
    quotes: int = 0
    sha256: str = ""


def read_rows(path: Path) -> list[tuple[str, Row]]:
    """(place, object) of each line. Raises InputError for what is no JSON object."""
    rows: list[tuple[str, Row]] = []
    try:
        with open_plain(path) as file:
            for number, line in enumerate(lines_of(file, str(path)), 1):
                if line.strip():
                    row = json.loads(line)
                    if not isinstance(row, dict):
                        raise InputError(f"{path}, line {number}: not a JSON object")
                    rows.append((f"{path}, line {number}", row))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise InputError(f"{path} is not a file of JSON lines: {error}") from error
    return rows


def read_pairs(paths: Sequence[Path]) -> Read:
    """Items of all files; rows about the same passage become one item.

    Raises InputError for files that hold no pairs, for fewer than LEAST_PAIRS pairs, and where more than
    MOST_STRAY_QUOTES of the quotes do not stand in their passage.
    """
    read = Read()
    digest = hashlib.sha256()
    rows: list[tuple[str, Row]] = []
    items: dict[str, TextItem] = {}
    for path in paths:
        if not path.exists():
            raise InputError(f"{path} does not exist; give a file of pairs or a data set")
        if is_dataset(path):
            for item in read_examples(path, read):
                digest.update(repr(item).encode("utf-8", "replace"))
                items[item.id] = item if item.id not in items else _joined(items[item.id], item.branches)
        else:
            rows += read_rows(path)
            digest.update(path.read_bytes())
    read.sha256 = digest.hexdigest()
    drafts: list[tuple[str, Row]] = []
    for where, row in rows:
        if "verdict" in row:
            drafts.append((where, row))
        elif "text" in row:
            item = _passage(where, row, read)
            items[item.id] = item if item.id not in items else _joined(items[item.id], item.branches)
        else:
            raise InputError(f"{where}: must be a passage (text, facts, summary) or a draft with its verdict")
    passages = {text_of(row, "id", where): row for where, row in rows if "text" in row}
    for where, row in drafts:
        item = _draft(where, row if "sentence" in row else _placed(where, row, passages))
        items[item.id] = item if item.id not in items else _joined(items[item.id], item.branches)
    if read.stray and len(read.stray) > MOST_STRAY_QUOTES * read.quotes:
        raise InputError(
            f"{len(read.stray)} of {read.quotes} quotes do not occur in their passage, the first in "
            f"{read.stray[0]}; at most {MOST_STRAY_QUOTES:.0%} are allowed"
        )
    read.items = [each for each in items.values() if each.branches]
    pairs = sum(len(each.branches) for each in read.items)
    if pairs < LEAST_PAIRS:
        raise InputError(f"training needs at least {LEAST_PAIRS} pairs, not {pairs}")
    return read


def _joined(item: TextItem, branches: Iterable[TextBranch]) -> TextItem:
    return replace(item, branches=(*item.branches, *branches))


def text_of(row: Row, name: str, where: str, *, default: str | None = None) -> str:
    """A field that holds a text. Raises InputError."""
    value = row.get(name, default)
    if not isinstance(value, str):
        raise InputError(f"{where}: {name!r} must be text")
    return value


def object_of(row: Row, name: str, where: str) -> Row:
    """A field that holds an object; an empty one where there is none. Raises InputError."""
    value = row.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise InputError(f"{where}: {name!r} must be an object")
    return value


def one_or_several(row: Row, name: str, where: str) -> list[Row]:
    """A field that holds an object or a list of objects. Raises InputError."""
    if isinstance(row.get(name), list):
        return objects_of(row, name, where)
    return [found] if (found := object_of(row, name, where)) else []


def objects_of(row: Row, name: str, where: str) -> list[Row]:
    """A field that holds a list of objects; empty where there is none. Raises InputError."""
    value = row.get(name)
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise InputError(f"{where}: {name!r} must be a list of objects")
    return value


def _texts_of(row: Row, name: str, where: str) -> list[str]:
    value = row.get(name)
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise InputError(f"{where}: {name!r} must be a list of texts")
    return value


def _offsets_of(row: Row, where: str) -> list[tuple[int, int]]:
    value = row.get("quotes")
    if value is None:
        return []
    if not isinstance(value, list) or not all(
        isinstance(each, list) and len(each) == 2 and all(type(offset) is int for offset in each) for each in value
    ):
        raise InputError(f"{where}: 'quotes' must be a list of [start, end], offsets in its passage")
    return [(start, end) for start, end in value]


def _passage(where: str, row: Row, read: Read) -> TextItem:
    title = text_of(row, "title", where, default="")
    source = text_of(row, "source", where, default="")
    text = text_of(row, "text", where)
    return TextItem(
        id=text_of(row, "id", where),
        source=source,
        document=f"{source}/{title}",
        title=wording.sentence(title),
        heading=wording.sentence(text_of(row, "heading", where, default="")),
        text=wording.plain(text),
        branches=tuple(_branches(where, row, text, read)),
    )


def _branches(where: str, row: Row, text: str, read: Read) -> Iterator[TextBranch]:
    folded = " ".join(text.split())

    def stands(quotes: Sequence[str]) -> bool:
        stray = [each for each in quotes if " ".join(each.split()) not in folded]
        read.quotes += len(quotes)
        read.stray += [where] * len(stray)
        return not stray

    for fact in objects_of(row, "facts", where):
        quotes, answer = [text_of(fact, "quote", where)], text_of(fact, "answer", where)
        refused = _texts_of(fact, "refused", where)
        if stands(quotes) and answer:
            yield asking(quotes, text_of(fact, "question", where), answer, refused)
    for summary in one_or_several(row, "summary", where):
        quotes, answer = _texts_of(summary, "quotes", where), text_of(summary, "answer", where)
        if quotes and stands(quotes) and answer:
            yield asking(quotes, text_of(summary, "question", where), answer)


def _placed(where: str, row: Row, passages: Mapping[str, Row]) -> Row:
    """A draft that names its passage and gives offsets instead of the words, with the words."""
    passage = passages.get(text_of(row, "passage", where))
    if passage is None:
        raise InputError(
            f"{where}: its passage {row['passage']!r} is in none of the files; also give the file of passages"
        )
    text = text_of(passage, "text", where)
    quotes = [text[start:end] for start, end in _offsets_of(row, where)]
    return {
        "sentence": " ".join(quotes),
        **row,
        "source": passage.get("source", ""),
        "title": passage.get("title", ""),
        "heading": passage.get("heading", ""),
    }


def _draft(where: str, row: Row) -> TextItem:
    verdict = text_of(row, "verdict", where)
    if verdict not in _VERDICTS:
        raise InputError(f"{where}: unknown verdict {verdict!r}; choose good, mend or bad")
    title = text_of(row, "title", where, default="")
    source = text_of(row, "source", where, default="")
    branch = _mended(row, where, verdict)
    return TextItem(
        id=text_of(row, "passage", where),
        source=source,
        document=f"{source}/{title}",
        title=wording.sentence(title),
        heading=wording.sentence(text_of(row, "heading", where, default="")),
        text=wording.plain(f"{text_of(row, 'before', where, default='')} {text_of(row, 'sentence', where)}".strip()),
        branches=() if branch is None else (branch,),
    )


def _mended(row: Row, where: str, verdict: str) -> TextBranch | None:
    """What is learned from a question with its verdict: it as it stands, or as it was mended, which is better.

    Nothing where there is no answer to ask for: what was bad, rests on no sentence, or has a wrong answer.
    """
    if verdict == "bad":
        return None
    drafted = text_of(row, "question", where, default="")
    question = drafted if verdict == "good" else text_of(row, "mended", where, default="")
    quote = text_of(row, "sentence", where)
    answer = text_of(row, "mended_answer", where, default="")
    if not answer and row.get("fault") not in WRONG_ANSWERS:
        answer = text_of(row, "answer", where, default="")
    refused = [*([drafted] if verdict == "mend" and drafted else []), *_texts_of(row, "refused", where)]
    return asking([quote], question, answer, refused) if question and quote and answer else None
