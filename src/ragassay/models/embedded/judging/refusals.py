"""Whether an answer declines to answer: outright, or by saying that the information is missing.

In a refusal the answerer or its source does not know, find or say. A denial of a fact ("It contains no gluten") is an
answer. ``refusals.json`` has the phrases of each language; what they make of a sentence is one rule, in ``_strength``.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

from ragassay.models.embedded.reading.units import sentences

_FEWEST_LETTERS = 12
"""Of a clause that holds an answer; a sign of Chinese or Japanese counts for three."""

_SENTENCE_CHARS = 2_000
"""Read of each sentence: what has no stop for as long is no sentence."""

DECLINES, SAYS_MISSING, ANSWERS = 1.0, 0.7, 0.0
OF_A_TEXT = 0.4


class _Phrases(NamedTuple):
    """How one language refuses. negation: what every refusal has. missing: a source does not say.

    source, person: words for what was read, for answerer and asker. reports: opens a clause that tells what was read.
    courtesy: sentences without a claim, as greetings. contrast: words that part clauses. concludes: opens what follows
    from the rest.
    """

    negation: re.Pattern[str]
    declines: re.Pattern[str]
    missing: re.Pattern[str]
    source: re.Pattern[str]
    reports: re.Pattern[str]
    person: re.Pattern[str]
    apology: re.Pattern[str]
    courtesy: re.Pattern[str]
    contrast: re.Pattern[str]
    concludes: re.Pattern[str]
    sends_away: re.Pattern[str]


_SLOT = re.compile("@([a-z]+)")
_ACCENTS = re.compile("[\u0300-\u036f\u064b-\u0655\u0670\u0640]")
_CLAUSE_END = re.compile("[;；–—]")
_ASIDE = re.compile(r"(?<=\S)\s*(?:\([^()]*\)|（[^（）]*）)")
"""What stands in brackets behind other words: no more than a remark, even where it says what is missing."""
_KANA, _HAN = re.compile("[\u3040-\u30ff]"), re.compile("[\u3400-\u9fff]")
_OTHER_SCRIPTS = {"ru": re.compile("[\u0400-\u04ff]"), "ar": re.compile("[\u0600-\u06ff]"), "ja": _KANA, "zh": _HAN}
"""Of the languages without Latin letters; the first one whose script occurs is the text's."""


def evasion(answer: str) -> float:
    """How far the answer evades, in [0, 1]: 1 if it opens by declining, 0.7 if by saying that information is missing.

    As much if it concludes so; a "however" after the opening may hold an answer. Otherwise half the share of sentences
    that evade: a refusal phrase further on is mostly part of a good answer ("document 2 does not mention ...").
    """
    said = [sentence for sentence in spoken(answer) if not _only_apologises(sentence)]
    if not said:
        return DECLINES
    strength = _strength(said[0])
    if strength and len(said) > 1 and _opens(said[1], "contrast"):
        strength = _strength(" ".join(said[:2]))
    if not strength and _opens(said[-1], "concludes"):
        strength = _strength(said[-1])
    if strength > ANSWERS:
        return strength
    return 0.5 * sum(map(evades, said[1:])) / len(said)


def evasiveness(answer: str) -> float:
    """As ``evasion``, for who sees the question and the answer alone: every evading sentence counts in full.

    0.4 if it says of a text, which it may have read well, that it lacks the information. Chosen on ratings of GPT-4.
    """
    found = spoken(answer)
    opening = evasion(answer)
    if not found or opening >= DECLINES:
        return DECLINES
    if opening >= SAYS_MISSING:
        return OF_A_TEXT if speaks_of_a_text(found[0]) else SAYS_MISSING
    return sum(map(evades, found)) / len(found)


def is_refusal(answer: str) -> bool:
    """Whether the answer, apologies aside, opens or ends by declining or saying that information is missing."""
    return evasion(answer) >= SAYS_MISSING


def only_refuses(answer: str) -> bool:
    """Whether the answer is a refusal and says nothing besides."""
    said = spoken(answer)
    return bool(said) and is_refusal(answer) and not content_sentences(said)


def spoken(answer: str) -> list[str]:
    """The sentences of an answer without those that claim nothing: greetings, thanks, offers, closing phrases."""
    return [sentence for sentence in sentences(answer) if not _is_courtesy(sentence)]


def speaks_of_a_text(sentence: str) -> bool:
    """Whether a sentence that says what is missing says so of a text: a statement about it, right or wrong."""
    plain = _plain(sentence)
    return any(phrases.source.search(plain) for phrases in _of_script(plain))


