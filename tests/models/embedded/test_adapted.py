"""The embedded model with a writer of the user's own, whose texts are given: who asks what, and of which sentences."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from ragassay.models.embedded.model import EmbeddedModel
from ragassay.models.embedded.writing.adapted import AdaptedModel
from ragassay.models.embedded.writing.prose import BEHIND_RULES
from ragassay.models.small.writer import Sentence, Writer, Written
from ragassay.tasks.labelling import LABEL, Pair
from ragassay.tasks.pairs import PairRequest
from ragassay.tasks.questions import NEAR_MISSES, QUESTION, MissCandidates, StatementOnTheme
from ragassay.tasks.simple import SIMPLE_PAIR
from ragassay.tasks.statements import (
    FACTS,
    SUMMARIES,
    THEME,
    Passage,
    PassageFacts,
    PassageOnTheme,
    QuestionDraft,
    Statement,
)

TEXT = "The ferry Alba was built in Molde in 1998. Dogs must stay on the open deck. Hm, well."
PASSAGE = Passage(title="Alba handbook", section=("Vessels",), text=TEXT, language="en")


class FakeWriter:
    """Asks "What of X?" of a sentence, X its first three words, and asks what is missing."""

    def __init__(self, refuses: str = "") -> None:
        self.refuses = refuses
        self.read: list[str] = []

    def write(self, sentences: Sequence[Sentence]) -> list[Written | None]:
        self.read += [each.quote for each in sentences]
        return [
            None
            if self.refuses and self.refuses in each.quote
            else Written(f"What of {' '.join(each.quote.split()[:3])}?", each.quote.split()[-1], math.log(0.5))
            for each in sentences
        ]

    def ask_missing(self, sentences: Sequence[Sentence], candidates: int) -> list[list[Written]]:
        return [[Written(f"Who owns {each.title}?", "", math.log(0.5))] for each in sentences]


@pytest.fixture
def adapter(tmp_path: Path) -> Path:
    path = tmp_path / "mine.safetensors"
    path.write_bytes(b"abc")
    return path


def ask(
    monkeypatch: pytest.MonkeyPatch, adapter: Path, encoder: Any, writer: FakeWriter, task: Any, *inputs: Any
) -> list[Any]:
    def load(path: Path) -> FakeWriter:
        assert path == adapter
        return writer

    monkeypatch.setattr(Writer, "load", load)
    return [reply.value for reply in asyncio.run(AdaptedModel(adapter, encoder).ask_all(task, inputs))]


def test_facts_are_sentences_without_a_question(monkeypatch: Any, adapter: Path, encoder: Any) -> None:
    asked = PassageOnTheme(passage=PASSAGE, theme="Alba")
    (found,) = ask(monkeypatch, adapter, encoder, FakeWriter(), FACTS, asked)
    assert sorted(each.quotes for each in found.items) == [
        *(("Dogs must stay on the open deck.",), ("The ferry Alba was built in Molde in 1998.",))
    ]
    worths = [each.draft.quality for each in found.items]
    assert worths == sorted(worths, reverse=True)
    assert {each.draft.question for each in found.items} == {""}


def test_summaries_are_the_embedded_models(monkeypatch: Any, adapter: Path, encoder: Any) -> None:
    asked = PassageFacts(passage=PASSAGE.model_copy(update={"widely": True}), theme="Alba", facts=())
    (found,) = ask(monkeypatch, adapter, encoder, FakeWriter(), SUMMARIES, asked)
    assert found == asyncio.run(EmbeddedModel(encoder).ask(SUMMARIES, asked)).value


def test_the_title_is_the_theme_where_rules_find_none(monkeypatch: Any, adapter: Path, encoder: Any) -> None:
    titled, german = (Passage(title="Notes", text="Hm. It was so.", language=language) for language in ("en", "de"))
    nameless = titled.model_copy(update={"title": " "})
    found = ask(monkeypatch, adapter, encoder, FakeWriter(), THEME, titled, german, nameless)
    assert [each and each.text for each in found] == ["Notes", None, None]


def test_a_chosen_sentence_is_asked_about_and_a_question_kept(monkeypatch: Any, adapter: Path, encoder: Any) -> None:
    def on(draft: QuestionDraft | None, quote: str = "Dogs must stay on the open deck.") -> StatementOnTheme:
        statement = Statement(text=quote, quotes=(quote,), draft=draft)
        return StatementOnTheme(statement=statement, theme="Alba", passage=PASSAGE)

    rule = QuestionDraft(question="How old is the Alba?", answer="27 years", pattern="age")
    parsed = QuestionDraft(question="How big is the Alba?", answer="small", pattern="size", quality=0.8)
    chosen = QuestionDraft(question="", answer="", pattern="", quality=0.6)
    writer = FakeWriter(refuses="1998")
    bare, kept, parsed_too, written, refused = ask(
        monkeypatch, adapter, encoder, writer, QUESTION,
        on(None), on(rule), on(parsed), on(chosen), on(chosen, "The ferry Alba was built in Molde in 1998."),
    )  # fmt: skip
    assert (written.question, written.answer) == ("What of Dogs must stay?", "deck.")
    assert written.pattern == "written_what_of"
    assert (bare.quality, written.quality) == (pytest.approx(0.5), pytest.approx(0.3))  # 1 and .6 times likelihood .5
    assert (kept.question, kept.answer, kept.pattern) == ("How old is the Alba?", "27 years", "age")
    assert (parsed_too.question, parsed_too.answer, parsed_too.quality) == ("How big is the Alba?", "small", 0.8)
    assert refused is None


def test_open_questions_are_the_writers(monkeypatch: Any, adapter: Path, encoder: Any) -> None:
    passages = [PASSAGE.model_copy(update={"text": f"{TEXT} {number}"}) for number in range(40)]
    asked = [MissCandidates(passage=each, theme="") for each in passages]
    (few,) = ask(monkeypatch, adapter, encoder, FakeWriter(), NEAR_MISSES, asked[0])
    (open_,) = few.items
    assert (open_.question, open_.answer, open_.pattern) == ("Who owns Alba handbook?", "", "written_who_owns")
    assert open_.quality == pytest.approx(0.5 * BEHIND_RULES)
    many = ask(monkeypatch, adapter, encoder, FakeWriter(), NEAR_MISSES, *asked)
    assert 0 < sum(bool(each.items) for each in many) < 40


def test_a_simple_pair_is_of_any_sentence_and_never_the_same(monkeypatch: Any, adapter: Path, encoder: Any) -> None:
    writer = FakeWriter(refuses="Dogs")
    request = PairRequest(passage=PASSAGE)
    (first,) = ask(monkeypatch, adapter, encoder, writer, SIMPLE_PAIR, request)
    (pair,) = first.items
    assert (pair.question, pair.quotes) == ("What of The ferry Alba?", ("The ferry Alba was built in Molde in 1998.",))
    again = request.model_copy(update={"asked": (pair.question,)})
    german = PairRequest(passage=PASSAGE.model_copy(update={"language": "de"}))
    assert [each.items for each in ask(monkeypatch, adapter, encoder, writer, SIMPLE_PAIR, again, german)] == [(), ()]


def test_the_rest_is_the_embedded_models(monkeypatch: Any, adapter: Path, encoder: Any) -> None:
    pair = Pair(context=TEXT, question="Where was the ferry Alba built?", answer="Molde")
    (found,) = ask(monkeypatch, adapter, encoder, FakeWriter(), LABEL, pair)
    assert found == asyncio.run(EmbeddedModel(encoder).ask(LABEL, pair)).value


def test_the_name_tells_the_adapter(adapter: Path, encoder: Any) -> None:
    before = AdaptedModel(adapter, encoder).name
    assert before == "SmolLM2-135M-Instruct with writer ba7816bf, beside embedded (word hashes)"
    adapter.write_bytes(b"")
    assert "with writer e3b0c442" in AdaptedModel(adapter, encoder).name
