"""Questions that a reader of a passage would ask and that its document, or the whole corpus, does not answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ragassay.models.embedded.prose.choice import load
from ragassay.models.embedded.prose.clauses import Clause
from ragassay.models.embedded.prose.gaps import duties, events, measures
from ragassay.models.embedded.prose.gaps.kinds import GAPS, Open, class_of
from ragassay.models.embedded.prose.gaps.stated import Encoder, Evidence, evidence_of, stated
from ragassay.models.embedded.prose.gaps.suitability import suitability
from ragassay.models.embedded.prose.passages import (
    Line,
    ReadPassage,
    Section,
    is_anchored,
    question_of,
    question_shape,
    read_passages,
    themed,
)
from ragassay.tasks.statements import Passage

Nearest = Callable[[str], Sequence[str]]
"""A question to the texts of the corpus, outside its own document, that are nearest to it."""
Answers = Callable[[str, Sequence[str]], float]
"""A question and texts to how likely the texts answer it, 0 to 1: a trained verifier."""
LONGEST = 22
"""Words of a question."""
ANSWERED = 0.5
MAKERS = (events, measures, duties)
"""The modules whose kinds of gaps are registered in GAPS."""


@dataclass(frozen=True, slots=True)
class GapDraft:
    """A question without an answer.

    missing: what the text leaves out. quotes: (start, end) of the sentence that leaves it out.
    scope: whether the document or the whole corpus was searched for an answer.
    worth: how natural the question is by what people ask, 0 to 1. acceptability: as of facts.
    """

    question: str
    missing: str
    quotes: tuple[tuple[int, int], ...]
    form: str
    kind: str
    scope: Literal["document", "corpus"]
    worth: float
    acceptability: float
    features: Mapping[str, float]


def gap_drafts(
    passages: Sequence[Passage],
    themes: Sequence[str],
    documents: Sequence[str],
    *,
    nearest: Nearest | None = None,
    encoder: Encoder | None = None,
    answers: Answers | None = None,
) -> list[list[GapDraft]]:
    """For each passage its open questions, those first that a reader takes most likely.

    documents: for each passage the whole text of its document; the passage itself if that is all there is.
    nearest: where given, a question that the document leaves open is tried on these texts, too, and its scope is
    the corpus if they leave it open. encoder: finds answers in other words. answers: has the last word.
    Raises ValueError where the numbers of passages, themes and documents differ.
    """
    if len(documents) != len(passages):
        raise ValueError(f"{len(passages)} passages, but {len(documents)} documents")
    distinct = list(dict.fromkeys(documents))
    evidence = dict(zip(distinct, evidence_of(distinct), strict=True))
    found: list[list[GapDraft]] = []
    for read, document in zip(read_passages(passages, themes), documents, strict=True):
        drafts = {draft.question.lower(): draft for draft in _drafts(read, document, evidence[document], encoder)}
        kept = [_checked(draft, document, nearest, encoder, answers) for draft in drafts.values()]
        found.append(
            sorted((draft for draft in kept if draft is not None), key=lambda d: (-d.acceptability, d.question))
        )
    return found


def _drafts(
    read: ReadPassage, document: str, evidence: Sequence[Evidence], encoder: Encoder | None
) -> Iterator[GapDraft]:
    for section in read.sections:
        for line in section.lines:
            if "?" in line.doc.text or (line.sentence.in_list and not line.sentence.lead_in and len(line.doc) < 6):
                continue
            for clause in line.clauses:
                for make in GAPS.values():
                    for open_ in make(clause, line):
                        draft = _draft(open_, clause, line, section)
                        if draft is not None and not stated(draft.question, open_, line.doc.text, evidence, encoder):
                            yield draft


def _draft(open_: Open, clause: Clause, line: Line, section: Section) -> GapDraft | None:
    tokens = [piece for piece in open_.pieces if not isinstance(piece, str)]
    name = section.setting.name
    if open_.subkind.startswith("person") and (name is None or tokens[-1].text not in name.text.split()):
        return None
    if line.dangling(tokens):
        return None
    bare = question_of(line, open_.pieces, open_.forms)
    if not bare or _POINTS.search(bare):
        return None
    anchored = is_anchored(tokens, line)
    question = themed(bare, "", section.setting, anchored=anchored)
    n_words = len(question.split())
    if n_words > LONGEST:
        return None
    table = suitability()
    group = class_of(clause)
    usual = table.of_class(open_.kind, group)
    verb = clause.chain[-1].lemma_.lower()
    lift = table.lift(open_.kind, verb)
    noun_lift = table.lift(open_.kind, open_.noun, noun=True) if open_.noun else 1.0
    worth = usual * max(min(lift, 6.0), min(table.companion(open_.kind, verb), 6.0)) * min(noun_lift, 6.0)
    features = {
        **question_shape(question, open_.subkind),
        f"class_{group}": 1.0,
        "usual": usual,
        "lift": lift,
        "noun_lift": noun_lift,
        "companion": min(table.companion(open_.kind, verb), 6.0),
        "question_words": float(n_words),
        "framed": float(question != bare),
        "anchored": float(anchored),
        "sentence_words": float(len(line.doc)),
        "sentence_worth": line.worth,
        "we": float(bool(line.resolved.we)),
        "risky": float(any(r.risky for r in line.resolved.references.values())),
        "in_list": float(line.sentence.in_list),
    }
    features["worth"] = worth / (1 + worth)
    accept = load("gap_acceptability").probability(features)
    return GapDraft(
        question, open_.missing, line.spans, open_.subkind, open_.kind, "document", features["worth"], accept, features
    )


_POINTS = re.compile(
    r"\b(?:this|these|those|it|its|they|them|their|he|she|his|her|him|we|us|our|following|above|below|such|so)\b", re.I
)


def _checked(
    draft: GapDraft, document: str, nearest: Nearest | None, encoder: Encoder | None, answers: Answers | None
) -> GapDraft | None:
    """The draft with its scope; None if a text answers it after all."""
    if answers is not None and answers(draft.question, [document]) >= ANSWERED:
        return None
    if nearest is None:
        return draft
    texts = nearest(draft.question)
    if answers is not None:
        open_everywhere = answers(draft.question, texts) < ANSWERED
    else:
        open_everywhere = not any(_may_answer(draft, each) for each in evidence_of(texts))
    del encoder
    if not open_everywhere:
        return draft
    return GapDraft(
        draft.question,
        draft.missing,
        draft.quotes,
        draft.form,
        draft.kind,
        "corpus",
        draft.worth,
        draft.acceptability,
        draft.features,
    )


def _may_answer(draft: GapDraft, sentences: Sequence[Evidence]) -> bool:
    """Whether a sentence of another document shares two words with the question and could answer it."""
    words = {word.lower() for word in re.findall(r"[^\W\d_]{4,}", draft.question)}
    return any(draft.kind in each.answers and len(each.lemmas & words) >= 2 for each in sentences)
