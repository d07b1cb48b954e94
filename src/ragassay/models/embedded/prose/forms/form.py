"""What a form of question is, and the list of all of them, which ``@form`` fills."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ragassay.models.embedded.prose.clauses import Clause

if TYPE_CHECKING:
    from spacy.tokens import Token

    Pieces = list[Token | str]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it comes out of a form.

    question, answer: words of the parse and words of English between them.
    forms: how some words of the question are written, by index: the lemma after "does".
    gap: the word whose phrase is asked for. whole: whether the answer is the whole clause.
    """

    question: Pieces
    answer: Pieces
    gap: Token
    forms: dict[int, str] = field(default_factory=dict)
    whole: bool = False


Maker = Callable[[Clause], Iterator[Asked | None]]


@dataclass(frozen=True, slots=True)
class Form:
    """name: for records. asks: what a reader is told of it. example: a question of the form."""

    name: str
    asks: str
    example: str
    make: Maker


FORMS: dict[str, Form] = {}


def form(name: str, *, asks: str, example: str) -> Callable[[Maker], Maker]:
    """Registers a way to ask. Raises ValueError for a name that is taken."""

    def register(make: Maker) -> Maker:
        if name in FORMS:
            raise ValueError(f"two forms are called {name!r}")
        FORMS[name] = Form(name, asks, example, make)
        return make

    return register
