"""Generators of six habits behind OpenAI's protocol, for experiment B: none knows the language, all read the chunks.

The name of the model is the habit. They differ as language models do, in how much they say, where they look for it and
how easily they decline, so that an experiment on generators has something to rank where no language model is at hand.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import plausible_pairs
import stub_replies
import stub_server

_WORD = re.compile(r"\w+")
_SHORT = 4
"""Letters of a word that tells nothing about what is asked."""


class AnsweringStub(stub_server.Stub):
    """Answers; any other task gets the stub's made-up reply."""

    def value(self, body: dict[str, Any], chance: random.Random) -> Any:
        pieces = stub_replies.pieces_of(body["messages"])
        habit = HABITS.get(str(body.get("model")))
        if habit is None or "question" not in pieces:
            return super().value(body, chance)
        chunks = [text for name, text in pieces.items() if name.startswith("chunk ")]
        return _reply(habit(pieces["question"], [plausible_pairs.sentences_of(chunk) for chunk in chunks]))


Habit = Callable[[str, Sequence[Sequence[str]]], str]


def _reply(answer: str) -> dict[str, Any]:
    if not answer:
        return {"used": [], "answered": False, "answer": "I do not know; the question was flagged."}
    return {"used": [1], "answered": True, "answer": answer}


def _shared(question: str, sentence: str) -> int:
    asked = {word for word in _WORD.findall(question.lower()) if len(word) >= _SHORT}
    return len(asked & set(_WORD.findall(sentence.lower())))


def _best(question: str, chunks: Sequence[Sequence[str]], n: int, at_least: int = 0) -> str:
    """The n sentences that share most words with the question, as they stand."""
    sentences = [each for chunk in chunks for each in chunk]
    chosen = sorted(range(len(sentences)), key=lambda at: -_shared(question, sentences[at]))[:n]
    kept = [sentences[at] for at in sorted(chosen) if _shared(question, sentences[at]) >= at_least]
    return " ".join(kept)


def _lead(question: str, chunks: Sequence[Sequence[str]]) -> str:
    return chunks[0][0] if chunks and chunks[0] else ""


def _whole_chunk(question: str, chunks: Sequence[Sequence[str]]) -> str:
    return " ".join(chunks[0]) if chunks else ""


HABITS: dict[str, Habit] = {
    "lead": _lead,
    "whole-chunk": _whole_chunk,
    "best-sentence": lambda question, chunks: _best(question, chunks, 1),
    "best-of-first": lambda question, chunks: _best(question, chunks[:1], 1),
    "three-sentences": lambda question, chunks: _best(question, chunks, 3),
    "reluctant": lambda question, chunks: _best(question, chunks, 1, at_least=5),
}
"""lead: the first sentence of the first chunk. reluctant: declines unless a sentence shares five words."""


@contextmanager
def running(**settings: Any) -> Iterator[stub_server.RunningStub]:
    """The server, while the block runs."""
    server = stub_server.RunningStub(AnsweringStub(stub_server.Settings(**settings)))
    try:
        yield server
    finally:
        server.stop()


if __name__ == "__main__":
    stub_server.main(AnsweringStub)
