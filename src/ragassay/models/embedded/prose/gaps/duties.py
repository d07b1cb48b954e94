"""What a clause leaves out of a duty or a permission: what follows if it is not met, and how to do it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ragassay.models.embedded.prose.clauses import Clause
from ragassay.models.embedded.prose.forms.kinds import is_person
from ragassay.models.embedded.prose.gaps.kinds import (
    DUTY,
    LONGEST,
    MAY,
    STATES,
    Open,
    core,
    gap,
    is_third,
)
from ragassay.models.embedded.prose.inversion import action
from ragassay.models.embedded.prose.passages import Line, is_joined

if TYPE_CHECKING:
    from spacy.tokens import Token

    Pieces = list[Token | str]


@gap("what_if_not")
def what_if_not(clause: Clause, line: Line) -> Iterator[Open]:
    """A duty without what follows if it is not met."""
    if clause.negated or len(clause.members) > LONGEST or clause.verb.lemma_ in STATES or clause.fronted:
        return
    if any(t.lower_ in _EXPLAINS for t in line.doc) or any(t.dep_ == "advcl" for t in line.doc):
        return
    if clause.passive and clause.head is not None and clause.modal in ("must", "shall", "should"):
        be = "are" if clause.head.tag_ in ("NNS", "NNPS") or is_joined(clause.head) else "is"
        rest = [t for t in clause.members if t.i >= clause.verb.i]
        if is_third(clause) and any(c.lower_ == "be" for c in clause.auxiliaries):
            pieces: Pieces = ["what happens if", *clause.subject, f"{be} not", *rest]
            yield Open(pieces, "what_if", "what_if_not", core(clause), "the consequence")
        return
    if clause.passive or (
        clause.modal not in ("must", "shall", "need to", "have to")
        and not (clause.imperative and not line.sentence.in_list)
    ):
        return
    done = [t for t in action(clause) if isinstance(t, str) or t.dep_ != "neg"]
    if clause.imperative and not any(
        c.dep_ == "dobj" and any(d.dep_ in ("det", "poss") for d in c.children) for c in clause.verb.children
    ):
        return
    if clause.second_person:
        if len(done) < 4:
            return
        pieces = ["what happens if I do not", *done]
    elif clause.head is not None and is_person(clause.head):
        does = "does" if clause.head.tag_ in ("NN", "NNP") and not is_joined(clause.head) else "do"
        pieces = ["what happens if", *clause.subject, f"{does} not", *done]
    else:
        return
    forms = {clause.verb.i: clause.verb.lemma_.lower()} if clause.imperative else {}
    yield Open(pieces, "what_if", "what_if_not", core(clause), "the consequence", forms=forms)


_EXPLAINS = frozenset(
    "if otherwise unless when please so because since see note contact check consider remember try".split()
)


@gap("how_to")
def how_to(clause: Clause, line: Line) -> Iterator[Open]:
    """Something that one can or must do, without how."""
    if not clause.second_person or clause.negated or len(clause.members) > 11 or clause.imperative:
        return
    if clause.modal not in MAY | DUTY:
        return
    verb = clause.chain[-1] if clause.modal.endswith(" to") else clause.verb
    if verb.lemma_ in STATES or not any(c.dep_ == "dobj" for c in verb.children):
        return
    if any(t.lower_ in ("by", "using", "via", "through", "with", "click", "if") or t.dep_ == "advcl" for t in line.doc):
        return
    pieces: Pieces = ["how do I", *action(clause)]
    yield Open(pieces, "how", "how_to", core(clause), "how it is done", forms={verb.i: verb.lemma_.lower()})
