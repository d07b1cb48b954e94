"""A Chinese question, read: what kind of thing it asks for, of whom, and with which words."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

from ragassay.models.embedded.chinese.dates import dates

HAN = "\u3400-\u4dbf\u4e00-\u9fff"
AskedKind = Literal["date", "amount", "person", "place", "list", "manner", "reason", "choice", "what"]

_KINDS: dict[AskedKind, re.Pattern[str]] = {
    "list": re.compile(r"哪些|哪几|分别是|列出|概述|总结|概括|有什么(?=区别|不同|特点)"),
    "date": re.compile(r"何时|什么时[候间]|哪一?年|哪个?月|哪一?[天日]|几[月号日]|何年|何月|日期是"),
    "amount": re.compile(r"多少|几[个名位次家种项岁年天月倍人座条分点]|多[大长久高远深宽重快]|百分之几|多少钱"),
    "person": re.compile(r"谁|哪位|何人|什么人|哪一?名(?!单)"),
    "place": re.compile(
        r"哪里|哪儿|何处|何地|什么地方|在哪|哪个?(?:城市|国家|省|市|县|地方|地区|州|大陆|区)|什么(?:城市|国家|地点)"
    ),
    "reason": re.compile(r"为什么|为何|因何|什么原因|原因是|由于什么"),
    "choice": re.compile(r"还是先|是否|吗？?$|哪一个|哪个更|有没有|是不是"),
    "manner": re.compile(r"如何|怎样|怎么"),
}
_ASKING = re.compile(
    r"检查结果如何|在什么时候|是?什么时候|什么时间|于?哪年哪月|于?何时|在?哪一?[年天日月]|哪个?月|何年|何月|百分之多少|百分之几|多长时间|多少周岁|多少岁|多少[年月天日元钱]?"
    r"|多[大长久高远深宽重快]|几(?=[个名位次家种项岁年天月倍人座条分点])|什么地方|什么样|是什么|为什么|什么|哪里|哪儿|何处|在哪|哪一?[家个种位名些项款部]|哪[些几]?"
    r"|谁|是?怎样的?|如何|怎么样?|是否|有没有|是不是|还是|吗|呢|请问|请|概述|总结|列出|说明|介绍|一下|分别|叫做?|哪"
)
_NAME = re.compile(
    rf"^在?(?:[{HAN}A-Za-z0-9（）()·]{{2,30}}?(?:有限公司|集团|公司|中心|银行|医院|保健院|法院)(?:审理)?)"
    rf"|患者[{HAN}]{{1,2}}某{{1,2}}|被告人[{HAN}]{{1,2}}某{{1,2}}|[{HAN}]{{1,2}}某{{1,2}}案?|[{HAN}]{{2,4}}案(?=[中的，])"
    r"|20\d\d年(?:度|财年)|《[^》]*》"
)
_FRAME = re.compile(r"^(?:在|根据)?(?P<frame>.{2,40}?)(?:中，|(?<=》)，)")
_FUNCTION = frozenset("的了是在和与及或也都就而被把对从到于以为其之这那有吗呢吧着地得中")
_COMPUTES = re.compile(
    r"(?P<order>是先.+还是先|哪[一个件项]*(?:先|更早|更晚)|先后顺序)|(?P<gap>相隔|间隔多|隔了多|之后(?:过了)?多[久少长]|过了多)"
    r"|(?P<age>时，?[^，]{0,20}(?:多少周岁|多大|多少岁|几岁))|(?P<more>比.{1,30}?(?:多|少|高|低|大|小|长|短|早|晚)(?:了|出)?(?:多少|几|多久))"
    r"|(?P<larger>哪一?个.{0,16}(?:更|最)|谁的?.{0,10}更|差(?:多少|几)|相差)"
)


class ParsedQuestion(NamedTuple):
    """wanted: pairs of characters, numbers and Latin words that say what is asked for, each once, in order.

    about: those of the names in it, which a text need not repeat. kind: what the answer is. computes: the kind of
    comparison or computation, empty for a question that is only to be read. parts: how many things it asks.
    """

    text: str
    wanted: tuple[str, ...]
    about: frozenset[str]
    kind: AskedKind
    computes: str
    parts: int


@lru_cache(maxsize=4096)
def read_question(question: str) -> ParsedQuestion:
    """What the question asks for, and of whom."""
    rest = question
    about: list[str] = []
    if frame := _FRAME.match(rest):
        about += pairs(frame["frame"])
        rest = rest[frame.end() :]
    for name in _NAME.findall(rest):
        about += pairs(name)
    computes = _COMPUTES.search(question)
    found = dict.fromkeys(pairs(_ASKING.sub(" ", _NAME.sub(" ", rest))))
    telling = [pair for pair in found if len(pair) > 1]  # "犯什么罪" leaves two signs that say nothing by themselves
    wanted = telling or [*dict.fromkeys(about), *found]
    return ParsedQuestion(
        text=question,
        wanted=tuple(wanted),
        about=frozenset(about),
        kind=next((kind for kind, cue in _KINDS.items() if cue.search(question)), "what"),
        computes=str(computes.lastgroup) if computes else "",
        parts=max(1, len(re.findall(r"什么|多少|何时|哪[里些年一]|谁|如何|怎样", question))),
    )


def parts_of(asked: ParsedQuestion) -> list[str]:
    """The things that a computation puts side by side, as far as its question tells them apart."""
    text = _NAME.sub("", _FRAME.sub("", asked.text)).rstrip("？?")
    split = {
        "order": r"^.*?是先|，?还是先",
        "gap": r"^.*?从|(?<=.)到(?=.)|，?相隔.*$|，?间隔.*$|之后.{0,4}多[久少长].{0,2}",
        "age": r"时，.*$",
        "more": r"比|(?:多|少|高|低|大|小|长|短)(?:了|出)?(?:多少|几).*$",
        "larger": r"和|与|，|哪一?个.*$",
    }.get(asked.computes, "(?!)")
    return [part for part in re.split(split, text) if part and pairs(part)]


def pairs(text: str) -> list[str]:
    """What Chinese texts are compared by: pairs of neighbouring Han signs, Latin words, numbers, dates.

    Without pairs of which either sign is a function word; ``2021年3月`` is one number of its own, whatever its writing.
    """
    found: list[str] = []
    last = 0
    for date in dates(text):
        found += _plain_pairs(text[last : date.start])
        found.append("-".join(str(part) for part in date.value if part))
        last = date.end
    return found + _plain_pairs(text[last:])


def _plain_pairs(text: str) -> list[str]:
    found: list[str] = []
    for run in _RUN.findall(text):
        if not _HAN_RUN.match(run):
            found.append(run.lower().replace(",", ""))
        elif len(run) == 1:
            found += [run] if run not in _FUNCTION and run not in _SINGLE else []
        else:
            found += [pair for pair in map("".join, pairwise(run)) if _FUNCTION.isdisjoint(pair)]
    return found


_RUN = re.compile(rf"[{HAN}]+|[A-Za-z][A-Za-z0-9_.+#-]*|\d+(?:[.,]\d+)*")
_HAN_RUN = re.compile(f"[{HAN}]")
_SINGLE = frozenset("年月日号一元人个名次多少何谁哪我你他她它不无未")
