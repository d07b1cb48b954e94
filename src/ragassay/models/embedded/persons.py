"""Whether a document tells of a person: the nouns that its first lines and its title use for its theme."""

from __future__ import annotations

import re
from functools import lru_cache

from ragassay.models.embedded.grammar import singular, tokens_of
from ragassay.models.embedded.themes import PAGE_NOUN, PERSON_NOUNS, TITLE_PARENTHESIS
from ragassay.text import sentences

_NOT_PERSONS = frozenset(
    """
    river number paper order server computer tower newspaper center theater theatre computer transformer container
    cluster semester character letter layer power quarter chapter register parameter water software compiler
    browser driver sector vector motor reactor corridor manor harbor harbour descent event continent monument
    department settlement government element instrument document environment treatment movement agreement
    parliament tournament apartment plant restaurant variant festival archive drive initiative cooperative
    collective alternative executive list cancer disorder fever ulcer murder disaster member chamber freighter
    supplier manufacturer operator trailer reader cooler freezer pointer identifier parser handler wrapper header folder
    optimizer planner trigger specifier placeholder buffer integer developer publisher retailer distributor
    broadcaster carrier lender insurer wholesaler
""".split()
)

_DEFINITION = re.compile(r"^(?:is|was|are|were)$")


@lru_cache(maxsize=512)
def is_person(theme: str, title: str, opening: str) -> bool:
    """Whether a document tells of a person, by what its first lines call the theme and by its title."""
    title_name = TITLE_PARENTHESIS.match(title)
    name = title_name["name"] if title_name else theme.removeprefix("the ")
    called = _called_a_person(name, opening)
    if called is None and title_name:
        called = _person_in_title(title_name["kind"])
    if called is not None:
        return called
    looks_like_a_name = re.fullmatch(r"[A-Z][\w.'’-]+(?: [A-Z][\w.'’-]+){1,3}", name)
    last = name.split()[-1] if looks_like_a_name else ""
    return bool(looks_like_a_name) and not PAGE_NOUN.match(last.lower()) and _tells_of_a_person(last, opening)


def _tells_of_a_person(last_name: str, opening: str) -> bool:
    if _BORN.search(opening):
        return True
    if ". He " not in opening and ". She " not in opening:
        return False
    return re.search(rf"\b{re.escape(last_name)}\b[^.\n]*\. (?:He|She) ", opening) is not None


_BORN = re.compile(r"\(born|\bborn (?:in|on|at)|\bwas born")


def _person_in_title(kind: str) -> bool | None:
    """By the noun in a title's parenthesis: 'gamer', '1995 video game'; None where there is none."""
    head = kind.rsplit(maxsplit=1)[-1]
    return _is_of_persons(head) if head.islower() and head.isalpha() else None


def _called_a_person(name: str, opening: str) -> bool | None:
    """By the noun with which the opening sentences say what the theme is; None where they do not say it."""
    for sentence in sentences(opening)[:2]:
        tokens = tokens_of(re.sub(r"\([^()]*\)", "", sentence).replace(name, "Xtheme"))
        place = next((i for i, token in enumerate(tokens[:14]) if _DEFINITION.match(token.text)), None)
        if place is None or place + 2 >= len(tokens):
            continue
        start = place + 1
        phrase = []
        for token in tokens[start : start + 12]:
            if token.tag in {"IN", "WDT", "WP", "VBN", "VBD", "VBZ", "TO", "VBG"} or token.text in {",", ";", ".", "("}:
                break
            phrase.append(token)
        if not phrase or phrase[0].tag not in {"DT", "CD"} or not phrase[-1].tag.startswith("NN"):
            continue
        heads = [token.lower for token in phrase if token.tag in {"NN", "NNS"}]
        if heads:
            return _is_of_persons(singular(heads[-1])) and not sentence.startswith("It ")
    return None


def _is_of_persons(noun: str) -> bool:
    return PERSON_NOUNS.search(noun) is not None and noun not in _NOT_PERSONS
