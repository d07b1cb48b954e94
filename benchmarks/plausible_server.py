"""A stub server whose replies make sense enough for a whole run: statements quote their passage, labels fit.

    python benchmarks/plausible_server.py --port 8100 --latency-ms 200

It has no idea of the language. What it writes carries a word for the label, which its labeller looks for.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import zip_longest
from typing import Any

import stub_replies
import stub_server

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


_WANTED = re.compile(r"(\d+) (\w+)")
_STATED_AS = {"fact_single": "", "summary": "in sum,", "reasoning": "it follows,", "unanswerable": "the postal code of"}


def _texts(pieces: Pieces) -> list[str]:
    return [text for name, text in pieces.items() if name == "text" or re.fullmatch(r"text \d+", name)]


def _drafts(pieces: Pieces) -> dict[str, Any]:
    """A pair for each that is wanted, of the sentences of all texts in turn, each of which is asked about once."""
    found, asked = [sentences_of(text) for text in _texts(pieces)], pieces.get("asked already", "")
    in_turn = [each for row in zip_longest(*found) for each in row if each and each[:60] not in asked]
    wanted = _WANTED.findall(pieces.get("wanted", "").partition(";")[0])
    labels = [label for number, label in wanted for _ in range(int(number))]
    pairs = []
    for label, said in zip(labels, in_turn, strict=False):
        is_open = label == "unanswerable"
        pair = _pair(said, _STATED_AS[label]) | ({"answer": ""} if is_open else {})
        quotes = [each[0] for each in found if each] if "Each question needs both texts" in pieces["wanted"] else [said]
        told = {"asker": "a guest", "label": label, "statement": said, "style": "plain", "quotes": quotes}
        pairs.append(pair | told | {"keypoints": [] if is_open else [said]})
    return {"pairs": pairs, "findings": [], "fewer": "" if len(pairs) == len(labels) else "The text says no more."}


def _reviews(pieces: Pieces) -> dict[str, Any]:
    """Every pair is accepted under the label whose mark its question carries."""
    nothing = {"flaws": [], "verdict": "accept", "question": "", "answer": "", "keypoints": [], "reason": ""}
    reviews = []
    for number, (question, answer) in enumerate(
        zip(_listed(pieces, "questions"), _listed(pieces, "proposed answers"), strict=False), 1
    ):
        label = next((label for mark, label in _LABEL_OF.items() if mark in question), "fact_single")
        is_open = label == "unanswerable"
        own = {"own_quotes": [] if is_open else [answer], "own_answer": "" if is_open else answer}
        said = {"label": label, "comparison": "both_open" if is_open else "same"}
        reviews.append({"number": number} | own | said | nothing)
    return {"reviews": reviews}


def _brief(pieces: Pieces) -> dict[str, Any]:
    return {"about": "Documents for their readers.", "askers": ["readers who need to know"]}


PAIR_WRITERS: Mapping[str, Callable[[Pieces], dict[str, Any]]] = {
    "collection_brief": _brief,
    "drafts": _drafts,
    "reviews": _reviews,
    "conflicts": lambda _: {"conflicts": []},
    "simple_pair": _simple,
    "chunk_pairs": _per_chunk,
    "creative_question": _creative,
    "knowledge_check": _knowledge,
    "closed_book_answer": _closed_book,
    "block_ratings": _ratings,
}


_NUMBERED = re.compile(r"^\d+\. (.*)$", re.MULTILINE)


def _listed(pieces: Pieces, name: str) -> list[str]:
    return _NUMBERED.findall(pieces.get(name, ""))


def _elements(_: Pieces) -> dict[str, Any]:
    said = {"alternatives": [], "sentences": [], "questions": [], "fact": ""}
    found = {"Bridge": "Gannet Bridge", "Length": "412 m"}
    return {"items": [{"name": name, "values": [value]} | said for name, value in found.items()]}


def _values(pieces: Pieces) -> dict[str, Any]:
    count = len(_listed(pieces, "elements"))
    return {"values": [{"number": at, "value": "a mild winter with little rain"} for at in range(1, count + 1)]}


def _section(pieces: Pieces) -> dict[str, Any]:
    return {"text": " ".join(f"It is on record that the {fact}." for fact in _listed(pieces, "facts"))}


def _scenario_questions(pieces: Pieces) -> dict[str, Any]:
    sentences = list(range(1, len(_listed(pieces, "sentences")) + 1))
    made = []
    for name, text in pieces.items():
        if name.startswith("question "):
            lines = [line.partition(": ")[2] for line in text.splitlines() if not line.startswith("write")]
            (_, about), facts = lines[:2], lines[2:]
            said = {"question": f"What about {about}: {facts[0][:40]}?", "answer": " ".join(facts)}
            made.append({"number": int(name.split()[1]), "sentences": sentences, "keypoints": facts} | said)
    return {"questions": made}


SCENARIO_WRITERS: Mapping[str, Callable[[Pieces], dict[str, Any]]] = {
    "scenario_schema": _elements,
    "scenario_values": _values,
    "scenario_section": _section,
    "scenario_questions": _scenario_questions,
}


MARKS = {"facts": "", "summaries": "in sum", "conclusions": "it follows"}
_LABEL_OF = {"in sum": "summary", "it follows": "reasoning", "postal code": "unanswerable"}
_RATED = {"reason": "It is as it should be.", "rating": 5}


class PlausibleStub(stub_server.Stub):
    """Replies by the name of the task, which is the name of the schema; the other tasks as the stub makes them up."""

    def value(self, body: dict[str, Any], chance: random.Random) -> Any:
        task = ((body.get("response_format") or {}).get("json_schema") or {}).get("name", "")
        pieces = stub_replies.pieces_of(body["messages"])
        if task in MARKS:
            return _statements(pieces, MARKS[task])
        if task.startswith("critique_"):
            return _RATED
        if task == "pair_judgement":
            return {name: self._part(name, pieces) for name in stub_replies.schema_of(body)["properties"]}
        write = _WRITERS.get(task)
        said = str(body["messages"][:2])  # the same when a reply has to be mended
        return write(pieces) if write else super().value(body, random.Random(said))

    def _part(self, name: str, pieces: Mapping[str, str]) -> Any:
        if name == "keypoints":
            return sentences_of(pieces.get("answer", ""))[:3] or ["It is said."]
        return _RATED


def _statements(pieces: Mapping[str, str], mark: str) -> dict[str, Any]:
    sentences = sentences_of(pieces.get("passage", ""))[:6]
    if not mark:
        return {"statements": [{"quotes": [each], "statement": each} for each in sentences]}
    pairs = zip(sentences[::2], sentences[1::2], strict=False)
    return {"statements": [{"quotes": [a, b], "statement": f"{mark}, {a} {b}"} for a, b in pairs]}


def _theme(pieces: Mapping[str, str]) -> dict[str, Any]:
    return {"theme": pieces.get("title") or " ".join(pieces.get("passage", "nothing").split()[:5])}


def _question(pieces: Mapping[str, str]) -> dict[str, Any]:
    statement = pieces.get("statement", "")
    return {"question": f"What is known of {statement.rstrip('.!?')[:120]}?", "answer": statement}


def _near_misses(pieces: Mapping[str, str]) -> dict[str, Any]:
    subject = " ".join(pieces.get("passage", "").split()[:12])
    question = f"What is the postal code of {pieces.get('theme', '')} {subject}?"
    return {"questions": [{"question": question, "nearest": "Nothing of the kind.", "missing": True}]}


def _label(pieces: Mapping[str, str]) -> dict[str, Any]:
    question = pieces.get("question", "")
    label = next((label for mark, label in _LABEL_OF.items() if mark in question), "fact_single")
    return {"reason": "So the question says.", "label": label}


def _answer(pieces: Mapping[str, str]) -> dict[str, Any]:
    return {
        "used": [1],
        "answered": True,
        "abstained": False,
        "answer": pieces.get("chunk 1", "It is not known.")[:300],
    }


def _grades(pieces: Mapping[str, str]) -> dict[str, Any]:
    """By the words that question and chunk share."""
    asked = set(pieces.get("question", "").lower().split())
    chunks = [text for name, text in pieces.items() if name.startswith("chunk ")]
    shared = [len(asked & set(text.lower().split())) for text in chunks]
    return {"grades": [{"chunk": number, "grade": min(3, n // 2)} for number, n in enumerate(shared, 1)]}


def _standalone(pieces: Mapping[str, str]) -> dict[str, Any]:
    return {"question": " ".join([pieces.get("question", ""), pieces.get("user", ""), pieces.get("assistant", "")])}


_WRITERS: Mapping[str, Callable[[Mapping[str, str]], dict[str, Any]]] = {
    "chunk_grades": _grades,
    "theme": _theme,
    "question": _question,
    "near_misses": _near_misses,
    "label": _label,
    "answer": _answer,
    "standalone_question": _standalone,
    **PAIR_WRITERS,
    **SCENARIO_WRITERS,
}


@contextmanager
def running(**settings: Any) -> Iterator[stub_server.RunningStub]:
    """A plausible stub that runs while the block does."""
    server = stub_server.RunningStub(PlausibleStub(stub_server.Settings(**settings)))
    try:
        yield server
    finally:
        server.stop()


if __name__ == "__main__":
    stub_server.main(PlausibleStub)