def content_sentences(said: Sequence[str]) -> list[str]:
    """The sentences that do not evade: what an answer says beside declining."""
    return [sentence for sentence in said if not evades(sentence)]


def _opens(sentence: str, words: str) -> bool:
    plain = _plain(sentence).lstrip(" _#>")
    return any(getattr(phrases, words).match(plain) for phrases in _of_script(plain))


def evades(sentence: str) -> bool:
    """Whether a sentence declines, says what is missing, apologises, or sends the asker elsewhere."""
    plain = _plain(sentence)
    return (
        _strength(sentence) > ANSWERS
        or _only_apologises(sentence)
        or any(phrases.sends_away.search(plain) for phrases in _of_script(plain))
    )


def _strength(sentence: str) -> float:
    """How far a sentence refuses: as its clause that does so most, if no other clause of it holds an answer."""
    plain = _ASIDE.sub("", _plain(sentence))
    for phrases in _of_script(plain):
        if not phrases.negation.search(plain):
            continue
        clauses = [part for piece in _CLAUSE_END.split(plain) for part in phrases.contrast.split(piece)]
        found = [
            DECLINES if phrases.declines.search(clause) else SAYS_MISSING if phrases.missing.search(clause) else ANSWERS
            for clause in clauses
        ]
        if any(found):
            answers = any(
                not strength and _holds_an_answer(clause, phrases)
                for clause, strength in zip(clauses, found, strict=True)
            )
            if answers:
                return ANSWERS
            return DECLINES if phrases.apology.search(plain) else max(found)
    return ANSWERS


def _holds_an_answer(clause: str, phrases: _Phrases) -> bool:
    beside = (phrases.apology, phrases.person, phrases.source, phrases.reports)
    return _letters(clause) >= _FEWEST_LETTERS and not any(words.search(clause) for words in beside)


def _only_apologises(sentence: str) -> bool:
    plain = _plain(sentence)
    return any(
        phrases.apology.search(plain)
        and _letters(phrases.person.sub(" ", phrases.apology.sub(" ", plain))) < _FEWEST_LETTERS
        for phrases in _of_script(plain)
    )


def _is_courtesy(sentence: str) -> bool:
    """Whether all of a sentence is one; a number is a claim, wherever it stands."""
    plain = _plain(sentence).strip(" _#>¡¿")
    bare = plain.rstrip(".!?,…。！？， ")
    return not any(map(str.isdigit, plain)) and any(
        phrases.courtesy.fullmatch(plain) or phrases.courtesy.fullmatch(bare) for phrases in _of_script(plain)
    )


def _letters(text: str) -> int:
    wide = len(_KANA.findall(text)) + len(_HAN.findall(text))
    return sum(sign.isalnum() for sign in text) + 2 * wide


def _plain(text: str) -> str:
    """In lower case, without accents and vowel signs, which many leave out; with straight apostrophes."""
    bare = _ACCENTS.sub("", unicodedata.normalize("NFD", text[:_SENTENCE_CHARS].casefold().replace("’", "'")))
    return " ".join(unicodedata.normalize("NFC", bare).replace("*", "").split())


def _of_script(plain: str) -> Iterator[_Phrases]:
    other = None if plain.isascii() else next((code for code, sign in _OTHER_SCRIPTS.items() if sign.search(plain)), "")
    for code, phrases in _languages().items():
        if code == other or (not other and code not in _OTHER_SCRIPTS):
            yield phrases


@cache
def _languages() -> dict[str, _Phrases]:
    data = json.loads(resources.files(__package__).joinpath("refusals.json").read_text(encoding="utf-8"))
    return {code: _phrases(one, data["any"]) for code, one in data["languages"].items()}


def _phrases(data: dict[str, Any], shared: dict[str, str]) -> _Phrases:
    slots = {**shared, **data["slots"], **{name: data[name] for name in ("source", "person", "apology", "contrast")}}

    def filled(pattern: str) -> str:
        while _SLOT.search(pattern):
            pattern = _SLOT.sub(lambda found: f"(?:{slots[found.group(1)]})", pattern)
        return pattern

    def compiled(given: str | Sequence[str]) -> re.Pattern[str]:
        """One pattern for all; without any, one that never matches."""
        pattern = "|".join(map(filled, [given] if isinstance(given, str) else given)) or "(?!)"
        return re.compile(unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", pattern))))

    return _Phrases(*(compiled(data.get(name, ())) for name in _Phrases._fields))
