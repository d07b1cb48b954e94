"""Words as the rules compare them: folded to terms, weighted by how rare they are.

A term is a word in lower case without inflection, with synonyms put together; of CJK text, character bigrams.
"""

from __future__ import annotations

import gzip
import itertools
import math
import re
import runpy
import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

import Stemmer

_LISTS: dict[str, str] = tomllib.loads(files(__package__).joinpath("lexicon.toml").read_text("utf-8"))
STOP_WORDS = frozenset(_LISTS["stop_words"].split())
QUESTION_WORDS = frozenset(_LISTS["question_words"].split())
NEGATIONS = frozenset(_LISTS["negations"].split())
SAME_MEANING = tuple(tuple(line.split()) for line in _LISTS["same_meaning"].strip().split("\n"))
IRREGULAR_FORMS: dict[str, str] = {
    form: base for base, *forms in map(str.split, _LISTS["irregular_forms"].strip().split("\n")) for form in forms
}
MONTHS: dict[str, int] = {
    name: number
    for number, names in enumerate(
        "january jan,february feb,march mar,april apr,may,june jun,july jul,august aug,september sept sep,october oct,"
        "november nov,december dec".split(","),
        start=1,
    )
    for name in names.split()
}
OTHER_MONTHS: dict[str, int] = {
    name: number
    for number, names in enumerate(
        "januar jänner janvier enero,februar février febrero,märz mars marzo,avril abril,mai mayo,juni juin junio,"
        "juli juillet julio,août agosto,septembre septiembre,oktober octobre octubre,novembre noviembre,"
        "dezember décembre diciembre".split(","),
        start=1,
    )
    for name in names.split()
}
"""German, French and Spanish."""
LOWER_MONTHS = frozenset(OTHER_MONTHS) - set("januar jänner februar märz juni juli oktober dezember".split())
"""Those that French and Spanish write without a capital: "Mars" is none."""
_ONES = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty"
)
NUMBER_WORDS: dict[str, int] = {
    **{word: value for value, word in enumerate(_ONES.split(), start=2)},
    **{
        word: 10 * value for value, word in enumerate("thirty forty fifty sixty seventy eighty ninety".split(), start=3)
    },
}
"""Cardinals in words. ``one`` is left out: it is a pronoun more often than a number."""
SCALES: dict[str, float] = {
    "hundred": 1e2,
    "thousand": 1e3,
    "k": 1e3,
    "million": 1e6,
    "mn": 1e6,
    "m": 1e6,
    "billion": 1e9,
    "bn": 1e9,
    "b": 1e9,
    "trillion": 1e12,
    **dict.fromkeys("tausend mille mil".split(), 1e3),
    **dict.fromkeys("millions millionen mio millón millones".split(), 1e6),
    **dict.fromkeys("milliarde milliarden mrd milliard milliards".split(), 1e9),
    **dict.fromkeys("billionen billones".split(), 1e12),
    "万": 1e4,
    "亿": 1e8,
}


_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_HAS_CJK = re.compile(f"[{_CJK}]")
_NUMBER = r"\d+(?:[.,]\d+)*"
# One class of characters in front, which makes the search a quarter faster; then a word or a number.
_TOKEN = re.compile(r"[^\W_](?:(?<!\d)[^\W_]*(?:['’][^\W\d_]+)?|(?<=\d)\d*(?:[.,]\d+)*(?:st|nd|rd|th|s)?)")
_TOKEN_CJK = re.compile(rf"[{_CJK}]+|[^\W\d_{_CJK}][^\W_{_CJK}]*(?:['’][^\W\d_{_CJK}]+)?|{_NUMBER}")
_POSSESSIVE = re.compile(r"['’]s?$")

CJK_STOP_CHARACTERS = frozenset("的了是在和与及或也都就而被把对从到于以为其之这那有吗呢吧什么哪谁何几多少怎样如请")

# Folding a word costs a few microseconds, and texts repeat their words.
_MOST_KEPT = 400_000


