"""What the plausible stub writes where a task asks for whole pairs: questions made of sentences that it quotes.

It has no idea of the language. A question carries a word for its label, which the stub's labeller looks for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

_SENTENCE = re.compile(r"[A-Z][^.!?\n]{20,200}[.!?]|[\u4e00-\u9fff][^。！？\n]{8,120}[。！？]")
Pieces = Mapping[str, str]


def sentences_of(text: str) -> list[str]:
    """Whole sentences of a text, English or Chinese."""
    return _SENTENCE.findall(text)


def _pair(sentence: str, mark: str = "") -> dict[str, Any]:
    told = sentence.rstrip(".!?。！？")[:120]
    return {"quotes": [sentence], "question": f"What is known of {mark} {told}?", "answer": sentence}


def _nothing() -> dict[str, Any]:
    return {"quotes": [], "question": "", "answer": ""}


def _new_sentences(pieces: Pieces) -> list[str]:
    """Sentences of the passage that were not asked about before."""
    asked = pieces.get("asked before", "")
    return [each for each in sentences_of(pieces.get("passage", "")) if each.rstrip(".!?。！？")[:60] not in asked]


def _simple(pieces: Pieces) -> dict[str, Any]:
    found = _new_sentences(pieces)
    return _pair(found[0]) if found else _nothing()


def _per_chunk(pieces: Pieces) -> dict[str, Any]:
    number = int(pieces.get("number of pairs", "1"))
    return {"pairs": [_pair(each) | {"missing": False} for each in _new_sentences(pieces)[:number]]}


def _creative(pieces: Pieces) -> dict[str, Any]:
    found = _new_sentences(pieces)
    return _pair(found[len(found) // 2], "in sum,") if found else _nothing()


def _knowledge(pieces: Pieces) -> dict[str, Any]:
    """It knows every passage whose title has an even number of letters."""
    return {
        "subject": pieces.get("title", "something"),
        "reason": "So the title says.",
        "after_cutoff": False,
        "known": len(pieces.get("title", "")) % 2 == 0,
    }


def _closed_book(pieces: Pieces) -> dict[str, Any]:
    knows = len(pieces.get("question", "")) % 3 == 0
    return {"answered": knows, "answer": pieces.get("question", "")[17:] if knows else "I do not know."}


def _ratings(pieces: Pieces) -> dict[str, Any]:
    """5 where the answer's first words stand in the knowledge, else 1."""
    known = pieces.get("answer", "")[:20] in pieces.get("knowledge", "")
    rating = 5 if known else 1
    return {"reason": "So its first words say.", "truthful": rating, "relevant": rating}


def _harder(pieces: Pieces) -> dict[str, Any]:
    found = sentences_of(pieces.get("passage", ""))
    seed = next((each for each in found if each in pieces.get("seed answer", "")), None)
    other = next((each for each in found if each != seed), None)
    if seed is None or other is None:
        return _nothing()
    pair = _pair(seed, "that it follows from")
    return {"quotes": [seed, other], "question": pair["question"], "answer": f"{seed} {other}"}


def _combined(pieces: Pieces) -> dict[str, Any]:
    first, second = (sentences_of(pieces.get(f"{which} passage", "")) for which in ("first", "second"))
    if not first or not second:
        empty = {"question": "", "answer": "", "first_quotes": [], "second_quotes": []}
        return {"common": "nothing", "kind": "information_integration"} | empty
    told = " and of ".join(each.rstrip(".!?。！？")[:60] for each in (first[0], second[0]))
    return {
        "common": "both are told",
        "first_quotes": [first[0]],
        "second_quotes": [second[0]],
        "question": f"What is known, in sum, of {told}?",
        "answer": f"{first[0]} {second[0]}",
        "kind": "information_integration",
    }


WRITERS: Mapping[str, Callable[[Pieces], dict[str, Any]]] = {
    "simple_pair": _simple,
    "chunk_pairs": _per_chunk,
    "creative_question": _creative,
    "knowledge_check": _knowledge,
    "closed_book_answer": _closed_book,
    "block_ratings": _ratings,
    "evolve_reasoning": _harder,
    "evolve_combined": _combined,
}
