"""English sentences taken apart just far enough to ask about them: tokens with offsets and tags, clauses, inversion.

Part-of-speech tags (Penn) come from textblob's pattern tagger, inflection from lemminflect; both carry their own
lexicon.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from ragassay.models.embedded.reading.tagger import first_inflection, first_lemma, tags_of

_TOKEN = re.compile(
    r"(?:[A-Z]\.){2,}|\d+(?:[.,:]\d+)*(?:st|nd|rd|th|s|%)?(?![^\W\d_])|['’]s\b|"
    r"[^\W_][^\W_]*(?:(?:[-_/&+]|[.](?=[^\W_]{1,6}\b)|['’](?!s\b))[^\W_]+)*(?:\b(?:Inc|Ltd|Co|Corp|Jr|Sr|St|Dr|"
    r"Mr|Mrs|Ms|No|vs)\.)?|--?[a-z][\w-]*|\.{3}|\S"
)
_ABBREVIATED = re.compile(r"(?:Inc|Ltd|Co|Corp|Jr|Sr|St|Dr|Mr|Mrs|Ms|No|vs)$|^[A-Z]$")

MAX_SENTENCE_CHARS = 600
"""Longer ones are not parsed: no question is made of them, and patterns would take long over them."""

BE = frozenset("is are was were be been being am".split())
HAVE = frozenset("has have had".split())
DO = frozenset("do does did".split())
_AUXILIARY = BE | HAVE | DO | frozenset("will would can could may might shall should must".split())
_FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
_ALWAYS_NOUN = frozenset(
    "album film series company people species building house song sea hundred second minute".split()
)


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


@dataclass(frozen=True, slots=True)
class Clause:
    """A simple declarative sentence: [front,] subject auxiliaries main rest.

    front: an adverbial before the subject, without its comma. auxiliaries: finite verb first; empty where the main verb
    is finite. main: the main verb; for a copula, the form of 'to be' itself with no auxiliaries.
    """

    front: str
    subject: str
    subject_tokens: tuple[Token, ...]
    auxiliaries: tuple[Token, ...]
    main: Token
    rest: str
    rest_start: int
    sentence: str

    @property
    def is_copula(self) -> bool:
        """Whether a form of 'to be' is the main verb."""
        return self.main.lower in {"is", "are", "was", "were"} and not any(
            token.lower in BE for token in self.auxiliaries
        )

    @property
    def is_passive(self) -> bool:
        """Whether a form of 'to be' stands before a participle."""
        return bool(self.auxiliaries) and self.auxiliaries[-1].lower in BE and self.main.tag in {"VBN", "VBD"}

    @property
    def lemma(self) -> str:
        """The infinitive of the main verb."""
        return lemma(self.main.text)


@lru_cache(maxsize=8192)
def tokens_of(sentence: str) -> tuple[Token, ...]:
    """Tokens of a sentence with Penn tags."""
    spans: list[tuple[int, int]] = []
    for match in _TOKEN.finditer(sentence):
        start, end = match.span()
        if _ABBREVIATED.search(match.group()) and end < len(sentence) - 1 and sentence[end] == ".":
            end += 1
        if spans and start < spans[-1][1]:
            continue
        spans.append((start, end))
    words = [sentence[start:end] for start, end in spans]
    tagged = tags_of(words)
    tokens = []
    for index, ((start, end), (word, tag)) in enumerate(zip(spans, tagged, strict=True)):
        tokens.append(Token(word, _mended_tag(word, tag, words, index), start, end))
    return tuple(tokens)


def _mended_tag(word: str, tag: str, words: Sequence[str], index: int) -> str:
    """Faults of the tagger that mattered: nouns taken for verbs, names at the start, finite verbs for participles."""
    lower = word.lower()
    if lower in BE:
        return {"is": "VBZ", "are": "VBP", "was": "VBD", "were": "VBD", "been": "VBN", "be": "VB", "being": "VBG"}.get(
            lower, tag
        )
    if lower in HAVE:
        return "VBZ" if lower == "has" else "VBD" if lower == "had" else "VBP"
    if lower in _ALWAYS_NOUN and tag.startswith("VB"):
        return "NN"
    if (
        index > 0
        and word[0].isupper()
        and tag.startswith(("VB", "NN", "JJ", "RB"))
        and words[index - 1] not in {".", ":", '"', "“"}
    ):
        return "NNP"
    if "_" in word or (word.isupper() and len(word) > 1 and not word.isdigit()):
        return "NNP"
    if (
        tag == "VB"
        and index > 0
        and words[index - 1].lower() in {"the", "a", "an", "of", "its", "his", "her", "their", "this"}
    ):
        return "NN"
    return tag


def clause_of(sentence: str) -> Clause | None:
    """Takes a sentence apart, or gives None where its shape is not plain enough to be sure."""
    if len(sentence) > MAX_SENTENCE_CHARS:
        return None
    tokens = tokens_of(sentence)
    if len(tokens) < 4 or tokens[-1].text not in {".", "”", '"'}:
        return None
    start = _front_end(tokens)
    if start is None:
        return None
    verb_start = _finite_verb(tokens, start)
    if verb_start is None:
        return None
    subject_tokens = tokens[start:verb_start]
    if not subject_is_plain(subject_tokens):
        return None
    index = verb_start
    auxiliaries: list[Token] = []
    while index < len(tokens) - 1 and tokens[index].lower in _AUXILIARY:
        following = index + 1
        while (
            following < len(tokens) and tokens[following].tag == "RB" and tokens[following].lower not in {"not", "n't"}
        ):
            following += 1
        if following < len(tokens) and (
            tokens[following].tag in {"VBN", "VBD", "VBG", "VB"}
            and (tokens[index].tag == "MD" or tokens[index].lower in BE | HAVE | DO)
        ):
            auxiliaries.append(tokens[index])
            index = following
        else:
            break
    main = tokens[index]
    if not main.tag.startswith("VB") or (index + 1 < len(tokens) and tokens[index + 1].lower in {"not", "n't"}):
        return None
    if not auxiliaries and main.tag == "VBN":
        main = Token(main.text, "VBD", main.start, main.end)
    last = tokens[-1].start if tokens[-1].text == "." else len(sentence)
    front = (
        sentence[: tokens[start - 1].start if tokens[start - 1].text == "," else tokens[start - 1].end] if start else ""
    )
    return Clause(
        front=front.strip(),
        subject=sentence[subject_tokens[0].start : subject_tokens[-1].end],
        subject_tokens=tuple(subject_tokens),
        auxiliaries=tuple(auxiliaries),
        main=main,
        rest=sentence[main.end : last].strip(),
        rest_start=main.end + len(sentence[main.end : last]) - len(sentence[main.end : last].lstrip()),
        sentence=sentence,
    )


_SUBORDINATING = frozenset("if when while although though because since after before as unless once".split())


_OPENING_PREPOSITIONS = frozenset("in on at by during from between for under".split())


def _front_end(tokens: Sequence[Token]) -> int | None:
    """Where the subject may begin: after a fronted prepositional phrase and comma; None if the front is a clause."""
    first = tokens[0]
    if first.lower in _SUBORDINATING:
        return None
    if first.tag in {"IN", "TO"} or first.lower in _OPENING_PREPOSITIONS:
        comma = next(
            (place for place, token in enumerate(tokens[:14]) if token.text == "," and _ends_front(tokens, place)), None
        )
        if comma is None:
            return _bare_year_front(tokens)
        if any(token.tag in _FINITE for token in tokens[:comma]):
            return None
        return comma + 1
    return 0


def _ends_front(tokens: Sequence[Token], comma: int) -> bool:
    """Not the comma inside 'July 29, 2022' or 'Paris, France'."""
    following = tokens[comma + 1] if comma + 1 < len(tokens) else None
    if following is None or re.fullmatch(r"[12]\d{3}", following.text):
        return False
    after = tokens[comma + 2] if comma + 2 < len(tokens) else None
    return not (following.is_name and after is not None and after.text == ",")


def _bare_year_front(tokens: Sequence[Token]) -> int | None:
    if (
        len(tokens) > 3
        and tokens[0].lower == "in"
        and re.fullmatch(r"[12]\d{3}", tokens[1].text)
        and tokens[2].tag != "IN"
    ):
        return 2
    return None


def _finite_verb(tokens: Sequence[Token], start: int) -> int | None:
    for place in range(start + 1, min(len(tokens) - 1, start + 18)):
        token = tokens[place]
        if token.text in {";", ":", "?"} or token.tag in {"WDT", "WP", "WRB"}:
            return None
        if token.tag in _FINITE:
            return place
        if (
            token.tag == "VBN"
            and tokens[place - 1].tag.startswith("NN")
            and tokens[place + 1].lower not in {"by", "in", "at", "on"}
        ):
            return place
    return None


def subject_is_plain(tokens: Sequence[Token]) -> bool:
    """A noun phrase without clauses: at most twelve tokens, no verb, balanced brackets, no loose comma."""
    if not tokens or len(tokens) > 14:
        return False
    if tokens[-1].tag in {"IN", "DT", "CC", ",", "RB", "JJ", "TO", "PRP$"} and not tokens[-1].is_name:
        return False
    if tokens[0].tag in {"CC", "RB", "EX", "WRB", "WP"} or tokens[0].lower in {"there", "here", "that"}:
        return False
    texts = [token.text for token in tokens]
    if texts.count("(") != texts.count(")") or "," in texts or texts.count('"') % 2:
        return False
    return not any(token.tag in {"VBD", "VBZ", "VBP", "MD", "VB"} and not token.is_name for token in tokens)


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


def inverted(clause: Clause, subject: str, rest: str) -> str:
    """The clause in question order: 'was the film released in Japan', 'did the firm acquire a studio'."""
    if clause.auxiliaries:
        first, others = clause.auxiliaries[0], clause.auxiliaries[1:]
        words = [first.lower, subject, *(token.lower for token in others), clause.main.text, rest]
    elif clause.is_copula:
        words = [clause.main.lower, subject, rest]
    elif clause.main.tag == "VBZ":
        words = ["does", subject, clause.lemma, rest]
    elif clause.main.tag == "VBP":
        words = ["do", subject, clause.lemma, rest]
    else:
        words = ["did", subject, clause.lemma, rest]
    return " ".join(word for word in words if word)


def lower_first(text: str) -> str:
    """Lowers the first letter of a phrase that stood at the start of a sentence, unless it is a name."""
    tokens = tokens_of(text)
    if not tokens:
        return text
    first = tokens[0]
    if first.tag in {"DT", "PRP$", "IN", "CD"} or (
        first.tag in {"NN", "NNS", "JJ", "VBG"}
        and first.text[1:].islower()
        and len(tokens) > 1
        and not tokens[1].is_name
    ):
        return text[0].lower() + text[1:]
    return text


def with_article(noun_phrase: str) -> str:
    """The phrase after 'a' or 'an' where it has no determiner."""
    word = noun_phrase.split(maxsplit=1)[0].lower() if noun_phrase.split() else ""
    if not word or word in {"a", "an", "the", "its", "his", "her", "their"}:
        return noun_phrase
    vowel = word.startswith(_SILENT_H) or (word[0] in "aeiou" and not word.startswith(_SPOKEN_WITH_A_CONSONANT))
    return f"{'an' if vowel else 'a'} {noun_phrase}"


_SILENT_H = ("hour", "honest", "honour", "honor", "heir")
_SPOKEN_WITH_A_CONSONANT = ("uni", "use", "usu", "eu", "one-", "once")
