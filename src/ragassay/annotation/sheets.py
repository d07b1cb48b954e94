"""What a person sees of one subject, and what they are asked about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Literal

from ragassay.annotation.mending import mended, references_elsewhere
from ragassay.errors import InputError, UsageError
from ragassay.records import LABELS, Document, Example, Prediction, left_out_if_empty, to_json
from ragassay.tasks.critique import ASKED_OF_PEOPLE, OF_ANSWERS
from ragassay.text import sentences

TaskName = Literal[
    "label", "critique", "quality", "keypoints", "preference", "triples", "statements", "pairs", "documents", "mend"
]
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
        return left_out_if_empty(handler(source), "example")


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
        """The same with the two answers in the other order; what is stored means the same."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotationTask:
    """n_predictions: how many predictions each subject needs. sheet: None where a subject cannot be asked about.

    is_of_one: each item is put to one person only. beside: what is shown in pairs, of files that are no data set;
    None where sheets are made of examples.
    """

    meaning: str
    n_predictions: int
    sheet: Callable[[Subject], Sheet | None]
    is_of_one: bool = False
    beside: Literal["pairs", "documents"] | None = None


_LABEL_TEXTS = {
    "fact_single": "Single fact: the context states the answer, one unit of information",
    "summary": "Summary: the context states the answer, several units",
    "reasoning": "Reasoning: the context does not state the answer, but it follows",
    "unanswerable": "Unanswerable: the context neither states the answer nor lets one infer it",
}
_QUALITY = (
    ("5", "correct, complete and fluent"),
    ("4", "correct and complete, but includes redundant information"),
    ("3", "right in the main, but something is missing or unclear"),
    ("2", "partly right, with a serious fault"),
    ("1", "mostly wrong"),
    ("0", "has nothing to do with the question"),
)
_RATINGS = tuple(Option(value=str(rating), text=str(rating)) for rating in range(1, 6))
_VERDICTS = (
    Option(value="covered", text="covered: the answer says it, and has it right"),
    Option(value="contradicted", text="contradicted: the answer says something else"),
    Option(value="neither", text="neither: the answer does not say it"),
)
_DECISIONS = (
    Option(value="kept", text="Keep it as it stands"),
    Option(value="mended", text="Keep it as mended"),
    Option(value="dropped", text="Drop it"),
)
_SUPPORT = (
    Option(value="supported", text="supported: the context says it, or it follows"),
    Option(value="unsupported", text="not supported: the context does not say it, or says something else"),
)
_NO_ANSWER = "No answer: the documents do not contain it."
NO_DOCUMENTS: Mapping[str, Document] = MappingProxyType({})
FIRST, SECOND, TIE = "first", "second", "tie"
MEND: Literal["mend"] = "mend"


def _label(subject: Subject) -> Sheet | None:
    shown = _question_and_text(subject.example)
    options = tuple(Option(value=label, text=_LABEL_TEXTS[label]) for label in LABELS)
    asked = (SheetQuestion(name="label", ask="How does the context answer the question?", options=options),)
    return Sheet(subject_id=subject.example.id, shown=shown, asked=asked) if shown else None


def _critique(subject: Subject) -> Sheet | None:
    shown = _question_and_text(subject.example)
    if not shown:
        return None
    if subject.example.answer:
        shown = (shown[0], Shown(heading="Reference answer", text=subject.example.answer), *shown[1:])
    asked = tuple(
        SheetQuestion(name=f"critique:{name}", ask=_rated(question), options=_RATINGS)
        for name, question in ASKED_OF_PEOPLE.items()
        if subject.example.answer or name not in OF_ANSWERS
    )
    return Sheet(subject_id=subject.example.id, shown=shown, asked=asked)


def _rated(question: str) -> str:
    return f"{question} (1 no, 5 yes)" if "?" in question else question


def _quality(subject: Subject) -> Sheet | None:
    shown = _answered(subject)
    options = tuple(Option(value=value, text=f"{value}: {text}") for value, text in _QUALITY)
    asked = (SheetQuestion(name="quality", ask="How good is the answer?", options=options),)
    return Sheet(subject_id=subject_id_of(subject), shown=shown, asked=asked) if shown else None


