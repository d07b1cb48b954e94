"""The names that a document's theme goes by in its text, and what kind of thing it is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from ragassay.models.embedded.reading.grammar import singular, tokens_of
from ragassay.models.embedded.reading.themes import CODED, PAGE_NOUN, PERSON_NOUNS, TITLE_PARENTHESIS, bare
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


@dataclass(frozen=True, slots=True)
class Profile:
    """What a document is about.

    theme: as it stands in the middle of a question, with its article. names: forms of it found in text, longest first.
    type_nouns: what the document calls it ('album', 'studio album'); kind: person or thing.
    """

    theme: str
    names: tuple[str, ...]
    type_nouns: tuple[str, ...]
    is_person: bool


@lru_cache(maxsize=512)
def profile_of(theme: str, title: str, opening: str) -> Profile:
    """Profile of a document from its first lines."""
    unarticled = theme[4:] if theme.startswith("the ") else theme
    title_name = TITLE_PARENTHESIS.match(title)
    short = title_name["name"] if title_name else unarticled
    names = {unarticled, short, bare(title)} - {""}
    if coded := CODED.match(bare(title)):
        names |= {coded["code"], coded["name"]}
    nouns, is_person = _type_of(short, opening)
    if title_name and not nouns:
        nouns, is_person = _type_from_title(title_name["kind"])
    if not nouns:
        looks_like_a_name = bool(re.fullmatch(r"[A-Z][\w.'’-]+(?: [A-Z][\w.'’-]+){1,3}", short))
        is_person = (
            looks_like_a_name
            and not PAGE_NOUN.match(short.split()[-1].lower())
            and _tells_of_a_person(short.split()[-1], opening)
        )
    words = short.split()
    is_numbered = bool(words) and re.search(r"\d", words[-1]) and not re.fullmatch(r"[12]\d{3}", words[-1])
    if len(words) > 1 and (is_person or is_numbered):
        names.add(words[-1])
    if re.search(r" (?:Inc|Ltd|Corp|Co|LLC|PLC|GmbH)\.?$", short):
        names.add(short.rstrip("."))
    ordered = tuple(sorted(names, key=lambda name: (-len(name), name)))
    return Profile(theme, ordered, nouns, is_person)


def _tells_of_a_person(last_name: str, opening: str) -> bool:
    if _BORN.search(opening):
        return True
    if ". He " not in opening and ". She " not in opening:
        return False
    return re.search(rf"\b{re.escape(last_name)}\b[^.\n]*\. (?:He|She) ", opening) is not None


_BORN = re.compile(r"\(born|\bborn (?:in|on|at)|\bwas born")


def _type_from_title(kind: str) -> tuple[tuple[str, ...], bool]:
    """The noun in a title's parenthesis: 'gamer', '1995 video game'."""
    head = kind.rsplit(maxsplit=1)[-1]
    if not head.islower() or not head.isalpha():
        return (), False
    return (head,), bool(PERSON_NOUNS.search(head)) and head not in _NOT_PERSONS


def _type_of(name: str, opening: str) -> tuple[tuple[str, ...], bool]:
    """The nouns with which the opening sentence says what the theme is, and whether they are said of people."""
    for sentence in sentences(opening)[:2]:
        plain = re.sub(r"\([^()]*\)", "", sentence).replace(name, "Xtheme")
        tokens = tokens_of(plain)
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
        if not heads:
            continue
        head = singular(heads[-1])
        is_person = bool(PERSON_NOUNS.search(head)) and head not in _NOT_PERSONS and not sentence.startswith("It ")
        nouns = [head] + ([f"{heads[-2]} {head}"] if len(heads) > 1 else [])
        return tuple(nouns), is_person
    return (), False
