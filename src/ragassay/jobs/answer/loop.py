"""Puts questions to a system, some at the same time; each of them ends as one prediction, whatever the system does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ragassay import tracing
from ragassay.errors import RagassayError
from ragassay.models.llm.masking import NO_MASK, Mask
from ragassay.models.user_code import said_of
from ragassay.parts import in_batches, together
from ragassay.records import Prediction
from ragassay.systems.base import Question, System, Take, UnusableSystemError, failed

OPENING = 3
"""So many batches that fail because the system cannot be used at all, before any other, end the work."""
IN_A_ROW = 20
"""The same, of questions, once it has answered: it was up and is gone."""


async def ask_system(
    system: System,
    questions: Sequence[Question],
    take: Take,
    *,
    at_once: int | None = None,
    is_over: Callable[[], bool] = lambda: False,
) -> None:
    """Tells ``take`` one prediction for each question, as it comes.

    at_once: batches at the same time; None for as many as the system can bear. is_over: asked before each batch whether
    to stop; questions that were not asked then have no prediction.
    Raises UnusableSystemError where the system cannot be used, and after it had answered, where it is gone; questions
    that met nothing but that have no prediction then.
    """
    asking = _Asking(system, take)
    batches = in_batches(questions, system.batch)
    while asking.is_opening and not is_over():  # one at a time, until it shows that it can be used
        batch = next(batches, None)
        if batch is None:
            break
        await asking.batch(batch)
    await together(lambda: _work(asking, batches, is_over), at_once or system.most_at_once)
    asking.end()


async def _work(asking: _Asking, batches: Iterator[Sequence[Question]], is_over: Callable[[], bool]) -> None:
    for batch in batches:
        if is_over():
            return
        await asking.batch(batch)


class _Asking:
    """Keeps back what failed because the system could not be used, until it is known whether that is all there is."""

    def __init__(self, system: System, take: Take) -> None:
        self._system = system
        self._take = take
        self._mask: Mask = getattr(system, "mask", NO_MASK)
        self._held: list[Prediction] = []
        self._refusals = 0
        self._last: UnusableSystemError | None = None
        self.is_opening = True

    async def batch(self, questions: Sequence[Question]) -> None:
        """Asks for a batch. Raises UnusableSystemError once there is no hope left."""
        left = {question.id: question for question in questions}

        def told(prediction: Prediction) -> None:
            if prediction.example_id in left:  # else told twice, or of nothing that was asked
                self._usable()
                prediction = self._mask.prediction(prediction)
                self._take(prediction)
                answered(prediction)
                del left[prediction.example_id]  # only now: what cannot be kept is a failure below

        kind, detail = "no answer", "the system returned nothing for this question"
        try:
            with tracing.questions(self._system.name, list(left)) as answered:
                await self._system.answer(questions, told)
        except UnusableSystemError as error:
            masked = UnusableSystemError(self._system.name, error.kind, self._mask.text(error.detail))
            self._unusable(list(left.values()), masked)
            return
        except RagassayError:
            raise  # of models and of the folder: for the user
        except Exception as error:  # noqa: BLE001 - systems are the code of others: stored on each record it concerns
            kind, detail = said_of(error), ""
        for question in list(left.values()):
            told(failed(self._system.name, question, kind, detail))

    def end(self) -> None:
        """Tells of what was kept back, unless the system never did anything else: then raises."""
        if self.is_opening and self._held:
            raise self._last or UnusableSystemError(self._system.name, "it cannot be used")
        self._usable()

    def _usable(self) -> None:
        self.is_opening, self._refusals = False, 0
        held, self._held = self._held, []
        for prediction in held:
            self._take(prediction)

    def _unusable(self, questions: Sequence[Question], error: UnusableSystemError) -> None:
        self._last = error
        self._held += [failed(self._system.name, question, error.kind, error.detail) for question in questions]
        self._refusals += 1 if self.is_opening else len(questions)
        if self._refusals >= (OPENING if self.is_opening else IN_A_ROW):
            raise error
