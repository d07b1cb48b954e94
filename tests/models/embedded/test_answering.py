from __future__ import annotations

from typing import Any

from ragassay.models.embedded.judging.answering import ABSTENTION, ABSTENTION_ZH, HANDLERS
from ragassay.tasks.answering import Answer, QuestionWithChunks

VESSELS = "Vessels of the line\n\nName | Length | Crew\nAlba | 38.0 m | 5\nBruma | 44.5 m | 7\n"
HISTORY = "The Alba was built in 1998 by Fjord Yards. She was sold to Molde in 2004. Her first master was Nils Oberg."
POLICY = "Travel policy\n\nOwner: Ines Roper\nNext review: 4 May 2026\n"
CHINESE = "阿尔巴号渡轮建于1998年。船长是王海。渡轮停靠在北港码头。"


def answer(encoder: Any, question: str, *chunks: str) -> Answer:
    (reply,) = HANDLERS["answer"](encoder, [QuestionWithChunks(question=question, chunks=chunks)])
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
