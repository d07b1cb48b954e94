"""What a server understands of the requests that we would make, learned from what it refuses.

The full request goes first. What a server refuses by name is left out or said in its older way from then on; what a
request asks for and which key its answer has do not change with that.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal, get_args

Format = Literal["json_schema", "json_object_schema", "json_object", "text"]
"""json_object_schema: a JSON object with the schema beside it, in the words of llama.cpp and llama-cpp-python."""
LengthName = Literal["max_completion_tokens", "max_tokens", None]

FORMATS: tuple[Format, ...] = get_args(Format)
MOST_LOGPROBS, FEWER_LOGPROBS = 20, 5
"""As many as OpenAI gives, and as some others do."""
_NAMES_FORMAT = re.compile(
    r"(?i)response_?\s?format|json_?\s?schema|json_object|json mode|grammar|guided|structured output|\bschema\b"
)
_NAMES_LENGTH = re.compile(r"(?i)max_(?:completion_)?tokens|in the completion")


@dataclass(frozen=True, slots=True)
class Dialect:
    """format: of replies. length_name: what the limit of a reply is called; None: it is not sent.

    top_logprobs: how many tokens with their log-probabilities are asked for, where they are wanted; 0: none.
    """

    format: Format = "json_schema"
    length_name: LengthName = "max_tokens"
    seed: bool = True
    temperature: bool = True
    top_logprobs: int = MOST_LOGPROBS

    @classmethod
    def of_server(cls, base_url: str) -> Dialect:
        """What to begin with: OpenAI's own server has given up the name that all others know."""
        return cls(length_name="max_completion_tokens" if "//api.openai.com" in base_url else "max_tokens")

    def after(self, said: str) -> Dialect | None:
        """The dialect to go on with after a refusal in these words; None where they name nothing of this one.

        It is smaller than this one in any case, so that there is an end to refusals.
        """
        if self.top_logprobs and "logprobs" in said.lower():
            return replace(self, top_logprobs=FEWER_LOGPROBS if self.top_logprobs > FEWER_LOGPROBS else 0)
        if self.temperature and re.search(r"(?i)\btemperature\b", said):
            return replace(self, temperature=False)
        if self.seed and re.search(r"(?i)\bseed\b", said):
            return replace(self, seed=False)
        if self.length_name and _NAMES_LENGTH.search(said):
            return replace(self, length_name=self._other_length_name(said))
        if self.format != "text" and _NAMES_FORMAT.search(said):
            return replace(self, format=FORMATS[FORMATS.index(self.format) + 1])
        return None

    def and_not(self, refused: Dialect, instead: Dialect) -> Dialect:
        """This dialect without what another call learned: it spoke ``refused`` and goes on with ``instead``."""
        return Dialect(
            format=max(self.format, instead.format, key=FORMATS.index),
            length_name=instead.length_name if self.length_name == refused.length_name else self.length_name,
            seed=self.seed and instead.seed,
            temperature=self.temperature and instead.temperature,
            top_logprobs=min(self.top_logprobs, instead.top_logprobs),
        )

    def _other_length_name(self, said: str) -> LengthName:
        if self.length_name == "max_tokens" and "max_completion_tokens" in said and "too large" not in said:
            return "max_completion_tokens"
        return None


class Dialects:
    """The dialect of one server, as far as it is known by now."""

    def __init__(self, first: Dialect) -> None:
        self.now = first

    def learn(self, spoken: Dialect, said: str) -> bool:
        """Takes in a refusal of a request in ``spoken``; whether there is another way to put it."""
        instead = spoken.after(said)
        if instead is None:
            return False
        self.now = self.now.and_not(spoken, instead)
        return True
