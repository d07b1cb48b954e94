"""Drafts in the writer's words, and the open questions that it adds, with a writer whose texts are given."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from ragassay.models.embedded.writing.drafting_model import DraftingModel
from ragassay.models.embedded.writing.prose_drafts import BEHIND_RULES, GAP_CANDIDATES, GAP_EVERY, HANDLERS
from ragassay.models.small import roles
from ragassay.models.small.writer import Sentence, Written
from ragassay.tasks.questions import MissCandidates, Question, StatementOnTheme
from ragassay.tasks.statements import (
    CONCLUSIONS,
    THEME,
    Passage,
    PassageFacts,
    QuestionDraft,
    Statement,
    Statements,
)

TEXT = "The Alba was built in Molde in 1998. Dogs travel free."
PASSAGE = Passage(title="Ferry handbook", section=("Vessels", "Alba"), text=TEXT, language="en")
QUOTE = "The Alba was built in Molde in 1998."
LIKELIHOOD = math.log(0.5)


class FakeWriter:
    """mend: by the draft. missing: by the passage's text. Keeps what it was asked."""

    def __init__(
        self, mend: Callable[[str], str | None], missing: Callable[[str], Sequence[str]] = lambda text: ()
    ) -> None:
        self._mend, self._missing = mend, missing
        self.mended: list[tuple[Sentence, str]] = []
        self.read: list[tuple[Sentence, int]] = []

    def mend(self, sentences: Sequence[Sentence], drafts: Sequence[str]) -> list[Written | None]:
        self.mended += zip(sentences, drafts, strict=True)
        found = map(self._mend, drafts)
        return [None if each is None else Written(each, "", LIKELIHOOD) for each in found]

    def ask_missing(self, sentences: Sequence[Sentence], candidates: int) -> list[list[Written]]:
        self.read += [(each, candidates) for each in sentences]
        return [[Written(one, "", LIKELIHOOD) for one in self._missing(each.text)] for each in sentences]


@pytest.fixture
def write(monkeypatch: pytest.MonkeyPatch) -> Callable[..., FakeWriter]:
    def use(*given: Any) -> FakeWriter:
        writer = FakeWriter(*given)
        monkeypatch.setattr(roles, "writer", lambda: writer)
        return writer

    return use


def asked(question: str = "When was the Alba built?", quality: float | None = 0.8) -> StatementOnTheme:
    draft = QuestionDraft(question=question, answer="in 1998", pattern="when", quality=quality)
    return StatementOnTheme(
        statement=Statement(text=QUOTE, quotes=("The Alba was built", "in 1998."), draft=draft),
        theme="Alba",
        passage=PASSAGE,
    )


def questions(encoder: Any, *inputs: StatementOnTheme) -> list[tuple[Question | None, str | None]]:
    return [(reply.value, reply.reason) for reply in HANDLERS["question"](encoder, list(inputs))]


def test_a_mended_question_keeps_the_answer_where_it_asks_for_the_same(encoder: Any, write: Any) -> None:
    writer = write(lambda draft: "When did Molde build the Alba?")
    ((found, _),) = questions(encoder, asked())
    assert found is not None
    assert (found.question, found.answer) == ("When did Molde build the Alba?", "in 1998")
    assert (found.pattern, found.quality) == ("when", pytest.approx(0.4))  # 0.8 times the likelihood 0.5
    sentence = Sentence("Ferry handbook", "Vessels > Alba", TEXT, "The Alba was built in 1998.")
    assert writer.mended == [(sentence, "When was the Alba built?")]


def test_a_mended_question_that_asks_for_something_else_gets_the_statement(encoder: Any, write: Any) -> None:
    write(lambda draft: "What is known of the Alba?")
    ((found, _),) = questions(encoder, asked())
    assert found is not None
    assert (found.question, found.answer) == ("What is known of the Alba?", "The Alba was built in Molde in 1998")


def test_the_question_word_may_stand_inside_the_draft(encoder: Any, write: Any) -> None:
    write(lambda draft: "When was the Alba built?")
    ((found, _),) = questions(encoder, asked("In Molde, WHEN was the Alba built?"))
    assert found is not None
    assert found.answer == "in 1998"


def test_what_the_writer_does_not_ask_is_dropped(encoder: Any, write: Any) -> None:
    write(lambda draft: None if "Molde" in draft else draft)
    dropped, kept = questions(encoder, asked("Where is Molde?"), asked())
    assert dropped == (None, "the writer finds no question in it that is worth asking")
    assert kept[0] is not None


