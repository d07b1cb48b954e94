"""Sentences and words with exact offsets, for English-like languages and Chinese."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""Kana and Han characters, to be put inside a character class: they are written without spaces between words."""

LINK_TARGET = re.compile(r"\]\([^()\s]*\)")
"""Of a link in Markdown: texts of documents leave it out, and quotes by hand may have it."""

_ABBREVIATIONS = frozenset(
    """
    adj adm al approx apr apt art assn assoc aug ave avg bros bt ca capt cf ch chap cllr cmdr co col comdr corp dec del
    dept dist div dr ed eds e.g eg eq eqs esp est etc ext feb fig figs fr ft gen gov hon i.e ie inc incl intl jan jr
    jul jun lat lt ltd mar max messrs mfg min misc mr mrs ms mt mtn nat nos nov obs oct op orig pg pl pp pres prof
    prop pt pub pvt rd rep res resp rev sec sen sep sept seq sgt sr st ste sub tel trans univ ver viz vol vols vs wg
    abb abs bspw bzw d.h einschl evtl geb gest ggf inkl jh kap mind mio mrd nr sog str usw u.a vgl z.b z.t zzgl
    c.-à-d chap env ex févr janv juil mme mlle réf tél
    aprox avda cap dña dra ee ej ene núm pág págs sra srta telf ud uds uu
    """.split()
)
"""Words whose stop seldom ends a sentence; English, then of German, French, Spanish. Lower case, without the stop."""

_BEFORE_NUMBER = frozenset("app art ch chap eq eqs fig figs no nos nr p pp para pg pt sec sect tab v ver vol".split())
"""Abbreviations only in front of a number: "No. 5", "p. 12", but "She said no. Then"."""

_MAY_END = frozenset(
    """
    al apr aug bros co corp dec dept est etc ex ext feb inc jan jh jr jul jun ltd mar mio mrd nov oct sep sept sr st
    str usw uu
    """.split()
)
"""Abbreviations that also end sentences: they do when a word that starts sentences follows."""

_STARTERS = frozenset(
    """
    A According After Additionally Although Among An And As At Because Before Being Between Both But By Despite Due
    During Each Early Following For From Furthermore He Her Here His However I If In Initially It Its Later Like Many
    Most Moreover Nevertheless No Not On One Originally Other Our She Since So Some Such Subsequently That The Their
    Then There These They This Those Though Through Thus To Today Two Under Unlike Until Upon We What When Where
    Whether Which While With Within You Your
    Auch Bei Da Das Dann Der Die Diese Dieser Dieses Ein Eine Er Es Für Hier Ich Im Mit Nach Sie Um Und Wenn Wir Zu
    Avec Ce Ces Cette Dans Elle Elles Il Ils Je La Le Les Mais Nous Pour Puis Si Un Une Vous
    Aquí Con Cuando El Ella Ellos Esta Este Esto Estos Las Lo Los Para Pero Por Se También Una
    """.split()
)

_BOUNDARY = re.compile(
    # One class of signs in front: the search then jumps from sign to sign, eight times as fast as from any character.
    r"[\n。！？；.!?…](?:(?<=\n)\s*"
    r"|(?<=[。！？；])[。！？；]*[”’」』）》\"]*\s*"
    # looked back, or dots take quadratic time
    rf"|(?<=[.!?…])(?<![.!?…].)[.!?…]*[\"'”“’»)\]]*(?:[ \u00a0\u202f]»)?(?=[\s{CJK}])\s*"
    r"|(?P<glued>(?<=[a-z0-9)\]\"”]\.)[\"”]?(?=[A-Z“\"(])))"
)
_WORD_BEFORE = re.compile(r"[^\s(\[\"'“‘«]+\Z")
_WORD_AFTER = re.compile(r"[\"'“‘«„¿¡(\[]*([^\W\d_]+)")
_GLUED_AFTER = re.compile(r"[\"“(]*([^\W\d_]+)(?=[\s,'’])")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]\Z")
_ORDINAL = re.compile(r"\b(?:[Aa][mb]|[Dd](?:er|ie|as|e[mns])|[Ii]m|[Vv]om|[Zz]u[mr]|[Bb]is|[Ss]eit|und)\s\d{1,2}\Z")
"""German: "der 2. Weltkrieg", "am 3. März"."""
_LIST_NUMBER = re.compile(r"\(?(?:\d{1,3}|[a-z]|[ivxlc]+)\Z")
_SUFFIXES = frozenset("asp com csv doc docx edu exe gov htm html net org pdf php txt xml".split())
_SURELY_PROSE = 40
"""Characters of a sentence so far from which on "Name.Name" is taken for its end rather than for one name."""
_LOOK_BACK = 40
"""Characters before a stop in which its word is sought; longer words are no abbreviations."""


