"""Words of keys, cells, labels and titles: their part of speech (Penn tags, by spaCy), their other forms, the article.

Inflection is lemminflect's, which needs no sentence around a word.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

from ragassay.models.embedded.inflections import first_inflection, first_lemma
from ragassay.models.embedded.prose.parser import nlp

BE = frozenset("is are was were be been being am".split())


@dataclass(frozen=True, slots=True)
class Token:
    """start, end: offsets into the sentence."""

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
    """Tokens of a phrase or a sentence with their Penn tags; white space is none. Lone surrogates count as signs."""
    doc = nlp().make_doc(text.encode("utf-8", "replace").decode())
    for name in _TAGGING:
        doc = nlp().get_pipe(name)(doc)
    return tuple(
        Token(text[token.idx : token.idx + len(token)], token.tag_, token.idx, token.idx + len(token))
        for token in doc
        if not token.is_space
    )


_TAGGING = ("tok2vec", "tagger", "attribute_ruler")
"""Parts of the pipeline that tags need: nothing is parsed."""


@cache
def lemma(verb: str) -> str:
    """The infinitive of a verb form."""
    return "be" if verb.lower() in BE else first_lemma(verb.lower(), "VERB") or verb.lower()


@cache
def inflect(verb: str, tag: str) -> str:
    """A verb's form for a Penn tag, from any of its forms."""
    if lemma(verb) == "be":
        return {"VBZ": "is", "VBD": "was", "VBN": "been", "VBG": "being"}.get(tag, "be")
    return first_inflection(lemma(verb), tag) or verb


@cache
def singular(noun: str) -> str:
    """The singular of a noun, in lower case."""
    return first_lemma(noun.lower(), "NOUN") or noun


def with_article(noun_phrase: str) -> str:
    """The phrase after 'a' or 'an' where it has no determiner."""
    word = noun_phrase.split(maxsplit=1)[0].lower() if noun_phrase.split() else ""
    if not word or word in {"a", "an", "the", "its", "his", "her", "their"}:
        return noun_phrase
    vowel = word.startswith(_SILENT_H) or (word[0] in "aeiou" and not word.startswith(_SPOKEN_WITH_A_CONSONANT))
    return f"{'an' if vowel else 'a'} {noun_phrase}"


_SILENT_H = ("hour", "honest", "honour", "honor", "heir")
_SPOKEN_WITH_A_CONSONANT = ("uni", "use", "usu", "eu", "one-", "once")