def _keypoints(subject: Subject) -> Sheet | None:
    shown = _answered(subject)
    keypoints = subject.example.keypoints
    if not shown or not keypoints:
        return None
    asked = tuple(
        SheetQuestion(name=f"keypoint:{number}", ask=keypoint, options=_VERDICTS)
        for number, keypoint in enumerate(keypoints, 1)
    )
    return Sheet(subject_id=subject_id_of(subject), shown=shown, asked=asked)


def _preference(subject: Subject) -> Sheet | None:
    first, second = subject.predictions
    if first.answer is None or second.answer is None:
        return None
    shown = (
        *_question_and_reference(subject.example),
        Shown(heading="Answer 1", text=first.answer, side="first"),
        Shown(heading="Answer 2", text=second.answer, side="second"),
    )
    options = (
        Option(value=FIRST, text="Answer 1 is better"),
        Option(value=SECOND, text="Answer 2 is better"),
        Option(value=TIE, text="Neither is better"),
    )
    asked = (SheetQuestion(name="preference", ask="Which answer is better?", options=options),)
    return Sheet(subject_id=subject_id_of(subject), shown=shown, asked=asked)


def _triples(subject: Subject) -> Sheet | None:
    example = subject.example
    if not example.question:
        return None
    references = "\n\n".join(each.text for each in example.references if each.text.strip())
    documents = [Shown(heading=each.title or "Document", text=each.text) for each in subject.documents]
    shown = (
        Shown(heading="Question", text=example.question),
        *(
            [Shown(heading="Question type", text=example.question_type.replace("_", " "))]
            if example.question_type
            else ()
        ),
        Shown(heading="Reference answer", text=example.answer or _NO_ANSWER),
        Shown(heading="References", text=references or "None."),
        *(documents or ([Shown(heading="Context", text=example.context.text)] if example.context.text else ())),
    )
    options = tuple(Option(value=value, text=f"{value}: {text}") for value, text in _QUALITY)
    asked = (
        SheetQuestion(name="triple", ask="How good are question, answer and references together?", options=options),
    )
    return Sheet(subject_id=example.id, shown=shown, asked=asked)


def _statements(subject: Subject) -> Sheet | None:
    """Faithfulness of the reference answer, a statement at a time: its keypoints, else its sentences."""
    example = subject.example
    shown = _question_and_text(example)
    statements = example.keypoints or tuple(sentences(example.answer))
    if not shown or not example.answer or not statements:
        return None
    shown = (shown[0], Shown(heading="Answer", text=example.answer), *shown[1:])
    asked = tuple(
        SheetQuestion(name=f"statement:{number}", ask=statement, options=_SUPPORT)
        for number, statement in enumerate(statements, 1)
    )
    return Sheet(subject_id=example.id, shown=shown, asked=asked)


def _of_no_example(subject: Subject) -> Sheet | None:
    return None


def _mend(subject: Subject) -> Sheet | None:
    example = subject.example
    if not example.question:
        return None
    elsewhere = references_elsewhere(example)
    shown = tuple(Shown(heading="Reference in another text", text=each.text) for each in elsewhere)
    asked = SheetQuestion(name=MEND, ask="What becomes of this example?", options=_DECISIONS, example=example)
    return Sheet(subject_id=example.id, shown=shown, asked=(asked,))


TASKS: dict[TaskName, AnnotationTask] = {
    "label": AnnotationTask(
        meaning="which of the four labels a question and its text have", n_predictions=0, sheet=_label
    ),
    "critique": AnnotationTask(meaning="the eight critiques, 1 to 5", n_predictions=0, sheet=_critique),
    "quality": AnnotationTask(meaning="how good an answer is, 0 to 5", n_predictions=1, sheet=_quality),
    "keypoints": AnnotationTask(
        meaning="for each keypoint what the answer makes of it", n_predictions=1, sheet=_keypoints
    ),
    "preference": AnnotationTask(meaning="which of two answers is better", n_predictions=2, sheet=_preference),
    "triples": AnnotationTask(
        meaning="how good question, answer and references are together, 0 to 5", n_predictions=0, sheet=_triples
    ),
    "statements": AnnotationTask(
        meaning="for each statement of the answer whether the context supports it", n_predictions=0, sheet=_statements
    ),
    "pairs": AnnotationTask(
        meaning="which of two answers or contexts is better",
        n_predictions=0,
        sheet=_of_no_example,
        beside="pairs",
    ),
    "documents": AnnotationTask(
        meaning="which of two made documents is safer, clearer, more conformant, richer",
        n_predictions=0,
        sheet=_of_no_example,
        beside="documents",
    ),
    MEND: AnnotationTask(
        meaning="examples kept, mended or dropped, in their order", n_predictions=0, sheet=_mend, is_of_one=True
    ),
}
"""What people can be asked, by name."""


