"""For every task of the catalogue an input and a reply that a language model might give to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from ragassay.records import Turn
from ragassay.tasks.answer_judgement import WANTED, JudgementRequest
from ragassay.tasks.answering import BareQuestion, KnowledgeCheck, QuestionWithChunks
from ragassay.tasks.base import TaskData
from ragassay.tasks.contexts import AnswerFromChunks, QuestionOnContext
from ragassay.tasks.critique import CRITIQUES, Pair
from ragassay.tasks.drafting import (
    ConflictRequest,
    DraftRequest,
    ProposedPair,
    ReviewRequest,
    Surroundings,
    TitlesSeen,
)
from ragassay.tasks.follow_ups import FollowUp
from ragassay.tasks.pair_judgement import JudgedPair
from ragassay.tasks.pairs import ChunkRequest, PairRequest
from ragassay.tasks.ratings import AnswerAndReference, AnswerOnBlock, AnswerUnderRubric, Candidates, QualityCase
from ragassay.tasks.scenarios import (
    DocumentToWrite,
    ElementToFill,
    QuestionsToWrite,
    QuestionToWrite,
    SectionToWrite,
    SeedDocument,
    SeedDocuments,
    ValuesToWrite,
)
from ragassay.tasks.statements import MissCandidates, Passage, PassageFacts, PassageOnTheme, Statement, StatementOnTheme
from ragassay.tasks.verdicts import AnswerStatement, AnswerToQuestion, KeypointsOnAnswer, StatementsOnContext

TEXT = "The bridge opened in 1998. It is 412 m long, and the toll is 3 crowns."
QUESTION = "When did the Gannet Bridge open?"
ANSWER = "It opened in 1998 and is 412 m long."


class Sample(NamedTuple):
    inputs: TaskData
    reply: dict[str, Any]


def passage(**fields: Any) -> Passage:
    known = {"title": "Gannet Bridge", "section": ("Guide", "History"), "text": TEXT, "language": "en"}
    return Passage(**known | fields)


DRAFTED = {
    "asker": "a driver",
    "label": "fact_single",
    "quotes": ["opened in 1998"],
    "statement": ANSWER,
    "style": "plain",
    "question": QUESTION,
    "answer": ANSWER,
    "keypoints": [ANSWER],
}
REVIEWED = {
    "number": 1,
    "own_quotes": ["opened in 1998"],
    "own_answer": ANSWER,
    "label": "fact_single",
    "comparison": "same",
    "flaws": [],
    "verdict": "accept",
    "question": "",
    "answer": "",
    "keypoints": [],
    "reason": "",
}


OPENED = Statement(text="The Gannet Bridge opened in 1998.", quotes=("The bridge opened in 1998.",))
LONG = Statement(text="The Gannet Bridge is 412 m long.", quotes=("It is 412 m long",))
RATING = Sample(Pair(context=TEXT, question=QUESTION, answer=ANSWER), {"reason": "It names the bridge.", "rating": 4})
QUALITY = Sample(
    QualityCase(question=QUESTION, answer=ANSWER, context=TEXT), {"reason": "All of it is said there.", "score": 10}
)
PREFERENCE = Sample(
    Candidates(question=QUESTION, given=TEXT, first=ANSWER, second="In 1999."),
    {"reason": "The second has the wrong year.", "verdict": "first"},
)
STATEMENTS = {"statements": [{"quotes": ["The bridge opened in 1998."], "statement": OPENED.text}]}
PAIR = {"quotes": ["The bridge opened in 1998."], "question": QUESTION, "answer": "In 1998."}
SAMPLES = {
    "theme": Sample(passage(), {"theme": "Gannet Bridge"}),
    "facts": Sample(PassageOnTheme(passage=passage(), theme="Gannet Bridge"), STATEMENTS),
    "summaries": Sample(
        PassageFacts(passage=passage(), theme="Gannet Bridge", facts=(OPENED, LONG)),
        {"statements": [{"quotes": ["It is 412 m long", "the toll is 3 crowns"], "statement": "412 m, 3 crowns."}]},
    ),
    "conclusions": Sample(PassageFacts(passage=passage(), theme="Gannet Bridge", facts=(OPENED, LONG)), STATEMENTS),
    "question": Sample(
        StatementOnTheme(statement=OPENED, theme="Gannet Bridge", passage=passage()),
        {"question": QUESTION, "answer": "In 1998."},
    ),
    "near_misses": Sample(
        MissCandidates(passage=passage(), theme="Gannet Bridge", facts_elsewhere=(OPENED,)),
        {"questions": [{"question": "Who designed the Gannet Bridge?", "nearest": "its length", "missing": True}]},
    ),
    "collection_brief": Sample(
        TitlesSeen(documents=("Gannet Bridge: a bridge.",)),
        {"about": "Pages about bridges.", "askers": ["drivers", "drivers"]},
    ),
    "drafts": Sample(
        DraftRequest(
            collection=Surroundings(about="Pages about bridges.", titles=("Heron Bridge",), askers=("drivers",)),
            passages=(passage(),),
            around=("", "The toll is two crowns."),
            wanted=(("fact_single", 1), ("unanswerable", 1)),
            styles=(("keywords", 2),),
            asked=("How long is the Gannet Bridge?",),
        ),
        {"pairs": [DRAFTED, DRAFTED | {"label": "Unanswerable", "answer": "None."}], "findings": [], "fewer": ""},
    ),
    "reviews": Sample(
        ReviewRequest(
            collection=Surroundings(about="Pages about bridges."),
            passages=(passage(), passage()),
            pairs=(ProposedPair(question=QUESTION, answer=ANSWER), ProposedPair(question="Who built it?", answer="")),
            elsewhere=("The Heron Bridge was built by Moss.",),
        ),
        {"reviews": [REVIEWED, REVIEWED | {"number": 2, "label": "unanswerable", "flaws": ["pedantic", "dull"]}]},
    ),
    "conflicts": Sample(
        ConflictRequest(pairs=("When? 1998.",), passages=("It was opened in 1999.", "It is long.")),
        {"conflicts": [{"pair": "1", "passage": "1", "quote": "in 1999", "reason": "Two years."}]},
    ),
    "simple_pair": Sample(PairRequest(passage=passage(), asked=("How long is the Gannet Bridge?",)), PAIR),
    "chunk_pairs": Sample(
        ChunkRequest(passage=passage(), n=3),
        {"pairs": [PAIR | {"missing": False}, PAIR | {"question": "Why was it built?", "missing": True}]},
    ),
    "creative_question": Sample(PairRequest(passage=passage()), PAIR),
    "knowledge_check": Sample(
        KnowledgeCheck(passage=passage(), cutoff="2023-10"),
        {"subject": "Gannet Bridge", "reason": "I have not heard of it.", "after_cutoff": False, "known": False},
    ),
    "closed_book_answer": Sample(BareQuestion(question=QUESTION), {"answered": True, "answer": "In 1998."}),
    "label": Sample(
        Pair(context=TEXT, question=QUESTION, answer=ANSWER), {"reason": "It says 1998.", "label": "fact_single"}
    ),
    "critique_question_groundedness": RATING,
    "critique_answer_groundedness": RATING,
    "critique_feasibility": RATING,
    "critique_stand_alone": RATING,
    "critique_question_usefulness": RATING,
    "critique_context_usefulness": RATING,
    "critique_context_clarity": RATING,
    "critique_tautology": RATING,
    "pair_judgement": Sample(
        JudgedPair(context=TEXT, question=QUESTION, answer=ANSWER, statements=(OPENED.text,)),
        {
            "label": {"reason": "It says 1998.", "label": "fact_single"},
            **dict.fromkeys(CRITIQUES, RATING.reply),
            "keypoints": ["It opened in 1998."],
        },
    ),
    "chunk_grades": Sample(
        QuestionWithChunks(question=QUESTION, chunks=("A ferry ran before.", TEXT)),
        {"grades": [{"chunk": 2, "grade": "3/3"}, {"chunk": 1, "grade": 0}]},
    ),
    "standalone_question": Sample(
        FollowUp(
            turns=(Turn(role="user", content=QUESTION), Turn(role="assistant", content="In 1998.")),
            question="And how long is it?",
        ),
        {"question": "How long is the Gannet Bridge?"},
    ),
    "search_decision": Sample(
        BareQuestion(question=QUESTION),
        {"reason": "a date", "search": True, "query": "opening of the Gannet Bridge"},
    ),
    "hypothetical_passage": Sample(
        BareQuestion(question=QUESTION), {"text": "The Gannet Bridge opened to traffic in May 1987."}
    ),
    "answer": Sample(
        QuestionWithChunks(question=QUESTION, chunks=("A ferry ran before.", TEXT)),
        {"used": [2], "answered": True, "answer": "In 1998."},
    ),
    "answer_statements": Sample(
        AnswerToQuestion(question=QUESTION, answer=ANSWER), {"statements": [OPENED.text, LONG.text]}
    ),
    "statement_verdicts": Sample(
        StatementsOnContext(question=QUESTION, statements=(OPENED.text, "It is red."), context=TEXT),
        {
            "verdicts": [
                {"statement": 2, "evidence": "", "reason": "no colour is named", "supported": False},
                {"statement": 1, "evidence": "the bridge opened\nin 1998", "reason": "said", "supported": True},
            ]
        },
    ),
    "keypoints": Sample(
        AnswerStatement(question=QUESTION, answer="In 1998.", statements=(OPENED.text,)),
        {"keypoints": ["It opened in 1998."]},
    ),
    "keypoint_verdicts": Sample(
        KeypointsOnAnswer(question=QUESTION, keypoints=("It opened in 1998.",), answer="In 1999."),
        {"verdicts": [{"keypoint": 1, "reason": "another year", "verdict": "contradicted"}]},
    ),
    "answer_relevance": Sample(
        AnswerToQuestion(question=QUESTION, answer=ANSWER),
        {"questions": ["When did it open?", "How long is it?", "How old is it?"], "reason": "facts", "committal": True},
    ),
    "context_usefulness": Sample(
        AnswerFromChunks(question=QUESTION, answer=ANSWER, chunks=("A ferry ran before.", TEXT)),
        {
            "verdicts": [
                {"chunk": 1, "reason": "first", "useful": False},
                {"chunk": 2, "reason": "second", "useful": True},
            ]
        },
    ),
    "answer_judgement": Sample(
        JudgementRequest(
            question=QUESTION,
            answer=ANSWER,
            wanted=WANTED,
            reference="It opened in 1998.",
            passages=(TEXT,),
            keypoints=("It opened in 1998.",),
            chunks=("A ferry.", TEXT),
            block=TEXT,
        ),
        {
            "claims": {
                "claims": [
                    {
                        "claim": OPENED.text,
                        "evidence": "The bridge opened in 1998.",
                        "supported": True,
                        "source": "opened in 1998",
                        "relation": "Same",
                        "central": True,
                    }
                ],
                "missing": [],
            },
            "keypoints": [{"keypoint": 1, "reason": "it says so", "verdict": "covered"}],
            "chunks": [{"chunk": 1, "reason": "r", "useful": True}, {"chunk": 2, "reason": "r", "useful": False}],
            "ratings": {"reason": "right", "truthful": 5, "relevant": 5},
        },
    ),
    "helpful_sentences": Sample(
        QuestionOnContext(question=QUESTION, context=TEXT),
        {"reason": "the year", "sentences": ["The bridge opened\nin 1998.", "It is red."]},
    ),
    "answer_claims": Sample(
        AnswerToQuestion(question=QUESTION, answer="It opened in 1998. It is 412 m long and free."),
        {
            "sentences": [
                {"sentence": 2, "claims": [LONG.text, "The Gannet Bridge is free."]},
                {"sentence": 1, "claims": [OPENED.text]},
            ]
        },
    ),
    "statement_inferences": Sample(
        StatementsOnContext(question=QUESTION, statements=(OPENED.text, "It is red."), context=TEXT),
        {
            "verdicts": [
                {"statement": 1, "evidence": "The bridge opened in 1998.", "reason": "said", "verdict": 1},
                {"statement": 2, "evidence": "", "reason": "no colour is named", "verdict": 0},
            ]
        },
    ),
    "correctness": Sample(
        AnswerAndReference(question=QUESTION, answer=ANSWER, reference="In 1998, on a Monday.", passages=(TEXT,)),
        {
            "claims": [{"claim": OPENED.text, "source": "In 1998", "relation": "same", "central": True}],
            "missing": ["It opened on a Monday."],
        },
    ),
    "answer_correctness": Sample(
        AnswerAndReference(question=QUESTION, answer=ANSWER, reference="In 1998, on a Monday."),
        {
            "reason": "the answer lacks the day",
            "confirmed": [OPENED.text],
            "unconfirmed": [LONG.text],
            "left_out": ["It opened on a Monday."],
        },
    ),
    "rubric": Sample(
        AnswerUnderRubric(
            rubric="Is the tone polite?", highest=5, question=QUESTION, answer=ANSWER, reference="In 1998."
        ),
        {"reason": "It is plain and friendly.", "rating": "4/5"},
    ),
    "block_ratings": Sample(
        AnswerOnBlock(question=QUESTION, answer=ANSWER, block=TEXT),
        {"reason": "both agree", "truthful": 5, "relevant": "4/5"},
    ),
    "score_faithfulness": QUALITY,
    "score_answer_relevance": QUALITY,
    "score_context_relevance": QUALITY,
    "prefer_faithfulness": PREFERENCE,
    "prefer_answer_relevance": PREFERENCE,
    "prefer_context_relevance": PREFERENCE,
    "whole_document": Sample(
        DocumentToWrite(kind="bridges", language="en", chars=900, example=TEXT),
        {"text": "Puffin Bridge\n\nThe bridge opened in 1971."},
    ),
    "scenario_schema": Sample(
        SeedDocuments(seeds=(SeedDocument(title="Gannet Bridge", text=TEXT),), language="en"),
        {
            "items": [
                {
                    "name": "opening year",
                    "values": ["1998"],
                    "alternatives": [],
                    "sentences": ["It opened in {value}."],
                    "questions": ["When did {subject} open?"],
                    "fact": "{subject} opened in {value}.",
                }
            ]
        },
    ),
    "scenario_values": Sample(
        ValuesToWrite(
            scenario="bridges",
            facts=("length: 412 m",),
            elements=(ElementToFill(name="reason", examples=("old age",)),),
            language="en",
        ),
        {"values": [{"number": 1, "value": "a storm in autumn."}]},
    ),
    "scenario_section": Sample(
        SectionToWrite(
            scenario="bridges", title="Gannet Bridge", section="History", facts=("opened: 1998",), language="en"
        ),
        {"text": "The bridge opened in 1998."},
    ),
    "scenario_questions": Sample(
        QuestionsToWrite(
            sentences=("A ferry ran before.", TEXT),
            questions=(QuestionToWrite(kind="factual", subjects=("Gannet Bridge",), facts=("opened: 1998",)),),
            language="en",
        ),
        {
            "questions": [
                {"number": 1, "question": QUESTION, "sentences": [2, 9], "answer": ANSWER, "keypoints": [ANSWER]}
            ]
        },
    ),
}


@pytest.fixture
def sample() -> Callable[[str], Sample]:
    """Task name to the sample of the task."""
    return SAMPLES.__getitem__
