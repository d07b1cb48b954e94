"""What a question asks of, put into it where it does not say so by itself; and the tasks that headings name."""

from __future__ import annotations

import re

from ragassay.keyless.page import Page
from ragassay.keyless.wording import is_generic, lower_first, names_something, sentence_case, telling_words
from ragassay.models.embedded.reading.parser import ing, is_word, lemma, parse

NUMBER = re.compile(
    r"^(?:(?:Q(?:uestion)?\s*\d*|\d+(?:\.\d+)*)\s*[.:)](?!\d)|\d+(?:\.\d+)+(?=\s)|\[\d+\])\s*", re.IGNORECASE
)
_NO_TASK = frozenset(
    "have be watch note remember see meet welcome thank enjoy live think contact read know understand learn consider"
    " review report plan".split()
)
"""Verbs whose headings name no task: they warn, greet, or are nouns as often."""
_NO_OBJECT = re.compile(
    r"\b(?:features?|functions?|options?|settings?|chapters?|sections?|overview|process|basics|introduction|examples?|"
    r"notes?|dialogs?|window|tab|menu|tools?|reference|appendix|concepts?|types?|tips)\b",
    re.IGNORECASE,
)
"""Words of chapters and of parts of a program: such a heading names what it describes, and not what somebody wants."""
_YOURS = {"your": "my", "yours": "mine", "yourself": "myself", "you": "I"}
_MOST_TASK_WORDS = 9


def task_question(heading: str, prose: str) -> str:
    """'Renewing a permit', 'Renew your permit', 'How to renew a permit' as 'How do I renew a permit?'; '' for other."""
    plain = " ".join(NUMBER.sub("", heading.strip()).split()).rstrip(".: ")
    how_to = re.match(r"how to (?=[a-z])", plain, re.IGNORECASE)
    plain = plain[how_to.end() :] if how_to else plain
    if not 2 <= len(plain.split()) <= _MOST_TASK_WORDS or re.search(
        r"[?!:;,()“”\"/&|]|\d\.\d| (?:and|or|vs\.?) ", plain
    ):
        return ""
    first, _, rest = sentence_case(plain, prose).partition(" ")
    first = first.lower()
    verb = _infinitive(first)
    if not verb or verb in _NO_TASK or _NO_OBJECT.search(rest):
        return ""
    (doc,) = parse([f"You should {verb} {rest}."])
    told = doc[2] if len(doc) > 3 else None
    if told is None or told.dep_ != "ROOT" or not any(child.dep_ == "dobj" for child in told.children):
        return ""
    is_determined = re.search(r"\b(?:an?|the|my|your|our)\b", rest) is not None
    is_done = (
        re.search(rf"\b(?:to|you|can|must|should|may|please) {re.escape(verb)}\b", prose, re.IGNORECASE) is not None
    )
    may_be_noun = first != verb or is_word(first, "noun")  # 'Opening hours', 'Process documents'
    if may_be_noun and not (how_to or is_determined or is_done):
        return ""
    words = [_YOURS.get(word, word) for word in rest.split()]
    return f"How do I {verb} {' '.join(words)}?" if "I" not in words else ""


def _infinitive(word: str) -> str:
    """The verb of an imperative or gerund; empty for other words."""
    if is_word(word, "verb") and not word.endswith("ing"):
        return word
    base = lemma(word) if word.endswith("ing") else ""
    if word.removesuffix("ing").endswith("ll") and is_word(word.removesuffix("ing"), "verb"):
        return word.removesuffix("ing")  # 'install' and not 'instal'
    return base if base and base != word and is_word(base, "verb") else ""


def named(asked: str, page: Page) -> str:
    """The question, with its page's name where it has none, as of "the ship"; empty where the page has none."""
    if names_something(asked):
        return asked
    if page.is_thing and page.name:
        told = rf"{re.escape(page.name)} (?:is|was) an? (?:\w+ ){{0,3}}?(\w+)\b"
        for kind in sorted(set(re.findall(told, page.document.text[:1500]))):
            changed, count = re.subn(rf"\bthe {re.escape(kind)}\b", page.name, asked, count=1)
            if count:
                return changed
    return framed(page, asked)


_OF_RULES = re.compile(
    r"\b(?:polic(?:y|ies)|agreement|contract|terms|rules|regulations?|scheme|guidelines|code|charter|lease|conditions)\b",
    re.IGNORECASE,
)


def framed(page: Page, question: str) -> str:
    """The question with the name of its page, so that it can be told from others; empty where it has none.

    "According to the travel policy, ..."; one without a name has the task of its title ("When renewing a permit, ...").
    """
    if page.name and page.name.lower() in question.lower():
        return question
    if page.name:
        found = re.search(rf"\b(in|on|at) {re.escape(page.name)}\b", page.document.text)
        thing = found[1].capitalize() if found else "For"
        lead = thing if page.is_thing else "Under" if _OF_RULES.search(page.name) else "According to"
        return f"{lead} {page.name}, {lower_first(question)}"
    if doing := _doing(page):
        return f"When {doing}, {lower_first(question)}"
    if page.collection.size == 1 or len(telling_words(question)) >= _TELLING:
        return question
    title = quoted_title(page)
    if title and page.is_table:
        return f"In the {title.strip('“”')} table, {lower_first(question)}"
    return f"According to {title}, {lower_first(question)}" if title else ""


def _doing(page: Page) -> str:
    """The task that a title names, as what somebody is doing; empty for other titles."""
    prose = page.prose
    asked = task_question(page.document.title, prose.replace(page.document.title, " "))
    verb, _, rest = asked.removeprefix("How do I ").rstrip("?").partition(" ")
    return f"{ing(verb)} {rest}" if rest and verb != "use" else ""


_TELLING = 6
"""Words that say what a question is about, which then needs no title that is only its page's."""


def quoted_title(page: Page) -> str:
    """The title in quotation marks, for a page whose title names nothing but itself; empty where it tells nothing."""
    title = " ".join(page.collection.own_title(page.document.title).split()).strip(" .:-–—#")
    is_telling = len(title.split()) <= _MOST_TITLE_WORDS and not is_generic(title) and re.search("[A-Za-z]{3}", title)
    goes_on = re.match(rf"\s*{re.escape(title)},?[ \n][a-z]", page.document.text)  # the first line of a sentence
    return f"“{title}”" if is_telling and not goes_on and not re.search(r"[“”\"]", title) else ""


_MOST_TITLE_WORDS = 10
