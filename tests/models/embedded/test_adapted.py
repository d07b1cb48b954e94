"""The embedded model with a writer of the user's own, whose texts are given: who asks what, and of which sentences."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from ragassay.models.embedded.model import EmbeddedModel
from ragassay.models.embedded.writing.adapted import AdaptedModel
from ragassay.models.small.writer import Likelihood, Wanted, Writer, Written
from ragassay.tasks.labelling import LABEL, Pair
from ragassay.tasks.pairs import PairRequest
from ragassay.tasks.questions import QUESTION, StatementOnTheme
from ragassay.tasks.simple import SIMPLE_PAIR
from ragassay.tasks.statements import (
    FACTS,
    SUMMARIES,
    Passage,
    PassageFacts,
    PassageOnTheme,
    QuestionDraft,
    Statement,
)

TEXT = "The ferry Alba was built in Molde in 1998. Dogs must stay on the open deck. Hm, well."
PASSAGE = Passage(title="Alba handbook", section=("Vessels",), text=TEXT, language="en")


class FakeWriter:
    """Asks "What of X?" for an answer, X its first three words, and nothing for one that it refuses."""

    def __init__(self, refuses: str = "") -> None:
        self.refuses = refuses
        self.read: list[Wanted] = []

    def ask(self, wanted: Sequence[Wanted]) -> list[list[Written]]:
        self.read += wanted
        return [
            []
            if self.refuses and self.refuses in each.quote
            else [Written(f"What of {' '.join(each.answer.split()[:3])}?", Likelihood(-1.0, -0.2, -0.6))]
            for each in wanted
        ]


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


def test_statements_are_the_embedded_models(monkeypatch: Any, adapter: Path, encoder: Any) -> None:
    wide = PASSAGE.model_copy(update={"widely": True})
    for task, asked in (
        (FACTS, PassageOnTheme(passage=wide, theme="Alba")),
        (SUMMARIES, PassageFacts(passage=wide, theme="Alba", facts=())),
    ):
        (found,) = ask(monkeypatch, adapter, encoder, FakeWriter(), task, asked)
        assert found == asyncio.run(EmbeddedModel(encoder).ask(task, asked)).value


def test_a_plain_sentence_is_asked_about_and_another_question_kept(
    monkeypatch: Any, adapter: Path, encoder: Any
) -> None:
    def on(draft: QuestionDraft | None, language: str = "en", quote: str = "Dogs must stay on deck.") -> Any:
        statement = Statement(text=quote, quotes=(quote,), draft=draft)
        passage = PASSAGE.model_copy(update={"language": language})
        return StatementOnTheme(statement=statement, theme="Alba", passage=passage)

    rule = QuestionDraft(question="How old is the Alba?", answer="27 years", pattern="age")
    parsed = QuestionDraft(question="Where must dogs stay?", answer="on deck", pattern="place", quality=0.6)
    writer = FakeWriter(refuses="1998")
    bare, kept, written, chinese, refused = ask(
        monkeypatch, adapter, encoder, writer, QUESTION,
        on(None), on(rule), on(parsed), on(parsed, "de"), on(parsed, "en", "The ferry was built in 1998."),
    )  # fmt: skip
    assert (bare, refused) == (None, None)
    assert (written.question, written.answer) == ("What of on deck?", "Dogs must stay on deck.")
    assert (written.pattern, written.quality) == ("asked_what_of", 0.6)
    assert (kept.question, kept.answer, kept.pattern) == ("How old is the Alba?", "27 years", "age")
    assert chinese is None or chinese.question == "Where must dogs stay?"
    assert [each.quote for each in writer.read] == ["Dogs must stay on deck.", "The ferry was built in 1998."]
    assert writer.read[0] == Wanted("Alba handbook", "Vessels", TEXT, "Dogs must stay on deck.", "on deck")


def test_a_simple_pair_is_of_any_sentence_and_never_the_same(monkeypatch: Any, adapter: Path, encoder: Any) -> None:
    writer = FakeWriter(refuses="Dogs")
    request = PairRequest(passage=PASSAGE)
    (first,) = ask(monkeypatch, adapter, encoder, writer, SIMPLE_PAIR, request)
    (pair,) = first.items
    assert (pair.question, pair.quotes) == ("What of The ferry Alba?", ("The ferry Alba was built in Molde in 1998.",))
    assert pair.answer == "The ferry Alba was built in Molde in 1998."
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
