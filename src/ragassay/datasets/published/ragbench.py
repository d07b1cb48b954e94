"""RAGBench (Friel et al. 2024): questions with retrieved documents, a recorded response, and which sentences help.

Form: ``rungalileo/ragbench`` as the library datasets has it. The response is one of a model, no reference answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ragassay.datasets.format import Notes, Source
from ragassay.datasets.published.item import Item, Quote, Text, published, rows_of, strings, text_in


def _items(source: Source, notes: Notes) -> Iterator[Item]:
    for row in rows_of(source, notes, "question", "documents", "response"):
        told = strings(row.value["documents"])
        numbers = [number for number, text in enumerate(told) if text.strip()]  # keys count the empty ones, too
        texts = [Text(told[number]) for number in numbers]
        known = _sentences(row.value.get("documents_sentences"))
        relevant = strings(row.value.get("all_relevant_sentence_keys"))
        found = [known[key] for key in relevant if key in known and known[key].text in numbers]
        quotes = [each._replace(text=numbers.index(each.text)) for each in found]
        notes.add("keys of relevant sentences that match no sentence", len(relevant) - len(quotes))
        yield Item(
            where=row.where,
            question=text_in(row.value["question"]),
            id=text_in(row.value.get("id")),
            texts=texts,
            quotes=quotes,
            context=quotes[0].text if quotes else 0,
            response=text_in(row.value["response"]),
        )


def _sentences(value: Any) -> dict[str, Quote]:
    """Key, such as ``0a``, to the sentence."""
    found = {}
    for number, sentences in enumerate(value if isinstance(value, list) else []):
        for pair in sentences if isinstance(sentences, list) else []:
            if isinstance(pair, list) and len(pair) == 2 and all(isinstance(each, str) for each in pair):
                found[pair[0]] = Quote(number, pair[1].strip())
    return found


FORMAT = published(
    "ragbench",
    "RAGBench",
    lambda peek: {"question", "documents", "response", "documents_sentences"} <= peek.keys,
    _items,
)
