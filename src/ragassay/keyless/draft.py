"""A draft: a question with its answer, as rules find both together, and what tells how good it is."""

from __future__ import annotations

from dataclasses import dataclass

from ragassay.records import Label


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A question that rules ask of one document.

    form: the rule that wrote it ("table_cell", "own_question", "when", ...).
    answer: the phrase that answers, with every condition that belongs to it; empty where the document leaves it open.
    spans: verbatim stretches of the document that answer it, offsets into its text, in order; empty where it is open.
    keypoints: what an answer has to say; empty: the answer itself.
    claim: question and answer put together as a statement, for the verifier; empty: it puts them together itself. Of a
        question that is left open the sentence beside which it was asked.
    source: what the draft was read off ("table 3", "section Fees", "sentence 17"): of one source at most two drafts of
        one form are taken.
    worth: among drafts of one label those with more come first; 0 to 1. Drafts that a person wrote word for word have
        1, what is computed or looked up in structure about .6, what is made from a parse less.
    is_certain: whether construction makes it right, so that no model needs to read it.
    """

    label: Label
    form: str
    question: str
    answer: str = ""
    spans: tuple[tuple[int, int], ...] = ()
    keypoints: tuple[str, ...] = ()
    claim: str = ""
    source: str = ""
    worth: float = 0.5
    is_certain: bool = False
