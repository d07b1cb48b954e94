"""What a text names: people, places, dates, figures (context entity recall)."""

from __future__ import annotations

from pydantic import Field

from ragassay.tasks.base import ReplyData, Task, TaskData, pieces
from ragassay.tasks.quoting import verbatim


class TextWithEntities(TaskData):
    text: str


class Entities(TaskData):
    """As the text writes them, each once, in its order."""

    items: tuple[str, ...]


class EntitiesReply(ReplyData):
    entities: tuple[str, ...] = Field(description="copied exactly, in the order of the text; empty if it names none")


def _entities(inputs: TextWithEntities, reply: EntitiesReply) -> Entities:
    found = (" ".join(stretch.split()) for each in reply.entities for stretch in verbatim(each, inputs.text))
    return Entities(items=tuple(dict.fromkeys(found)))


ENTITIES = Task(
    name="entities",
    version=1,
    input_type=TextWithEntities,
    output_type=Entities,
    source="RAGAS 0.2 (its documentation, section on context entities recall)",
    prompt="""\
You list the named entities of a text: people, organisations, places, products, works and events that it calls by name,
and its dates, amounts and other figures, with their units. Copy each as the text writes it, once, without the words
around it. Leave out pronouns and general nouns.""",
    material=pieces("text"),
    reply_type=EntitiesReply,
    to_output=_entities,
)
