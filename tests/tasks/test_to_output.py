"""From replies to outputs: what is put right, and what is sent back with one sentence to the model."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from ragassay.tasks.catalogue import TASKS
from ragassay.tasks.contexts import AnswerFromChunks, ChunkUse


def output(name: str, inputs: Any, reply: dict[str, Any]) -> Any:
    task = TASKS[name]
    return task.to_output(inputs, task.filled_in.model_validate(reply))


def verdicts(*numbers: int) -> dict[str, Any]:
    return {"verdicts": [{"statement": each, "evidence": "", "reason": "", "supported": True} for each in numbers]}


NO_QUOTE = "no quote stands in the passage; copy each quote from it character by character"
UNFIT = [
    ("theme", {"theme": " \n"}, "the theme is empty"),
    ("facts", {"statements": [{"quotes": ["The bridge is red."], "statement": "It is red."}]}, NO_QUOTE),
    ("facts", {"statements": [{"quotes": [], "statement": "It is red."}]}, NO_QUOTE),
    ("question", {"question": "When?", "answer": " "}, "the answer is empty"),
    ("answer", {"used": [3], "answered": True, "answer": "In 1998."}, "there is no chunk 3; their numbers end at 2"),
    ("statement_verdicts", verdicts(1), "one verdict for each statement, numbers 1 to 2, but the numbers given are: 1"),
    ("statement_verdicts", verdicts(1, 2, 2), "numbers 1 to 2, but the numbers given are: 1, 2, 2"),
    ("statement_verdicts", verdicts(2, 3), "numbers 1 to 2, but the numbers given are: 2, 3"),
    ("context_usefulness", {"verdicts": []}, "numbers 1 to 2, but the numbers given are: none"),
    ("keypoints", {"keypoints": [""]}, "there is no keypoint; an answer has at least one"),
    (
        "answer_relevance",
        {"questions": ["How long is it?", "How  long is it?", "Why?"], "reason": "", "committal": True},
        "3 different questions are to be written, and there are 2",
    ),
]


@pytest.mark.parametrize(("name", "reply", "sentence"), UNFIT)
def test_what_does_not_fit_is_said_in_a_sentence(
    name: str, reply: dict[str, Any], sentence: str, sample: Callable[[str], Any]
) -> None:
    with pytest.raises(ValueError, match=f"{re.escape(sentence)}$"):
        output(name, sample(name).inputs, reply)


def test_quotes_come_back_as_the_passage_has_them(sample: Callable[[str], Any]) -> None:
    reply = {
        "statements": [
            {"quotes": ["it is 412 m long", "‘It is\n412 m long’"], "statement": " The bridge\nis 412 m long. "},
            {"quotes": ["the bridge opened in 1998", "it closed in 1999"], "statement": "It opened and closed."},
            {"quotes": ["It is 412 m long"], "statement": " "},
        ]
    }
    items = output("facts", sample("facts").inputs, reply).items
    # one that is not there stays, so that its statement is dropped when the quotes are located
    assert [(each.text, each.quotes) for each in items] == [
        ("The bridge is 412 m long.", ("It is 412 m long",)),
        ("It opened and closed.", ("The bridge opened in 1998", "it closed in 1999")),
    ]
    assert output("facts", sample("facts").inputs, {"statements": []}).items == ()


def test_evidence_that_is_not_in_the_context_is_none(sample: Callable[[str], Any]) -> None:
    verdict = {"reason": "", "supported": True}
    found = output(
        "statement_verdicts",
        sample("statement_verdicts").inputs,
        {
            "verdicts": [
                {"statement": 1, "evidence": "The bridge ... the toll is 3 crowns.", **verdict},
                {"statement": 2, "evidence": "It is painted red.", **verdict},
            ]
        },
    )
    assert [each.evidence for each in found.items] == ["the toll is 3 crowns.", ""]


@pytest.mark.parametrize("chunks", [("a", "b", "c"), ("c", "a", "b"), ("b", "c", "a"), ("a", "a", " ")])
def test_chunks_are_judged_whatever_their_rank(chunks: tuple[str, ...]) -> None:
    """Which chunk a verdict is about does not depend on the order in which they are shown."""
    inputs = AnswerFromChunks(question="q", answer="a", chunks=chunks)
    pieces = list(TASKS["context_usefulness"].material(inputs))
    shown = {piece.name: piece.text for piece in pieces if piece.name.startswith("chunk")}
    reply = {
        "verdicts": [
            {"chunk": int(name.removeprefix("chunk ")), "reason": text, "useful": text == "a"}
            for name, text in shown.items()
        ]
    }
    expected = tuple(ChunkUse(useful=each == "a", reason=each.strip() or "(empty)") for each in chunks)
    assert output("context_usefulness", inputs, reply).items == expected
    if len(set(chunks)) == len(chunks):
        again = inputs.model_copy(update={"chunks": chunks[::-1]})
        assert list(TASKS["context_usefulness"].material(again)) == pieces
