"""Which questions people ask with which verbs and nouns: how natural an open question of a kind is for a clause.

The table was counted by ``benchmarks/gap_suitability.py``; its data and command stand in it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

KINDS = (
    "who", "when", "where", "why", "how", "how_long", "how_often", "how_soon", "how_many", "how_much", "which",
    "what_if", "can", "other",
)  # fmt: skip
TOLD_PULL = 20.0
"""Occurrences' worth of weight that all verbs have against one."""
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


_OFTEN = frozenset(
    "daily weekly monthly quarterly yearly annually hourly regularly often frequently periodically repeatedly"
    " rarely".split()
)
_UNITS = frozenset("second minute hour day week month year decade century night".split())
_DATED = frozenset(
    "january february march april may june july august september october november december monday tuesday wednesday"
    " thursday friday saturday sunday".split()
)


def adjuncts_of(verb: Token) -> set[str]:
    """The kinds of circumstances that stand with a verb in a sentence, by the kind of question that asks for them."""
    found: set[str] = set()
    for child in verb.children:
        words = [t.lower_ for t in child.subtree] if child.dep_ in ("prep", "npadvmod", "advcl", "agent") else []
        inner = next((c for c in child.children if c.dep_ in ("pobj", "pcomp")), None)
        timed = any(t.lemma_.lower() in _UNITS for t in child.subtree) if words else False
        if (child.dep_ == "advmod" and child.lower_ in _OFTEN) or (
            child.dep_ == "npadvmod" and {"every", "each"} & set(words)
        ):
            found.add("how_often")
        elif (child.dep_ == "prep" and child.lower_ == "for" and timed) or (child.dep_ == "npadvmod" and timed):
            found.add("how_long")
        elif child.dep_ == "prep" and child.lower_ in ("within", "by") and timed:
            found.add("how_soon")
        elif child.dep_ == "prep" and any((len(w) == 4 and w.isdigit()) or w in _DATED for w in words):
            found.add("when")
        elif (
            child.dep_ == "prep"
            and child.lower_ in ("in", "at", "near", "on", "to", "from")
            and inner is not None
            and not timed
        ):
            found.add("where")
        elif child.dep_ == "agent":
            found.add("who")
        elif (child.dep_ == "advcl" and "because" in words[:1]) or (
            child.dep_ == "prep" and child.lower_ in ("because", "due")
        ):
            found.add("why")
        elif (
            child.dep_ == "prep"
            and child.lower_ in ("by", "through", "via")
            and inner is not None
            and inner.dep_ == "pcomp"
        ):
            found.add("how")
    return found


class Suitability:
    """Relative frequencies, smoothed."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        self.classes: Mapping[str, Mapping[str, int]] = table["classes"]
        self.verbs: Mapping[str, Mapping[str, int]] = table["verbs"]
        self.nouns: Mapping[str, Mapping[str, int]] = table["nouns"]
        self.adjuncts: Mapping[str, Mapping[str, int]] = table.get("adjuncts", {})
        self.told = Counter[str]()
        for counts in self.adjuncts.values():
            self.told.update(counts)
        self.overall = dict.fromkeys(KINDS, 1.0)
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

    def companion(self, kind: str, verb: str) -> float:
        """How much more often than others this verb has such a circumstance in running text; 1 for an unknown verb."""
        counts = self.adjuncts.get(verb, {})
        usual = self.told[kind] / max(1, self.told["n"])
        if not usual:
            return 1.0
        n = counts.get("n", 0)
        return (counts.get(kind, 0) + TOLD_PULL * usual) / (n + TOLD_PULL) / usual


@cache
def suitability() -> Suitability:
    text = resources.files(__package__).joinpath("suitability.json").read_text(encoding="utf-8")
    return Suitability(json.loads(text))