def has_cjk(text: str) -> bool:
    """Whether the text holds Chinese, Japanese or Korean characters."""
    return not text.isascii() and _HAS_CJK.search(text) is not None


def tokens(text: str) -> list[str]:
    """Words and numbers in their order, as written; character bigrams where a script has no spaces."""
    if not has_cjk(text):
        return _TOKEN.findall(text)
    found: list[str] = []
    for token in _TOKEN_CJK.findall(text):
        if _HAS_CJK.match(token) and len(token) > 1:
            found.extend(token[place : place + 2] for place in range(len(token) - 1))
        else:
            found.append(token)
    return found


_stemmer = Stemmer.Stemmer("english")
_stemmer.maxCacheSize = 0  # terms are kept


def _stem(word: str) -> str:
    return str(_stemmer.stemWord(IRREGULAR_FORMS.get(word, word)))


_SYNONYMS: dict[str, str] = {}
for _words in SAME_MEANING:
    for _word in _words:
        _SYNONYMS.setdefault(_stem(_word), _stem(_words[0]))


def plain_number(written: str) -> str:
    """Return digits with marks between them as Python writes the number: "1,234.5", "1.234,5" and "1'234,5" as 1234.5.

    A mark before three digits alone is read as in English: "1,200" is 1200, "1.200" is 1.2.
    """
    written = _BETWEEN_DIGITS.sub("", written)
    point, comma = written.rfind("."), written.rfind(",")
    if comma > point and not _ENGLISH_THOUSANDS.fullmatch(written):
        written = written.replace(".", "").replace(",", ".", 1) if written.count(",") == 1 else written
    elif written.count(".") > 1 and _THOUSANDS_BY_POINT.fullmatch(written):
        written = written.replace(".", "")
    return written.replace(",", "")


_BETWEEN_DIGITS = re.compile("['’\u00a0\u202f]")
_ENGLISH_THOUSANDS = re.compile(r"\d+(?:,\d{3})+")
_THOUSANDS_BY_POINT = re.compile(r"\d{1,3}(?:\.\d{3})+")


@lru_cache(_MOST_KEPT)
def term_of(word: str) -> str:
    """Return the term that a word stands for; empty for a function word."""
    return _fold(word)


def _fold(word: str) -> str:
    lowered = word.lower()
    is_acronym = len(word) > 1 and word.isupper()  # "USA", which is Spanish for "uses"
    if lowered in STOP_WORDS or (not is_acronym and lowered in _other_stop_words()):
        return ""
    if lowered[0].isdigit():
        digits = plain_number(lowered.rstrip("sthndr"))
        if "." in digits and digits.count(".") == 1:
            digits = digits.rstrip("0").rstrip(".")
        return digits
    if lowered in NUMBER_WORDS:
        return str(NUMBER_WORDS[lowered])
    if len(lowered) <= 2 and _HAS_CJK.match(lowered):
        return "" if lowered[0] in CJK_STOP_CHARACTERS and lowered[-1] in CJK_STOP_CHARACTERS else lowered
    lowered = _POSSESSIVE.sub("", lowered)
    if lowered in STOP_WORDS or not lowered:
        return ""
    stemmed = _stem(lowered)
    return _SYNONYMS.get(stemmed, stemmed)


def terms_of_tokens(words: Iterable[str]) -> list[str]:
    """The terms of words, function words left out."""
    return [term for term in map(term_of, words) if term]


def terms(text: str) -> list[str]:
    """The terms of a text in their order, function words left out."""
    return terms_of_tokens(tokens(text))


def question_terms(question: str) -> list[str]:
    """The terms of a question without those that only shape it (``what``, ``list``, ``explain``)."""
    return terms_of_tokens(token for token in tokens(question) if token.lower() not in QUESTION_WORDS)


def bigrams(found: Sequence[str]) -> set[tuple[str, str]]:
    """Neighbouring pairs of terms."""
    return set(itertools.pairwise(found))


