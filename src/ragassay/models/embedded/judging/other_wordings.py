"""Tasks that are other wordings of one question, and those that rules have no honest answer to.

Rules read no prompt: the two wordings of faithfulness are one to them. A score of a quality and a ranking of two
candidates are baselines that say what a language model feels about a text; the embedded model has the measured
judgements (statement verdicts, relevance) instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.judging.verdicts import HANDLERS as VERDICTS
from ragassay.models.embedded.model import Handler
from ragassay.tasks.base import TaskData
from ragassay.tasks.ratings import QUALITIES

NO_SCORE = "the embedded model gives no score of a quality; a language model has to be asked"
NO_ENTITIES = "the embedded model lists no entities; a language model has to be asked"
NO_RATING = "the embedded model rates by no rubric; a language model has to be asked"
NO_RANKING = "the embedded model does not rank two candidates; a language model has to be asked"


def _none(reason: str, _: Encoder, inputs: Sequence[TaskData]) -> list[Reply[TaskData]]:
    return [Reply(None, reason) for _ in inputs]


HANDLERS: dict[str, Handler] = {
    "answer_claims": VERDICTS["answer_statements"],
    "statement_inferences": VERDICTS["statement_verdicts"],
    "entities": partial(_none, NO_ENTITIES),
    "rubric": partial(_none, NO_RATING),
    **{f"score_{quality}": partial(_none, NO_SCORE) for quality in QUALITIES},
    **{f"prefer_{quality}": partial(_none, NO_RANKING) for quality in QUALITIES},
}
