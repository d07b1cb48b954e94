"""The forms of a verb phrase that a case needs: "submit", "submitting", "submits", without modal and "not"."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ragassay.models.embedded.prose.clauses import AUXILIARIES, SUBJECTS, Clause
from ragassay.models.embedded.prose.framing import ing
from ragassay.models.embedded.prose.inversion import lemma, spelt_out
from ragassay.models.embedded.prose.wording import subtree

if TYPE_CHECKING:
    from spacy.tokens import Token

    Pieces = list[Token | str]

VerbForm = Literal["base", "gerund", "finite"]
DUTIES = frozenset({"must", "need to", "have to", "shall"})


@dataclass(slots=True)
class VerbPhrase:
    """A verb with what completes it. subject: empty for an imperative. carriers: the words that carry its form.

    words: all words after the subject, in order, without modal verbs, "do", negation and the mark.
    """

    subject: list[Token]
    head: Token | None
    carriers: list[Token]
    words: list[Token]
    negated: bool

    @property
    def me(self) -> bool:
        return self.head is None or (self.head.lower_ == "you" and not self.head.conjuncts)

    @property
    def plural(self) -> bool:
        head = self.head
        return head is None or head.tag_ in ("NNS", "NNPS") or bool(head.conjuncts) or head.lower_ in _PLURAL

    def subject_pieces(self) -> Pieces:
        return list(self.subject) if self.subject else ["I"]

    def form(self, form: VerbForm, gap: Collection[Token] = ()) -> tuple[Pieces, dict[int, str]]:
        """The words in a form, without those of ``gap``, and how the carriers of the form are written."""
        gone = {token.i for token in gap}
        forms = {carrier.i: self._carrier(carrier, form) for carrier in self.carriers}
        return [token for token in self.words if token.i not in gone], forms

    def _carrier(self, carrier: Token, form: VerbForm) -> str:
        base = lemma(carrier) if carrier.dep_ not in AUXILIARIES else carrier.lemma_.lower()
        if base in ("'s", "’s"):
            base = {"is": "be", "has": "have"}.get(spelt_out(carrier), base)
        if form == "gerund":
            return ing(base)
        if form == "base":
            return base
        if base == "be":
            return "am" if self.me else "are" if self.plural else "is"
        return base if self.me or self.plural else third_person(base)


_PLURAL = frozenset({"we", "they", "these", "those"})


def third_person(verb: str) -> str:
    """submit: submits. carry: carries. have: has."""
    if verb == "have":
        return "has"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")


def of_clause(clause: Clause) -> VerbPhrase:
    """The verb phrase of a main clause; of "need to submit", that of "submit"."""
    start = clause.verb
    if clause.modal.endswith(" to"):
        start = clause.chain[1]
    dropped = {start.i: False}
    words = [
        token
        for token in clause.members
        if not _is_dropped(token, start)
        and not (start is not clause.verb and token.i < start.i)
        and token.i not in {t.i for phrase in clause.fronted for t in phrase}
    ]
    shared = [a for a in clause.auxiliaries if a.tag_ != "MD" and a.lemma_ != "do" and a.i not in {w.i for w in words}]
    words = [*shared, *words] if start is clause.verb else words
    del dropped
    return VerbPhrase(
        list(clause.subject),
        clause.head,
        _carriers(start, words),
        words,
        any(c.dep_ == "neg" for c in clause.verb.children),
    )


def of_subordinate(verb: Token, phrase: Sequence[Token]) -> VerbPhrase:
    """The verb phrase of a subordinate clause, of which ``phrase`` is all words with the mark."""
    head = next((c for c in verb.children if c.dep_ in SUBJECTS), None)
    subject = subtree(head) if head is not None else []
    own = {token.i for token in subject}
    words = [
        token
        for token in phrase
        if token.i not in own and not _is_dropped(token, verb) and not (token.dep_ == "mark" and token.head == verb)
    ]
    while (
        words and words[0].dep_ in ("mark", "advmod", "prep") and words[0].i < (head.i if head is not None else verb.i)
    ):
        words.pop(0)
    return VerbPhrase(subject, head, _carriers(verb, words), words, any(c.dep_ == "neg" for c in verb.children))


def _is_dropped(token: Token, verb: Token) -> bool:
    if token.head == verb and token.dep_ in AUXILIARIES and token.i < verb.i:
        return token.tag_ in ("MD", "TO") or (token.lemma_ == "do" and token.dep_ == "aux")
    return token.head == verb and (token.dep_ == "neg" or token.lower_ in ("never", "only", "always"))


def _carriers(verb: Token, words: Sequence[Token]) -> list[Token]:
    inside = {token.i for token in words}
    auxiliaries = [c for c in verb.children if c.dep_ in AUXILIARIES and c.i in inside and c.i < verb.i]
    if not auxiliaries:
        auxiliaries = [
            w for w in words if w.dep_ in AUXILIARIES and w.tag_ != "TO" and w.i < verb.i and w.head.dep_ == "ROOT"
        ]
    if auxiliaries:
        return auxiliaries[:1]
    joined = [c for c in verb.children if c.dep_ == "conj" and c.i in inside and c.tag_ in ("VB", "VBP", "VBZ", "VBG")]
    return [verb, *joined]


def stated(clause: Clause) -> Pieces:
    """The clause as it stands, what goes before the subject included."""
    own = {token.i for token in clause.members}
    shared = [auxiliary for auxiliary in clause.auxiliaries if auxiliary.i not in own]
    fronted: Pieces = []
    for phrase in clause.fronted:
        fronted += [*phrase, ","]
    return [*fronted, *clause.subject, *shared, *clause.members]


def choice(key: str, n: int) -> int:
    """A number below n that depends on the text alone: variety without chance."""
    return hashlib.blake2b(key.encode(), digest_size=2).digest()[0] % n
