"""Definitions and duties: what something is, what it is for, what it is short for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragassay.models.embedded.chinese.clauses import HAN, POINTING, balanced, clauses, without_connective
from ragassay.models.embedded.chinese.page import Page
from ragassay.models.embedded.chinese.profile import Profile
from ragassay.models.embedded.structure.drafts import Draft

_TERM = (
    rf"(?P<term>(?:[{HAN}]{{2,10}}|[A-Za-z][\w.+/-]*(?: [A-Za-z][\w.+-]*){{0,3}})(?:\s?[{HAN}]{{2,6}})?)"
    r"\s?(?:（[^（）]{1,40}）|\([^()]{1,40}\))?\s?"
)
_IS = re.compile(
    rf"^{_TERM}(?:是一(?P<article>种|个|款|类|项|门|套|组|座|家|名|位|部|条|份|片)\s?|是指\s?|指的是\s?)(?P<what>[^。！？]{{6,90}})$"
)
_DOES = re.compile(rf"^{_TERM}(?P<verb>(?<!适)用于|用来|负责|可用于)\s?(?P<what>[^是]{{5,50}})$")
_NO_TERM = re.compile(
    r"[的了是在与和或及被把这那该此其他她它我你您们每各另有不也都还就只]"
    r"|^(?:因此|所以|如果?|若|由于?|当|虽|因|对|从|用|使|让|将|以|按|本|并|且|而|但|则|即|可|能|会|应|必|需|已|曾|常|又|再|更|最|很|较|太|没|无|例如|同时"
    r"|结果|目的|目标|原因|问题|方法|以|作者|系统|用户|程序|公司|文件|命令|软件|数据|技术|一)|(?:通常|必须|应当?|可以|将|扩展|为|一般|往往|总|一定)\s*$"
)


def definition_facts(page: Page, profile: Profile) -> Iterator[Draft]:
    """'What is X?' and 'What is X for?' where a sentence opens with it."""
    for sentence in page.sentences:
        plain = re.sub(rf"(?<=[{HAN}])\s+(?=[{HAN}])", "", without_connective(sentence.text)).rstrip("。；")
        whole = sentence.text.rstrip().endswith(("。", "；", ".", "！"))
        if whole and balanced(plain) and not POINTING.search(plain):
            yield from _is(plain, sentence.text, profile)
            yield from _does((clauses(plain) or [""])[0], sentence.text, profile)


def _is(plain: str, quote: str, profile: Profile) -> Iterator[Draft]:
    match = _IS.match(plain)
    if match is None or not _is_term(match["term"].strip(), profile):
        return
    term, what = match["term"].strip(), match["what"]
    named = term == profile.theme or re.search("[A-Za-z·]", term) is not None
    if (
        re.search(r"^在|[的和与、中时后]$|[？?]", what)
        or what[:3] in term
        or (profile.kind == "company" and term in profile.aliases)
    ):
        return
    yield Draft(
        pattern="definition",
        question=f"什么是{_spaced(term)}？" if named else f"{profile.cited}中，{term}是什么？",
        answer=f"{'一' + match['article'] if match['article'] else ''}{what}".strip(),
        statement=f"{plain}。",
        quotes=(quote,),
        about=_spaced(term) if named else "",
    )


def _does(opening: str, quote: str, profile: Profile) -> Iterator[Draft]:
    match = _DOES.match(opening)
    term = _ADVERB.sub("", match["term"]).strip() if match else ""
    if (
        match is None
        or re.search(r"[的时中后]$", match["what"])
        or not (term == profile.theme or re.search("[A-Za-z]", term))
        or not _is_term(term, profile)
    ):
        return
    verb = "负责什么" if match["verb"] == "负责" else "用来做什么"
    yield Draft(
        pattern="used_for",
        question=f"{_spaced(term).lstrip()}{verb}？",
        answer=match["what"].strip(),
        statement=f"{opening}。",
        quotes=(quote,),
        about=_spaced(term).strip(),
    )


_ADVERB = re.compile(r"(?:常常?|主要|通常|一般|还|仍|至今仍?|也|都|可以|能|会|目前)+$")


def _is_term(term: str, profile: Profile) -> bool:
    if term == profile.theme:
        return True
    return not _NO_TERM.search(term) and (profile.kind == "thing" or bool(re.search("[A-Za-z]", term)))


def _spaced(term: str) -> str:
    """A Latin term with the spaces that Chinese typesetting puts around it."""
    return f" {term} " if term[-1:].isascii() and term[:1].isascii() else term
