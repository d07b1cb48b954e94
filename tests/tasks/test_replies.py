"""From replies to outputs: what is put right, and what is sent back with one sentence to the model."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from ragassay.tasks.catalogue import TASKS
from ragassay.tasks.contexts import (
    HELPFUL_SENTENCES,
    AnswerFromChunks,
    ChunkUse,
    HelpfulSentencesReply,
    QuestionOnContext,
)
from ragassay.tasks.pairs import GroundedPairs
from ragassay.tasks.prompts import system_text
from ragassay.tasks.verdicts import RELEVANCE, AnswerToQuestion, relevance_task

CONTEXT = "The bridge opened in 1998. It is red. The toll is 3 crowns, paid on the north side."


def output(name: str, inputs: Any, reply: dict[str, Any]) -> Any:
    task = TASKS[name]
    return task.to_output(inputs, task.filled_in.model_validate(reply))


def verdicts(*numbers: int) -> dict[str, Any]:
    return {"verdicts": [{"statement": each, "evidence": "", "reason": "", "supported": True} for each in numbers]}


def changed_output(sampled: Any, name: str, **changed: Any) -> Any:
    """The output of a sample's reply with some fields changed."""
    return output(name, sampled.inputs, sampled.reply | changed)


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
    ("simple_pair", {"question": "When?", "answer": "x", "quotes": ["It is red."]}, NO_QUOTE),
    ("creative_question", {"question": "When?", "answer": " ", "quotes": []}, "the answer is empty"),
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


@pytest.mark.parametrize(
    ("numbers", "places"),
    [
        ((1, 2, 3), "abc"), ((0, 1, 2), "abc"), ((1, 1, 1), "abc"), ((3, 1, 2), "bca"),
        ((0, 2), "a-b"), ((1, 3), "a-b"), ((1, 1), "a--"), ((1, 2, 3, 3), "abc"),
    ],
)  # fmt: skip
def test_reviews_belong_to_their_questions(numbers: tuple[int, ...], places: str, sample: Callable[[str], Any]) -> None:
    inputs = sample("reviews").inputs
    asked = inputs.model_copy(update={"pairs": inputs.pairs[:1] * 3})
    one = sample("reviews").reply["reviews"][0]
    reviews = [one | {"number": number, "reason": reason} for number, reason in zip(numbers, "abcd", strict=False)]
    found = output("reviews", asked, {"reviews": reviews}).items
    assert "".join(each.reason if each else "-" for each in found) == places


def test_pairs_of_a_chunk_that_do_not_count(sample: Callable[[str], Any]) -> None:
    sampled = sample("chunk_pairs")
    good = {**sampled.reply["pairs"][0]}
    pairs = [
        good | {"question": "1. When did the Gannet Bridge open?"},
        good | {"question": "Q2: How long is the Gannet Bridge?", "answer": "2) 412 m", "quotes": ["It is 412 m long"]},
        good | {"question": "A fourth?"},
    ]
    made = changed_output(sampled, "chunk_pairs", pairs=[*pairs, good | {"question": "Beyond the number?"}])
    questions = ["When did the Gannet Bridge open?", "How long is the Gannet Bridge?", "A fourth?"]
    assert [pair.question for pair in made.items] == questions
    assert made.items[1].answer == "412 m"
    unfit = [
        good | {"missing": True},
        good | {"question": "When did it open? A) 1997 B) 1998 C) 1999"},
        good | {"question": ""},
    ]
    assert changed_output(sampled, "chunk_pairs", pairs=unfit) == GroundedPairs(items=())
    # an answer may begin with a number that is no numbering
    made = changed_output(sampled, "chunk_pairs", pairs=[good | {"answer": "1.5 km"}])
    assert made.items[0].answer == "1.5 km"
    invented = good | {"question": "What colour is it?", "quotes": ["It is red."]}
    with pytest.raises(ValueError, match="no quote stands in the passage"):
        changed_output(sampled, "chunk_pairs", pairs=[invented])
    # beside a good one it is kept as it is, to be counted where it cannot be located
    made = changed_output(sampled, "chunk_pairs", pairs=[invented, good])
    assert [pair.quotes for pair in made.items] == [("It is red.",), ("The bridge opened in 1998.",)]


