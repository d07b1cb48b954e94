"""Themes, facts, summaries, conclusions and near misses of Chinese documents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ragassay.models.embedded.chinese.questions import HANDLERS as QUESTION_RULES
from ragassay.models.embedded.chinese.statements import HANDLERS
from ragassay.tasks.questions import MissCandidates, Question
from ragassay.tasks.statements import Passage, PassageFacts, PassageOnTheme, Statement

Read = Callable[..., Passage]


def ask(task: str, asked: Any) -> Any:
    encoder: Any = None
    return HANDLERS[task](encoder, [asked])[0]


def theme_of(passage: Passage) -> str:
    reply = ask("theme", passage)
    return reply.value.text if reply.value else ""


def pairs_of(task: str, passage: Passage) -> dict[str, str]:
    """Question to answer."""
    theme = theme_of(passage)
    asked = (
        PassageOnTheme(passage=passage, theme=theme)
        if task == "facts"
        else PassageFacts(passage=passage, theme=theme, facts=())
    )
    drafts = [item.draft for item in ask(task, asked).value.items]
    return {draft.question: draft.answer for draft in drafts}


@pytest.mark.parametrize(
    ("text", "theme"),
    [
        ("company", "澄湖仪表股份有限公司"),
        ("patient", "望江市中心医院的患者廖某某"),
        ("rules", "图书借阅管理办法"),
        ("manual", "蓝鲸 K2 加湿器"),
        ("life", "顾云岭"),
        ("place", "岚山水库"),
    ],
)
def test_themes(read_passage: Read, text: str, theme: str) -> None:
    assert theme_of(read_passage(text)) == theme


def test_a_text_that_names_nothing_has_no_theme() -> None:
    reply = ask("theme", Passage(title="", text="天气很好。大家都很高兴。", language="zh"))
    assert reply.value is None
    assert "nothing names" in reply.reason


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        ("patient", "望江市中心医院的患者廖某某的职业是什么？", "会计"),
        ("patient", "望江市中心医院的患者廖某某的年龄是多少？", "46岁"),
        ("patient", "望江市中心医院的患者廖某某的住址是哪里？", "望江市槐树街8号"),
        ("patient", "望江市中心医院的患者廖某某的皮肤检查结果如何？", "未见皮疹，弹性良好"),
        ("manual", "《蓝鲸 K2 加湿器使用说明书》中，K2 Pro的水箱容量是多少？", "5升"),
    ],
)
def test_facts(read_passage: Read, text: str, question: str, answer: str) -> None:
    assert pairs_of("facts", read_passage(text))[question] == answer


def test_sentences_are_not_asked_about(read_passage: Read) -> None:
    for text, task in (("life", "facts"), ("place", "facts"), ("company", "facts"), ("place", "summaries")):
        assert pairs_of(task, read_passage(text)) == {}


def test_an_empty_value_is_not_asked_for(read_passage: Read) -> None:
    empty = "patient", ("职业：会计", "职业：不详")
    assert not [question for question in pairs_of("facts", read_passage(*empty)) if "职业" in question]


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        ("patient", "望江市中心医院的患者廖某某的初步诊断有哪些？", "急性支气管炎；缺铁性贫血。"),
        ("rules", "《图书借阅管理办法》中，如何办证？", "填写读者登记表；出示身份证件；缴纳押金。"),
        ("manual", "《蓝鲸 K2 加湿器使用说明书》中，出雾量变小怎么办？", "请先清洗雾化片。如果仍然偏小，请更换滤芯。"),
    ],
)
def test_summaries(read_passage: Read, text: str, question: str, answer: str) -> None:
    assert pairs_of("summaries", read_passage(text))[question] == answer


@pytest.mark.parametrize(
    ("text", "question", "opening"),
    [
        ("manual", "《蓝鲸 K2 加湿器使用说明书》中，K2和K2 Pro哪一个的质保期更长？", "K2 Pro"),
    ],
)
def test_conclusions_are_computed(read_passage: Read, text: str, question: str, opening: str) -> None:
    assert pairs_of("conclusions", read_passage(text))[question].startswith(opening)


@pytest.mark.parametrize("task", ["facts", "summaries", "conclusions"])
@pytest.mark.parametrize("text", ["company", "patient", "rules", "manual", "life", "place"])
def test_every_quote_is_verbatim(read_passage: Read, task: str, text: str) -> None:
    passage = read_passage(text)
    theme = theme_of(passage)
    asked = (
        PassageOnTheme(passage=passage, theme=theme)
        if task == "facts"
        else PassageFacts(passage=passage, theme=theme, facts=())
    )
    items = ask(task, asked).value.items
    assert all(item.quotes and all(quote in passage.text for quote in item.quotes) for item in items)


def misses(passage: Passage, facts: tuple[Statement, ...] = (), *, whole: bool = False) -> tuple[Question, ...]:
    asked = MissCandidates(passage=passage, theme=theme_of(passage), facts_elsewhere=facts, whole_document=whole)
    encoder: Any = None
    reply = QUESTION_RULES["near_misses"](encoder, [asked])[0]
    assert reply.value is not None
    return reply.value.items


def test_keys_of_siblings_that_name_nobody_are_left_out(read_passage: Read) -> None:
    passage = read_passage("patient").model_copy(update={"sibling_attributes": ("姓名", "民族", "入院时间")})
    found = {miss.question for miss in misses(passage, whole=True) if miss.pattern == "missing_key"}
    assert found == {"望江市中心医院的患者廖某某的民族是什么？"}
    assert misses(passage, whole=False) == ()
