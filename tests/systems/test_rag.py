"""The built-in system: each of its steps, and the two baselines."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ragassay.documents.store import DocumentStore
from ragassay.errors import UsageError
from ragassay.jobs.folders.progress import Silent
from ragassay.models.base import Effort, Reply
from ragassay.models.scripted import ScriptedModel
from ragassay.records import NO_CONTEXT, Document, Example, Prediction, Provenance, Span, Turn
from ragassay.retrieval.postgres import PostgresStore
from ragassay.systems.base import Question, System
from ragassay.systems.build import Materials, built_in_system
from ragassay.systems.rag import Generator
from ragassay.systems.spec import parse_spec
from ragassay.systems.steps import OpenQuestion, decide, generate, imagine
from ragassay.tasks.answering import (
    Answer,
    ChunkGrades,
    HypotheticalPassage,
    QuestionWithChunks,
    Search,
)

Answered = Callable[..., dict[str, Prediction]]
TEXTS = {
    "bridge": "Gannet Bridge opened in 1998. It is a suspension bridge.",
    "ship": "Bluefin is a ferry. She was built in Oskay.",
    "poet": "Ottar Lind was a poet. He was born in Ribe.",
}
DOCUMENTS = [
    Document(id=name, title=f"The {name}", source=f"{name}.md", text=text, metadata={"kind": name})
    for name, text in TEXTS.items()
]
ASKED = [Question("a", "When did Gannet Bridge open?"), Question("b", "Where was Bluefin built?")]


class WordEncoder:
    """A vector is the sum of those of the words; each word has a direction of its own."""

    name = "words"
    dimension = 64

    def encode(self, texts: Sequence[str], progress: Any = None) -> Any:
        rows = np.stack([sum((self._word(word) for word in text.lower().split()), np.zeros(64)) for text in texts])
        return (rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)).astype(np.float32)

    def encode_spans(self, texts: Sequence[Any], progress: Any = None) -> Any:
        return self.encode([text.text[start:end] for text in texts for start, end in text.spans])

    def _word(self, word: str) -> Any:
        seed = int.from_bytes(hashlib.blake2b(word.strip(".?").encode(), digest_size=4).digest())
        return np.random.default_rng(seed).standard_normal(64)


def first_chunk(asked: QuestionWithChunks) -> Answer:
    return Answer(text=asked.chunks[0] if asked.chunks else "Nothing.", abstained=not asked.chunks)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[DocumentStore]:
    with DocumentStore.write(tmp_path / "documents.jsonl", DOCUMENTS) as made:
        yield made


@pytest.fixture
def build(store: DocumentStore, tmp_path: Path) -> Callable[..., System]:
    def made(
        spec: str,
        *settings: str,
        model: Any = None,
        served: bool = True,
        examples: Sequence[Example] = (),
        store: DocumentStore = store,
    ) -> System:
        model = model or ScriptedModel({"answer": first_chunk})
        materials = Materials(
            store=store,
            examples={example.id: example for example in examples},
            generator=Generator(model, is_language_model=served),
            encoder=WordEncoder(),
            folder=tmp_path,
            progress=Silent(),
        )
        return built_in_system(parse_spec(spec, settings), materials)

    return made


@pytest.mark.parametrize("retriever", ["bm25", "dense", "hybrid"])
@pytest.mark.parametrize("prefix", ["", "title,kind"])
def test_each_way_to_search(build: Any, answered: Answered, retriever: str, prefix: str) -> None:
    made = answered(build(f"rag:retriever={retriever},top_k=2,prefix={prefix}"), ASKED)
    assert [made[name].chunks[0].document_id for name in "ab"] == ["bridge", "ship"]
    first = made["a"].chunks[0]
    assert first.text == TEXTS["bridge"][first.start : first.end] == made["a"].answer  # without its prefix
    assert len(made["a"].chunks) == (1 if retriever == "bm25" else 2)  # BM25 finds no chunk without a common word
    assert made["a"].chunks[0].score >= made["a"].chunks[-1].score


@pytest.fixture
def in_postgres(postgres_url: str) -> Iterator[str]:
    yield f"store={postgres_url}"
    store = PostgresStore(postgres_url)
    store.drop()
    store.close()


@pytest.mark.parametrize(
    "options", ["retriever=bm25", "retriever=dense", "fusion=raw_linear", "fusion=min_max", "fusion=rrf"]
)
def test_postgresql_ranks_as_memory_does(build: Any, answered: Answered, in_postgres: str, options: str) -> None:
    how = f"rag:{options},chunker=sentences,chunk_size=1,top_k=4,prefix=title,text_weight=0.3"
    in_memory = answered(build(how), ASKED)
    stored = answered(build(how, in_postgres), ASKED)
    assert stored["a"].system.startswith("rag 1 sentences prefix title ")
    assert stored["a"].system.endswith(" in postgresql")
    for name in "ab":
        found, expected = (  # of equal scores a store takes the first id, memory the first place
            sorted(made[name].chunks, key=lambda each: (-round(each.score, 5), each.chunk_id))
            for made in (stored, in_memory)
        )
        assert [(each.chunk_id, each.text) for each in found] == [(each.chunk_id, each.text) for each in expected]
        assert [each.score for each in found] == pytest.approx([each.score for each in expected], abs=1e-5)


def test_a_store_is_filled_once(
    build: Any, answered: Answered, in_postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    original = WordEncoder.encode

    def watched(self: WordEncoder, texts: Sequence[str], progress: Any = None) -> Any:
        read.extend(texts)
        return original(self, texts, progress)

    monkeypatch.setattr(WordEncoder, "encode", watched)
    first = answered(build("rag:retriever=dense", in_postgres), ASKED)
    assert len(read) > len(ASKED)
    read.clear()
    assert answered(build("rag:retriever=dense", in_postgres), ASKED)["a"].chunks == first["a"].chunks
    assert read == [question.text for question in ASKED]
    build("rag:retriever=dense,prefix=title", in_postgres)
    assert len(read) > len(ASKED)  # other chunks


def test_tokens_and_failures_of_the_model(build: Any, answered: Answered) -> None:
    def reply(asked: QuestionWithChunks) -> Reply[Answer]:
        if "Bluefin" in asked.question:
            return Reply(None, "a content filter declined", Effort(50, 0))
        return Reply(Answer(text="In 1998.", abstained=False), None, Effort(90, 5))

    made = answered(build("rag", model=ScriptedModel({"answer": reply})), ASKED)
    assert (made["a"].answer, made["a"].input_tokens, made["a"].output_tokens) == ("In 1998.", 90, 5)
    assert made["b"].error == "the model gave no answer: a content filter declined"
    assert (made["b"].answer, made["b"].input_tokens) == (None, 50)
    assert made["b"].chunks[0].text == "Bluefin is a ferry. She was built in Oskay."  # what it had found counts


def test_hyde_searches_with_the_made_up_passage(build: Any, answered: Answered) -> None:
    script = {
        "hypothetical_passage": lambda asked: HypotheticalPassage(text="Ottar Lind the poet was born in Ribe."),
        "answer": first_chunk,
    }
    made = answered(build("rag:retriever=dense,hyde=true,top_k=1", model=ScriptedModel(script)), ASKED)
    assert made["a"].chunks[0].document_id == "poet"
    failing = ScriptedModel({"hypothetical_passage": lambda asked: Reply(None, "no reply")})
    made = answered(build("rag:retriever=dense,hyde=true", model=failing), ASKED)
    assert made["a"].error == "the model wrote no passage to search with: no reply"


def test_retrieval_as_a_tool(build: Any, answered: Answered) -> None:
    model = ScriptedModel(
        {
            "search_decision": lambda asked: Search(needed="Bluefin" in asked.question, query="poet Ribe"),
            "closed_book_answer": lambda asked: Answer(text="I know: 1998.", abstained=False),
            "answer": first_chunk,
        }
    )
    made = answered(build("rag:retriever=bm25,retrieval=tool,top_k=1", model=model), ASKED)
    assert (made["a"].answer, made["a"].chunks) == ("I know: 1998.", ())
    assert made["b"].chunks[0].document_id == "poet"  # the words that the model chose
    assert [each.question for each in model.asked("answer")] == ["Where was Bluefin built?"]


def test_a_reranker_looks_again_at_more_chunks_than_are_kept(build: Any, answered: Answered) -> None:
    def grades(asked: QuestionWithChunks) -> ChunkGrades | Reply[ChunkGrades]:
        if "Bluefin" in asked.question:
            return Reply(None, "no reply")
        grades = ChunkGrades(grades=tuple(3 if "poet" in text else 1 for text in asked.chunks))
        return Reply(grades, effort=Effort(40, 2))

    model = ScriptedModel({"chunk_grades": grades, "answer": first_chunk})
    made = answered(build("rag:retriever=dense,reranker=judge,candidates=3,top_k=2", model=model), ASKED)
    assert [(chunk.document_id, chunk.score) for chunk in made["a"].chunks] == [("poet", 3), ("bridge", 1)]
    assert made["a"].answer == TEXTS["poet"]
    assert made["a"].system == "rag 512 dense judge of 3 top 2"
    assert (made["a"].input_tokens, made["a"].output_tokens) == (40, 2)  # the answer of this model counts none
    assert made["b"].error == "no new ranking: not re-ranked: no reply"


def test_a_guardrail_refuses_what_is_near_to_an_example(build: Any, answered: Answered, tmp_path: Path) -> None:
    guard = tmp_path / "guard.txt"
    guard.write_text("\nWhen did Gannet Bridge open\nTell me a secret\n")
    model = ScriptedModel({"answer": first_chunk})
    made = answered(build("rag", f"guard={guard}", "guard_threshold=0.9", model=model), ASKED)
    assert (made["a"].abstained, made["a"].chunks, made["a"].error) == (True, (), None)
    assert made["a"].answer == "This question is outside of what can be answered here."
    assert made["b"].chunks
    (tmp_path / "guard.jsonl").write_text('{"question": "Where was Bluefin built?"}')
    made = answered(build("rag", f"guard={tmp_path / 'guard.jsonl'}"), ASKED)
    assert [made[name].abstained for name in "ab"] == [False, True]


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("rag:hyde=true", "hyde: the embedded model cannot make up a passage; name a language model with --model"),
        ("rag:retrieval=tool", "retrieval=tool: the embedded model knows nothing"),
        ("rag:hyde=true,retriever=bm25", "hyde: needs vectors; choose retriever=dense or hybrid"),
        ("rag:chunk_size=20,overlap=20", "overlap: must be below the chunk size of 20, not 20"),
        ("rag:prefix=author", "prefix: no document has the field 'author'; choose from kind, source, title"),
        (
            "rag:reranker=best",
            "reranker: unknown reranker 'best'; choose none, late_interaction, judge or cross_encoder:",
        ),
        ("rag:store=faiss", "store: choose memory"),
        ("rag:store=postgresql://me:secret@h/d", "store: the URL holds a password; remove it, and set PGPASSWORD"),
    ],
)
def test_what_cannot_be_meant(build: Any, spec: str, said: str) -> None:
    with pytest.raises(UsageError) as raised:
        build(spec, served=False)
    assert said in str(raised.value)


def test_what_no_model_counted_is_kept_to_be_estimated() -> None:
    script = {
        "search_decision": lambda asked: Search(needed=True, query="bridge opening"),
        "hypothetical_passage": lambda asked: HypotheticalPassage(text="It opened."),
        "answer": lambda asked: Reply(Answer(text="In 1998.", abstained=False), effort=Effort(50, 5)),
    }
    question = OpenQuestion("a", "When?", texts=("Opened in 1998.",))
    for step in (decide, imagine, generate):
        asyncio.run(step(ScriptedModel(script), [question]))
    assert (question.read, question.written) == (("When?", "bridge opening"), ("bridge opening", "It opened."))
    assert question.effort == Effort(50, 5)


@pytest.mark.parametrize(
    ("context", "text"),
    [("references", "opened in 1998"), ("context", "Gannet Bridge opened in 1998."), ("document", TEXTS["bridge"])],
)
def test_ground_truth(build: Any, answered: Answered, context: str, text: str) -> None:
    model = ScriptedModel({"answer": first_chunk})
    examples = [example("a", "bridge"), example("b", None)]
    made = answered(build(f"ground_truth_context:context={context}", model=model, examples=examples), ASKED)
    assert (made["a"].answer, [chunk.text for chunk in made["a"].chunks]) == (text, [text])
    assert made["a"].chunks[0].document_id == "bridge"
    assert made["b"].error == "no ground truth: the example names no text that it rests on"


def test_without_ground_truth_nothing_is_asked(build: Any, answered: Answered) -> None:
    turns = (Turn(role="user", content="When?"), Turn(role="assistant", content="In 1998."))
    system = build("ground_truth_context", model=ScriptedModel({}), examples=[example("b", None)])
    made = answered(system, [Question("b", "And where?", turns)])
    assert str(made["b"].error).startswith("no ground truth")


def example(name: str, document: str | None) -> Example:
    text = TEXTS[document] if document else ""
    context = Span(document_id=document or "", start=0, end=29, text=text[:29]) if document else NO_CONTEXT
    reference = Span(document_id=document or "", start=14, end=28, text=text[14:28])
    return Example(
        id=name,
        question="?",
        answer="",
        context=context,
        references=(reference,) if document else (),
        keypoints=(),
        requested_label=None,
        verified_label=None,
        provenance=Provenance(synthesizer="by_hand", model=""),
    )