def subject_id_of(subject: Subject) -> str:
    """The example's id; with predictions also their systems, so that judgements of two systems stay apart."""
    systems = "|".join(each.system for each in subject.predictions)
    return f"{subject.example.id}@{systems}" if systems else subject.example.id


def accepted(asked: SheetQuestion, value: str) -> str:
    """The answer as it is kept. Raises UsageError for one that was not to choose from."""
    if asked.example is not None:
        return to_json(mended(asked.example, value))
    if value not in {option.value for option in asked.options}:
        raise UsageError(f"invalid answer {value!r} to {asked.name!r}")
    return value


def task_named(name: str) -> AnnotationTask:
    """Raises UsageError that lists the tasks."""
    for each, task in TASKS.items():
        if each == name:
            return task
    raise UsageError(f"--task: unknown task {name!r}; choose one of {', '.join(TASKS)}")


def sheets_of(
    task: str,
    examples: Sequence[Example],
    *predictions: Sequence[Prediction],
    documents: Mapping[str, Document] = NO_DOCUMENTS,
) -> list[Sheet]:
    """The sheets of ``asked_about``, which takes and raises the same."""
    return [sheet for _, sheet in asked_about(task, examples, *predictions, documents=documents)]


def asked_about(
    task: str,
    examples: Sequence[Example],
    *predictions: Sequence[Prediction],
    documents: Mapping[str, Document] = NO_DOCUMENTS,
) -> list[tuple[Example, Sheet]]:
    """Each example that can be asked about with its sheet, in their order.

    predictions: one list for each system, as many as the task needs. documents: by id. Raises InputError where nothing
    is left to be asked.
    """
    chosen = task_named(task)
    by_example = [{each.example_id: each for each in made} for made in predictions]
    found = []
    for example in examples:
        made = [each[example.id] for each in by_example if example.id in each]
        if len(made) == chosen.n_predictions:
            names = dict.fromkeys(span.document_id for span in (example.context, *example.references))
            its = tuple(documents[name] for name in names if name in documents)
            sheet = chosen.sheet(Subject(example=example, predictions=tuple(made), documents=its))
            found += [(example, sheet)] if sheet else []
    if not found:
        raise InputError(f"none of the {len(examples)} examples has what the task {task} needs: {_needs(task)}")
    return found


def _needs(task: str) -> str:
    return {
        "label": "a context",
        "critique": "a context",
        "quality": "a prediction with an answer",
        "keypoints": "keypoints, and a prediction with an answer",
        "preference": "an answer of both systems",
        "triples": "a question",
        "statements": "an answer, and a context or references",
        "mend": "a question",
    }[task]


def _question_and_text(example: Example) -> tuple[Shown, ...]:
    text = example.context.text or "\n\n".join(span.text for span in example.references)
    return (Shown(heading="Question", text=example.question), Shown(heading="Context", text=text)) if text else ()


def _question_and_reference(example: Example) -> tuple[Shown, ...]:
    reference = example.answer or (_NO_ANSWER if not example.references else "")
    shown = (Shown(heading="Question", text=example.question),)
    return (*shown, Shown(heading="Reference answer", text=reference)) if reference else shown


def _answered(subject: Subject) -> tuple[Shown, ...]:
    answer = subject.predictions[0].answer
    if answer is None:
        return ()
    return (*_question_and_reference(subject.example), Shown(heading="Answer", text=answer))


def _other_way_round(asked: SheetQuestion) -> SheetQuestion:
    values = {FIRST: SECOND, SECOND: FIRST}
    return replace(
        asked, options=tuple(replace(each, value=values.get(each.value, each.value)) for each in asked.options)
    )
