"""Questions with readers' verdicts, as training items of the verifier: is this a question that people would ask?

A draft that readers took as it stood, and a question that somebody wrote, are good; a draft they mended or refused is
not. Where they say that the answer is wrong, or the answer is that of another question, the label says so, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ragassay.errors import InputError
from ragassay.models.small import wording
from ragassay.training.items import TextBranch
from ragassay.training.pairs import WRONG_ANSWERS, objects_of, text_of

GOOD, WRONG_ANSWER, NOT_GOOD = range(len(wording.LABELS))
"""Places in wording.LABELS that a question's worth is learned with."""
DRAFT, ASKED = "draft", "asked"
"""Kinds of the branches: with a reader's verdict, or from questions that somebody wrote. What is said of them follows:
"draft, good"."""


def worth_of_facts(where: str, row: Mapping[str, Any]) -> Iterator[TextBranch]:
    """Of a passage's facts: the first question with its answer, and the second with the answer of the first."""
    facts = objects_of(row, "facts", where)
    for number, fact in enumerate(facts[:2]):
        quote, question = text_of(fact, "quote", where), text_of(fact, "question", where)
        answer = text_of(facts[0], "answer", where)
        if number == 0 or answer.lower() != text_of(fact, "answer", where).lower():
            yield worth_branch(ASKED, quote, question, answer, GOOD if number == 0 else WRONG_ANSWER)


def worth_of_draft(where: str, row: Mapping[str, Any], passage: Mapping[str, Any]) -> Iterator[TextBranch]:
    """Of a draft with its verdict, and of its mended wording where the answer to it was written, too.

    Raises InputError for a verdict that is none.
    """
    text = text_of(passage, "text", where, default="")
    quote = row.get("sentence") or " ".join(text[start:end] for start, end in row.get("quotes") or ())
    verdict, question = text_of(row, "verdict", where), text_of(row, "question", where)
    answer = text_of(row, "answer", where, default="")
    if verdict not in ("good", "mend", "bad"):
        raise InputError(f"{where}: verdict {verdict!r}; a verdict is good, mend or bad")
    label = NOT_GOOD
    if verdict == "good":
        label = GOOD
    elif row.get("fault") in WRONG_ANSWERS:
        label = WRONG_ANSWER
    yield worth_branch(DRAFT, quote, question, answer, label)
    mended, mended_answer = text_of(row, "mended", where, default=""), text_of(row, "mended_answer", where, default="")
    if verdict == "mend" and mended and (mended_answer or not quote):
        yield worth_branch(ASKED, quote, mended, mended_answer, GOOD)


def worth_branch(kind: str, quote: str, question: str, answer: str, label: int) -> TextBranch:
    said = ("good", "wrong answer", "not good")[label]
    prompt = wording.worth_prompt(quote, question, answer)
    return TextBranch(kind=f"{kind}, {said}", prompt=prompt, label=label, quote=wording.sentence(quote))
