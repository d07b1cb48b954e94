"""Chinese documents made up for the tests, as the reader of files gives them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ragassay.corpus.passages import passages, to_passage
from ragassay.corpus.read import ReadOptions, read_corpus
from ragassay.tasks.statements import Passage

COMPANY = """# 澄湖仪表股份有限公司2022年度报告

澄湖仪表股份有限公司成立于2003年5月，总部位于无锡，主要从事压力仪表的研发。

2022年3月，公司投资了滨河检测中心项目，投资金额为3200万元。此外，公司还在2022年9月发行了公司债券，募集了1.5亿元资金。
2022年9月，公司更换了审计机构。

公司的营业收入达到了8.4亿元，净利润为1.1亿元。总资产为20.5亿元，总负债为9.3亿元。董事会由9名董事组成。
审计委员会由韩若冰担任主任委员。公司的主要客户包括水务公司、化工企业和供热企业。
"""
PATIENT = """住院病历

姓名：廖某某  性别：女  年龄：46岁  职业：会计
住址：望江市槐树街8号
医院名称：望江市中心医院
入院时间：4月2日

现病史：患者五天前受凉后出现咳嗽和低热，在家休息后没有好转，夜间咳嗽加重并影响睡眠，因此来院就诊。

体格检查：
- 体温：37.9℃
- 脉搏：96次/分
- 皮肤：未见皮疹，弹性良好

初步诊断：
- 急性支气管炎
- 缺铁性贫血
"""
RULES = """# 图书借阅管理办法

第一条 本办法适用于全体读者。

第二条 普通读者每次可借5册图书。借期为30天。续借期为15天。

第三条 逾期超过60天的，由流通部主管审批后恢复借阅。

## 办证流程

1. 填写读者登记表
2. 出示身份证件
3. 缴纳押金
"""
MANUAL = """# 蓝鲸 K2 加湿器使用说明书

蓝鲸 K2 加湿器适合卧室和办公室使用，使用前请仔细阅读各项说明并妥善保管。

| 项目 | K2 | K2 Pro |
| --- | --- | --- |
| 额定功率 | 25W | 38W |
| 水箱容量 | 3升 | 5升 |
| 质保期 | 1年 | 2年 |

## 出雾量变小怎么办？

请先清洗雾化片。如果仍然偏小，请更换滤芯。
"""
LIFE = """# 顾云岭

顾云岭，1942年6月11日出生于浙江绍兴，桥梁工程师。

1960年9月，顾云岭考入东陵工学院土木系。1988年4月，顾云岭主持设计了沧浪江大桥。顾云岭于2015年1月7日在杭州逝世。
"""


PLACE = """# 岚山水库

岚山水库始建于1958年10月，总库容为2.4亿立方米，坝高为46.5米。水库每年向下游供水0.9亿立方米，由岚县水利局负责管理。

1961年3月，水库停工。2008年5月，岚山水库完成除险加固，总投资为1.35亿元。水库的主要功能包括防洪、灌溉、供水和发电。
"""
DOCUMENTS = {"company": COMPANY, "patient": PATIENT, "rules": RULES, "manual": MANUAL, "life": LIFE, "place": PLACE}


@pytest.fixture
def read_passage(tmp_path: Path) -> Callable[..., Passage]:
    """Reads one of the documents, changed as asked, as a file is read; gives its first passage.

    change: a stretch and what replaces it. more: text that is added at the end.
    """

    def read(name: str, change: tuple[str, str] = ("", ""), more: str = "") -> Passage:
        text = DOCUMENTS[name]
        old, new = change
        assert old in text
        text = (text.replace(old, new) if old else text) + more
        path = tmp_path / ("document.md" if text.startswith("#") else "document.txt")
        path.write_text(text, encoding="utf-8")
        (document,) = read_corpus([path], ReadOptions(), lambda _: None, lambda *_: None)
        span = passages(document, 4000)[0]
        return to_passage(document, span.start, span.end, span.section).model_copy(
            update={"opening": document.text[:600]}
        )

    return read
