"""Whether a document, or another text, might answer an open question: in doubt it does, and the question is dropped."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ragassay.models.embedded.prose.forms.kinds import is_person, is_time
from ragassay.models.embedded.prose.gaps.kinds import Open
from ragassay.models.embedded.prose.markup import without_markup
from ragassay.models.embedded.prose.parser import parse
from ragassay.text import sentence_spans

if TYPE_CHECKING:
    from spacy.tokens import Doc

Encoder = Callable[[Sequence[str]], npt.NDArray[np.float32]]
"""Texts to unit vectors: (n_texts, n_dimensions) float32."""
ALIKE = 0.55
"""Cosine from which a sentence may be about what is asked."""
COMMON = 0.4
"""Share of a document's sentences; a word in more of them says what the document is about, not what is asked."""
LONGEST = 700
"""Characters of a line that is parsed."""

_BRACKETED_YEAR = re.compile(r"\([^()]*\b1?\d{3}\b")
_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|dozen|hundred|half|both|single|once|twice)\b",
    re.I,
)
_MEANS = re.compile(r"\b(?:by|using|via|through|click|run|select|go to|follow)\b|`", re.I)
_CAUSE = re.compile(
    r"\b(?:because|since|so that|therefore|due to|thus|hence|reason|in order to|to \w+|for \w+ing|as)\b", re.I
)
_FOLLOWS = re.compile(
    r"\b(?:if|otherwise|unless|without|fail\w*|not|or else|penalt\w+|fine\w*|fee|lose|void|result)\b", re.I
)
_NAMED = re.compile(
    r"\b(?:such as|including|include\w*|like|e\.g|for example|namely|called|named|following)\b|[:`(]|\b[A-Z]\w", re.I
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """One sentence or line: its lemmas, and which kinds of answers stand in it. number: its place in the text."""

    text: str
    lemmas: frozenset[str]
    answers: frozenset[str]
    number: int


def evidence_of(texts: Sequence[str]) -> list[list[Evidence]]:
    """For each text its sentences, also those in tables, code and headings; all parsed in one batch."""
    lines = [list(_lines(text)) for text in texts]
    docs = iter(parse([line for each in lines for line in each]))
    return [[_evidence(next(docs), number) for number, _ in enumerate(each)] for each in lines]


def _lines(text: str) -> list[str]:
    found: list[str] = []
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*(?:[-*+•#|]|\d+[.)]))", text):
        flat = paragraph.replace("\n", " ")
        for start, end in sentence_spans(flat):
            line = without_markup(flat[start : min(end, start + LONGEST)]).replace("`", "")
            if line.strip():
                found.append(line)
    return found


def _evidence(doc: Doc, number: int) -> Evidence:
    text = doc.text
    answers: set[str] = set()
    if any(t.ent_type_ in ("DATE", "TIME") or is_time(t) for t in doc) or re.search(
        r"\b(?:immediately|promptly|daily|weekly|monthly|yearly|annual\w*|always|whenever|regularly|every|each)\b",
        text,
        re.I,
    ):
        answers |= {"when", "how_long", "how_often", "how_soon"}
    if any(t.ent_type_ in ("GPE", "LOC", "FAC", "ORG") for t in doc) or re.search(
        r"\b(?:in|at|near|on|from|to) (?:the|a|an|our|your|[A-Z])", text
    ):
        answers.add("where")
    if any(
        t.ent_type_ in ("PERSON", "ORG", "NORP") or is_person(t) or t.lower_ in ("we", "our", "i", "he", "she")
        for t in doc
    ):
        answers.add("who")
    if any(t.like_num or t.ent_type_ in ("MONEY", "PERCENT", "QUANTITY", "CARDINAL") for t in doc) or _NUMBER.search(
        text
    ):
        answers |= {"how_many", "how_much"}
    for kind, pattern in (("how", _MEANS), ("why", _CAUSE), ("what_if", _FOLLOWS)):
        if pattern.search(text):
            answers.add(kind)
    if _NAMED.search(text[1:]):
        answers.add("which")
    lemmas = frozenset(t.lemma_.lower() for t in doc if t.pos_ in ("NOUN", "PROPN", "VERB", "ADJ"))
    return Evidence(text, lemmas, frozenset(answers), number)


def stated(question: str, open_: Open, own: str, sentences: Sequence[Evidence], encoder: Encoder | None = None) -> bool:
    """Whether some sentence might answer.

    own: the sentence that leaves it open. A sentence counts if it is near that one or shares verb or noun with the
    question, and holds what could be an answer of the kind. encoder: also sentences that mean something alike.
    """
    if open_.words and not open_.about and any(_BRACKETED_YEAR.search(each.text) for each in sentences):
        return True
    if open_.words and not open_.about:
        return any(each.lemmas & set(open_.words) for each in sentences)
    answering = [each for each in sentences if open_.kind in each.answers]
    if not answering:
        return False
    place = next((each.number for each in sentences if _same(each.text, own)), None)
    words = _telling(open_, sentences)
    for each in answering:
        if each.number == place:
            if open_.kind in ("how_many", "how_much", "when", "how_long", "how_often", "how_soon", "what_if"):
                return True
            continue
        if (
            place is not None
            and abs(each.number - place) == 1
            and open_.kind not in ("where", "who", "which", "why", "how")
        ):
            return True
        if each.lemmas & words:
            return True
    if encoder is not None:
        vectors = encoder([question, *(each.text for each in answering if each.number != place)])
        return bool(len(vectors) > 1 and float((vectors[1:] @ vectors[0]).max()) >= ALIKE)
    return False


def _same(text: str, own: str) -> bool:
    """Whether a line is the sentence that a question is asked of, which has lost its asides and marks."""
    words, others = re.findall(r"\w+", text), re.findall(r"\w+", own)
    shared = len(set(words) & set(others))
    return shared >= 0.8 * len(set(others)) and len(others) >= 0.5 * len(words)


def _telling(open_: Open, sentences: Sequence[Evidence]) -> set[str]:
    """The lemmas that tell this question from others on the same document."""
    words = {token.lemma_.lower() for token in open_.about} | set(open_.words)
    if len(sentences) < 6:
        return words
    counts = Counter(word for each in sentences for word in words & each.lemmas)
    rare = {word for word in words if counts[word] <= max(2, COMMON * len(sentences))}
    return rare or words