def test_replies_keep_the_order_of_statements_of_prose_and_others(encoder: Any, write: Any) -> None:
    writer = write(lambda draft: f"{draft[:-1]} again?")
    computed = asked("How old is the Alba?", quality=None)  # of records and tables: it stands as it is
    bare = asked().model_copy(update={"statement": Statement(text=QUOTE)})
    found = questions(encoder, asked("When one?"), computed, bare, asked("When two?"))
    assert [value.question if value else value for value, _ in found] == [
        *("When one again?", "How old is the Alba?", None, "When two again?")
    ]
    assert found[1][0] == Question(question="How old is the Alba?", answer="in 1998", pattern="when", quality=None)
    assert found[2][1] == "the embedded model asks only about statements that it found itself"
    assert [draft for _, draft in writer.mended] == ["When one?", "When two?"]


def test_the_writer_is_not_loaded_for_what_is_no_prose(encoder: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roles, "writer", lambda: pytest.fail("loaded"))
    ((found, _),) = questions(encoder, asked(quality=None))
    assert found is not None
    assert questions(encoder) == []


def test_without_a_writer_the_draft_stands(encoder: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roles, "writer", lambda: None)
    ((found, _),) = questions(encoder, asked())
    assert found == Question(question="When was the Alba built?", answer="in 1998", pattern="when", quality=0.8)


def passages(number: int) -> list[MissCandidates]:
    """Passages too bare for anyone but the writer to ask about."""
    return [
        MissCandidates(passage=Passage(title="", text=f"Hm {each}.", language="en"), theme="") for each in range(number)
    ]


def open_questions(encoder: Any, inputs: Sequence[MissCandidates]) -> list[list[tuple[str, str]]]:
    replies = HANDLERS["near_misses"](encoder, inputs)
    return [[(item.question, item.pattern) for item in reply.value.items] for reply in replies if reply.value]


def test_one_passage_in_four_gets_written_gaps_whatever_its_batch_mates(encoder: Any, write: Any) -> None:
    writer = write(lambda draft: draft, lambda text: (f"Why is it {text}?", f"Who is {text}?", f"Why is it {text}?"))
    inputs = passages(40)
    found = open_questions(encoder, inputs)
    read = [number for number, items in enumerate(found) if items]
    assert 0 < len(read) < 40
    assert GAP_EVERY == 4
    text = inputs[read[0]].passage.text
    assert found[read[0]] == [
        (f"Why is it {text}?", "written_why_is"),
        (f"Who is {text}?", "written_who_is"),
    ]  # each once
    alone = [open_questions(encoder, [each])[0] for each in inputs]
    assert alone == found
    assert writer.read[0][1] == GAP_CANDIDATES


def test_the_writer_reads_from_the_beginning_of_a_passage(encoder: Any, write: Any) -> None:
    writer = write(lambda draft: draft, lambda text: ())
    texts = [f"word {number} " * 30 for number in range(40)]
    inputs = [
        MissCandidates(passage=Passage(title="T", section=("A", "B"), text=text, language="en"), theme="T")
        for text in texts
    ]
    open_questions(encoder, inputs)
    sentence = writer.read[0][0]
    assert sentence.text in texts
    assert sentence == Sentence("T", "A > B", sentence.text, sentence.text[:200])


def test_a_written_gap_is_as_good_as_it_is_likely(encoder: Any, write: Any) -> None:
    write(lambda draft: draft, lambda text: ["Why is it so?"])
    replies = HANDLERS["near_misses"](encoder, passages(40))
    items = [item for reply in replies if reply.value for item in reply.value.items]
    assert {(item.question, item.answer, round(item.quality or 0, 6)) for item in items} == {
        ("Why is it so?", "", round(0.5 * BEHIND_RULES, 6))
    }


def test_nothing_is_drafted_of_other_languages_and_nothing_inferred(encoder: Any, write: Any) -> None:
    write(lambda draft: draft)
    model = DraftingModel(encoder)
    german = PASSAGE.model_copy(update={"language": "de"})
    english, refused = asyncio.run(model.ask_all(THEME, [PASSAGE, german]))
    assert english.value is not None
    assert (refused.value, refused.reason) == (None, "drafts are made of English text only")
    asked = PassageFacts(passage=PASSAGE, theme="Alba", facts=())
    (inferred,) = asyncio.run(model.ask_all(CONCLUSIONS, [asked]))
    assert inferred.value == Statements(items=())


def test_without_a_writer_no_gaps_are_written(encoder: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roles, "writer", lambda: None)
    assert open_questions(encoder, passages(5)) == [[], [], [], [], []]
    assert HANDLERS["near_misses"](encoder, []) == []
