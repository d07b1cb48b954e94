"""Where the references of published sets stand, for what the mappings of ``sets.toml`` cannot say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeGuard

from ragassay.datasets.foreign import Item, Quote, Text
from ragassay.datasets.format import Notes
from ragassay.datasets.lines import Row
from ragassay.datasets.texts import Texts, find_quote, unplaced
from ragassay.records import Place as Where
from ragassay.records import Span


class Surroundings(NamedTuple):
    """A row, with what its references are looked for in: the documents beside the rows, or some of them.

    passages: ids of those that the row names.
    """

    row: Row
    notes: Notes
    corpus: Texts
    passages: Any

    def whole(self, document_id: str) -> Span | None:
        """Return a document beside the rows as a reference; None where it is not there."""
        text = self.corpus.get(document_id)
        return None if text is None else Span(document_id=document_id, start=0, end=len(text), text=text)


def place_answers(item: Item, around: Surroundings) -> None:
    """SQuAD: answers in their text, with offsets if they are objects; of several the commonest is meant."""
    value = around.row.value.get("answers")
    if value is None and around.row.value.get("answer") is not None:
        value = [{"text": around.row.value["answer"], "answer_start": around.row.value.get("answer_start")}]
    pairs = []
    for given in objects(value) or (value if isinstance(value, list) else [value] if value else []):
        text, near = (given.get("text"), given.get("answer_start")) if isinstance(given, dict) else (given, -1)
        if not isinstance(text, str):
            around.notes.fault(
                f"{around.row.where}: answers must be a list of texts, or of objects with text and offset"
            )
            return
        if text.strip():
            pairs.append((text, near if _is_offset(near) else -1))
    item.answers = [text for text, _ in pairs]
    if pairs:
        text, near = Counter(pairs).most_common(1)[0][0]  # of equals the first
        item.answers.insert(0, text)
        item.quotes = [Quote(0, text, near)]


def place_supporting_facts(item: Item, around: Surroundings) -> None:
    """HotpotQA: sentences of paragraphs, by title and number; pairs, or columns as the library datasets has them."""
    paragraphs = [(title, sentences) for title, sentences in _pairs(around.row.value["context"], "sentences")]
    number_of: dict[Any, int] = {}
    starts: list[list[int]] = []
    for title, sentences in paragraphs:
        parts = strings(sentences)
        gap = "" if any(each.startswith(" ") for each in parts[1:]) else " "
        if isinstance(title, str):
            number_of.setdefault(title, len(starts))
        starts.append([sum(len(each) + len(gap) for each in parts[:place]) for place in range(len(parts))])
        item.texts.append(Text(gap.join(parts), title if isinstance(title, str) else ""))
    for title, place in _pairs(around.row.value["supporting_facts"], "sent_id"):
        number = number_of.get(title, -1) if isinstance(title, str) else -1
        if number < 0 or not _is_offset(place) or place >= len(starts[number]):
            around.notes.add("supporting facts that are in no paragraph")
            continue
        fact = strings(paragraphs[number][1])[place]
        item.quotes.append(Quote(number, fact.strip(), starts[number][place] + len(fact) - len(fact.lstrip())))


def place_passages(item: Item, around: Surroundings) -> None:
    """AutoRAG: ids of passages; every group is wanted, and of a group one: they are places of one reference."""
    listed = around.passages if isinstance(around.passages, list) else [around.passages]
    for group in filter(None, map(strings, listed)):
        spans = [around.whole(name) or unplaced(name, "") for name in group]
        around.notes.add("passages that are not in the corpus", sum(name not in around.corpus for name in group))
        first, *others = spans
        elsewhere = tuple(Where(span.document_id, span.start, span.end) for span in others)
        item.spans.append(
            Span(document_id=first.document_id, start=first.start, end=first.end, text=first.text, elsewhere=elsewhere)
        )


def place_documents(item: Item, around: Surroundings) -> None:
    """DragonBall: quotes in the documents that the query names; its first document is the context.

    Ten of the 1 050 references of the published finance queries in English open with a sentence that their documents
    have in other words; these stay without a place.
    """
    listed, notes = around.passages, around.notes
    if listed is not None and not (isinstance(listed, list) and all(type(each) in (int, str) for each in listed)):
        notes.fault(f"{around.row.where}: doc_ids must be a list of ids")
        return
    ids = [str(each) for each in listed or ()]
    unknown = next((name for name in ids if name not in around.corpus), None)
    if unknown is not None:
        notes.fault(f"{around.row.where}: doc_ids names {unknown!r}, which is not among the documents")
        return
    for quote in item.loose:
        texts = ((name, around.corpus.get(name) or "") for name in ids)
        places = ((name, text, find_quote(text, quote)) for name, text in texts)
        name, text, place = next((each for each in places if each[2]), (ids[0] if ids else "", quote, None))
        if place is None:
            notes.add("references that are in none of their documents")
            item.spans.append(unplaced(name, quote))
            continue
        held = text[place[0] : place[1]]
        notes.add("references with other white space than their document; the document's is taken", held != quote)
        item.spans.append(Span(document_id=name, start=place[0], end=place[1], text=held))
    item.loose = []
    item.context = around.whole(ids[0]) if ids else None
    covered = {*ids[:1], *(span.document_id for span in item.spans)}
    notes.add("documents of a question in which none of its references stands", len(set(ids) - covered))


PLACED: Mapping[str, Callable[[Item, Surroundings], None]] = {
    place.__name__.removeprefix("place_"): place
    for place in (place_answers, place_supporting_facts, place_passages, place_documents)
}


def strings(value: Any) -> list[str]:
    """Return the texts of a list, or of one text; others are left out."""
    if isinstance(value, str):
        return [value] if value else []
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def objects(value: Any) -> list[dict[str, Any]]:
    """Return the objects of a list, or of an object of equally long lists, as ``datasets`` writes lists of objects."""
    if isinstance(value, dict) and value and all(isinstance(each, list) for each in value.values()):
        return [dict(zip(value, each, strict=False)) for each in zip(*value.values(), strict=False)]
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _is_offset(value: Any) -> TypeGuard[int]:
    return type(value) is int and value >= 0


def _pairs(value: Any, second: str) -> list[tuple[Any, Any]]:
    if isinstance(value, dict):
        return [(each.get("title"), each.get(second)) for each in objects(value)]
    pairs = value if isinstance(value, list) else []
    return [(pair[0], pair[1]) for pair in pairs if isinstance(pair, list) and len(pair) == 2]
