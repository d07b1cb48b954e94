"""Text to terms for lexical search, with character offsets, so that documents are read once for all chunk sizes."""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import Stemmer

from ragassay.retrieval.chunk_table import Int32Array, document_keys, spread
from ragassay.retrieval.columns import Column, let_go

# Scripts written without spaces between words (kana, Han, Hangul, Thai, Lao, Khmer, Burmese) are cut into character
# bigrams, as Lucene's CJKAnalyzer does: no dictionary, and no wrong word boundary can hide a match. Han characters are
# terms by themselves too.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
# Python's \w leaves out combining marks, which are inside words of Indic, Hebrew and Arabic writing.
_MARKS = "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0963\u0966-\u0dff"
_WORD = rf"[^\W{_UNSPACED}]++(?:[{_MARKS}]++[^\W{_UNSPACED}]*+)*+"
_JOINED = rf"{_WORD}(?:(?:[-._/:@'’]|::|->){_WORD})*+"
_RAW = re.compile(
    rf"{_JOINED}"
    rf"|(?<![\w-])--?(?=[^\W\d_]){_JOINED}"  # an option's dashes belong to it: --no-acl, -U
    rf"|[{_UNSPACED}]++"
)
_PART = re.compile(rf"(?:[^\W_]|[{_MARKS}])+(?:['’](?:[^\W_]|[{_MARKS}])+)?")
_HUMP = re.compile(r"[a-z]+(?=[A-Z])|[A-Z]+(?=[A-Z][a-z])|[A-Z][a-z0-9]*|[a-z0-9]+|[A-Z0-9]+")
_LOWER_CAMEL = re.compile(r"[a-z]+(?:[A-Z][a-z0-9]*)+")
_BLOCK_WORDS = 250_000
"""Raw words that are expanded together, as many more as the last document has: some 40 MB meanwhile."""

STEMMERS = {
    "ar": "arabic",
    "da": "danish",
    "de": "german",
    "en": "english",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hu": "hungarian",
    "it": "italian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
    "tr": "turkish",
    "und": "english",
}
"""ISO 639-1 code to Snowball algorithm; other languages are lower-cased only."""

# Lucene's 33 English stop words, and the words that make a sentence a question: rare in manuals, so BM25 would take
# them for telling.
ENGLISH_STOP_WORDS = frozenset(
    """a an and are as at be but by for if in into is it no not of on or such that the their then there these they this
    to was will with
    what which who whom whose when where why how do does did done can could should would may might must shall has have
    had been being were am i me my we our us you your he him his she her its them from about than so any
    don't doesn't didn't can't couldn't isn't aren't wasn't won't what's who's how's it's i'm""".split()
)


class Form(NamedTuple):
    """One term that a stretch of text stands for, with offsets into the stretch."""

    term: str
    start: int
    end: int


class Analyzer:
    """Cuts text into raw words and gives the terms of each. language (ISO 639-1): for stop words and stemming."""

    def __init__(self, language: str = "en") -> None:
        algorithm = STEMMERS.get(language)
        self._stemmer = None if algorithm is None else Stemmer.Stemmer(algorithm)
        self._stop_words = ENGLISH_STOP_WORDS if algorithm == "english" else frozenset[str]()

    def forms(self, raw: str) -> list[Form]:
        """Return the terms of a raw word: its stem, or an identifier and its parts; of unspaced scripts bigrams."""
        if re.match(f"[{_UNSPACED}]", raw[0]):
            last = max(1, len(raw) - 1)
            bigrams = [Form(_normal(raw[i : i + 2]), i, min(i + 2, len(raw))) for i in range(last)]
            if len(raw) == 1:
                return bigrams
            # a Han character alone often is a word: docs/retrieval.md says what they are worth beside the bigrams
            han = (i for i, sign in enumerate(raw) if "\u3400" <= sign <= "\u9fff" or sign >= "\U00020000")
            return bigrams + [Form(_normal(raw[i]), i, i + 1) for i in han]
        dashes = len(raw) - len(raw.lstrip("-"))
        body = re.sub(r"['’]s$", "", raw[dashes:])
        parts = _parts(raw, dashes)
        forms = []
        if parts and dashes:
            forms.append(Form(_normal(raw[:dashes] + body), 0, len(raw)))
        if len(parts) > 1 or (parts and "_" in body):
            forms.append(Form(_normal(body), dashes, len(raw)))
        for start, end in parts:
            word = _normal(raw[start:end])
            if word not in self._stop_words:
                stem = word if self._stemmer is None else str(self._stemmer.stemWord(word))
                forms.append(Form(stem, start, end))
        return forms


def _normal(text: str) -> str:
    return unicodedata.normalize("NFKC", text).lower().replace("’", "'")


def _parts(raw: str, start: int) -> list[tuple[int, int]]:
    """Return offsets of the words inside a raw word: cut at joints, and lowerCamelCase at its humps."""
    parts = []
    for match in _PART.finditer(raw, start):
        if _LOWER_CAMEL.fullmatch(match[0]):
            parts += [(match.start() + hump.start(), match.start() + hump.end()) for hump in _HUMP.finditer(match[0])]
        else:
            parts.append(match.span())
    return parts


@dataclass(frozen=True, slots=True, eq=False)
class TokenizedDocuments:
    """Every document's terms in order, with where they stand.

    terms: (n_tokens,) int32 term ids. documents, starts, ends: (n_tokens,) int32, sorted by document and start; an
    identifier and its parts are tokens of their own, so tokens may overlap.
    """

    analyzer: Analyzer
    vocabulary: dict[str, int]
    documents: Int32Array
    terms: Int32Array
    starts: Int32Array
    ends: Int32Array

    def terms_of(self, text: str) -> Int32Array:
        """Return term ids of a question or a prefix, repeats kept; terms that no document holds are left out."""
        terms = question_terms(self.analyzer, text)
        return np.array([self.vocabulary[term] for term in terms if term in self.vocabulary], dtype=np.int32)


