"""Two sentences joined by the second's connective: cause and effect, rule and consequence, advice and its use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ragassay.models.embedded.prose.clauses import SUBJECTS, Clause
from ragassay.models.embedded.prose.inversion import inverted
from ragassay.models.embedded.prose.reasoning.phrasing import of_clause
from ragassay.models.embedded.prose.reasoning.rules import denied
from ragassay.models.embedded.prose.reasoning.source import Inferred, source
from ragassay.models.embedded.prose.reasoning.told import Reading, Told

if TYPE_CHECKING:
    from spacy.tokens import Token

    Pieces = list[Token | str]

CONNECTIVES = (
    "as a result", "as a consequence", "because of this", "because of that", "for this reason", "for that reason",
    "for these reasons", "due to this", "therefore", "consequently", "this is why", "that is why", "that 's why",
)  # fmt: skip
"""English openings of a sentence whose reason stands in the sentence before."""
EFFECTS = frozenset(
    "ensure help allow make prevent mean give reduce avoid let enable keep protect save improve create increase cause"
    " lead guarantee show require simplify".split()
)
"""English verbs of effect, after a "this" that stands for the sentence before."""


def _opening(told: Told) -> int:
    """How many words of a sentence are its connective; 0 if it has none."""
    words = [token.lower_ for token in told.doc[:4]]
    for connective in CONNECTIVES:
        own = connective.split()
        if words[: len(own)] == own:
            return len(own)
    return 0


def _main(told: Told) -> Clause | None:
    return told.clauses[0] if told.clauses else None


def _whole(told: Told) -> Pieces:
    words = list(told.doc)
    while words and words[-1].is_punct and words[-1].text not in ('"', "”", ")"):
        words.pop()
    start = 0
    while start < len(words) - 1 and (words[start].lower_ in _TYING or words[start].is_punct):
        start += 1
    return [*words[start:]]


_TYING = frozenset("however also but and additionally furthermore moreover".split())


@source(
    "therefore",
    infers="the reason of something, from the sentence before a connective of consequence",
    example="Why do we test on old phones? Because many of our readers have old phones.",
    accepted=0.32,
)
def therefore(reading: Reading) -> Iterator[Inferred]:
    for first, second in reading.following():
        length = _opening(second)
        clause = _main(second)
        if not length or clause is None or first.sentence.lead_in or len(first.doc) > 32:
            continue
        if not first.clauses or first.clauses[0].imperative:
            continue
        opening = {token.i for token in second.doc[:length]}
        if second.doc[0].lower_ in ("this", "that"):
            verb = next((t for t in second.doc if t.dep_ in ("advcl", "ccomp") and t.i > length), None)
            clause = _subordinate(second, verb) if verb is not None else None
            if clause is None:
                continue
        turned = inverted(clause, "why")
        if (
            turned is None
            or clause.head is None
            or len(clause.members) > 18
            or first.doc[0].lower_ in ("so", "if", "should")
        ):
            continue
        if any(t.dep_ == "advcl" for t in clause.members) or clause.modal in ("may", "might"):
            continue
        question = [
            p
            for p in turned.pieces
            if isinstance(p, str) or (p.i not in opening and p.lower_ not in ("therefore", "thus", "consequently"))
        ]
        yield Inferred(second, question, "Because", _whole(first), forms=turned.forms, because=first)


def _subordinate(told: Told, verb: Token) -> Clause | None:
    """A clause after "this means that" or "this is why", as a clause of its own."""
    head = next((c for c in verb.children if c.dep_ in SUBJECTS), None)
    if head is None:
        return None
    subject = sorted(head.subtree, key=lambda token: token.i)
    own = {token.i for token in subject}
    auxiliaries = [c for c in verb.children if c.dep_ in ("aux", "auxpass") and c.i < verb.i]
    members = [
        t for t in sorted(verb.subtree, key=lambda token: token.i)
        if t.i not in own and not (t.head == verb and (t.dep_ in ("mark", "cc") or t.tag_ == "WRB"))
    ]  # fmt: skip
    while members and members[-1].is_punct:
        members.pop()
    return Clause(told.doc, verb, subject, head, auxiliaries, [verb], members, [], True)


@source(
    "this_means",
    infers="the reason of something, from what the sentence before says that it means",
    example="Why can nobody read the files? Because the disk is encrypted.",
    accepted=0.73,
)
def this_means(reading: Reading) -> Iterator[Inferred]:
    for first, second in reading.following():
        root = next((t for t in second.doc if t.dep_ == "ROOT"), None)
        if root is None or root.lemma_ != "mean" or second.doc[0].lower_ not in ("this", "that", "which"):
            continue
        verb = next((c for c in root.children if c.dep_ == "ccomp"), None)
        if verb is None or root.i > 3:
            continue
        clause = _subordinate(second, verb)
        turned = inverted(clause, "why") if clause is not None else None
        if clause is None or turned is None or len(clause.members) > 24:
            continue
        yield Inferred(second, turned.pieces, "Because", _whole(first), forms=turned.forms, because=first)


@source(
    "this_is_because",
    infers="the reason of what one sentence says, from the next",
    example="Why is the queue slow at noon? Because most jobs start at noon.",
    accepted=0.55,
)
def this_is_because(reading: Reading) -> Iterator[Inferred]:
    for first, second in reading.following():
        words = [token.lower_ for token in second.doc[:3]]
        clause = first.clauses[-1] if first.clauses else None
        if (
            clause is None
            or words[:2] not in (["this", "is"], ["that", "is"], ["that", "'s"])
            or "because" not in words[2:]
        ):
            continue
        turned = inverted(clause, "why")
        if turned is None or clause.imperative:
            continue
        reason: Pieces = [t for t in second.doc[3:] if not (t.i == len(second.doc) - 1 and t.is_punct)]
        yield Inferred(first, turned.pieces, "Because", reason, forms=turned.forms, because=second)


@source(
    "what_for",
    infers="what speaks for advice or a rule, from the sentence after it that says what this brings",
    example="Why should I pin versions? Because it makes builds repeatable.",
    accepted=0.43,
)
def what_for(reading: Reading) -> Iterator[Inferred]:
    for first, second in reading.following():
        clause = first.clauses[-1] if first.clauses else None
        effect = _main(second)
        if clause is None or effect is None or effect.head is None or effect.head.lower_ not in ("this", "that"):
            continue
        if (
            effect.modal in ("may", "might", "could")
            or clause.verb.lemma_ in ("be", "mean", "need", "include")
            or denied(clause)
        ):
            continue
        if not (
            clause.imperative
            or clause.modal in ("must", "should", "need to", "have to")
            or first.resolved.we
            or _ours(clause)
        ):
            continue
        if len(effect.subject) > 1 or effect.verb.lemma_ not in EFFECTS or effect.head.i > 0 or len(second.clauses) > 1:
            continue
        turned = inverted(clause, "why")
        if any(t.lower_ in ("so", "because", "since") for t in clause.members) or any(
            t.lower_ == "also" for t in effect.members
        ):
            continue
        if (
            turned is None
            or len(clause.members) > 24
            or (clause.head is not None and clause.head.lower_ in ("it", "this", "there", "that"))
        ):
            continue
        if clause.imperative and not clause.negated:
            turned = inverted(clause, "why")
        elif clause.imperative:
            turned = None
        if turned is None:
            continue
        verb = effect.verb
        if verb.lemma_ == "mean" or clause.verb.tag_ == "VBD":
            continue
        rest: Pieces = [t for t in second.doc[1:] if not (t.i == len(second.doc) - 1 and t.is_punct)]
        yield Inferred(first, turned.pieces, "Because it", rest, forms=turned.forms, because=second)


def _ours(clause: Clause) -> bool:
    """Whether it says what the writers of the text do."""
    return clause.head is not None and clause.head.lower_ == "we"


@source(
    "otherwise",
    infers="what follows if a rule is not kept, from the sentence after it",
    example="What happens if I do not renew my badge? The doors no longer open for you.",
    accepted=0.55,
)
def otherwise(reading: Reading) -> Iterator[Inferred]:
    for first, second in reading.following():
        clause = first.clauses[-1] if first.clauses else None
        if clause is None or second.doc[0].lower_ != "otherwise" or not second.clauses:
            continue
        own = of_clause(clause)
        words, forms = own.form("base")
        fronted = [token for each in clause.fronted for token in each]
        reason: Pieces = [t for t in second.doc[1:] if not (t.is_punct and t.i in (1, len(second.doc) - 1))]
        if len(words) > 22 or (clause.head is not None and clause.head.lower_ in ("it", "this", "there")):
            continue
        if denied(clause):
            pieces: Pieces = ["what happens if", *own.subject_pieces(), *own.form("finite")[0], *fronted]
            yield Inferred(first, pieces, "", reason, forms=own.form("finite")[1], because=second)
            continue
        if clause.passive or clause.verb.lemma_ == "be":
            be = "am" if own.me else "are" if own.plural else "is"
            rest = [w for w in words if w not in own.carriers]
            pieces = ["what happens if", *own.subject_pieces(), be, "not", *rest, *fronted]
        else:
            do = "do" if own.me or own.plural else "does"
            pieces = ["what happens if", *own.subject_pieces(), do, "not", *words, *fronted]
        yield Inferred(first, pieces, "", reason, forms=forms, because=second)
