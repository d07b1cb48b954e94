"""Text that nobody wrote to be read: the judge has a verdict on it."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ragassay.models.embedded.model import handler
from ragassay.tasks.labelling import Pair
from ragassay.tasks.verdicts import AnswerToQuestion, KeypointsOnAnswer, StatementsOnContext

_SIGNS = "公司患者被告人在于年月日的了是为达到，。；：“”（）《》、1234567890%万元亿由担任比多少什么何时\n |#-·aB"
HAN = st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF)
TEXTS = st.text(alphabet=_SIGNS, max_size=200) | st.text(alphabet=HAN | st.sampled_from(_SIGNS), max_size=60)
NO_ENCODER: Any = None
HARD = {
    "one long clause": "公司收入利润" * 800,
    "no stops": "公司在2021年3月投资了项目，" * 300,
    "open brackets": "（" * 2000 + "公司",
    "numbers": "1," * 3000,
    "numerals": "一二三四五六七八九十百千" * 200,
    "keys": "姓名：" * 1000,
    "a row": "公司包括" + "甲、" * 1500 + "乙。",
    "spaces": " " * 8000 + "公司",
}


@settings(max_examples=60)
@given(TEXTS, TEXTS)
def test_the_judge_has_a_verdict_on_anything(one: str, other: str) -> None:
    judge_all(one, other)


def judge_all(one: str, other: str) -> None:
    question = f"{one}什么"
    (label,) = handler("label")(NO_ENCODER, [Pair(context=other, question=question)])
    assert label.value is not None
    (supported,) = handler("statement_verdicts")(
        NO_ENCODER, [StatementsOnContext(question=question, statements=(one,), context=other)]
    )
    assert supported.value is not None
    assert 0 <= supported.value.items[0].support <= 1
    (covered,) = handler("keypoint_verdicts")(
        NO_ENCODER, [KeypointsOnAnswer(question=question, keypoints=(one,), answer=other)]
    )
    assert covered.value is not None
    (relevant,) = handler("answer_relevance")(NO_ENCODER, [AnswerToQuestion(question=question, answer=other)])
    assert relevant.value is not None or relevant.reason
