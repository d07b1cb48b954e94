"""Summaries: lists, enumerations in a sentence, several values of one record, and sections."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from ragassay.models.embedded.chinese.article_facts import frame_of
from ragassay.models.embedded.chinese.clause_facts import attribute_of, is_event
from ragassay.models.embedded.chinese.clauses import HAN, POINTING, balanced, starts_with_any
from ragassay.models.embedded.chinese.entry_facts import is_plain, owner_of, word_of
from ragassay.models.embedded.chinese.page import Entry, Listing, Page, Sentence
from ragassay.models.embedded.chinese.profile import Profile
from ragassay.models.embedded.chinese.told import Told, plain_of
from ragassay.models.embedded.chinese.wording import subject_in_question
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


def summary_drafts(page: Page, profile: Profile, told: Sequence[Told]) -> Iterator[Draft]:
    """All of them; every answer is stated, and has at least two units."""
    names = Counter(list_name(listing) for listing in page.lists)
    for listing in page.lists:
        if names[list_name(listing)] == 1:
            yield from _list(listing, profile)
    for sentence in page.sentences:
        yield from _enumeration(sentence, profile)
    yield from _record(page, profile)
    yield from _amounts(told, profile)
    yield from _event_with_parts(told, profile)
    yield from _section(page, profile)
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
_ENUMERATES = re.compile(
    r"^(?P<subject>[^，。；：]{0,30}?)(?P<verb>主要包括|包括|主要有|包含|涵盖|分为|分别为|由|(?<![伴具拥含还没所只都])有(?!限|关|效|力|利|时|着|所))了?(?P<items>[^，。；：]*、[^。；：]*?)"
    r"(?P<tail>组成|构成|等[^，。；]{0,6})?(?:[，。；]|$)"
)
_ITEM_MARK = re.compile(r"、|和|以及|及|与")


def _enumeration(sentence: Sentence, profile: Profile) -> Iterator[Draft]:
    """``既往疾病包括痛风、糖尿病和偏头痛``: what stands in a row after such a verb."""
    text = plain_of(sentence.text)
    match = _ENUMERATES.match(text)
    if match is None or not balanced(sentence.text) or len(match["items"]) > _MOST_ROW_CHARS:
        return
    subject, verb = match["subject"], match["verb"]
    if (verb == "由" and match["tail"] not in ("组成", "构成")) or (
        verb in ("有", "分别为") and len(subject) < _CLEAR_CHARS
    ):
        return
    if re.match(r"以及|还有|和|及|还", text[match.end() :]):
        return  # the row goes on after the comma
    items = [item for item in _ITEM_MARK.split(match["items"]) if item]
    if any(item.endswith("的") for item in items) or (
        len(items) < _ROW and not re.search("和|以及|与|及", match["items"])
    ):
        return  # words that describe one thing, or a name with what it is
    subject = re.sub(r"(?:也|都|还|则|均|就)+$", "", subject)
    alias = starts_with_any(subject, (*profile.aliases, profile.noun))
    bare = subject[len(alias) :].lstrip("的")
    if (
        POINTING.search(subject)
        or POINTING.search(match["items"])
        or len(items) < 2
        or not 0 < len(bare) <= _CLEAR_SUBJECT
    ):
        return
    if _NO_SUBJECT.search(bare):
        return
    joint = "" if bare.endswith("的") or bare.startswith(("由", "从")) else "的"
    named = f"{profile.theme}{joint}{bare}" if alias or profile.kind != "thing" else f"{frame_of(bare, profile)}{bare}"
    asked = {"由": f"由哪些部分{match['tail']}", "分为": "分为哪些类别", "有": "有哪些", "主要有": "主要有哪些"}.get(
        verb, f"{verb}哪些"
    )
    yield Draft(
        pattern="enumeration",
        question=f"{named}{asked}？",
        answer=match["items"].strip() + (match["tail"] or "" if (match["tail"] or "").startswith("等") else ""),
        statement=f"{named}{verb}{match['items']}{match['tail'] or ''}。",
        quotes=(sentence.text,),
        about="" if profile.theme in named else bare,
    )


_ROW = 3
_NO_SUBJECT = re.compile(r"[:：]|报告|旨在|通过|根据|为了|时$|^[在对从本]")
_MOST_ROW_CHARS = 100
_CLEAR_CHARS = 4
_CLEAR_SUBJECT = 18


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


def _amounts(told: Sequence[Told], profile: Profile) -> Iterator[Draft]:
    """Two attributes of the theme that stand next to each other: ``总资产和总负债分别是多少``."""
    found = [(each, measured) for each in told if (measured := attribute_of(each.says)) and _of_whole(each, profile)]
    for (one, (first, amount)), (other, (second, further)) in pairwise(found):
        if amount.kind != further.kind or first == second or other.place - one.place > 1 or one.date or other.date:
            continue
        yield Draft(
            pattern="two_amounts",
            question=f"{profile.theme}{profile.period}的{first}和{second}分别是多少？",
            answer=f"{first}为{amount.text}，{second}为{further.text}。",
            statement=f"{profile.theme}{profile.period}的{first}为{amount.text}，{second}为{further.text}。",
            quotes=tuple(dict.fromkeys((one.quote, other.quote))),
        )


def _of_whole(told: Told, profile: Profile) -> bool:
    return told.of_theme or (not told.subject and profile.kind in ("company", "patient"))


def _event_with_parts(told: Sequence[Told], profile: Profile) -> Iterator[Draft]:
    """When something happened and how much it was: two units that one sentence states."""
    for one, other in pairwise(told):
        measured = attribute_of(other.says)
        if (
            one.quote != other.quote
            or one.date is None
            or not one.opened
            or not is_event(one)
            or measured is None
            or other.date is not one.date
            or not one.of_theme
        ):
            continue
        subject = subject_in_question(profile, one.subject, of_theme=True)
        name, amount = measured
        yield Draft(
            pattern="when_and_how_much",
            question=f"{subject}何时{one.says}，{name}是多少？",
            answer=f"{one.date.text}，{name}为{amount.text}。",
            statement=f"{subject}于{one.date.text}{one.says}，{name}为{amount.text}。",
            quotes=(one.quote,),
        )


_SECTIONS = re.compile(
    r"主诉|现病史|既往史|个人史|家族史|婚育史|辩护意见|辩护与审理|量刑考量|案件事实|案件程序(?:经过)?|诉讼请求|背景|历史|发展历程|工作原理|组织结构|主要业务|治理结构"
    r"|社会责任|风险因素|安装|使用方法|诊疗经过|诊断依据|治疗经过|出院医嘱|注意事项|适用范围"
)
_FEWEST_SENTENCES, _MOST_SENTENCES = 2, 5


def _section(page: Page, profile: Profile) -> Iterator[Draft]:
    """What stands under a heading that names what it tells."""
    groups: dict[str, list[Sentence]] = {}
    for sentence in page.sentences:
        groups.setdefault(sentence.section, []).append(sentence)
    listed = {listing.section for listing in page.lists}
    for section, found in groups.items():
        if (
            not _SECTIONS.fullmatch(section)
            or section in listed
            or not _FEWEST_SENTENCES <= len(found) <= _MOST_SENTENCES
        ):
            continue
        if any(found[place + 1].place != found[place].place + 1 for place in range(len(found) - 1)):
            continue
        answer = "".join(sentence.text for sentence in found)
        if any(not sentence.text.endswith(("。", "；")) for sentence in found):
            continue
        yield Draft(
            pattern="section",
            question=f"{profile.theme}的{section}是怎样的？",
            answer=answer,
            statement=f"{profile.theme}的{section}：{answer}",
            quotes=tuple(sentence.text for sentence in found),
        )


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