class RawWords(NamedTuple):
    """The raw words of one document, each once. ids, starts: (n,) int32, which stands at each place, and where."""

    words: list[str]
    ids: Int32Array
    starts: Int32Array


def raw_words(text: str) -> RawWords:
    """Cut a text into raw words, whatever its language."""
    ids: dict[str, int] = {}
    # One number for word and start: a list of a million pairs takes numpy ten times as long to read.
    found = [ids.setdefault(match[0], len(ids)) << 32 | match.start() for match in _RAW.finditer(text)]
    both = np.array(found, dtype=np.int64)
    return RawWords(list(ids), (both >> 32).astype(np.int32), (both & 0xFFFFFFFF).astype(np.int32))


class Tokenizer:
    """Takes the raw words of documents as they stream by. folder: where numbers lie; None for memory."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._raw_ids: dict[str, int] = {}
        self._words, self._starts = Column(np.int32, folder), Column(np.int32, folder)
        self._counts = array("i")

    def add(self, document: RawWords) -> None:
        """Take the next document."""
        ids = self._raw_ids
        known = np.array([ids.setdefault(word, len(ids)) for word in document.words], dtype=np.int32)
        self._words.append(known[document.ids])
        self._starts.append(document.starts)
        self._counts.append(len(document.ids))

    def result(self, prefixes: Sequence[str] = (), language: str = "en") -> TokenizedDocuments:
        """Return the tokens of all documents. prefixes: of chunks, for the vocabulary."""
        analyzer = Analyzer(language)
        vocabulary: dict[str, int] = {}
        tokens = self._tokens(_lexicon(analyzer, self._raw_ids, vocabulary))
        for prefix in dict.fromkeys(prefixes):
            for term in question_terms(analyzer, prefix):
                vocabulary.setdefault(term, len(vocabulary))
        return TokenizedDocuments(analyzer, vocabulary, *tokens)

    def _tokens(self, lexicon: _Lexicon) -> tuple[Int32Array, Int32Array, Int32Array, Int32Array]:
        """Return (documents, terms, starts, ends), sorted by document and start: some documents at a time."""
        words, starts = self._words.result(), self._starts.result()
        counts = np.frombuffer(self._counts, np.int32)
        borders = np.append(0, np.cumsum(counts, dtype=np.int64))
        columns = [Column(np.int32, self._folder) for _ in range(4)]
        first = 0
        while first < len(counts):
            end = max(first + 1, int(np.searchsorted(borders, borders[first] + _BLOCK_WORDS, side="right")) - 1)
            of = slice(borders[first], borders[end])
            documents = np.repeat(np.arange(first, end, dtype=np.int32), counts[first:end])
            tokens = _expand(np.array(words[of]), documents, np.array(starts[of]), lexicon)
            for column, rows in zip(columns, tokens, strict=True):
                column.append(rows)
            let_go(words)
            let_go(starts)
            first = end
        documents, terms, token_starts, ends = (column.result() for column in columns)
        return documents, terms, token_starts, ends


def tokenize_documents(texts: Iterable[str], prefixes: Sequence[str] = (), language: str = "en") -> TokenizedDocuments:
    """Read every text once; see ``Tokenizer``."""
    tokenizer = Tokenizer()
    for text in texts:
        tokenizer.add(raw_words(text))
    return tokenizer.result(prefixes, language)


class _Lexicon(NamedTuple):
    """The forms of all raw words, flat: raw word r has those from first[r] to first[r] + counts[r]."""

    first: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]
    terms: Int32Array
    starts: Int32Array
    ends: Int32Array


def _lexicon(analyzer: Analyzer, raw_words: Iterable[str], vocabulary: dict[str, int]) -> _Lexicon:
    count: list[int] = []
    flat: list[tuple[int, int, int]] = []
    for raw in raw_words:
        forms = analyzer.forms(raw)
        count.append(len(forms))
        flat += [(vocabulary.setdefault(form.term, len(vocabulary)), form.start, form.end) for form in forms]
    columns = np.array(flat, dtype=np.int32).reshape(-1, 3)
    counts = np.array(count, dtype=np.int64)
    return _Lexicon(np.cumsum(counts) - counts, counts, columns[:, 0], columns[:, 1], columns[:, 2])


def _expand(
    words: Int32Array, documents: Int32Array, starts: Int32Array, lexicon: _Lexicon
) -> tuple[Int32Array, Int32Array, Int32Array, Int32Array]:
    """Make tokens of raw words: (documents, terms, starts, ends), sorted by document and start. All are (n,) int32."""
    counts = lexicon.counts[words]
    forms = spread(lexicon.first[words], counts)
    token_documents, bases = np.repeat(documents, counts), np.repeat(starts, counts)
    token_starts = bases + lexicon.starts[forms]
    order = np.argsort(document_keys(token_documents, token_starts), kind="stable")
    return (
        token_documents[order],
        lexicon.terms[forms][order],
        token_starts[order],
        (bases + lexicon.ends[forms])[order],
    )


def question_terms(analyzer: Analyzer, text: str) -> list[str]:
    """Return the terms of a question, repeats kept, whether or not a document holds them."""
    return [form.term for match in _RAW.finditer(text) for form in analyzer.forms(match[0])]
