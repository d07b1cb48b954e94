"""Summaries: lists, several values of one record, and headings that ask."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from ragassay.models.embedded.chinese.clauses import HAN, POINTING
from ragassay.models.embedded.chinese.entry_facts import is_plain, owner_of, word_of
from ragassay.models.embedded.chinese.page import Entry, Listing, Page, Sentence
from ragassay.models.embedded.chinese.profile import Profile
from ragassay.models.embedded.structure.drafts import Draft

_MOST_ITEMS, _MOST_ITEM_CHARS = 12, 120
_CALLED = re.compile(
    r"(?:如下|以下|下列|下面|这些|主要|包括|包含|分为|有|的|几种|几个|几项|几类|几点|共\S{1,3}[个项种]|：|:)+"
)
_VERB_HEAD = re.compile(
    r"^(?:创建|配置|安装|使用|升级|删除|启动|停止|添加|设置|构建|编译|运行|查看|更新|申请|办理|准备|处理|导入|导出|部署|调试|修改|编写|提交|下载|注册|登录|连接)"
)
_PLURAL_NOUN = re.compile(
    r"(?:证据|材料|证据材料|要求|条件|方式|方法|措施|原则|职责|功能|特性|特点|类型|种类|因素|原因|优势|优点|缺点|限制|组件|参数|选项|步骤|流程|内容|要点|目标|建议|产品"
    r"|服务|工具|字段|阶段|指标|情形|义务|权利|事项|工作|任务|规则|问题|依据|意见|成员|机构|风险|计划|策略|症状|诊断|医嘱|命令|文件|区别|用途|场景)$"
)


def summary_drafts(page: Page, profile: Profile) -> Iterator[Draft]:
    """All of them; every answer is stated, and has at least two units."""
    names = Counter(list_name(listing) for listing in page.lists)
    for listing in page.lists:
        if names[list_name(listing)] == 1:
            yield from _list(listing, profile)
    yield from _record(page, profile)
    yield from _asked_by_heading(page, profile)


def _list(listing: Listing, profile: Profile) -> Iterator[Draft]:
    items = [item.strip().rstrip("；;。，,") for item in listing.items]
    named = list_name(listing)
    if not 2 <= len(items) <= _MOST_ITEMS or named is None or any(len(item) > _MOST_ITEM_CHARS for item in items):
        return
    if any(not re.search(f"[{HAN}A-Za-z]{{2}}", item) or item.endswith(("：", ":")) for item in items):
        return
    name, is_task = named
    if is_task:
        pattern, question = (
            "how_to",
            f"{profile.cited}中，如何{name}？" if profile.theme not in name else f"如何{name}？",
        )
    else:
        inner = name if profile.theme in name else f"{profile.theme}的{name}"
        pattern, question = "list", f"{inner}有哪些？"
    quotes = (listing.lead_quote, *listing.items) if listing.lead_quote else listing.items
    yield Draft(
        pattern=pattern,
        question=question,
        answer="；".join(items) + "。",
        statement=f"{question[:-1].removesuffix('有哪些')}：{'；'.join(items)}。",
        quotes=quotes,
    )


def list_name(listing: Listing) -> tuple[str, bool] | None:
    """What a list lists, and whether that is a task with steps; None where neither lead nor heading says so."""
    for text in (listing.lead, listing.section):
        name = re.sub(r"^.*[，,。]", "", text).strip("：: ")
        name = re.sub(r"^(?:但|以及|并|且|而|还有|许多|一些|多个|几个|若干|多种|常见的?|主要)+(?:额外)?", "", name)
        if re.match(r"请(?!假|求|示|购|款)|必须|应|可以?|需要?|不|没|考虑", name):
            return None
        task = re.sub(r"的?(?:操作)?(?:步骤|流程|过程)$", "", name)
        is_task = listing.ordered and (task != name or _VERB_HEAD.match(name) is not None)
        if is_task and 2 <= len(task) <= _LONGEST_NAME and not POINTING.search(task):
            return task, True
        name = _CALLED.sub("", name) if _CALLED.search(name[-4:] + name[:2]) else name
        if 2 <= len(name) <= _LONGEST_NAME and _PLURAL_NOUN.search(name) and not POINTING.search(name):
            return (name, False) if not re.search(r"[是在与和了]|不|^的", name) else None
    return None


_LONGEST_NAME = 16


def _record(page: Page, profile: Profile) -> Iterator[Draft]:
    """Two neighbouring keys of one record that ask for the same kind of thing."""
    plain = [entry for entry in page.entries if is_plain(entry) and profile.name not in entry.value]
    for one, other in pairwise(plain):
        if one.key == other.key or owner_of(one.key, profile) != owner_of(other.key, profile):
            continue
        word = word_of(one.key, one.value)
        if word != word_of(other.key, other.value) or not _asks_alike(one, other):
            continue
        yield Draft(
            pattern="two_keys",
            question=f"{owner_of(one.key, profile)}的{one.key}和{other.key}分别是{word}？",
            answer=f"{one.key}：{one.value.rstrip('。；，')}；{other.key}：{other.value.rstrip('。；，')}。",
            statement=f"{owner_of(one.key, profile)}的{one.key}是{one.value}，{other.key}是{other.value}。",
            quotes=(one.quote, other.quote),
        )


_ALIKE = re.compile(
    r"(?:长|员|人|师|医生|时间|日期|地址|住址|机关|法院|检察院|年龄|性别|职业|民族|婚姻状况|体温|脉搏|呼吸|血压|天数|单位|价格|数量|[长宽高]度|类型|部门|电压|功率)$"
)


def _asks_alike(one: Entry, other: Entry) -> bool:
    return bool(_ALIKE.search(one.key) and _ALIKE.search(other.key))


_FEWEST_SENTENCES, _MOST_SENTENCES = 2, 5
_LONGEST_ASKED = 40
_ASKS = re.compile(r"[？?]$|^(?:如何|怎样|怎么|为什么|什么是|是否)")


def _asked_by_heading(page: Page, profile: Profile) -> Iterator[Draft]:
    """A heading that is a question, and the text under it."""
    groups: dict[str, list[Sentence]] = {}
    for sentence in page.sentences:
        groups.setdefault(sentence.section, []).append(sentence)
    for section, found in groups.items():
        if not _ASKS.search(section) or not _FEWEST_SENTENCES <= len(found) <= _MOST_SENTENCES:
            continue
        if "。" in section or len(section) > _LONGEST_ASKED or POINTING.search(re.sub("[我您你]", "", section)):
            continue
        named = profile.theme in section or re.search(r"[A-Za-z]{3}", section) is not None
        if any(sentence.text.rstrip().endswith(("：", ":")) for sentence in found):
            continue  # what follows the colon, a command or a picture, is no sentence
        asked = section.rstrip("？?")
        yield Draft(
            pattern="faq",
            question=f"{'' if named else f'{profile.cited}中，'}{asked}？",
            answer="".join(sentence.text for sentence in found),
            statement=f"{asked}：{''.join(sentence.text for sentence in found)}",
            quotes=tuple(sentence.text for sentence in found),
            about=asked if named else "",
        )