def sentence_spans(text: str, protected: Sequence[tuple[int, int]] = ()) -> list[tuple[int, int]]:
    """Return (start, end) of each sentence in order, without white space around; they hold all that is not white space.

    A line break ends a sentence: the texts of documents have one line a paragraph. Stops inside numbers, initials,
    abbreviations, addresses, versions and file names do not. Sentences glued together by a lost line break
    ("...the Awards.At the time...") are split where the words on both sides make that safe.
    protected: (start, end) of stretches, in order and apart, inside which no sentence ends: ``Document.literals``.
    """
    spans: list[tuple[int, int]] = []
    starts = [first for first, _ in protected]
    start = len(text) - len(text.lstrip())
    for match in _BOUNDARY.finditer(text, start):
        if not _ends_sentence(text, start, match):
            continue
        if starts and _inside(match.start(), protected, starts):
            continue
        end = match.start() + len(match.group().rstrip())
        while end > start and text[end - 1].isspace():
            end -= 1
        if end > start:
            spans.append((start, end))
        start = match.end()
    end = len(text.rstrip())
    if end > start:
        spans.append((start, end))
    return spans


def sentences(text: str, protected: Sequence[tuple[int, int]] = ()) -> list[str]:
    """Return the sentences of a text, as ``sentence_spans`` finds them."""
    return [text[start:end] for start, end in sentence_spans(text, protected)]


def _inside(position: int, protected: Sequence[tuple[int, int]], starts: Sequence[int]) -> bool:
    index = bisect_right(starts, position) - 1
    return index >= 0 and position < protected[index][1] - 1


def _ends_sentence(text: str, start: int, match: re.Match[str]) -> bool:
    """Return whether a match of _BOUNDARY ends the sentence that began at ``start``."""
    mark = text[match.start()]
    if "\n" in match.group():
        return True
    if mark == ".":
        return _stop_ends_sentence(text, start, match)
    return mark not in "!?…" or match.end() >= len(text) or not text[match.end()].islower()


def _stop_ends_sentence(text: str, start: int, match: re.Match[str]) -> bool:
    stop, after = match.start(), match.end()
    if after >= len(text):
        return True
    if match.group().startswith(".."):
        return not text[after].islower()
    before = _WORD_BEFORE.search(text, max(start, stop - _LOOK_BACK), stop)
    word = before.group() if before else ""
    if match.lastgroup == "glued":
        return _glued(text, start, after, word)
    following = _WORD_AFTER.match(text, after)
    next_word = following.group(1) if following else ""
    if next_word[:1].islower():
        return False
    if not word or match.group()[1:2].strip():
        return True
    lower = word.lower()
    if stop - len(word) <= start and _LIST_NUMBER.match(word):
        return False
    if lower in _BEFORE_NUMBER and text[after].isdigit():
        return False
    if word.isdecimal() and _ORDINAL.search(text, max(start, stop - _LOOK_BACK), stop):
        return False
    if lower in _ABBREVIATIONS:
        return lower in _MAY_END and (next_word in _STARTERS or text[after] in "¿¡")
    if _INITIALS.match(word):
        return (len(word) > 1 or word == "I") and next_word in _STARTERS
    return True


def _glued(text: str, start: int, after: int, word: str) -> bool:
    """Return whether "word.Next" are two sentences, and not a name with a dot in it, such as a module, file or host.

    word: the one before the stop; empty where a quotation or bracket ends there. start: of the sentence so far.
    """
    following = _GLUED_AFTER.match(text, after)
    if following is None or any(sign in word for sign in "/@_:\\."):
        return False
    next_word = following.group(1)
    if next_word in _STARTERS:
        return len(word) != 1
    if len(next_word) < 3 or not next_word[1:].islower() or next_word.lower() in _SUFFIXES:
        return False
    left = word.rstrip(')]"”,')
    if not left or left.isdecimal() or (left.isalpha() and left.islower() and len(left) > 2):
        return True
    return left.isalpha() and after - start > _SURELY_PROSE


_WORD = re.compile(rf"[{CJK}]|[^\W{CJK}]+(?:[-'’.][^\W{CJK}]+)*")


def words(text: str) -> list[str]:
    """Return the words of a text as they are written."""
    return _WORD.findall(text)


FEWEST_TELLING = 5
"""Words of a text that says the same wherever it stands; a shorter one says what stands around it."""
_MOST_PLACES = 1_000


def places_of(said: str, text: str, near: int) -> list[tuple[int, int]]:
    """Return where words stand in a text, as whole words and white space apart, the nearest to an offset first."""
    said = said.strip()
    if not said:
        return []
    before = rf"(?<![^\W{CJK}])" if said[0].isalnum() else ""  # "9 euros" is no part of "19 euros"
    after = rf"(?![^\W{CJK}])" if said[-1].isalnum() else ""
    pattern = before + r"\s+".join(map(re.escape, said.split())) + after
    found = (match.span() for match in re.finditer(pattern, text))
    return sorted(found, key=lambda place: abs(place[0] - near))[:_MOST_PLACES]


def count_words(text: str) -> int:
    """Return how many words a text has."""
    return sum(1 for _ in _WORD.finditer(text))
