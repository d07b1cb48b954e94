"""What a person sees of one subject, and what they are asked about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from ragassay.errors import InputError, UsageError
from ragassay.people.annotation.mending import mended, references_elsewhere
from ragassay.records import LABELS, Document, Example, Label, Prediction, left_out_if_usual, to_json
from ragassay.tasks.critique import ASKED_OF_PEOPLE, OF_ANSWERS
from ragassay.text import sentences

Side = Literal["", "first", "second"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One answer that can be chosen. value: what is stored; text: what is read."""

    value: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetQuestion:
    """One question to the annotator. name: becomes the task of the annotation, as in ``critique:stand_alone``.

    example: that may be changed; the answer is then a ``Mended`` as JSON, whose decision is one of the options.
    """

    name: str
    ask: str
    options: tuple[Option, ...]
    example: Example | None = None

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        return left_out_if_usual(source, handler(source), "example")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A text that the annotator reads. side: which of two answers it is, where two are compared."""

    heading: str
    text: str
    side: Side = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """All of one subject. What is shown of it is nothing that a model said of it: annotators are blind to that."""

    subject_id: str
    shown: tuple[Shown, ...]
    asked: tuple[SheetQuestion, ...]

    def swapped(self) -> Sheet:
        """Return the same with the two answers in the other order; what is stored means the same."""
        sides = [each for each in self.shown if each.side]
        others = iter(reversed(sides))
        texts = [next(others) if each.side else each for each in self.shown]
        shown = tuple(
            replace(now, heading=before.heading) if before.side else before
            for before, now in zip(self.shown, texts, strict=True)
        )
        return replace(self, shown=shown, asked=tuple(_other_way_round(each) for each in self.asked))


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What a sheet is made from. predictions: none, one to be judged, or two to be compared, in the order given.

    documents: those that the example names, as far as the set holds them.
    """

    example: Example
    predictions: tuple[Prediction, ...] = ()
    documents: tuple[Document, ...] = ()

    @property
    def id(self) -> str:
        """The example's id; with predictions also their systems, so that judgements of two systems stay apart."""
        systems = "|".join(each.system for each in self.predictions)
        return f"{self.example.id}@{systems}" if systems else self.example.id


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotationTask:
    """What people are asked.

    shown, asked: of a subject; nothing where it cannot be asked about, as it lacks what it ``needs``. n_predictions:
    how many predictions each subject needs. is_of_one: each item is put to one person only. is_of_documents: sheets
    show two documents of a scenario, else they are made of examples.
    """

    needs: str = ""
    shown: Callable[[Subject], Sequence[Shown]] = lambda subject: ()
    asked: Callable[[Subject], Sequence[SheetQuestion]] = lambda subject: ()
    n_predictions: int = 0
    is_of_one: bool = False
    is_of_documents: bool = False


def options_of(texts: Mapping[str, str]) -> tuple[Option, ...]:
    """texts: value to what is read."""
    return tuple(Option(value=value, text=text) for value, text in texts.items())


_LABELS: Mapping[Label, str] = {
    "fact_single": "Single fact: the context states the answer, one unit of information",
    "summary": "Summary: the context states the answer, several units",
    "reasoning": "Reasoning: the context does not state the answer, but it follows",
    "unanswerable": "Unanswerable: the context neither states the answer nor lets one infer it",
}
_QUALITY = options_of(
    {
        "5": "5: correct, complete and fluent",
        "4": "4: correct and complete, but includes redundant information",
        "3": "3: right in the main, but something is missing or unclear",
        "2": "2: partly right, with a serious fault",
        "1": "1: mostly wrong",
        "0": "0: has nothing to do with the question",
    }
)
_CORRECTNESS = options_of(
    {
        "right": "Right: it says what the reference answer says, in whatever words; more is no fault if it is true",
        "partly": "Partly: right as far as it goes, but something that matters is missing or not backed",
        "wrong": "Wrong: what was asked for is wrong, or not answered",
    }
)
_RATINGS = options_of({rating: rating for rating in "12345"})
_VERDICTS = options_of(
    {
        "covered": "covered: the answer says it, and has it right",
        "contradicted": "contradicted: the answer says something else",
        "neither": "neither: the answer does not say it",
    }
)
_DECISIONS = options_of({"kept": "Keep it as it stands", "mended": "Keep it as mended", "dropped": "Drop it"})
_SUPPORT = options_of(
    {
        "supported": "supported: the context says it, or it follows",
        "unsupported": "not supported: the context does not say it, or says something else",
    }
)
FIRST, SECOND, TIE = "first", "second", "tie"
_PREFERENCE = options_of({FIRST: "Answer 1 is better", SECOND: "Answer 2 is better", TIE: "Neither is better"})
_NO_ANSWER = "No answer: the documents do not contain it."
_SILENCE = "The system did not answer."
MEND: Literal["mend"] = "mend"


