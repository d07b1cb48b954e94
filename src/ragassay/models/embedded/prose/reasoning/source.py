"""What a source of inferred questions is, and the list of all of them, which ``@source`` fills."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Token

    from ragassay.models.embedded.prose.reasoning.told import Reading, Told

    Pieces = list[Token | str]


@dataclass(frozen=True, slots=True)
class Inferred:
    """A question whose answer follows from what one or more sentences say.

    question: words of ``told`` and words of English between them. case: the asker's case, which goes before it.
    forms: how some words of the question are written, by index.
    verdict: what code concludes, such as "No" or "45 days". reason: words of ``because`` (of ``told`` if that is None).
    others: further sentences that it rests on. asker: whether the writer's "you" is the asker's "I".
    """

    told: Told
    question: Pieces
    verdict: str
    reason: Pieces
    case: Pieces = field(default_factory=list)
    forms: dict[int, str] = field(default_factory=dict)
    because: Told | None = None
    others: tuple[Told, ...] = ()
    asker: bool = True

    @property
    def statements(self) -> int:
        """How many sentences the answer rests on."""
        return len({id(told) for told in (self.told, self.because or self.told, *self.others)})


Maker = Callable[["Reading"], Iterator[Inferred]]


@dataclass(frozen=True, slots=True)
class Source:
    """name: for records. infers: what it concludes from what. example: a question and its answer.

    accepted: the share of its drafts that a strict reader took in 306 verdicts, with 1.2 of 2 added, as few forms have
    many; most were read before the form was mended, so it is a low estimate.
    """

    name: str
    infers: str
    example: str
    accepted: float
    make: Maker


SOURCES: dict[str, Source] = {}


def source(name: str, *, infers: str, example: str, accepted: float) -> Callable[[Maker], Maker]:
    """Registers a source. Raises ValueError for a name that is taken."""

    def register(make: Maker) -> Maker:
        if name in SOURCES:
            raise ValueError(f"two sources are called {name!r}")
        SOURCES[name] = Source(name, infers, example, accepted, make)
        return make

    return register
