"""How good a writer is on passages that were held out."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ragassay.models.small import wording
from ragassay.text import distinct, sentences, words
from ragassay.training.encoding import windows
from ragassay.training.hub import HubModel
from ragassay.training.items import TextBranch, TextItem
from ragassay.training.names import unread

MOST_QUESTIONS = 150
MOST_TOKENS = 80
_LENGTH = range(4, 41)


@dataclass(frozen=True, slots=True)
class WriterFigures:
    """questions: written. passing: share that passes the gates. distinct_1, distinct_2: of the words of all questions.

    right_statement: share that has more words of the sentence meant than of any other of the passage.
    None where nothing was written.
    """

    questions: int
    passing: float | None
    distinct_1: float | None
    distinct_2: float | None
    right_statement: float | None


def writer_figures(base: HubModel, out: Path, held_out: Sequence[TextItem], seed: int) -> WriterFigures:
    """Writes a question for at most MOST_QUESTIONS sentences of held-out passages. out: the adapter, written."""
    asked = [
        (item, text, branch)
        for item in held_out
        for text, branches in windows(item, lambda part: len(base.encode(part)))
        for branch in branches
        if branch.kind == "ask"
    ]
    asked = random.Random(seed).sample(asked, min(len(asked), MOST_QUESTIONS))
    prompts = [
        [*base.encode(wording.prefix(item.title, item.heading, text)), *base.encode(branch.prompt)]
        for item, text, branch in asked
    ]
    written = [" ".join(each.split()) for each in base.generate(out, prompts, MOST_TOKENS)] if prompts else []
    questions = [(item, branch, question) for (item, _, branch), question in zip(asked, written, strict=True)]
    return WriterFigures(
        questions=len(asked),
        passing=_share([passes(*each) for each in questions]),
        distinct_1=distinct(written, 1),
        distinct_2=distinct(written, 2),
        right_statement=_share([asks_of(item.text, branch.quote, question) for item, branch, question in questions]),
    )


def _share(right: Sequence[bool]) -> float | None:
    return sum(right) / len(right) if right else None


def passes(item: TextItem, branch: TextBranch, question: str) -> bool:
    """The gates that need no model.

    A question of usual length with its sign, which names nothing that title, heading, passage and sentence lack.
    """
    return (
        question.endswith("?")
        and len(words(question)) in _LENGTH
        and not unread(item, branch, wording.question_target(question))
    )


def asks_of(text: str, quote: str, question: str) -> bool:
    """Whether the question shares more words with the sentence meant than with any other sentence of the passage."""
    wanted = set(map(str.casefold, words(question)))

    def shared(sentence: str) -> int:
        return len(wanted & set(map(str.casefold, words(sentence))))

    others = [each for each in sentences(text) if wording.sentence(each) not in quote]
    return shared(quote) > max(map(shared, others), default=0)
