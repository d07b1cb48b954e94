"""All tasks by name."""

from __future__ import annotations

from typing import Any

from ragassay.tasks.answer_judgement import ANSWER_JUDGEMENT, CHUNK_JUDGEMENT
from ragassay.tasks.answering import ANSWER
from ragassay.tasks.base import Task
from ragassay.tasks.context_sentences import HELPFUL_SENTENCES
from ragassay.tasks.contexts import CONTEXT_USEFULNESS
from ragassay.tasks.correctness import CORRECTNESS
from ragassay.tasks.creative import CLOSED_BOOK, CREATIVE_QUESTION, KNOWLEDGE_CHECK
from ragassay.tasks.critique import CRITIQUES
from ragassay.tasks.evolved import EVOLVE_COMBINED, EVOLVE_REASONING
from ragassay.tasks.faithfulness_variant import ANSWER_CLAIMS, STATEMENT_INFERENCES
from ragassay.tasks.follow_ups import FOLLOW_UP_QUESTION, STANDALONE_QUESTION
from ragassay.tasks.labelling import LABEL
from ragassay.tasks.pair_judgement import PAIR_JUDGEMENT
from ragassay.tasks.per_chunk import CHUNK_PAIRS
from ragassay.tasks.questions import NEAR_MISSES, QUESTION
from ragassay.tasks.ratings import BLOCK_RATINGS, PREFERENCES, QUALITY_SCORES
from ragassay.tasks.reranking import CHUNK_GRADES
from ragassay.tasks.rubric import RUBRIC
from ragassay.tasks.scenarios import (
    SCENARIO_QUESTION,
    SCENARIO_REFERENCES,
    SCENARIO_REVISION,
    SCENARIO_SECTION,
    SCENARIO_VALUE,
    SCHEMA_ELEMENTS,
)
from ragassay.tasks.searching import HYPOTHETICAL_PASSAGE, SEARCH_DECISION
from ragassay.tasks.simple import SIMPLE_PAIR
from ragassay.tasks.statements import CONCLUSIONS, FACTS, SUMMARIES, THEME
from ragassay.tasks.verdicts import ANSWER_STATEMENTS, KEYPOINT_VERDICTS, KEYPOINTS, RELEVANCE, STATEMENT_VERDICTS
from ragassay.tasks.whole_documents import WHOLE_DOCUMENT

_ALL: tuple[Task[Any, Any], ...] = (
    THEME,
    FACTS,
    SUMMARIES,
    CONCLUSIONS,
    QUESTION,
    NEAR_MISSES,
    SIMPLE_PAIR,
    CHUNK_PAIRS,
    CREATIVE_QUESTION,
    KNOWLEDGE_CHECK,
    CLOSED_BOOK,
    EVOLVE_REASONING,
    EVOLVE_COMBINED,
    LABEL,
    *CRITIQUES.values(),
    PAIR_JUDGEMENT,
    CHUNK_GRADES,
    FOLLOW_UP_QUESTION,
    STANDALONE_QUESTION,
    SEARCH_DECISION,
    HYPOTHETICAL_PASSAGE,
    ANSWER,
    ANSWER_STATEMENTS,
    STATEMENT_VERDICTS,
    KEYPOINTS,
    KEYPOINT_VERDICTS,
    RELEVANCE,
    CONTEXT_USEFULNESS,
    ANSWER_JUDGEMENT,
    CHUNK_JUDGEMENT,
    HELPFUL_SENTENCES,
    ANSWER_CLAIMS,
    STATEMENT_INFERENCES,
    CORRECTNESS,
    BLOCK_RATINGS,
    *QUALITY_SCORES.values(),
    *PREFERENCES.values(),
    RUBRIC,
    SCHEMA_ELEMENTS,
    SCENARIO_VALUE,
    SCENARIO_SECTION,
    SCENARIO_QUESTION,
    SCENARIO_REFERENCES,
    SCENARIO_REVISION,
    WHOLE_DOCUMENT,
)

TASKS: dict[str, Task[Any, Any]] = {task.name: task for task in _ALL}
"""Task name to task, in the order of the work."""
