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
        ("company", "澄湖仪表股份有限公司总部位于哪里？", "无锡"),
        ("company", "澄湖仪表股份有限公司2022年度的营业收入是多少？", "8.4亿元"),
        ("company", "澄湖仪表股份有限公司在2022年3月投资了滨河检测中心项目，投资金额是多少？", "3200万元"),
        ("company", "澄湖仪表股份有限公司在2022年9月发行了公司债券，募集了多少资金？", "1.5亿元"),
        ("company", "澄湖仪表股份有限公司审计委员会由谁担任主任委员？", "韩若冰"),
        ("patient", "望江市中心医院的患者廖某某的职业是什么？", "会计"),
        ("patient", "望江市中心医院的患者廖某某的年龄是多少？", "46岁"),
        ("patient", "望江市中心医院的患者廖某某的住址是哪里？", "望江市槐树街8号"),
        ("patient", "望江市中心医院的患者廖某某的皮肤检查结果如何？", "未见皮疹，弹性良好"),
        ("rules", "根据《图书借阅管理办法》，借期为多少天？", "30天"),
        ("rules", "根据《图书借阅管理办法》，逾期超过60天的，由谁审批后恢复借阅？", "流通部主管"),
        ("manual", "《蓝鲸 K2 加湿器使用说明书》中，K2 Pro的水箱容量是多少？", "5升"),
        ("life", "顾云岭出生于哪里？", "浙江绍兴"),
        ("life", "顾云岭何时在杭州逝世？", "2015年1月7日"),
        ("place", "岚山水库于哪年哪月开始修建？", "1958年10月"),
        ("place", "岚山水库的坝高是多少？", "46.5米"),
        ("place", "岚山水库在2008年5月完成除险加固，总投资是多少？", "1.35亿元"),
    ],
)
def test_facts(read_passage: Read, text: str, question: str, answer: str) -> None:
    assert pairs_of("facts", read_passage(text))[question] == answer


def test_a_date_is_asked_for_where_the_event_happened_once(read_passage: Read) -> None:
    facts = pairs_of("facts", read_passage("company"))
    assert [answer for question, answer in facts.items() if "更换了审计机构" in question] == ["2022年9月"]
    twice = "company", ("2022年9月，公司更换", "2022年5月，公司更换了审计机构。2022年9月，公司更换")
    again = pairs_of("facts", read_passage(*twice))
    assert not [question for question in again if "更换了审计机构" in question]


def test_an_attribute_with_two_values_is_not_asked_for(read_passage: Read) -> None:
    two = "company", ("净利润为1.1亿元。", "净利润为1.1亿元。境外业务的净利润为0.9亿元。")
    assert not [question for question in pairs_of("facts", read_passage(*two)) if "净利润是多少" in question]


def test_a_sentence_that_points_outside_itself_gives_nothing(read_passage: Read) -> None:
    pointing = "company", ("2022年3月，公司投资了", "2022年3月，公司为此投资了")
    assert not [question for question in pairs_of("facts", read_passage(*pointing)) if "滨河" in question]


def test_an_empty_value_is_not_asked_for(read_passage: Read) -> None:
    empty = "patient", ("职业：会计", "职业：不详")
    assert not [question for question in pairs_of("facts", read_passage(*empty)) if "职业" in question]


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        (
            "company",
            "澄湖仪表股份有限公司2022年度的总资产和总负债分别是多少？",
            "总资产为20.5亿元，总负债为9.3亿元。",
        ),
        ("place", "岚山水库的主要功能包括哪些？", "防洪、灌溉、供水和发电"),
        ("company", "澄湖仪表股份有限公司的主要客户包括哪些？", "水务公司、化工企业和供热企业"),
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
        # 20.5 - 9.3 = 11.2
        ("company", "澄湖仪表股份有限公司2022年度的总资产比总负债多多少？", "多11.2亿元"),
        # March to September
        ("company", "澄湖仪表股份有限公司从投资滨河检测中心项目到发行公司债券，相隔多少个月？", "6个月"),
        ("company", "澄湖仪表股份有限公司在发行公司债券的同一个月还做了什么？", "更换审计机构"),
        # 30 - 15
        ("rules", "根据《图书借阅管理办法》，借期比续借期多多少天？", "多15天"),
        ("manual", "《蓝鲸 K2 加湿器使用说明书》中，K2和K2 Pro哪一个的质保期更长？", "K2 Pro"),
        # June 1942 to September 1960
        ("life", "考入东陵工学院土木系时，顾云岭多少周岁？", "18周岁"),
    ],
)
def test_conclusions_are_computed(read_passage: Read, text: str, question: str, opening: str) -> None:
    assert pairs_of("conclusions", read_passage(text))[question].startswith(opening)


def test_the_order_of_two_events_does_not_depend_on_the_question(read_passage: Read) -> None:
    conclusions = pairs_of("conclusions", read_passage("life"))
    orders = {question: answer for question, answer in conclusions.items() if "是先" in question}
    assert orders
    assert all(answer.startswith("先考入东陵工学院土木系（1960年9月）") for answer in orders.values())
    assert not [question for question in orders if "出生" in question or "逝世" in question]


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


def test_an_attribute_is_missing_only_from_a_whole_document(read_passage: Read) -> None:
    more = "\n公司在报告期内继续改善各条生产线的管理，并与主要客户保持了稳定的合作关系。" * 3
    passage = read_passage("company", more=more)
    assert [miss.question for miss in misses(passage, whole=True)]
    assert misses(passage, whole=False) == ()
    told = "\n公司的注册资本、法定代表人、创始人、董事长、研发费用、每股收益、股票代码、专利、官网和员工人数见附表。"
    assert misses(read_passage("company", more=more + told), whole=True) == ()


def test_keys_of_siblings_that_name_nobody_are_left_out(read_passage: Read) -> None:
    passage = read_passage("patient").model_copy(update={"sibling_attributes": ("姓名", "民族", "入院时间")})
    found = {miss.question for miss in misses(passage, whole=True) if miss.pattern == "missing_key"}
    assert found == {"望江市中心医院的患者廖某某的民族是什么？"}
