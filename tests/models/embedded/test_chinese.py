"""The labeller, the answerer and the verdicts for Chinese."""

from __future__ import annotations

from typing import Any

import pytest

from ragassay.models.embedded.model import handler
from ragassay.tasks.answering import QuestionWithChunks
from ragassay.tasks.critique import Pair
from ragassay.tasks.verdicts import AnswerToQuestion, KeypointsOnAnswer, StatementsOnContext

CONTEXT = """云杉航运有限公司2021年度报告

基本情况

云杉航运有限公司成立于1998年6月，总部设在宁海。公司的董事长是孟书远。

2021年3月，公司订购了两艘渡轮，合同金额为4.2亿元。2021年11月，公司开通了宁海至东屿的航线。

营业收入为9.6亿元，净利润为0.8亿元。公司没有发行债券。

安全措施

- 每位乘客配发救生衣
- 每周一举行演习
- 车辆甲板禁止吸烟
"""


def ask(task: str, *asked: Any, encoder: Any = None) -> list[Any]:
    return [reply.value for reply in handler(task)(encoder, list(asked))]


@pytest.mark.parametrize(
    ("question", "label"),
    [
        ("云杉航运有限公司的总部设在哪里？", "fact_single"),
        ("云杉航运有限公司2021年度的净利润是多少？", "fact_single"),
        ("云杉航运有限公司的安全措施有哪些？", "summary"),
        ("云杉航运有限公司是先订购两艘渡轮，还是先开通宁海至东屿的航线？", "reasoning"),
        ("云杉航运有限公司从订购两艘渡轮到开通宁海至东屿的航线，相隔多少个月？", "reasoning"),
        ("云杉航运有限公司的注册资本是多少？", "unanswerable"),
        ("？", "unanswerable"),
    ],
)
def test_labels(question: str, label: str) -> None:
    (verdict,) = ask("label", Pair(context=CONTEXT, question=question))
    assert verdict.label == label, verdict.reason


CHUNKS = (
    "云杉航运有限公司成立于1998年6月，总部设在宁海。公司的董事长是孟书远。",
    "安全措施：\n\n- 每位乘客配发救生衣\n- 每周一举行演习\n- 车辆甲板禁止吸烟",
    "公司在年内完善了各项制度。",
)


def test_an_answer_is_taken_from_the_chunks(encoder: Any) -> None:
    asked = QuestionWithChunks(question="云杉航运有限公司的安全措施有哪些？", chunks=CHUNKS)
    (answer,) = ask("answer", asked, encoder=encoder)
    assert "每周一举行演习" in answer.text
    assert answer.used == (1,)


def supported(statement: str, question: str = "") -> bool:
    asked = StatementsOnContext(question=question, statements=(statement,), context=CONTEXT)
    return bool(ask("statement_verdicts", asked)[0].items[0].supported)


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("云杉航运有限公司的净利润为0.8亿元。", "云杉航运有限公司的净利润为1.8亿元。"),
        ("公司没有发行债券。", "公司发行了债券。"),
        ("云杉航运有限公司成立于1998年6月。", "海韵物流有限公司成立于1998年6月。"),
    ],
)
def test_a_changed_statement_is_not_supported(true: str, false: str) -> None:
    assert supported(true)
    assert not supported(false)


def keypoint(text: str, answer: str) -> str:
    asked = KeypointsOnAnswer(question="云杉航运有限公司的净利润是多少？", keypoints=(text,), answer=answer)
    return str(ask("keypoint_verdicts", asked)[0].items[0].verdict)


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("净利润为0.8亿元。", "covered"),
        ("净利润为0.6亿元。", "contradicted"),
        ("公司开通了新航线。", "neither"),
        ("无法回答这个问题。", "neither"),
    ],
)
def test_keypoints_on_answers(answer: str, verdict: str) -> None:
    assert keypoint("云杉航运有限公司的净利润为0.8亿元。", answer) == verdict


def test_the_relevance_of_an_answer_is_left_to_a_language_model() -> None:
    (reply,) = handler("answer_relevance")(None, [AnswerToQuestion(question="航线何时开通？", answer="2021年。")])
    assert reply.value is None
    assert "--judge" in str(reply.reason)
