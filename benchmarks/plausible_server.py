"""A stub server whose replies make sense enough for a whole run: statements quote their passage, labels fit.

    python benchmarks/plausible_server.py --port 8100 --latency-ms 200

It has no idea of the language. What it writes carries a word for the label, which its labeller looks for.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import plausible_pairs
import plausible_scenario
import stub_replies
import stub_server

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
        return write(pieces) if write else super().value(body, chance)

    def _part(self, name: str, pieces: Mapping[str, str]) -> Any:
        if name == "keypoints":
            return plausible_pairs.sentences_of(pieces.get("answer", ""))[:3] or ["It is said."]
        return _RATED


def _statements(pieces: Mapping[str, str], mark: str) -> dict[str, Any]:
    sentences = plausible_pairs.sentences_of(pieces.get("passage", ""))[:6]
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


def _follow_up(pieces: Mapping[str, str]) -> dict[str, Any]:
    """The second question without the words that were said before, or nothing where it has none of them."""
    said = set(f"{pieces.get('first question', '')} {pieces.get('answer', '')}".split())
    asked = pieces.get("second question", "").split()
    left = [word for word in asked if word not in said]
    shorter = " ".join(left) if 0 < len(left) < len(asked) else ""
    return {"named_before": "", "question": shorter}


def _standalone(pieces: Mapping[str, str]) -> dict[str, Any]:
    return {"question": " ".join([pieces.get("question", ""), pieces.get("user", ""), pieces.get("assistant", "")])}


_WRITERS: Mapping[str, Callable[[Mapping[str, str]], dict[str, Any]]] = {
    "chunk_grades": _grades,
    "theme": _theme,
    "question": _question,
    "near_misses": _near_misses,
    "label": _label,
    "answer": _answer,
    "follow_up_question": _follow_up,
    "standalone_question": _standalone,
    **plausible_pairs.WRITERS,
    **plausible_scenario.WRITERS,
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
