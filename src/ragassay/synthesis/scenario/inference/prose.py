"""What several seeds say in running prose: dated events, numbers beside their name, the subject of it all."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ragassay.synthesis.scenario.inference.values import AMOUNT, amount_of, dates_in
from ragassay.text import sentence_spans

_SHARE = 0.5
"""Of the seeds that must date an event by the same words, and at least two of them."""
_MOST_EVENTS = 16
_SUPPORT_EN = (
    r"(?:conducted|completed|underwent|held|made|carried out|announced|launched|initiated|experienced|formed|forged"
    r"|filed|entered into|established|implemented|executed|faced|convened|initiating|conducting"
    r"|completing|undertook)"
    r"(?: (?:a|an|its|the|their|another|successful|significant|major|new|comprehensive|large-scale))* (?:[a-z-]+ )?$"
)
_SUPPORT_ZH = re.compile(
    r"(?:进行|完成|实施|召开|发生|开展|举行|作出|予以|依法|执行|采取|被|宣布|经历)了?(?:一[次场项起系列]+)?[\u4e00-\u9fff]{0,8}$"
)
_PROSE = {
    "en": re.compile(
        r"(?<![\w'’])(?P<key>(?:[a-z]+(?:-[a-z]+)? ){0,3}?[a-z]{3,}(?: on [a-z]{4,})?)"
        r"(?: (?:for|of|in|at) (?:[\w&'’]+ ){0,3}[\w&'’]+)?(?:, (?:on|by|in|as) [^,.;]{3,30},|, however,)?"
        r" (?:was|were|is|are|came to|reached|totalled|totaled|amounted to|stood at|reaching|totaling|standing at|of)"
        r"(?: (?:approximately|about|over|nearly))? "
        r"(?P<value>[$€£]?\d[\d,]*(?:\.\d+)?(?:%| (?:million|billion|thousand|people|tonnes|tons|days|years|MWh))?)"
    ),
    "zh": re.compile(
        r"(?P<key>[\u4e00-\u9fff]{2,10})(?:达到了?|达|共计|是|则?为)(?P<value>\d[\d,]*(?:\.\d+)?(?:%|[万亿]{0,2}(?:元|美元|人民币|人|吨|天|年|件|次|小时)?))"
    ),
}
_STOP_KEYS = re.compile(
    r"^(?:(?:the|a|an|its|their|of|and|in|this|that|it|there|he|she|they|with|while|as|has|had|have|by|from|to|for|"
    r"at|on|strong|significant|total(?= value)|however|additionally|furthermore|reaching|reached|recorded|resulted|"
    r"impressive|reported|achieved|company|substantial|respectively|whereas|also|finally|raising|raised|worth|generated|overall)\s+)+"
)
_ARTICLE = re.compile(r"\b(?:a|an|the|its|their)\b ")
_ZH_LEAD = re.compile(r"^(?:.*[的和与及于在其了]|公司|我们|本公司|本年度?|年度?|同时|此外|其中|而|则|也|并|且)+")
_NO_NAMES = frozenset(
    "also which who company year years this that there amount number figure value total rate average stake "
    "ownership score excess minimum maximum period decrease increase 总价值 金额 价值 总额 "
    "目的 目标 主要 分别 增长 总数 数量 总金额 交易金额 名称 可能 以上 以下".split()
)
"""Words before a number that do not say what it is: "the debt ratio, which has risen, also stood at 25%"."""
_NO_ENDS = frozenset("value amount total stake score number".split())
_STOP_EN = frozenset(
    "a an the of in on at to for with by from and or as its their his her this that these those it is was were are be "
    "been has had have which who company's company also not more most both into after before during through further "
    "first second new following subsequently additionally moreover finally such other all any each within between over "
    "under against".split()
)
_EVENT_NOUN = re.compile(r"(?:[st]ion|ment|ship|ing|ity|ities|al|ure|ance|ge|ges|ence|est|ure|ases?|iative|iatives)s?$")
_VERB_DATE = re.compile(r"\b([a-z]{4,}ed|held|born) (?:on |in |since )+(?=\W*(?:early |late |mid-)?$)")
_SUPPORTED_EN = re.compile(_SUPPORT_EN)
_HAN = re.compile(r"[\u4e00-\u9fff]{4,}")
_ZH_EDGE = (
    "的了在对于为和与及进行公司是有将其并从到被由向以这该此一次个通过该项年月日"
    "成完本案下上中后前时等也还更发布并且因根据"
)
_ZH_NEXT = frozenset(["", *"的以并由因后时和与及在为使"])
_ZH_STOP = re.compile(
    r"[的了在于并这该此]|公司|为了|进行|完成|我们|随后|同时|此外|以及|通过|旨在|达到|本院|被告|患者|其中|首先|人民"
)


@dataclass(frozen=True, slots=True)
class Stated:
    """An event or number that seeds state: by the place of the seed, the date or the amount as written."""

    label: str
    values: dict[int, str] = field(default_factory=dict)


def numbers(texts: Sequence[str], language: str) -> list[Stated]:
    """Numbers that stand beside their name, as in "total assets stood at $5 million"."""
    found: dict[str, Stated] = {}
    for place, text in enumerate(texts):
        for match in _PROSE[language].finditer(text):
            label = (
                _STOP_KEYS.sub("", _ARTICLE.split(match["key"])[-1])
                if language != "zh"
                else _ZH_LEAD.sub("", match["key"])
            )
            words = label.split()
            dangling = language != "zh" and (
                not words or words[0] in _STOP_EN or words[-1] in _STOP_EN or label.endswith("ed")
            )
            if len(label) < 2 or label in _NO_NAMES or dangling or (words and words[-1] in _NO_ENDS):
                continue
            if match["value"][0].isdigit() and re.search(r" of(?: \w+)? $", match.group()[: -len(match["value"])]):
                continue  # "the acquisition of 51% of the shares"
            found.setdefault(label.lower(), Stated(label)).values.setdefault(place, match["value"])
    return list(found.values())


def events(texts: Sequence[str], language: str) -> list[tuple[Stated, Stated | None]]:
    """What several seeds date by the same words, with the amount beside it where they give one, the commonest first."""
    sentences = [[text[a:b] for a, b in sentence_spans(text)] for text in texts]
    dated = [[each for each in of_seed if dates_in(each)] for of_seed in sentences]
    clauses = [[part for each in of_seed for part in _clauses(each, language)] for of_seed in dated]
    least = max(2, round(_SHARE * len(texts)))
    phrases = _phrases(clauses, least, language)
    if language == "zh":
        joined = "\n".join(texts)
        phrases = [phrase for phrase in phrases if _free(phrase, joined)]
    found = []
    for phrase in phrases:
        when, much = Stated(phrase), Stated(phrase)
        for place, of_seed in enumerate(dated):
            for sentence in of_seed:
                at = sentence.lower().find(phrase.lower())
                if at < 0:
                    continue
                nearest = min(dates_in(sentence), key=lambda each: abs(each[0] - at))
                when.values[place] = sentence[nearest[0] : nearest[1]]
                money = next(_money(sentence), None)
                if money:
                    much.values[place] = money
                break
        found.append((when, much if len(much.values) >= least else None))
    return found


def _free(phrase: str, text: str) -> bool:
    """Whether other signs stand before and after a phrase from place to place, as they do with words."""
    places = [match.start() for match in re.finditer(re.escape(phrase), text)]
    before = {text[at - 1 : at] for at in places}
    after = {text[at + len(phrase) : at + len(phrase) + 1] for at in places}
    return len(before) > 1 and len(after) > 1


def _money(sentence: str) -> Iterator[str]:
    taken = dates_in(sentence)
    for match in re.finditer(AMOUNT.pattern.replace(r"[^\d.,;:，。；：/(（]{0,16}", r"(?:元|美元|人民币)?"), sentence):
        if any(start < match.end() and match.start() < end for start, end, _, _ in taken):
            continue
        each = amount_of(match)
        if each.unit.strip("|") and (match["before"] or each.unit.endswith("元")):
            yield match.group().strip()


def _clauses(sentence: str, language: str) -> list[str]:
    return [sentence] if language != "zh" else [part for part in re.split(r"[，；。]", sentence) if part]


def _phrases(clauses: Sequence[Sequence[str]], least: int, language: str) -> list[str]:
    """Phrases of dated sentences in so many seeds, the most widespread and then the longest first, none in another."""
    grams = _han_grams if language == "zh" else _word_grams
    spread: Counter[str] = Counter()
    for of_seed in clauses:
        spread.update({gram for clause in of_seed for gram in grams(clause)})
    common = [gram for gram, count in spread.items() if count >= least]
    kept: list[str] = []
    for gram in sorted(common, key=lambda each: (-spread[each], -len(each), each)):
        if not any(gram in other or other in gram or _overlapping(gram, other, language) for other in kept):
            kept.append(gram)
    return kept[:_MOST_EVENTS]


def _overlapping(gram: str, other: str, language: str) -> bool:
    """Whether the end of one is the beginning of the other: two cuts out of the same longer phrase."""
    if language != "zh":
        return bool(set(gram.split()) & set(other.split()))
    return any(gram[:size] == other[-size:] or gram[-size:] == other[:size] for size in range(2, 5))


def _word_grams(sentence: str) -> Iterator[str]:
    words = re.findall(r"[A-Za-z][a-z'’-]*|[,;:.]|\d+", sentence)
    for size in (2, 3):
        for at in range(len(words) - size + 1):
            gram = words[at : at + size]
            plain = all(re.fullmatch(r"[a-z][a-z'’-]{3,}", word) and word not in _STOP_EN for word in gram)
            if plain and _EVENT_NOUN.search(gram[-1]) and not gram[0].endswith(("ly", "ed", "ing")):
                text = " ".join(gram)
                if any(
                    _SUPPORTED_EN.search(sentence[: match.start()]) for match in re.finditer(re.escape(text), sentence)
                ):
                    yield text
    for start, _, _, _ in dates_in(sentence)[:1]:
        match = _VERB_DATE.search(sentence[:start])
        if match:
            yield match[1]


def _han_grams(clause: str) -> Iterator[str]:
    for run in _HAN.findall(clause):
        for size in range(4, 9):
            for at in range(len(run) - size + 1):
                gram = run[at : at + size]
                inner = gram[0] not in _ZH_EDGE and gram[-1] not in _ZH_EDGE and not _ZH_STOP.search(gram)
                is_head = run[at + size :][:1] in _ZH_NEXT  # of a name such as 高级管理层变更 the head is the end
                if inner and is_head and _SUPPORT_ZH.search(run[:at]):
                    yield gram
