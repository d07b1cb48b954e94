"""HotpotQA (Yang et al. 2018): ten paragraphs a question; its supporting facts become references.

Forms: hotpotqa.github.io (JSON: pairs of title and number), and ``hotpot_qa`` as the library datasets has it (columns).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ragassay.datasets.format import Notes, Source
from ragassay.datasets.published.item import Item, Quote, Text, published, rows_of, strings, text_in


def _items(source: Source, notes: Notes) -> Iterator[Item]:
    for row in rows_of(source, notes, "question", "answer", "context", "supporting_facts"):
        paragraphs = [(text_in(title), strings(told)) for title, told in _pairs(row.value["context"], "sentences")]
        number_of = {title: number for number, (title, _) in reversed(list(enumerate(paragraphs)))}  # the first
        texts, places = [], []
        for title, told in paragraphs:
            gap = "" if any(each.startswith(" ") for each in told[1:]) else " "
            starts = [sum(len(each) + len(gap) for each in told[:place]) for place in range(len(told))]
            texts.append(Text(gap.join(told), title))
            places.append(starts)
        quotes = []
        for title, place in _pairs(row.value["supporting_facts"], "sent_id"):
            number = number_of.get(text_in(title), -1)
            if number < 0 or type(place) is not int or not 0 <= place < len(places[number]):
                notes.add("supporting facts that are in no paragraph")
                continue
            fact = paragraphs[number][1][place]
            quotes.append(Quote(number, fact.strip(), places[number][place] + len(fact) - len(fact.lstrip())))
        yield Item(
            where=row.where,
            question=text_in(row.value["question"]),
            id=text_in(row.value.get("_id")) or text_in(row.value.get("id")),
            answer=text_in(row.value["answer"]),
            texts=texts,
            quotes=quotes,
            context=quotes[0].text if quotes else 0,
            question_type="multi_hop",
        )


def _pairs(value: Any, second: str) -> list[tuple[Any, Any]]:
    if isinstance(value, dict):
        titles, others = (value.get(name) for name in ("title", second))
        return list(zip(titles, others, strict=False)) if isinstance(titles, list) and isinstance(others, list) else []
    pairs = value if isinstance(value, list) else []
    return [(pair[0], pair[1]) for pair in pairs if isinstance(pair, list) and len(pair) == 2]


FORMAT = published("hotpotqa", "HotpotQA", lambda peek: {"question", "supporting_facts"} <= peek.keys, _items)
