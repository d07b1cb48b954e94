"""One question with its answer from one prompt: the baseline of the papers (Know Your RAG, simple generation)."""

from __future__ import annotations

from ragassay.tasks.base import Task
from ragassay.tasks.pairs import GroundedPairs, PairReply, PairRequest, one_pair, request_material

SIMPLE_PAIR = Task(
    name="simple_pair",
    version=1,
    input_type=PairRequest,
    output_type=GroundedPairs,
    source="Know Your RAG (COLING 2025), simple generation",
    prompt="""\
You write one question that a passage answers, and the answer. The question will be put to a collection of documents,
by somebody who has not seen the passage.
- It asks for one fact: a name, a number, a date, a place, a short thing.
- Short, as people type it into a search, and specific: it names what it is about, with the help of the title.
- It never speaks of a passage, text, document or context, and does not give its answer away.
- The answer is complete and short, and says nothing that the passage does not state.
- It is none of the questions asked before, where some are given.
- Question and answer are in the language of the passage.""",
    material=request_material,
    reply_type=PairReply,
    to_output=one_pair,
)
