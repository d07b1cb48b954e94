"""The writer around a model whose texts are given: what is taken of them, and what the model is given to read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ragassay.models.small.model import Generated, SmallModel
from ragassay.models.small.writer import CANDIDATES, LONGEST_QUESTION, WINDOW_TOKENS, Wanted, Writer

TEXT = "The Alba left Molde in 1961. Her first master was Nils Oberg. She carried 38 cars."
ALBA = Wanted("Ferry handbook", "History", TEXT, "The Alba left Molde in 1961.", "In 1961")
ASKED = "When did the Alba leave Molde?"


def text_of(written: str, *, finished: bool = True) -> Generated:
    """Three tokens and the stop token, with a score of -2 together: a mean of -0.5."""
    return Generated(written, (1, 2, 3), (-0.5, -0.5, -0.5), -2.0, finished)


class FakeModel:
    """Writes what it is told; tokens are characters. asked: prompts as texts, most new tokens."""

    name = "fake"
    identity = ""

    def __init__(self, write: Callable[[str], Generated]) -> None:
        self._write = write
        self.asked: list[tuple[list[str], int]] = []
        self.tokenizer = SimpleNamespace(encode=lambda text: [ord(each) for each in text])

    def generate(self, prompts: Sequence[Sequence[int]], most: int, *, candidates: int) -> list[list[Generated]]:
        texts = ["".join(map(chr, prompt)) for prompt in prompts]
        self.asked.append((texts, most))
        return [[self._write(text)] for text in texts]


def make(write: Callable[[str], Generated]) -> tuple[Writer, FakeModel]:
    model = FakeModel(write)
    return Writer(model), model  # type: ignore[arg-type]


def asked(written: str, wanted: Wanted = ALBA, *, finished: bool = True) -> str | None:
    (found,) = questions(make(lambda prompt: text_of(written, finished=finished))[0], wanted)
    return found


def questions(writer: Writer, *wanted: Wanted) -> list[str | None]:
    """Of each its likeliest question."""
    return [found[0].question if found else None for found in writer.ask(wanted)]


def test_a_question() -> None:
    assert asked(f" {ASKED}") == ASKED
    assert asked(" When  did the Alba\n leave Molde? ") == ASKED


@pytest.mark.parametrize(
    "written",
    [
        " none",
        "",
        " ",
        " When did the Alba leave Molde",  # no question mark
        " When did the Alba leave? Where to?",
        " When was that?",  # three words
        f" When {'and ' * 31}why?",  # 33 words
    ],
)
def test_what_is_no_question_is_not_taken(written: str) -> None:
    assert asked(written) is None


def test_questions_of_four_to_thirty_two_words_are_taken() -> None:
    for question in ("When did it leave?", f"When {'and ' * 30}why?"):
        assert asked(f" {question}") == question


def test_unfinished_text_is_not_taken() -> None:
    assert asked(f" {ASKED}", finished=False) is None


@pytest.mark.parametrize(
    "question",
    [
        "When did the Bruma leave Molde?",
        "When did the Alba leave Molde for Oslo?",
        "Who was master of the Alba in 1962?",
        "Who was master of the Alba in 196?",  # part of a number is another number
        "How many of its 38 cars and 4 lorries were lost?",
        "How was the Alba built by SINTEF?",
        "Bruma left Molde in what year?",  # a name in front
        "Bruma's first master was who?",
    ],
)
def test_added_names_and_numbers_are_refused(question: str) -> None:
    assert asked(f" {question}") is None


@pytest.mark.parametrize(
    "question",
    [
        "Who was Master of the ALBA in 1961?",  # capitals make no difference
        "What does the Ferry Handbook tell of History?",  # title and section
        "When should I board the Alba?",
        "Wherever did the Alba go?",  # the first word is no name
    ],
)
def test_names_and_numbers_of_title_section_and_passage_are_taken(question: str) -> None:
    assert asked(f" {question}") == question


@pytest.mark.parametrize(
    ("text", "question", "taken"),
    [
        ("The Alba made 2 trips with 500 cars.", "Did the Alba carry 2,500 cars?", False),
        ("The Alba made 2 trips with 500 cars.", "Did the Alba carry 2.500 cars?", False),
        ("The Alba carried 2,500 cars.", "Did the Alba carry 2,500 cars?", True),
        ("The Alba carried 2500 cars.", "Did the Alba carry 2,500 cars?", True),
        ("The Alba carried 2,500 cars.", "Did the Alba carry 500 cars?", False),
        ("The Alba carried 1,5 tons.", "Did the Alba carry 15 tons?", False),
    ],
)
def test_numbers_are_taken_whole(text: str, question: str, taken: bool) -> None:
    assert (asked(f" {question}", Wanted("", "", text, text, "Yes, it did")) is not None) == taken


@pytest.mark.parametrize(
    ("question", "answer", "taken"),
    [
        ("Did the Alba leave Molde in 1961?", "Yes, the Alba left Molde in 1961", True),
        ("Did the Alba leave Molde in 1961?", "No.", True),
        ("Did the Alba leave Molde in 1961?", "in 1961", False),
        (ASKED, "Yes, in 1961", True),
        (ASKED, "Nobody knows", True),
        (ASKED, "…", True),
    ],
)
def test_yes_or_no_is_asked_for_only_where_that_is_the_answer(question: str, answer: str, taken: bool) -> None:
    assert (asked(f" {question}", ALBA._replace(answer=answer)) is not None) == taken


def test_the_prompt() -> None:
    prefix = f"Title: Ferry handbook\nSection: History\nText: {TEXT}\n"
    writer, model = make(lambda prompt: text_of(" none"))
    writer.ask([ALBA])
    prompt = f"{prefix}Sentence: The Alba left Molde in 1961.\nAnswer: In 1961\nQuestion:"
    assert model.asked == [([prompt], LONGEST_QUESTION)]


def test_each_answer_has_its_own_question_in_order_and_is_asked_for_once() -> None:
    bruma = ALBA._replace(text="The Bruma sank.", quote="The Bruma sank.", answer="It sank")
    writer, model = make(lambda prompt: text_of(" What did the Bruma do?" if "sank" in prompt else f" {ASKED}"))
    assert questions(writer, ALBA, bruma, ALBA) == [ASKED, "What did the Bruma do?", ASKED]
    assert questions(writer, bruma) == ["What did the Bruma do?"]
    assert [len(prompts) for prompts, _ in model.asked] == [2]


def test_several_ways_to_ask_come_with_their_likelihoods_and_those_that_are_refused_do_not() -> None:
    class Several(FakeModel):
        def generate(self, prompts: Sequence[Sequence[int]], most: int, *, candidates: int) -> list[list[Generated]]:
            assert candidates == CANDIDATES
            return [[
                Generated(f" {ASKED}", (1, 2), (-0.25, -1.5), -1.875, True),
                Generated(" When did the Bruma leave Molde?", (1,), (-2.0,), -2.5, True),
                Generated(f" {ASKED.upper()}", (1,), (-2.5,), -3.0, True),
                Generated(" Who was her first master?", (1,), (-3.0,), -3.5, True),
            ] for _ in prompts]  # fmt: skip

    writer = Writer(Several(lambda prompt: text_of("")))  # type: ignore[arg-type]
    ((first, second),) = writer.ask([ALBA])
    assert first == (ASKED, (-1.875, -0.625, -1.75))
    assert second == ("Who was her first master?", (-3.5, -1.75, -3.5))


def test_nothing_for_none() -> None:
    writer, _ = make(lambda prompt: text_of(" none"))
    assert writer.ask([]) == []


# Twelve sentences of 39 characters: 40 tokens each with the one between them, so four fit in 160.
SENTENCES = [f"Sentence {number:02d} says nothing to anybody at." for number in range(12)]


@pytest.mark.parametrize(
    ("number", "first", "last"),
    [
        (0, 0, 3),
        (5, 3, 6),  # one before and one after in turn: 4, 6, 3
        (11, 8, 11),
    ],
)
def test_of_a_long_passage_the_sentences_around_are_read(number: int, first: int, last: int) -> None:
    assert {len(each) for each in SENTENCES} == {39}
    assert WINDOW_TOKENS == 160
    writer, model = make(lambda prompt: text_of(" none"))
    writer.ask([Wanted("", "", " ".join(SENTENCES), SENTENCES[number], "nothing")])
    ((prompt,), _) = model.asked[0]
    window = prompt.removeprefix("Title: \nSection: \nText: ").partition("\n")[0]
    assert window == " ".join(SENTENCES[first : last + 1])


def test_a_sentence_is_found_however_its_lines_are_wrapped_and_marked() -> None:
    wrapped = " ".join(SENTENCES[:10]) + "\n\n- **Keep** the lamp\n  dry at sea."
    writer, model = make(lambda prompt: text_of(" none"))
    writer.ask([Wanted("", "", wrapped, "- **Keep** the lamp\n  dry at sea.", "at sea")])
    ((prompt,), _) = model.asked[0]
    assert "Text: " + " ".join(SENTENCES[7:10]) + "\n- Keep the lamp dry at sea.\nSentence: Keep the" in prompt


@pytest.mark.parametrize(
    ("quote", "first", "last"),
    [
        (f"{SENTENCES[7]} {SENTENCES[5]}", 4, 7),  # 5 to 7, and one before
        (f"{SENTENCES[5]} {SENTENCES[11]}", 3, 6),  # too far apart for one window: around the first
        ("Never said. " + SENTENCES[5], 3, 6),
        ("Sentence 08 says nothing to everybody.", 6, 9),  # the sentence most like it
    ],
)
def test_of_a_quote_in_several_places_or_none_the_right_sentences_are_read(quote: str, first: int, last: int) -> None:
    writer, model = make(lambda prompt: text_of(" none"))
    writer.ask([Wanted("", "", " ".join(SENTENCES), quote, "nothing")])
    ((prompt,), _) = model.asked[0]
    window = prompt.removeprefix("Title: \nSection: \nText: ").partition("\n")[0]
    assert window == " ".join(SENTENCES[first : last + 1])


def test_a_quote_that_stands_nowhere_is_read_with_the_beginning() -> None:
    writer, model = make(lambda prompt: text_of(" none"))
    writer.ask([Wanted("", "", " ".join(SENTENCES), "Not there.", "there")])
    ((prompt,), _) = model.asked[0]
    assert prompt.startswith(f"Title: \nSection: \nText: {SENTENCES[0]}")


def test_load_gives_the_adapter_to_the_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {}

    def load(adapter: Path, **fields: Any) -> FakeModel:
        given.update(fields, adapter=adapter)
        return FakeModel(lambda prompt: text_of(" none"))

    monkeypatch.setattr(SmallModel, "load", load)
    assert Writer.load(tmp_path / "mine.safetensors", threads=1).name == "fake"
    assert given == {"adapter": tmp_path / "mine.safetensors", "task": "writer", "threads": 1}
