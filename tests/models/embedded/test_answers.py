"""Answers found in chunks, refusals told from denials, and answers rated: in order of what is plainly better."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from ragassay.models.embedded.judging.answering import ABSTENTION, ABSTENTION_ZH
from ragassay.models.embedded.judging.refusals import evasiveness, is_refusal, spoken
from ragassay.models.embedded.model import EmbeddedModel, handler
from ragassay.tasks.answering import Answer, QuestionWithChunks
from ragassay.tasks.catalogue import TASKS
from ragassay.tasks.contexts import HELPFUL_SENTENCES, QuestionOnContext
from ragassay.tasks.ratings import BLOCK_RATINGS, AnswerOnBlock, Candidates, QualityCase
from ragassay.tasks.verdicts import AnswerToQuestion, Relevance

VESSELS = "Vessels of the line\n\nName | Length | Crew\nAlba | 38.0 m | 5\nBruma | 44.5 m | 7\n"
HISTORY = "The Alba was built in 1998 by Fjord Yards. She was sold to Molde in 2004. Her first master was Nils Oberg."
POLICY = "Travel policy\n\nOwner: Ines Roper\nNext review: 4 May 2026\n"
CHINESE = "阿尔巴号渡轮建于1998年。船长是王海。渡轮停靠在北港码头。"


def answer(encoder: Any, question: str, *chunks: str) -> Answer:
    (reply,) = handler("answer")(encoder, [QuestionWithChunks(question=question, chunks=chunks)])
    assert isinstance(reply.value, Answer)
    return reply.value


def test_a_sentence_answers_and_its_chunk_is_named(encoder: Any) -> None:
    found = answer(encoder, "When was the Alba built?", POLICY, HISTORY)
    assert found.text == "The Alba was built in 1998 by Fjord Yards."
    assert found.used == (1,)


def test_it_abstains_where_the_attribute_is_missing(encoder: Any) -> None:
    found = answer(encoder, "Who is the insurer of the Alba?", HISTORY, VESSELS)
    assert found == Answer(text=ABSTENTION, abstained=True)


def test_chinese(encoder: Any) -> None:
    assert answer(encoder, "阿尔巴号渡轮建于哪一年？", CHINESE).text == "阿尔巴号渡轮建于1998年。"
    assert answer(encoder, "火车票多少钱？", CHINESE).text == ABSTENTION_ZH


def relevance(encoder: Any, question: str, answer: str) -> Relevance:
    (reply,) = handler("answer_relevance")(encoder, [AnswerToQuestion(question=question, answer=answer)])
    assert isinstance(reply.value, Relevance)
    return reply.value


def test_on_topic_and_specific_beats_off_topic_and_evasive(encoder: Any) -> None:
    question = "When was the ferry Alba built in Bergen?"
    good = relevance(encoder, question, "The ferry Alba was built in Bergen in 1998.")
    foreign = relevance(encoder, question, "Bread rises because yeast makes gas in warm dough.")
    evasive = relevance(encoder, question, "I do not know when the ferry Alba was built in Bergen.")
    assert good.relevance > evasive.relevance
    assert good.relevance > foreign.relevance
    assert good.committal
    assert not evasive.committal


def test_evasiveness_tells_who_declines_from_who_reports_what_a_text_lacks() -> None:
    assert evasiveness("I'm sorry, I cannot help with this.") == 1.0
    assert evasiveness("There is no information about the bridge.") == 0.7
    assert evasiveness("The text does not mention who designed the bridge.") == 0.4
    assert evasiveness("The bridge opened in 1998. I could not find who designed it.") == 0.5
    assert evasiveness("The bridge opened in 1998.") == 0.0
    assert evasiveness("") == 1.0


QUESTION = "When was the Gannet Bridge opened?"
BLOCK = "The Gannet Bridge is 412 m long. The Gannet Bridge was opened in May 1998. A ferry ran before it."
RIGHT, WRONG, SILENT = (
    "The Gannet Bridge was opened in May 1998.",
    "A painter of Ribe bought nine horses.",
    "I do not know.",
)


def asked(encoder: Any, task: Any, *inputs: Any) -> list[Any]:
    return [reply.value for reply in asyncio.run(EmbeddedModel(encoder).ask_all(task, inputs))]


def test_sentences_near_the_question_come_in_their_order(encoder: Any) -> None:
    found, nothing = asked(
        encoder,
        HELPFUL_SENTENCES,
        QuestionOnContext(question=QUESTION, context=BLOCK),
        QuestionOnContext(question=QUESTION, context=""),
    )
    assert "The Gannet Bridge was opened in May 1998." in found.items
    assert "A ferry ran before it." not in found.items
    assert (nothing.items, nothing.reason) == ((), "0 of 0 sentences are near the question in words and meaning")


def test_right_answers_are_rated_above_wrong_ones(encoder: Any) -> None:
    right, wrong, silent = asked(
        encoder,
        BLOCK_RATINGS,
        *(AnswerOnBlock(question=QUESTION, answer=text, block=BLOCK) for text in (RIGHT, WRONG, SILENT)),
    )
    assert 5 >= right.truthfulness > wrong.truthfulness >= 1
    assert 5 >= right.relevance > wrong.relevance > silent.relevance >= 1
    assert round(silent.relevance) == 1


@pytest.mark.parametrize("name", [name for name in TASKS if name.startswith(("score_", "prefer_"))])
def test_where_rules_end_there_is_no_value(name: str, encoder: Any) -> None:
    inputs = {
        "score": QualityCase(question=QUESTION, answer=RIGHT, context=BLOCK),
        "prefer": Candidates(question=QUESTION, first=RIGHT, second=WRONG),
    }[name.partition("_")[0]]
    (reply,) = asyncio.run(EmbeddedModel(encoder).ask_all(TASKS[name], [inputs]))
    assert reply.value is None
    assert "name a language model with --model" in str(reply.reason)


ANSWERS: list[dict[str, Any]] = [
    json.loads(line) for line in (Path(__file__).parent / "refusals.jsonl").read_text(encoding="utf-8").splitlines()
]
"""Refusals, and answers that deny or regret something. The rules were written with the half called first in view."""


@pytest.mark.parametrize("language", sorted({row["language"] for row in ANSWERS}))
def test_refusals_are_told_from_denials(language: str) -> None:
    rows = [row for row in ANSWERS if row["language"] == language]
    assert len(rows) >= 16
    assert [row["text"] for row in rows if is_refusal(row["text"]) != row["refusal"]] == []


@pytest.mark.parametrize(("number", "found", "wrong"), [(1, 38, 1), (2, 45, 1), (3, 20, 1)])
def test_refusals_in_other_words(number: int, found: int, wrong: int) -> None:
    """The rules were mended with sets 1 and 2 in view; of set 3 they find 20 of 50, which the docs print."""
    lines = (Path(__file__).parent / "refusals_in_other_words.jsonl").read_text("utf-8").splitlines()
    taken = [row["refusal"] for row in map(json.loads, lines) if row["set"] == number and is_refusal(row["text"])]
    assert (sum(taken) >= found, taken.count(False) <= wrong) == (True, True)


@pytest.mark.parametrize(("language", "found"), [("de", 23), ("fr", 25), ("es", 27)])
def test_refusals_in_german_french_and_spanish(language: str, found: int) -> None:
    """Of the held-out 30 of a language, which the rules were not made with; the docs print the figures."""
    lines = (Path(__file__).parent / "refusals_by_language.jsonl").read_text("utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if row["language"] == language]
    taken = [(row["set"], row["refusal"]) for row in rows if is_refusal(row["text"])]
    assert taken.count(("made with", True)) == 30
    assert taken.count(("held out", True)) >= found
    assert [row for row in taken if not row[1]] == []


@pytest.mark.parametrize(
    "sentence",
    """Hello!|Hi Anna,|I hope this helps!|Let me know if you have any other questions!|Great question!|Sure!|Of course!|
    If you have any further questions, please don't hesitate to ask.|Thank you for your question.|Best regards,|
    I'd be happy to help with that.|Is there anything else I can help you with?|Ich hoffe, das hilft.|Bonjour !|¡Hola!|
    您好！|希望对您有帮助。|如果您还有其他问题，请随时告诉我。|こんにちは。""".split("|"),
)
def test_courtesies_claim_nothing(sentence: str) -> None:
    assert spoken(sentence.strip()) == []
    assert spoken(f"The Alba was built in Bergen.\n{sentence.strip()}") == ["The Alba was built in Bergen."]
