"""Questions whose answer takes several sentences or items, from passages of English prose."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ragassay.models.embedded.prose.choice import load
from ragassay.models.embedded.prose.facts import FactDraft
from ragassay.models.embedded.prose.passages import ReadPassage, question_shape, read_passages, themed
from ragassay.models.embedded.prose.summaries.contrasts import contrasts
from ragassay.models.embedded.prose.summaries.listed import announced_lists, headed_lists
from ragassay.models.embedded.prose.summaries.sequels import sequels
from ragassay.models.embedded.prose.summaries.series import series
from ragassay.models.embedded.prose.summaries.sketch import LONGEST_ANSWER, LONGEST_LIST, Sketch
from ragassay.models.embedded.reading.clarity import POINTS_AWAY
from ragassay.tasks.statements import Passage

SOURCES: tuple[Callable[[ReadPassage], Iterator[Sketch]], ...] = (
    announced_lists,
    headed_lists,
    contrasts,
    series,
    sequels,
)


def summary_drafts(passages: Sequence[Passage], themes: Sequence[str]) -> list[list[FactDraft]]:
    """For each passage its drafts, those first that a reader takes most likely; their statement is their answer.

    themes: a few words on each passage, used where its title says nothing.
    Raises ValueError where passages and themes differ in number.
    """
    return [_drafts(read) for read in read_passages(passages, themes)]


def _drafts(read: ReadPassage) -> list[FactDraft]:
    drafts: dict[str, FactDraft] = {}
    for source in SOURCES:
        for sketch in source(read):
            draft = _draft(sketch)
            if draft is not None:
                drafts.setdefault(draft.question.lower(), draft)
    return sorted(drafts.values(), key=lambda draft: (-draft.acceptability, draft.quotes, draft.question))


def _draft(sketch: Sketch) -> FactDraft | None:
    answer = sketch.answer
    n_words = len(answer.split())
    if sketch.unresolved:
        return None
    if (
        not sketch.question
        or n_words > (LONGEST_LIST if sketch.form.startswith("list") else LONGEST_ANSWER)
        or n_words < 4
        or POINTS_AWAY.search(answer)
    ):
        return None
    question = themed(sketch.question, answer, sketch.setting, anchored=sketch.anchored)
    if not question or len(question.split()) > 32 or (len(sketch.parts) < 2 and not sketch.several):
        return None
    features = {
        "unresolved": float(sketch.unresolved),
        "parts": float(len(sketch.parts)),
        "answer_words": float(n_words),
        "question_words": float(len(question.split())),
        "framed": float(question != sketch.question),
        **sketch.features,
        **question_shape(question, sketch.form),
    }
    acceptability = load("summary_acceptability").probability(features)
    spans = tuple(dict.fromkeys(sketch.spans))
    return FactDraft(question, answer, answer, spans, sketch.form, 1.0, acceptability, features)
