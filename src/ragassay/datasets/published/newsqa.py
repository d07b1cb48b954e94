"""NewsQA (Trischler et al. 2017), stories and questions combined: JSON, or CSV.

Form: github.com/Maluuba/newsqa, README. The consensus of the annotators counts; a bad question is left out.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

from ragassay.datasets.format import Notes, Peek, Source
from ragassay.datasets.published.item import Item, Quote, Text, objects, published, rows_of, text_in
from ragassay.errors import InputError


def _items(source: Source, notes: Notes) -> Iterator[Item]:
    return _table(source, notes) if source.path.suffix.lower() in (".csv", ".tsv") else _stories(source, notes)


def _stories(source: Source, notes: Notes) -> Iterator[Item]:
    for row in rows_of(source, notes, "storyId", "text", "questions"):
        for number, asked in enumerate(objects(row.value["questions"]), 1):
            agreed = asked.get("consensus")
            agreed = agreed if isinstance(agreed, dict) else {}
            places = (agreed.get("s"), agreed.get("e"))
            item = _item(f"{row.where} question {number}", text_in(row.value["text"]), text_in(asked.get("q")), places)
            if agreed.get("badQuestion") or not (agreed.get("noAnswer") or item.answer):
                notes.add("questions that annotators call bad, or do not agree on, left out")
                continue
            yield item


def _table(source: Source, notes: Notes) -> Iterator[Item]:
    for row in rows_of(source, notes, "question", "answer_char_ranges"):
        if "story_text" not in row.value:
            raise InputError(f"{source.path.name} has no column story_text; give the file that NewsQA combines with it")
        ranges = Counter(each for told in row.value["answer_char_ranges"].split("|") for each in told.split(","))
        votes = _votes(row.value.get("validated_answers", "")) or ranges
        best = max(votes, key=lambda each: votes[each])
        first, colon, last = best.partition(":")
        if best == "badQuestion" or not (best in ("none", "None") or colon):
            notes.add("questions that annotators call bad, or do not agree on, left out")
            continue
        places = (int(first), int(last)) if first.isdecimal() and last.isdecimal() else (None, None)
        yield _item(row.where, row.value["story_text"], row.value["question"], places)


def _votes(cell: str) -> dict[str, int]:
    try:
        value = json.loads(cell)
    except ValueError:
        return {}
    return {name: votes for name, votes in value.items() if type(votes) is int} if isinstance(value, dict) else {}


def _item(where: str, story: str, question: str, places: tuple[object, object]) -> Item:
    first, last = places
    told = story[first:last] if isinstance(first, int) and isinstance(last, int) and 0 <= first < last else ""
    quote = told.strip()
    start = first + len(told) - len(told.lstrip()) if isinstance(first, int) else 0
    return Item(
        where=where,
        question=question,
        answer=quote,
        texts=[Text(story)],
        quotes=[Quote(0, quote, start)] if quote else [],
        unanswerable=None if quote else "document",
    )


def _recognises(peek: Peek) -> bool:
    return "storyId" in peek.keys or {"question", "answer_char_ranges"} <= peek.keys


FORMAT = published("newsqa", "NewsQA, combined: JSON or CSV", _recognises, _items)
