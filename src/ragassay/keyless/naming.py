"""How a question names what a document is about."""

from __future__ import annotations

import re

from ragassay.generate.collection import Collection
from ragassay.keyless.layout import records
from ragassay.keyless.page import Page
from ragassay.keyless.wording import FINITE_TAGS, SMALL_WORDS, is_full_name, is_generic, sentence_case
from ragassay.models.embedded.reading.parser import is_english, is_word, tokens_of
from ragassay.records import Document
from ragassay.text import sentences

_MOST_WORDS = 9
_FEWEST_KEYS = 3
_OPENING_CHARS = 600

_DOCUMENT = re.compile(
    r"\b(?:policy|policies|minutes|lease|agreement|contract|handbook|manual|guide|report|review|catalogue|catalog|"
    r"constitution|charter|manifesto|guidelines|rules|terms|conditions|regulations|statutes|procedure|procedures|"
    r"list|checklist|strategy|standard|brochure|notice|plan|overview|schedule|timetable|register|directory|rates|"
    r"fares|prices|budget|summary|newsletter|programme|reference|syllabus|specification|glossary|faqs?|settings)$",
    re.IGNORECASE,
)
"""Words for kinds of documents, of which one says "according to"."""
_NAME_KEY = re.compile(r"(?:(?:[\w-]+ )?name|title|product|model)$", re.IGNORECASE)
_OF_OTHERS = re.compile(r"(?:contact|file|user|customer|client|owner|author|company|first|last|brand|maker)\b", re.I)
_CODED = re.compile(r"[A-Z]{1,5}-?\d[\w-]*: (?=\S)")
_QUALIFIED = re.compile(r"(?P<name>.+?) \((?P<kind>[a-z][a-z ]*)\)$")
_NO_NAME = re.compile(
    r"[?!:;“”\"|,()\[\]{}<>=*]|\s[-–—]\s"
    r"|^(?:how|what|when|where|why|who|which|if|is|are|do|can|this|these|those|that)\b",
    re.IGNORECASE,
)
_DOES = re.compile(r"\w+ing (?:and|or|the|an?|your|my|our) |an? ", re.IGNORECASE)
_BEHIND_HEAD = re.compile(r" (?:of|at|on|in|to|for|by|from|with|between|during) ")
_DATE_BEHIND = re.compile(r"[ \d–/-]+$")
_SUBJECT = re.compile(
    r"(?P<article>The )?(?P<name>[A-Z][\w&.'’-]*(?: (?:(?:of|and|the|for) )?[A-Z\d][\w&.'’-]*){0,5})"
    r"(?: \([^)]*\))? (?:is|was|are) an? "
)
_NO_SUBJECT = frozenset("This That These It There We If In He She They You What Here Each Every All One".split())


def page_of(document: Document, collection: Collection) -> Page:
    """The document with the name that its title, a key or its opening sentence gives; without one if none does."""
    name, is_thing = _name_of(Page(document, collection, "", is_thing=False))
    return Page(document, collection, name, is_thing)


def _name_of(page: Page) -> tuple[str, bool]:
    """(name, whether it is a thing); an empty name where nothing tells it unmistakably."""
    title = re.sub(r"\s+", " ", page.document.title).split(" | ")[0].strip()
    title = page.collection.own_title(title).strip(" .:-–—#")
    is_number = (
        re.fullmatch(r"[a-z][\w .-]* \d+", title) is not None and title.lower() not in page.document.text.lower()
    )
    if title and not is_number and not is_generic(title):
        return _titled(title, page)
    entries = records(page)
    for entry in entries:
        if _NAME_KEY.match(entry.name) and not _OF_OTHERS.match(entry.name) and len(entry.text.split()) <= 6:
            sized = sum(other.group == entry.group for other in entries) >= _FEWEST_KEYS
            return (entry.text, True) if sized and re.match(r"[A-Z\d]", entry.text) else ("", False)
    # 'Marrowick Line is a ferry company': what the first sentence says what it is.
    first = next((line for line in sentences(page.document.text[:_OPENING_CHARS]) if len(line) > 30), "")
    found = _SUBJECT.match(first)
    if found is None or found["name"].split()[0] in _NO_SUBJECT:
        return "", False
    name = found["name"]
    if found["article"]:
        return f"the {name}", True
    return (name, True) if is_full_name(name) or not is_word(name.lower(), "noun", "adj", "verb") else ("", False)