def _question(example: Example) -> Shown:
    return Shown(heading="Question", text=example.question)


def _passages(example: Example) -> str:
    return "\n\n".join(span.text for span in example.references if span.text.strip())


def _text(example: Example) -> str:
    return example.context.text or _passages(example)


def answer_shown(prediction: Prediction) -> str | None:
    """Return what people read as the answer; None where there is none to judge.

    Metrics have a value for an abstention without words: people's sample must hold it, too, or it is of other answers.
    """
    if (prediction.answer or "").strip():
        return prediction.answer
    return _SILENCE if prediction.abstained and prediction.error is None else None


def _question_and_text(subject: Subject, answer: str = "") -> Sequence[Shown]:
    """answer: the heading of the reference answer, which stands between them where it is shown."""
    example = subject.example
    text = _text(example)
    shown = [Shown(heading=answer, text=example.answer)] if answer and example.answer else []
    return [_question(example), *shown, Shown(heading="Context", text=text)] if text else []


def _answered(subject: Subject) -> Sequence[Shown]:
    """Question, reference answer with its passages, and what each system said."""
    example, answers = subject.example, [answer_shown(each) for each in subject.predictions]
    reference = example.answer or (_NO_ANSWER if not example.references else "")
    parts = [("Reference answer", reference), ("References", _passages(example))]
    shown = [_question(example), *(Shown(heading=heading, text=text) for heading, text in parts if text)]
    texts = [text for text in answers if text is not None]
    if len(texts) < len(answers):
        return []
    return [*shown, *(sides("Answer", texts) if len(texts) == 2 else [Shown(heading="Answer", text=texts[0])])]


def sides(noun: str, texts: Sequence[str]) -> tuple[Shown, Shown]:
    """Return two texts that are compared."""
    first, second = texts
    return (
        Shown(heading=f"{noun} 1", text=first, side="first"),
        Shown(heading=f"{noun} 2", text=second, side="second"),
    )


def _triple(subject: Subject) -> Sequence[Shown]:
    """RAGEval's study of question, answer and references, with all that a reader needs to check them."""
    example = subject.example
    documents = [(each.title or "Document", each.text) for each in subject.documents] or [
        ("Context", example.context.text)
    ]
    parts = [
        ("Question type", (example.question_type or "").replace("_", " ")),
        ("Reference answer", example.answer or _NO_ANSWER),
        ("References", _passages(example) or "None."),
        *documents,
    ]
    shown = [Shown(heading=heading, text=text) for heading, text in parts if text]
    return [_question(example), *shown] if example.question else []


def _numbered(name: str, statements: Iterable[str], options: tuple[Option, ...]) -> list[SheetQuestion]:
    return [
        SheetQuestion(name=f"{name}:{number}", ask=statement, options=options)
        for number, statement in enumerate(statements, 1)
    ]


def _one(name: str, ask: str, options: tuple[Option, ...]) -> Callable[[Subject], Sequence[SheetQuestion]]:
    question = SheetQuestion(name=name, ask=ask, options=options)
    return lambda subject: (question,)


def _critiques(subject: Subject) -> list[SheetQuestion]:
    return [
        SheetQuestion(name=f"critique:{name}", ask=f"{ask} (1 no, 5 yes)" if "?" in ask else ask, options=_RATINGS)
        for name, ask in ASKED_OF_PEOPLE.items()
        if subject.example.answer or name not in OF_ANSWERS
    ]


def _statements(subject: Subject) -> list[SheetQuestion]:
    """Faithfulness of the reference answer, a statement at a time: its keypoints, else its sentences."""
    example = subject.example
    statements = (example.keypoints or sentences(example.answer)) if example.answer else ()
    return _numbered("statement", statements, _SUPPORT)


def _mend(subject: Subject) -> list[SheetQuestion]:
    example = subject.example
    asked = SheetQuestion(name=MEND, ask="What becomes of this example?", options=_DECISIONS, example=example)
    return [asked] if example.question else []


