"""Short documents put to the embedded model's generator, and the laws that all of its pairs keep."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from ragassay.corpus.html import read_html
from ragassay.corpus.markdown import read_markdown
from ragassay.corpus.passages import to_passage
from ragassay.models.embedded.model import EmbeddedModel
from ragassay.models.embedded.reading.framing import unframed
from ragassay.models.embedded.structure.drafts import MAX_WORDS, MIN_WORDS, OWN_QUESTION, OWN_WORDS
from ragassay.records import Document
from ragassay.synthesis.candidates import located
from ragassay.tasks.questions import NEAR_MISSES, QUESTION, MissCandidates, StatementOnTheme
from ragassay.tasks.statements import (
    CONCLUSIONS,
    FACTS,
    SUMMARIES,
    THEME,
    Passage,
    PassageFacts,
    PassageOnTheme,
    Statement,
)


class Pair(NamedTuple):
    pattern: str
    question: str
    answer: str


class Generated(NamedTuple):
    """What the model made of one passage: by rules, and by the parse of plain sentences."""

    theme: str
    facts: list[Pair]
    summaries: list[Pair]
    parsed: list[Pair]
    conclusions: list[Pair]
    misses: list[tuple[str, str]]
    statements: tuple[Statement, ...]

    def of(self, pattern: str) -> list[tuple[str, str]]:
        """(question, answer) of every pair that a rule wrote."""
        pairs = [*self.facts, *self.summaries, *self.conclusions]
        return [(pair.question, pair.answer) for pair in pairs if pair.pattern == pattern]


class NoEncoder:
    """The generator works without meanings; who asks for vectors fails."""

    name = "none"
    dimension = 1

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        raise AssertionError("the generator asked for vectors")


MODEL = EmbeddedModel(NoEncoder())


def read(text: str, *, html: bool = False, title: str | None = None) -> Document:
    parsed = read_html(text) if html else read_markdown(text)
    named = title if title is not None else (parsed.title or "")
    return Document(
        id="doc-1",
        title=named,
        source="a",
        text=parsed.text,
        blocks=parsed.blocks,
        literals=parsed.literals,
        language="en",
    )


def passage_of(document: Document, **fields: Any) -> Passage:
    whole = to_passage(document, 0, len(document.text), ())
    return whole.model_copy(update={"opening": document.text[:600]} | fields)


def checked(statement: Statement, document: Document) -> Pair:
    """The pair of a statement, after the laws that every pair keeps."""
    draft = statement.draft
    assert draft is not None
    words = OWN_WORDS if draft.pattern == OWN_QUESTION else range(MIN_WORDS, MAX_WORDS + 1)
    assert len(unframed(draft.question).split()) in words, draft
    assert len(draft.question.split()) <= 34, draft
    assert draft.question.endswith("?"), draft
    assert draft.answer.strip(), draft
    assert "Xtheme" not in f"{draft.question}{draft.answer}{statement.text}", draft
    assert "Xlit" not in f"{draft.question}{draft.answer}{statement.text}", draft
    assert statement.quotes, draft
    assert located(document, 0, len(document.text), statement.quotes), (draft, statement.quotes)
    return Pair(draft.pattern, draft.question, draft.answer)


def by_rule(statement: Statement) -> bool:
    """Whether a rule asks, and not the parse of a plain sentence."""
    return statement.draft is not None and statement.draft.quality is None


def generate(document: Document, elsewhere: Sequence[Statement] = (), **fields: Any) -> Generated:
    async def asked() -> Generated:
        passage = passage_of(document, **fields)
        named = await MODEL.ask(THEME, passage)
        theme = named.value.text if named.value else ""
        facts = (await MODEL.ask(FACTS, PassageOnTheme(passage=passage, theme=theme))).value
        assert facts is not None
        with_facts = PassageFacts(passage=passage, theme=theme, facts=facts.items)
        summaries = (await MODEL.ask(SUMMARIES, with_facts)).value
        conclusions = (await MODEL.ask(CONCLUSIONS, with_facts)).value
        candidates = MissCandidates(passage=passage, theme=theme, facts_elsewhere=tuple(elsewhere), whole_document=True)
        misses = (await MODEL.ask(NEAR_MISSES, candidates)).value
        assert summaries is not None
        assert conclusions is not None
        assert misses is not None
        for statement in (*facts.items, *summaries.items, *conclusions.items):
            question = await MODEL.ask(QUESTION, StatementOnTheme(statement=statement, theme=theme, passage=passage))
            assert question.value is not None
            assert statement.draft is not None
            assert question.value.question == statement.draft.question
        return Generated(
            theme=theme,
            facts=[checked(each, document) for each in facts.items if by_rule(each)],
            summaries=[checked(each, document) for each in summaries.items if by_rule(each)],
            parsed=[checked(each, document) for each in (*facts.items, *summaries.items) if not by_rule(each)],
            conclusions=[checked(each, document) for each in conclusions.items],
            misses=[(each.pattern, each.question) for each in misses.items],
            statements=facts.items,
        )

    return asyncio.run(asked())


@pytest.fixture(scope="session")
def generated() -> Callable[..., Generated]:
    """Markdown, or HTML if said so, to all that the generator makes of it as one passage."""

    def make(text: str, *, html: bool = False, title: str | None = None, **fields: Any) -> Generated:
        return generate(read(text, html=html, title=title), **fields)

    return make


@pytest.fixture(scope="session")
def generated_of_document() -> Callable[..., Generated]:
    """The same for a document of one's own."""
    return generate


@pytest.fixture(scope="session")
def markdown() -> Callable[..., Document]:
    return read
