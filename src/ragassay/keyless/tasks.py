"""Tasks that headings and titles name: 'Renewing a permit', 'Renew your permit', 'How to renew a permit'."""

from __future__ import annotations

import re

from ragassay.keyless.wording import sentence_case
from ragassay.models.embedded.reading.parser import is_word, lemma, parse

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
    """'Renewing a permit', 'Renew your permit', 'How to renew a permit' as 'How do I renew a permit?'; '' for others.

    prose: the text around, which shows the capitals of names. The task needs a verb and an object of more than one word
    or with a determiner, and no word of chapters.
    """
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