TASKS: dict[str, AnnotationTask] = {
    "label": AnnotationTask(
        needs="a context",
        shown=_question_and_text,
        asked=_one(
            "label", "How does the context answer the question?", options_of({name: _LABELS[name] for name in LABELS})
        ),
    ),
    "critique": AnnotationTask(
        needs="a context",
        shown=partial(_question_and_text, answer="Reference answer"),
        asked=_critiques,
    ),
    "quality": AnnotationTask(
        needs="a prediction with an answer",
        shown=_answered,
        asked=_one("quality", "How good is the answer?", _QUALITY),
        n_predictions=1,
    ),
    "correctness": AnnotationTask(
        needs="a prediction with an answer",
        shown=_answered,
        asked=_one("correctness", "Is the answer right?", _CORRECTNESS),
        n_predictions=1,
    ),
    "keypoints": AnnotationTask(
        needs="keypoints, and a prediction with an answer",
        shown=_answered,
        asked=lambda subject: _numbered("keypoint", subject.example.keypoints, _VERDICTS),
        n_predictions=1,
    ),
    "preference": AnnotationTask(
        needs="an answer of both systems",
        shown=_answered,
        asked=_one("preference", "Which answer is better?", _PREFERENCE),
        n_predictions=2,
    ),
    "triples": AnnotationTask(
        needs="a question",
        shown=_triple,
        asked=_one("triple", "How good are question, answer and references together?", _QUALITY),
    ),
    "statements": AnnotationTask(
        needs="an answer, and a context or references",
        shown=partial(_question_and_text, answer="Answer"),
        asked=_statements,
    ),
    "documents": AnnotationTask(is_of_documents=True),
    MEND: AnnotationTask(
        needs="a question",
        shown=lambda subject: [
            Shown(heading="Reference in another text", text=each.text) for each in references_elsewhere(subject.example)
        ],
        asked=_mend,
        is_of_one=True,
    ),
}
"""What people can be asked, by name."""


def accepted(asked: SheetQuestion, value: str) -> str:
    """Return the answer as it is kept. Raises UsageError for one that was not to choose from."""
    if asked.example is not None:
        return to_json(mended(asked.example, value))
    if value not in {option.value for option in asked.options}:
        raise UsageError(f"invalid answer {value!r} to {asked.name!r}")
    return value


def task_named(name: str) -> AnnotationTask:
    """Return a task. Raises UsageError that lists them."""
    if name not in TASKS:
        raise UsageError(f"--task: unknown task {name!r}; choose one of {', '.join(TASKS)}")
    return TASKS[name]


def sheets_of(
    task: str, examples: Sequence[Example], *predictions: Sequence[Prediction], documents: Iterable[Document] = ()
) -> list[Sheet]:
    """Return the sheets of ``asked_about``, which takes and raises the same."""
    return [sheet for _, sheet in asked_about(task, examples, *predictions, documents=documents)]


def asked_about(
    task: str, examples: Sequence[Example], *predictions: Sequence[Prediction], documents: Iterable[Document] = ()
) -> list[tuple[Example, Sheet]]:
    """Return each example that can be asked about with its sheet, in their order.

    predictions: one list for each system, as many as the task needs. documents: of the set. Raises InputError where
    nothing is left to be asked.
    """
    chosen = task_named(task)
    by_id = {each.id: each for each in documents}
    by_example = [{each.example_id: each for each in made} for made in predictions]
    found = []
    for example in examples:
        made = [each[example.id] for each in by_example if example.id in each]
        if len(made) < chosen.n_predictions:
            continue
        names = dict.fromkeys(span.document_id for span in (example.context, *example.references))
        its = tuple(by_id[name] for name in names if name in by_id)
        subject = Subject(example=example, predictions=tuple(made), documents=its)
        shown, asked = tuple(chosen.shown(subject)), tuple(chosen.asked(subject))
        if asked and (shown or task == MEND):
            found.append((example, Sheet(subject_id=subject.id, shown=shown, asked=asked)))
    if not found:
        raise InputError(f"none of the {len(examples)} examples has what the task {task} needs: {chosen.needs}")
    return found


def _other_way_round(asked: SheetQuestion) -> SheetQuestion:
    values = {FIRST: SECOND, SECOND: FIRST}
    return replace(
        asked, options=tuple(replace(each, value=values.get(each.value, each.value)) for each in asked.options)
    )
