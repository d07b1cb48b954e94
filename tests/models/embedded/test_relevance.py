from __future__ import annotations

from typing import Any

from ragassay.models.embedded.judging.refusals import evasiveness
from ragassay.models.embedded.judging.relevance import HANDLERS
from ragassay.tasks.verdicts import AnswerToQuestion, Relevance


def relevance(encoder: Any, question: str, answer: str) -> Relevance:
    (reply,) = HANDLERS["answer_relevance"](encoder, [AnswerToQuestion(question=question, answer=answer)])
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
