"""Words of headings, keys and columns: their tags, their lemmas, and how they stand inside a sentence.

Tags (Penn) and lemmas are those of the English parser's tagger and lemmatiser; sentences are parsed by ``parser``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from ragassay.models.embedded.reading.parser import alone, is_word, nlp


@dataclass(frozen=True, slots=True)
class Token:
    """start, end: offsets into the text."""

    text: str
    tag: str
    start: int
    end: int

    @property
    def lower(self) -> str:
        """The token in lower case."""
        return self.text.lower()

    @property
    def is_name(self) -> bool:
        """Whether it is tagged or written as a proper noun."""
        return self.tag.startswith("NNP") or (self.text[:1].isupper() and self.tag in {"NN", "NNS", "JJ", "CD", "FW"})


@lru_cache(maxsize=8192)
def tokens_of(text: str) -> tuple[Token, ...]:
    """The words of a short text with their tags, of a long one of its beginning; words joined by a hyphen are one."""
    doc = nlp().make_doc(text[:_LONGEST].encode("utf-8", "replace").decode())
    with doc.retokenize() as retokenizer:
        for match in _JOINED.finditer(doc.text):
            span = doc.char_span(*match.span())
            if span is not None and len(span) > 1:
                retokenizer.merge(span)
    for name in ("tok2vec", "tagger"):
        doc = nlp().get_pipe(name)(doc)
    return tuple(Token(word.text, word.tag_, word.idx, word.idx + len(word)) for word in doc if not word.is_space)


@lru_cache(maxsize=4096)
def noun_phrase(text: str) -> tuple[Token, ...]:
    """The words of a key, a column or an item without its article, tagged as the subject of a sentence."""
    tokens = tokens_of(f"the {text} was given")
    return tuple(
        Token(each.text, each.tag, each.start - _BEFORE, each.end - _BEFORE)
        for each in tokens
        if each.start >= _BEFORE and each.end <= _BEFORE + len(text)
    )


_BEFORE = len("the ")
_LONGEST = 5_000
"""Characters that are tagged: headings, keys and first sentences have fewer."""
_JOINED = re.compile(r"[^\W\d_]+(?:[-/_][^\W_]+)+")


@cache
def lemma(verb: str) -> str:
    """The infinitive of a verb form, in lower case."""
    return alone(verb.lower(), "VERB")


@cache
def singular(noun: str) -> str:
    """The singular of a noun, in lower case; of one that is none of the dictionary's singulars: series, fungus."""
    lower = noun.lower()
    return lower if is_word(lower, "noun") else alone(lower, "NOUN")


def third_person(verb: str) -> str:
    """The form for "it", by the rules of English spelling: carry, carries."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if re.search(r"(?:s|x|z|ch|sh|o)$", verb):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if re.search(r"[^aeiou]y$", verb) else f"{verb}s"


_IRREGULAR = {"have": "has", "be": "is"}


def ing(verb: str) -> str:
    """The -ing form, by the rules of English spelling."""
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")) and verb != "be":
        return verb[:-1] + "ing"
    short = re.fullmatch(
        r"[^aeiou]*[aeiou][^aeiouwxy]|(?:be|for|re|ad|o|com|trans|sub|un|out|over|up|with)(?:gin|get|set|fer|mit|cur|plug|run|put)",
        verb,
    )
    return verb + verb[-1] + "ing" if short else verb + "ing"