@pytest.mark.parametrize(
    ("copied", "items", "foreign"),
    [
        (["The bridge opened in 1998."], ["The bridge opened in 1998."], []),
        # white space and case apart, and two sentences in one copy
        (["it is  red. The toll is 3 crowns, paid on the north side."], None, []),
        # most of a sentence stands for it, a word of it does not
        (["The toll is 3 crowns, paid on"], ["The toll is 3 crowns, paid on the north side."], []),
        (["north"], [], []),
        # what the context does not say counts nothing
        (["The bridge opened in 1999."], [], ["The bridge opened in 1999."]),
        (["It is red.", "It is red.", " "], ["It is red."], []),
        ([], [], []),
    ],
)
def test_only_copied_sentences_count(copied: list[str], items: list[str] | None, foreign: list[str]) -> None:
    reply = HelpfulSentencesReply(reason="r", sentences=tuple(copied))
    found = HELPFUL_SENTENCES.to_output(QuestionOnContext(question="?", context=CONTEXT), reply)
    wanted = items if items is not None else ["It is red.", "The toll is 3 crowns, paid on the north side."]
    assert (list(found.items), list(found.foreign)) == (wanted, foreign)


def test_as_many_questions_as_asked_for() -> None:
    assert relevance_task(3) is RELEVANCE
    five = relevance_task(5)
    assert "Write 5 different questions" in system_text(five)
    assert "- questions (list of texts): exactly 5" in system_text(five)
    assert "Write one question" in system_text(relevance_task(1))
    reply = {"questions": ["a?", "b?", "c?", "d?"], "reason": "r", "committal": True}
    with pytest.raises(ValueError, match="5 different questions are to be written, and there are 4"):
        five.to_output(AnswerToQuestion(question="?", answer="a"), five.filled_in.model_validate(reply))
    assert list(five.filled_in.model_fields) == ["questions", "reason", "committal"]
    with pytest.raises(ValueError, match="0 questions"):
        relevance_task(0)


WRITTEN = {"question": "q", "sentences": [1], "answer": "a", "keypoints": ["k"]}


@pytest.mark.parametrize(
    ("numbers", "places"),
    [
        ((0, 1, 2), (0, 1, 2)),  # counted from 0
        ((1, 1, 1), (0, 1, 2)),
        ((3, 1, 2), (1, 2, 0)),
        ((0, 2), (0, None, 1)),  # counted from 0, one left out
        ((1, 3), (0, None, 1)),
        (("Q1", "2.", None), (0, 1, None)),  # one without a number
    ],
)
def test_written_questions_stand_at_their_numbers(
    numbers: tuple[Any, ...], places: tuple[int | None, ...], sample: Any
) -> None:
    inputs = sample("scenario_questions").inputs
    asked = inputs.model_copy(update={"questions": inputs.questions[:1] * 3})
    reply = {"questions": [WRITTEN | {"number": each, "question": f"q{at}"} for at, each in enumerate(numbers)]}
    found = output("scenario_questions", asked, reply).items
    assert [each.question if each else None for each in found] == [None if at is None else f"q{at}" for at in places]


def test_one_odd_question_costs_no_other(sample: Any) -> None:
    inputs = sample("scenario_questions").inputs
    asked = inputs.model_copy(update={"questions": inputs.questions[:1] * 3})
    odd = ({"sentences": ["S1"]}, {"answer": None}, {"keypoints": "k"})
    reply = {"questions": [WRITTEN | {"number": at} | each for at, each in enumerate(odd, 1)]}
    found = output("scenario_questions", asked, reply).items
    assert [each and (each.sentences, each.keypoints) for each in found] == [((1,), ("k",)), None, ((1,), ("k",))]
