"""Questions that fit a Chinese passage and that it does not answer: attributes and keys that it lacks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragassay.models.embedded.chinese.clauses import HAN
from ragassay.models.embedded.chinese.entry_facts import is_no_attribute, owner_of, word_of
from ragassay.models.embedded.chinese.profile import Profile
from ragassay.tasks.questions import MissCandidates, Question

_ATTRIBUTES: dict[str, tuple[tuple[str, str], ...]] = {
    "company": (
        ("注册资本|资本金", "{}的注册资本是多少？"),
        ("法定代表人|法人代表", "{}的法定代表人是谁？"),
        ("员工|职工|雇员", "{}有多少名员工？"),
        ("审计机构|会计师事务所", "{}的审计机构是哪家会计师事务所？"),
        ("创始人|创办|创立", "{}的创始人是谁？"),
        ("董事长", "{}的董事长是谁？"),
        ("研发投入|研发费用|研发方面|投入研发", "{}的研发费用是多少？"),
        ("每股收益", "{}的每股收益是多少？"),
        ("股票代码|证券代码", "{}的股票代码是什么？"),
        ("专利", "{}拥有多少项专利？"),
        ("官网|网站|网址", "{}的官方网站是什么？"),
    ),
    "patient": (
        ("血型", "{}的血型是什么？"),
        ("身高", "{}的身高是多少？"),
        ("体重", "{}的体重是多少？"),
        ("医保|保险|参保", "{}的医保类型是什么？"),
        ("费用|自付|花费", "{}的住院费用是多少？"),
        ("联系人|联系电话", "{}的紧急联系人是谁？"),
        ("床号|床位|病床", "{}的床号是多少？"),
        ("责任护士|护士", "{}的责任护士是谁？"),
        ("文化程度|学历", "{}的文化程度是什么？"),
    ),
    "case": (
        ("公诉人|检察员", "{}的公诉人是谁？"),
        ("诉讼费|受理费|案件费", "{}的案件受理费是多少？"),
        ("前科|曾因|犯罪记录|首次违法|初犯", "{}中被告人此前有过什么前科？"),
        ("文化程度|学历|小学|初中|高中|大学|文盲", "{}中被告人的文化程度是什么？"),
        ("看守所|羁押", "{}中被告人被羁押在哪个看守所？"),
        ("法定代理人|监护人", "{}中被告人的法定代理人是谁？"),
        ("人民陪审员|陪审", "{}的人民陪审员是谁？"),
    ),
}
"""What one asks of such a thing: words none of which may stand in the text, and the question."""
_FEWEST_CHARS = 200
_OCCASIONAL = 2
"""One in so many of these fits is asked, lest a set read monotonously."""


def near_misses(asked: MissCandidates, profile: Profile) -> Iterator[Question]:
    """All of them; they are sure only where the passage is the whole document."""
    if asked.whole_document:
        yield from _missing_attributes(asked, profile)
        yield from _missing_of_siblings(asked, profile)


def _missing_attributes(asked: MissCandidates, profile: Profile) -> Iterator[Question]:
    text = f"{asked.passage.opening}\n{asked.passage.text}"
    if len(text) < _FEWEST_CHARS:
        return
    for place, (words, question) in enumerate(_ATTRIBUTES.get(profile.kind, ())):
        if (sum(profile.theme.encode()) + place) % _OCCASIONAL == 0 and not re.search(words, text):
            yield Question(question=question.format(profile.theme), answer="", pattern="missing_attribute")


def _missing_of_siblings(asked: MissCandidates, profile: Profile) -> Iterator[Question]:
    """A key that documents of the same kind have, and this one lacks in any words."""
    text = f"{asked.passage.opening}\n{asked.passage.text}"
    for key in asked.passage.sibling_attributes:
        if (
            not re.fullmatch(rf"[{HAN}]{{2,8}}", key)
            or is_no_attribute(key)
            or any(key[at : at + 2] in text for at in range(len(key) - 1))
        ):
            continue
        question = f"{owner_of(key, profile)}的{key}是{word_of(key, '某某')}？"
        yield Question(question=question, answer="", pattern="missing_key")
