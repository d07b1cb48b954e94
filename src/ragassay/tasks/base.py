"""A task: one typed question put to a model. Tasks know nothing of who answers them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Generic, NamedTuple, TypeVar, get_type_hints

from pydantic import BaseModel, ConfigDict

from ragassay.tasks.languages import language_name


class TaskData(BaseModel):
    """Input or output of a task: frozen, and strict about its fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def _strict(schema: dict[str, Any]) -> None:
    """Allow no further fields; a class's own description is for readers of the code."""
    schema["additionalProperties"] = False
    schema.pop("description", None)


class ReplyData(TaskData):
    """What a language model fills in: plain fields in the order in which it should think, all of them required.

    A field too many is passed over, since it does not change what the others say.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", json_schema_extra=_strict)


In = TypeVar("In", bound=TaskData)
Out = TypeVar("Out", bound=TaskData)


class Material(NamedTuple):
    """A piece of a task's input as a language model gets to see it. name: one word or two, as the prompt calls it."""

    name: str
    text: str


@dataclass(frozen=True)
class Task(Generic[In, Out]):
    """One thing that is asked of a model.

    version: raised whenever the meaning of the input or output changes; part of every cache key.
    source: the paper and section that requires it.

    The rest is for language models (``tasks/prompts.py`` makes messages of it):

    prompt: what to do, in full; the fields of the reply are described where the reply type declares them.
    material: the pieces of an input that are shown, in order; empty ones are left out. See ``pieces``.
    reply_type: what the model fills in; None where it is the output type.
    to_output: makes the output of input and reply. Raises ValueError, one clear sentence to the model, where a reply
        does not fit the input.
    temperature: what the task takes where the user sets none; None where the usual one will do.
    sample: which of several replies to the same material an input asks for; 0 and up.
    """

    name: str
    input_type: type[In]
    output_type: type[Out]
    source: str
    prompt: str = ""
    material: Callable[[In], Iterable[Material]] = lambda inputs: ()
    reply_type: type[TaskData] | None = None
    to_output: Callable[[In, Any], Out] = lambda inputs, reply: reply
    version: int = 1
    temperature: float | None = None
    sample: Callable[[In], int] = lambda inputs: 0

    @property
    def filled_in(self) -> type[TaskData]:
        """The type that a language model fills in."""
        return self.reply_type or self.output_type


def task(
    to_output: Callable[[In, Any], Out],
    *,
    name: str,
    source: str,
    prompt: str,
    material: Callable[[In], Iterable[Material]],
    input_type: type[In] | None = None,
    reply_type: type[TaskData] | None = None,
    **others: Any,
) -> Task[In, Out]:
    """A task whose types are those that ``to_output`` declares: of the input, of the reply, and of the output.

    input_type, reply_type: narrower ones, where a function serves several tasks. others: further fields of the task.
    """
    given, reply, output = get_type_hints(to_output).values()
    return Task(
        name=name,
        input_type=input_type or given,
        output_type=output,
        source=source,
        prompt=prompt,
        material=material,
        reply_type=reply_type or reply,
        to_output=to_output,
        **others,
    )


def numbered(name: str, texts: Iterable[str]) -> Material:
    """One piece of numbered lines, one for each text whatever line breaks it has."""
    return Material(name, "\n".join(f"{number}. {one_line(text)}" for number, text in enumerate(texts, 1)))


def each_numbered(name: str, texts: Iterable[str]) -> list[Material]:
    """A piece for each text, "chunk 1", "chunk 2", ...; one that is blank takes a verdict too, and stays."""
    return [Material(f"{name} {number}", text.strip() or "(empty)") for number, text in enumerate(texts, 1)]


def pieces(*shown: str | tuple[str, str] | Callable[[Any], Iterable[Material]]) -> Callable[[Any], list[Material]]:
    """Show fields of an input, in this order: texts as they are, tuples of texts as numbered lines, codes as languages.

    shown: names of fields, which pieces are called after; pairs of a piece's name and a field's, or one inside a field,
    "passage.text"; or what makes pieces of the input.
    """

    def material(inputs: Any) -> list[Material]:
        made: list[Material] = []
        for each in shown:
            if callable(each):
                made += each(inputs)
                continue
            name, field = (each, each) if isinstance(each, str) else each
            value = attrgetter(field)(inputs)
            if isinstance(value, tuple):
                made.append(numbered(name, value))
            else:
                made.append(Material(name, language_name(value) if name == "language" else str(value)))
        return made

    return material


def one_line(text: str) -> str:
    """The text with single spaces for white space, none at its ends."""
    return " ".join(text.split())


def distinct_lines(texts: Iterable[str]) -> tuple[str, ...]:
    """The texts as lines, without blank and repeated ones."""
    return tuple(dict.fromkeys(line for line in map(one_line, texts) if line))


def filled(**texts: str) -> None:
    """Raise ValueError that names the first text that is blank."""
    for name, text in texts.items():
        if not text.strip():
            raise ValueError(f"the {name} is empty")


def in_order(numbers: Sequence[int], asked: int, noun: str) -> list[int]:
    """Places in ``numbers`` of 1, 2, ... up to ``asked``. Raises ValueError unless each of them is there once.

    A model may count from 0, or give one number to all: it went through the list, and its order tells what is meant.
    """
    counted = sorted(numbers) in (list(range(asked)), list(range(1, asked + 1)))
    if not counted and not (len(numbers) == asked and len(set(numbers)) == 1):
        given = ", ".join(map(str, numbers)) or "none"
        wanted = f"numbers 1 to {asked}" if asked > 1 else "number 1"
        raise ValueError(f"there must be one verdict for each {noun}, {wanted}, but the numbers given are: {given}")
    return sorted(range(len(numbers)), key=numbers.__getitem__)


def as_name(value: Any) -> Any:
    """A name out of a fixed few, with case, spaces and hyphens put right."""
    return value.strip().lower().replace(" ", "_").replace("-", "_") if isinstance(value, str) else value


def as_number(value: Any) -> Any:
    """A whole number, also where it was written as "4", 4.0 or "4/5"; true is none, though Python takes it for 1."""
    if isinstance(value, str):
        text = value.strip().partition("/")[0].strip()
        return int(text) if text.isascii() and text.isdecimal() else value
    if isinstance(value, bool):
        return str(value)
    return int(value) if isinstance(value, float) and value.is_integer() else value