# The weight of a word that the frequency list lacks: rare, but perhaps only modern or misspelt.
_UNSEEN_WEIGHT = 1.0
_NUMBER_WEIGHT = 0.8
_CJK_WEIGHT = 0.7
# Frequent words still count for something: "company" alone must not be worth nothing.
_SMALLEST_WEIGHT = 0.1


@cache
def _background() -> tuple[dict[str, int], int]:
    """Term counts of general English, and their sum.

    The list counts words of public-domain books, Wiktionary and the British National Corpus: en-spelling.txt of pattern
    (CLiPS, University of Antwerp; BSD licence), as textblob 0.20 ships it, without the lines that are no word.
    """
    counts: Counter[str] = Counter()
    for word, count in _counted_words():
        term = _fold(word)
        if term:
            counts[term] += int(count)
    return dict(counts), sum(counts.values())


def _counted_words() -> list[list[str]]:
    """[word, count] of each line of the list."""
    packed = files("ragassay.models.embedded.reading").joinpath("word_counts.txt.gz").read_bytes()
    return [line.split(" ") for line in gzip.decompress(packed).decode("utf-8").splitlines()]


@cache
def _other_stop_words() -> frozenset[str]:
    """German, French and Spanish ones, as spaCy lists them, without those that are English words, such as "die"."""
    spacy = find_spec("spacy")  # found, but not imported, which takes a second
    folders = spacy.submodule_search_locations if spacy else None
    lists = [Path(folder, "lang", code, "stop_words.py") for folder in folders or () for code in ("de", "fr", "es")]
    listed = (word for path in lists for word in runpy.run_path(str(path))["STOP_WORDS"])
    return frozenset(listed).difference(word for word, *_ in _counted_words())


@lru_cache(_MOST_KEPT)
def weight(term: str) -> float:
    """How much a term tells, in (0, 1], whatever else is judged: 1 for a word that general English hardly uses.

    log(N / (count + 1)) / log N over a background list (Sparck Jones 1972, scaled).
    """
    if term[0].isdigit():
        return _NUMBER_WEIGHT
    if not term.isascii() and _HAS_CJK.match(term):
        return _CJK_WEIGHT
    counts, total = _background()
    count = counts.get(term)
    if count is None:
        return _UNSEEN_WEIGHT
    return max(_SMALLEST_WEIGHT, math.log(total / (count + 1)) / math.log(total))


def total_weight(found: Iterable[str]) -> float:
    """Sum of the weights, the same in whatever order they come: sets of strings have another order in every process."""
    return math.fsum(map(weight, found))


def is_common_word(word: str) -> bool:
    """Whether general English uses the word in lower case often enough that a capital alone makes no name of it."""
    term = term_of(word)
    return not term or _background()[0].get(term, 0) >= _COMMON_COUNT


_COMMON_COUNT = 40


def names(text: str) -> set[str]:
    """Terms of the capitalised words: names and acronyms, without common words that merely open a sentence.

    None in German, where every noun has a capital.
    """
    if not _ENGLISH.search(text) and len(_GERMAN.findall(text)) > 1:
        return set()
    found = set()
    after_stop = True
    end = 0
    for match in _NAME_OR_STOP.finditer(text):
        word = match.group()
        if not word[0].isalnum():
            after_stop, end = True, match.end()
            continue
        opens = after_stop and not any(character.isalnum() for character in text[end : match.start()])
        after_stop = False
        term = term_of(word)
        if term and not (opens and is_common_word(word)):
            found.add(term)
    return found


_ENGLISH = re.compile(r"\b(?:the|of|and|is|to)\b", re.IGNORECASE)
_GERMAN = re.compile(
    r"\b(?:d(?:er|ie|as|e[mns])|eine?[mnrs]?|und|ist|nicht|ich|wie|wer|wo|welche[mnrs]?|mit|von|zu|für|im|auf|wird|kann)\b",
    re.IGNORECASE,
)
# A capitalised word, or a mark after which a capital means nothing.
_NAME_OR_STOP = re.compile(r"[A-Z\u00c0-\u00de][^\W_]*(?:['’][^\W\d_]+)?|[.!?:\n\"“(]+")
