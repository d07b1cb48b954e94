"""The writer around a model whose texts are given: what is taken of them, and what the model is given to read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ragassay.models.small.model import Generated, SmallModel
from ragassay.models.small.writer import LONGEST_PAIR, LONGEST_QUESTION, WINDOW_TOKENS, Sentence, Writer, Written

TEXT = "The Alba left Molde in 1961. Her first master was Nils Oberg. She carried 38 cars."
ALBA = Sentence("Ferry handbook", "History", TEXT, "The Alba left Molde in 1961.")
ASKED = "When did the Alba leave Molde?"


def text_of(written: str, *, finished: bool = True) -> Generated:
    """Three tokens and the stop token, with a score of -2 together: a mean of -0.5."""
    return Generated(written, (1, 2, 3), (-0.5, -0.5, -0.5), -2.0, finished)


class FakeModel:
    """Writes what it is told; tokens are characters. asked: prompts as texts, most new tokens, candidates."""

    name = "fake"

    def __init__(self, write: Callable[[str], Any]) -> None:
        self._write = write
        self.asked: list[tuple[list[str], int, int | None]] = []
        self.tokenizer = SimpleNamespace(encode=lambda text: [ord(each) for each in text])

    def generate(self, prompts: Sequence[Sequence[int]], most: int, *, candidates: int | None = None) -> list[Any]:
        texts = ["".join(map(chr, prompt)) for prompt in prompts]
        self.asked.append((texts, most, candidates))
        return [self._write(text) for text in texts]


def make(write: Callable[[str], Any]) -> tuple[Writer, FakeModel]:
    model = FakeModel(write)
    return Writer(model), model  # type: ignore[arg-type]


def missing(written: str, sentence: Sentence = ALBA, *, finished: bool = True) -> Written | None:
    (found,) = make(lambda prompt: [text_of(written, finished=finished)])[0].ask_missing([sentence], 1)
    return found[0] if found else None


def pair(written: str, sentence: Sentence = ALBA, *, finished: bool = True) -> Written | None:
    (found,) = make(lambda prompt: text_of(written, finished=finished))[0].write([sentence])
    return found


def test_a_question_with_its_likelihood() -> None:
    # three tokens and the stop: -2 / 4
    assert missing(f" {ASKED}") == Written(ASKED, "", -0.5)
    assert missing(" When  did the Alba\n leave Molde? ") == Written(ASKED, "", -0.5)


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
    assert missing(written) is None


def test_questions_of_four_to_thirty_two_words_are_taken() -> None:
    for question in ("When did it leave?", f"When {'and ' * 30}why?"):
        assert missing(f" {question}") == Written(question, "", -0.5)


def test_unfinished_text_is_not_taken() -> None:
    assert missing(f" {ASKED}", finished=False) is None
    assert pair(f" {ASKED}\nAnswer: in 1961", finished=False) is None


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
    assert missing(f" {question}") is None
    assert pair(f" {question}\nAnswer: in 1961") is None


@pytest.mark.parametrize(
    "question",
    [
        "Who was Master of the ALBA in 1961?",  # capitals make no difference
        "Does the Ferry Handbook tell its History?",  # title and section
        "When should I board the Alba?",
        "Wherever did the Alba go?",  # the first word is no name
    ],
)
def test_names_and_numbers_of_title_section_and_passage_are_taken(question: str) -> None:
    assert missing(f" {question}") == Written(question, "", -0.5)


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
    assert (missing(f" {question}", Sentence("", "", text, text)) is not None) == taken


def test_a_pair_with_an_answer_in_words_of_the_sentence() -> None:
    assert pair(f" {ASKED}\nAnswer: in 1961.") == Written(ASKED, "in 1961", -0.5)
    assert pair(f" {ASKED}\nAnswer: In 1961, Molde left") == Written(ASKED, "In 1961, Molde left", -0.5)


@pytest.mark.parametrize(
    "answer",
    [
        "\nAnswer: in 1998",
        "\nAnswer: Nils Oberg",  # of the passage, and not of the sentence
        "\nAnswer: in the year 1961",
        "\nAnswer: 61",
        "\nAnswer:",
        "\nAnswer: ...",
        "\nAnswer: —",
        "",
    ],
)
def test_an_answer_in_other_words_is_refused(answer: str) -> None:
    assert pair(f" {ASKED}{answer}") is None


@pytest.mark.parametrize("written", [" none", " none\nAnswer: in 1961", "\nAnswer: in 1961", ""])
def test_no_question_is_no_pair(written: str) -> None:
    assert pair(written) is None


def test_the_prompt() -> None:
    prefix = f"Title: Ferry handbook\nSection: History\nText: {TEXT}\n"
    writer, model = make(lambda prompt: text_of(" none"))
    writer.write([ALBA])
    sentence = "Sentence: The Alba left Molde in 1961.\n"
    assert model.asked == [([f"{prefix}{sentence}Question:"], LONGEST_PAIR, None)]


def test_open_questions_are_asked_for_without_the_sentence() -> None:
    candidates = [ASKED, "none", "When did the Bruma leave Molde?", "Who built the Alba?"]
    writer, model = make(lambda prompt: [text_of(f" {each}") for each in candidates])
    assert writer.ask_missing([ALBA], 4) == [[Written(ASKED, "", -0.5), Written("Who built the Alba?", "", -0.5)]]
    prompt = f"Title: Ferry handbook\nSection: History\nText: {TEXT}\nMissing:"
    assert model.asked == [([prompt], LONGEST_QUESTION, 4)]


def test_each_sentence_has_its_own_question_in_order() -> None:
    bruma = ALBA._replace(text="The Bruma sank.", quote="The Bruma sank.")
    asked = ("When did the Bruma sink?", ASKED)
    pairs = [f" {question}\nAnswer: {answer}" for question, answer in zip(asked, ("sank", "in 1961"), strict=True)]
    writer, _ = make(lambda prompt: text_of(pairs[0] if "sank" in prompt else pairs[1]))
    found = writer.write([ALBA, bruma, ALBA])
    assert [each.question for each in found if each] == [asked[1], asked[0], asked[1]]


def test_nothing_for_none() -> None:
    writer, _ = make(lambda prompt: text_of(" none"))
    assert (writer.write([]), writer.ask_missing([], 3)) == ([], [])


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
    writer.write([Sentence("", "", " ".join(SENTENCES), SENTENCES[number])])
    ((prompt,), _, _) = model.asked[0]
    window = prompt.removeprefix("Title: \nSection: \nText: ").partition("\n")[0]
    assert window == " ".join(SENTENCES[first : last + 1])


def test_a_sentence_is_found_however_its_lines_are_wrapped_and_marked() -> None:
    wrapped = " ".join(SENTENCES[:10]) + "\n\n- **Keep** the lamp\n  dry at sea."
    writer, model = make(lambda prompt: text_of(" none"))
    writer.write([Sentence("", "", wrapped, "- **Keep** the lamp\n  dry at sea.")])
    ((prompt,), _, _) = model.asked[0]
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
    writer.write([Sentence("", "", " ".join(SENTENCES), quote)])
    ((prompt,), _, _) = model.asked[0]
    window = prompt.removeprefix("Title: \nSection: \nText: ").partition("\n")[0]
    assert window == " ".join(SENTENCES[first : last + 1])


def test_a_quote_that_stands_nowhere_is_read_with_the_beginning() -> None:
    writer, model = make(lambda prompt: text_of(" none"))
    writer.write([Sentence("", "", " ".join(SENTENCES), "Not there.")])
    ((prompt,), _, _) = model.asked[0]
    assert prompt.startswith(f"Title: \nSection: \nText: {SENTENCES[0]}")


def test_load_gives_the_adapter_to_the_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {}

    def load(adapter: Path, **fields: Any) -> FakeModel:
        given.update(fields, adapter=adapter)
        return FakeModel(lambda prompt: text_of(" none"))

    monkeypatch.setattr(SmallModel, "load", load)
    assert Writer.load(tmp_path / "mine.safetensors", threads=1).name == "fake"
    assert given == {"adapter": tmp_path / "mine.safetensors", "task": "writer", "threads": 1}
