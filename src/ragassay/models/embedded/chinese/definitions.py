"""Definitions and duties: what something is, what it is for, what it is short for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragassay.models.embedded.chinese.clauses import HAN, POINTING, balanced, clauses, without_connective
from ragassay.models.embedded.chinese.page import Page
from ragassay.models.embedded.chinese.profile import Profile
from ragassay.models.embedded.drafts import Draft

_TERM = (
    rf"(?P<term>(?:[{HAN}]{{2,10}}|[A-Za-z][\w.+/-]*(?: [A-Za-z][\w.+-]*){{0,3}})(?:\s?[{HAN}]{{2,6}})?)"
    r"\s?(?:（[^（）]{1,40}）|\([^()]{1,40}\))?\s?"
)
_IS = re.compile(
    rf"^{_TERM}(?:是一(?P<article>种|个|款|类|项|门|套|组|座|家|名|位|部|条|份|片)\s?|是指\s?|指的是\s?|是用于)(?P<what>.{{6,60}})$"
)
_DOES = re.compile(rf"^{_TERM}(?P<verb>用于|用来|负责|可用于|主要用于)\s?(?P<what>[^是]{{5,50}})$")
_NO_TERM = re.compile(
    r"[的了是在与和或及被把这那该此其他她它我你您们每各另有不也都还就只]|^(?:因此|所以|如果|例如|同时|结果|目的|目标|原因|问题|方法|以上|以下|作者|系统|用户|程序|公司|文件|命令|软件|数据|技术|一个|一种)$"
)


def definition_facts(page: Page, profile: Profile) -> Iterator[Draft]:
    """'What is X?' and 'What is X for?' where the clause that opens a sentence says it."""
    for sentence in page.sentences:
        opening = without_connective((clauses(sentence.text) or [""])[0])
        if not balanced(sentence.text):
            continue
        yield from _is(opening, sentence.text, profile)
        yield from _does(opening, sentence.text, profile)


def _is(opening: str, quote: str, profile: Profile) -> Iterator[Draft]:
    match = _IS.match(opening)
    if match is None or not _is_term(match["term"], profile) or POINTING.search(match["what"]):
        return
    if re.search(r"[的和与、]$", match["what"]) or match["what"][:3] in match["term"]:
        return
    term = match["term"].strip()
    article = f"一{match['article']}" if match["article"] else ""
    answer = f"{article}{match['what']}".strip()
    if profile.kind == "company" and term in profile.aliases:
        return
    yield Draft(
        pattern="definition",
        question=f"什么是{_spaced(term)}？" if len(term) > 2 else f"{profile.theme}中的{term}是指什么？",
        answer=answer,
        statement=opening + "。",
        quotes=(quote,),
        about=term if len(term) > 2 else "",
    )


def _does(opening: str, quote: str, profile: Profile) -> Iterator[Draft]:
    match = _DOES.match(opening)
    if match is None or not _is_term(match["term"], profile) or POINTING.search(match["what"]):
        return
    term = match["term"].strip()
    named = bool(re.search("[A-Za-z]", term)) or profile.theme in term
    owner = "" if named else f"在{profile.theme}中，"
    verb = "负责什么" if match["verb"] == "负责" else "用来做什么"
    yield Draft(
        pattern="used_for",
        question=f"{owner}{_spaced(term)}{verb}？",
        answer=match["what"].strip(),
        statement=f"{opening}。",
        quotes=(quote,),
        about=term if named else "",
    )


def _is_term(term: str, profile: Profile) -> bool:
    return not _NO_TERM.search(term) and (profile.kind == "thing" or bool(re.search("[A-Za-z]", term)))


def _spaced(term: str) -> str:
    """A Latin term with the spaces that Chinese typesetting puts around it."""
    return f" {term} " if term[-1:].isascii() and term[:1].isascii() else term
