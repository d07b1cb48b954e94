"""Questions about technical names: a parameter, an option, a command, a term in quotes, and what a context says of it.

Words are not enough there: a page on one setting mentions a dozen others, and 'default' stands with each of them. What
counts is the entry: the line that introduces the name, and the text below it up to the next such line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from ragassay.text import sentences

_NAME = re.compile(
    r"“(?P<quoted>[^”]+)”"
    r"|(?<![\w-])(?P<option>--?[A-Za-z][\w-]*)"
    r"|(?<![\w.-])(?P<dotted>[A-Za-z][A-Za-z0-9]*(?:[_.][A-Za-z0-9]+)+)(?![\w-])"
    r"|\b(?P<capitals>[A-Z]{2,}(?: [A-Z]{2,})+)\b"
)
_OWNER = re.compile(
    r"\b(?:options?|parameters?|arguments?|settings?)\s+(?:of|in)\s+(?:the\s+)?\S+"
    r"|\b(?:which|what)\s+\S+\s+(?:option|parameter)\b",
    re.IGNORECASE,
)
_PART_OF = re.compile(
    r"\b(?P<part>(?:column|parameter|argument|option|field)\s+\S+)\s+(?:of|in)\s+(?:the\s+[a-z]+\s+)?"
    r"(?:[A-Z]{2,}(?:\s[A-Z]{2,})*\b|[^\s?]+)"
)
"""'the parameter new_name of ALTER DOMAIN': the question is about the parameter, whatever else its command is."""
_ASKS_DEFAULT = re.compile(r"\bdefaults?\b", re.IGNORECASE)
_ASKS_VALUES = re.compile(r"\bvalues\b", re.IGNORECASE)
_ASKS_MEANING = re.compile(
    r"^\W*(?:what\s+(?:does|do|is\s+the\s+(?:effect|meaning|purpose)\s+of|is\s+meant)|how\s+is\s+the\s+term)\b",
    re.IGNORECASE,
)
_MOST_WORDS_OF_A_NAME_LINE = 12


@dataclass(frozen=True, slots=True)
class NamedQuestion:
    """A question about technical names. wants: what of them, in the words of the question's form."""

    names: tuple[str, ...]
    wants_meaning: bool
    wants_default: bool
    wants_values: bool

    @property
    def parts(self) -> int:
        """How many things a complete answer says."""
        return max(len(self.names), self.wants_meaning + self.wants_default)


def named_question(question: str) -> NamedQuestion | None:
    """The question as one about technical names; None where it is about none, or asks for something else of them."""
    asked = _OWNER.sub(" ", _PART_OF.sub(r"\g<part> ", question))
    names = technical_names(asked)
    wants_default, wants_values = bool(_ASKS_DEFAULT.search(asked)), bool(_ASKS_VALUES.search(asked))
    first = asked.split(",")[0]
    wants_meaning = bool(_ASKS_MEANING.match(question)) and not (
        wants_default and _ASKS_DEFAULT.sub("", first) != first
    )
    if not names or len(names) > 3 or not (wants_meaning or wants_default or wants_values):
        return None
    return NamedQuestion(names, wants_meaning, wants_default, wants_values and not wants_meaning)


def technical_names(text: str) -> tuple[str, ...]:
    """Options, settings, commands in capitals and terms in quotes that a text names, each once."""
    return tuple(dict.fromkeys(next(group for group in match.groups() if group) for match in _NAME.finditer(text)))


def unanswered(asked: NamedQuestion, context: str) -> str | None:
    """Why the context does not answer, or None where it does."""
    for name in asked.names:
        entry = entry_of(name, context)
        if entry is None:
            return f"the context has no entry for {name}, and no sentence that says what it is"
        if asked.wants_default and not re.search(r"\bdefaults?\b", entry, re.IGNORECASE):
            return f"no default is stated for {name}"
        if asked.wants_values and not re.search(r"\bvalues?\b|\bcan be\b|\bone of\b|\beither\b|[,|] ", entry):
            return f"no values are stated for {name}"
    return None


@lru_cache(maxsize=512)
def entry_of(name: str, context: str) -> str | None:
    """What a context says under a name: its entry, or the sentences that begin with it; None for neither."""
    lines = context.split("\n")
    for number, line in enumerate(lines):
        if not _introduces(line, name):
            continue
        _, dash, purpose = line.partition(" — ")
        following = _until_next_entry(lines[number + 1 :])
        entry = " ".join([purpose if dash else "", *following]).strip()
        if entry:
            return entry
    return _sentences_on(name, context)


def _introduces(line: str, name: str) -> bool:
    """Whether a line is a name line ('wal_level (enum)', '-a, --all', 'CLUSTER — cluster a table') with this name."""
    head = line.split(" — ", maxsplit=1)[0].strip()
    if not head or len(head.split()) > _MOST_WORDS_OF_A_NAME_LINE or head.endswith((".", ":", ";")):
        return False
    if head == name:
        return True
    names = re.split(r"[\s,=()\[\]|]+", head)
    return name in names and _is_name_line(head)


def _is_name_line(line: str) -> bool:
    """A short line without a sentence in it that begins with a technical name."""
    return bool(
        re.match(
            r"\[?--?[A-Za-z]|[a-z][\w]*[_.]\w+|[A-Z]{2,}\b|[a-z]\w* \((?:integer|enum|boolean|string|"
            r"floating point)\)$",
            line,
        )
    ) and not re.search(r"[.;:]$", line)


def _until_next_entry(lines: Sequence[str]) -> list[str]:
    found: list[str] = []
    for line in lines:
        if found and _is_name_line(line.strip()) and len(line.split()) <= _MOST_WORDS_OF_A_NAME_LINE:
            break
        if line.strip() and not (not found and _is_name_line(line.strip()) and len(line.split()) <= 4):
            found.append(line.strip())
    return found


def _sentences_on(name: str, context: str) -> str | None:
    """Sentences that have the name for a subject, with the one after each."""
    if name not in context:
        return None
    everything = sentences(context)
    found = []
    for number, sentence in enumerate(everything):
        if re.match(rf"(?:The |A |An )?(?:\w+ )?{re.escape(name)}(?![\w-])(?: \w+){{0,2}} [a-z]+", sentence):
            found += everything[number : number + 2]
    return " ".join(found) or None