def _titled(title: str, page: Page) -> tuple[str, bool]:
    coded = _CODED.match(title)
    name = re.sub(r"^(?:About |the )", "", title[coded.end() :] if coded else title, flags=re.IGNORECASE)
    lines = page.prose.split("\n")
    prose = "\n".join(line for line in lines if not line.rstrip(" #=*.:").endswith(name))
    if qualified := _QUALIFIED.match(name):
        return f"the {qualified['kind']} {qualified['name']}", True
    words = name.split()
    if len(words) > _MOST_WORDS or not words or _NO_NAME.search(name) or _DOES.match(name):
        return "", False
    name = _as_prose_writes(name, prose) if name.isupper() and len(words) > 1 else name
    head = _BEHIND_HEAD.split(name, maxsplit=1)[0]
    if _DOCUMENT.search(_DATE_BEHIND.sub("", name)) or (_DOCUMENT.search(head) and head != name and not _tells(name)):
        return (_with_article(_in_a_sentence(name, prose)), False) if len(words) > 1 else ("", False)
    if _tells(name):
        return "", False
    is_record = len(records(page)) >= _FEWEST_KEYS
    if head.split()[-1].islower() and head != head.lower() and not is_full_name(name):
        # 'Linkspan failure at Oskay Terminal', 'Morven K40 kettle': a common noun, of which there is one
        is_one = is_record or _count(_in_a_sentence(name, prose), prose)[1] > 0
        is_one = is_one and tokens_of(head)[-1].tag in {"NN", "NNP"}
        return (_with_article(_in_a_sentence(name, prose)), True) if is_one else ("", False)
    capital, with_the = _count(name, prose)
    lower, _ = _count(name.lower(), prose) if name != name.lower() else (0, 0)
    if (lower > capital and not is_full_name(name)) or not _is_name(name, prose):
        return "", False
    if capital or (is_full_name(name) and len(words) > 1 and (is_record or _is_called_short(words, prose))):
        return (f"the {name}" if with_the * 2 > capital else name), True
    return "", False


def _tells(title: str) -> bool:
    """Whether a title is a headline or names something to do: 'MV Bluefin returns on 16 August', 'Set up a printer'."""
    tokens = tokens_of(title)
    first = tokens[0]
    if first.tag in {"VB", "VBG", "VBP", "VBD", "IN", "TO"} or (first.lower.endswith("ing") and first.tag != "NN"):
        return first.text.istitle() is False or not is_full_name(title) or is_word(first.lower, "verb")
    return any(token.tag in FINITE_TAGS and token.text.islower() for token in tokens)


def _in_a_sentence(title: str, prose: str) -> str:
    """A title in sentence case without the capital at its start, unless that is a name; others as they stand."""
    first, *rest = title.split()
    undated = _DATE_BEHIND.sub("", title)
    if (is_full_name(undated) and " " in undated) or not (is_english(first.lower()) or first.lower() in prose):
        return title
    return " ".join([sentence_case(first, prose), *rest])


def _as_prose_writes(title: str, prose: str) -> str:
    """A title in capitals, each word as prose has it inside sentences."""
    words = []
    for word in title.split():
        forms = (word.lower(), word.capitalize(), word)
        words.append(max(forms, key=lambda form: len(re.findall(rf"[\w,] {re.escape(form)}\b", prose))))
    return " ".join([words[0][:1].upper() + words[0][1:], *words[1:]])


def _with_article(name: str) -> str:
    return name if re.match(r"(?:the|an?|our|your|my)\b|\w+['’]s ", name, re.IGNORECASE) else f"the {name}"


def _count(name: str, prose: str) -> tuple[int, int]:
    """How often prose writes a name, and how often after "the"."""
    if name not in prose:
        return 0, 0
    articles = re.findall(rf"(\b[Tt]he )?(?<!\w){re.escape(name)}(?!\w)", prose)
    return len(articles), sum(map(bool, articles))


def _is_name(title: str, prose: str) -> bool:
    return any(word[:1].isupper() for word in title.split()) and not (
        len(title.split()) == 1 and _count(title.lower(), prose)[0] > 0
    )


def _is_called_short(words: list[str], prose: str) -> bool:
    """Whether prose calls something by the last word of a name: 'Ramanathan', 'Bluefin'."""
    return words[-1] not in SMALL_WORDS and re.search(rf"[\w,] {re.escape(words[-1])}\b", prose) is not None
