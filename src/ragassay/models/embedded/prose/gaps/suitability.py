"""Which questions people ask with which verbs and nouns: how natural an open question of a kind is for a clause.

The table was counted by ``benchmarks/gap_suitability.py``; its data and command stand in it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

KINDS = (
    "who", "when", "where", "why", "how", "how_long", "how_often", "how_soon", "how_many", "how_much", "which", "what_if",
    "can", "other",
)  # fmt: skip
PULL = 8.0
"""Questions' worth of weight that the overall frequencies have against those with one verb."""


def kind_of_question(doc: Doc) -> str:
    """What a parsed question asks for, by its question word."""
    words = [token.lower_ for token in doc if not token.is_punct]
    at = next((i for i, word in enumerate(words) if word in _WORDS), None)
    if at is None:
        return "can" if words and words[0] in _AUXILIARIES else "other"
    word, following = words[at], words[at + 1] if at + 1 < len(words) else ""
    if word == "how":
        return _HOW.get(following, "how")
    if word in ("what", "which"):
        if following in ("year", "date", "day", "month", "time", "century"):
            return "when"
        if following in ("city", "country", "state", "town", "place", "street"):
            return "where"
        if following == "happens":
            return "what_if"
        noun = next((token for token in doc if token.lower_ == following), None)
        return "which" if noun is not None and noun.pos_ == "NOUN" else "other"
    return {"whom": "who", "whose": "who"}.get(word, word)


_WORDS = frozenset("who whom whose when where why how what which".split())
_AUXILIARIES = frozenset("is are was were do does did can may must should will has have".split())
_HOW = {
    "long": "how_long", "often": "how_often", "frequently": "how_often", "soon": "how_soon", "quickly": "how_soon",
    "fast": "how_soon", "many": "how_many", "much": "how_much", "large": "how_much", "big": "how_much",
    "high": "how_much", "old": "how_long", "far": "how_much",
}  # fmt: skip


def class_of_question(doc: Doc) -> str:
    """Whom a parsed question asks about and when: me, past, duty, present."""
    words = {token.lower_ for token in doc}
    if words & {"i", "my", "me", "we", "our"}:
        return "me"
    if any(token.tag_ == "VBD" or token.lower_ in ("did", "was", "were") for token in doc):
        return "past"
    return "duty" if any(token.tag_ == "MD" for token in doc) else "present"


def asked_verb(doc: Doc) -> str:
    root = next((token for token in doc if token.dep_ == "ROOT"), None)
    if root is None or root.pos_ not in ("VERB", "AUX"):
        return ""
    chained = next((c for c in root.children if c.dep_ == "xcomp" and c.pos_ == "VERB"), None)
    return (chained if chained is not None and root.lemma_ in ("need", "have", "take") else root).lemma_.lower()


def asked_noun(doc: Doc) -> str:
    """The noun that is counted, measured or chosen: "days" of "how many days", "tool" of "which tool"."""
    for token in doc[:-1]:
        if token.lower_ in ("many", "much", "which", "what") and doc[token.i + 1].pos_ in ("NOUN", "ADJ"):
            noun: Token = doc[token.i + 1]
            while noun.pos_ == "ADJ" and noun.i + 1 < len(doc):
                noun = doc[noun.i + 1]
            return noun.lemma_.lower() if noun.pos_ == "NOUN" else ""
    return ""


class Suitability:
    """Relative frequencies, smoothed."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        self.classes: Mapping[str, Mapping[str, int]] = table["classes"]
        self.verbs: Mapping[str, Mapping[str, int]] = table["verbs"]
        self.nouns: Mapping[str, Mapping[str, int]] = table["nouns"]
        self.overall = {kind: 1.0 for kind in KINDS}
        for counts in self.verbs.values():
            for kind, count in counts.items():
                self.overall[kind] = self.overall.get(kind, 0.0) + count
        self.total = sum(self.overall.values())

    def of_class(self, kind: str, name: str) -> float:
        """How frequent a kind is among open questions of a class, in (0, 1)."""
        counts = self.classes.get(name, {})
        return (counts.get(kind, 0) + 1) / (sum(counts.values()) + len(KINDS))

    def lift(self, kind: str, word: str, *, noun: bool = False) -> float:
        """How much more often than usual people ask this kind with this verb or noun; 1 for an unknown word."""
        counts = (self.nouns if noun else self.verbs).get(word, {})
        usual = self.overall.get(kind, 1.0) / self.total
        share = (counts.get(kind, 0) + PULL * usual) / (sum(counts.values()) + PULL)
        return share / usual


@cache
def suitability() -> Suitability:
    text = resources.files(__package__).joinpath("suitability.json").read_text(encoding="utf-8")
    return Suitability(json.loads(text))
