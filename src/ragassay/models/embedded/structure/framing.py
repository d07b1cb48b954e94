"""Whether a question says by itself what it asks of, and the document as its frame where it does not.

Most sentences of most documents are not about the theme but about something that only the document makes clear: "The
deposit is returned within 28 days." Asked within the frame of their document they are clear: "According to the lease,
...", "When setting up a printer, ...". Nobody frames a question that is clear, and nobody quotes a title in one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ragassay.models.embedded.reading.analysis import Analysis
from ragassay.models.embedded.reading.clarity import is_clear
from ragassay.models.embedded.reading.framing import as_reader
from ragassay.models.embedded.reading.grammar import gerund, lower_first
from ragassay.models.embedded.reading.outline import is_instruction
from ragassay.models.embedded.reading.themes import bare, is_generic
from ragassay.models.embedded.structure.drafts import FRAME_WORDS, MAX_WORDS, Draft, capitalised

_MOST_WORDS = 11
"""Words of a title that a question can carry beside what it asks."""
_MOST_WORDS_ASKED = 24
_KIND_OF_DOCUMENT = re.compile(
    r"\b(?:policy|policies|minutes|lease|agreement|contract|faq|handbook|manual|guide|report|review|catalogue|"
    r"constitution|charter|manifesto|guidelines|rules|terms|regulations|statutes|procedure|price list|checklist|"
    r"strategy|standard|brochure|notice|plan|overview|schedule|timetable|register)$",
    re.IGNORECASE,
)
_ASKS = re.compile(r"(?:what|how|why|when|where|who|which|is|are|do|does|can)\b", re.IGNORECASE)
_HAS_DETERMINER = re.compile(r"(?:the|a|an|our|your|my)\b|[A-Z]\w*['’]s ", re.IGNORECASE)


def is_document(theme: str) -> bool:
    """Whether a theme is something written, that one can speak according to: 'the schedule 2025–26', “Minutes”."""
    return theme.startswith("“") or _KIND_OF_DOCUMENT.search(theme.rstrip(" 0123456789–/-")) is not None


def source_of(analysis: Analysis) -> str:
    """What a question calls its document: 'the Remote Work Policy', '“Debian Releases”'; '' where it has no short name.

    A title that says what kind of document it is reads as a noun; any other one is quoted.
    """
    theme = analysis.profile.theme
    if not theme or len(theme.split()) > _MOST_WORDS or is_generic(theme):
        return ""
    if theme.startswith("“") or (theme.startswith("the ") and _KIND_OF_DOCUMENT.search(theme)):
        return theme
    title = bare(analysis.passage.title)
    if title.isupper() and " " in title:
        title = capitalised(theme.removeprefix("the "))  # a theme has lost the capitals of a shouted title
    name = title if theme.removeprefix("the ").lower() in title.lower() and len(title.split()) <= _MOST_WORDS else theme
    if _KIND_OF_DOCUMENT.search(name) and not re.search(r"[:;,(?]", name) and not _ASKS.match(name):
        return name if _HAS_DETERMINER.match(name) else f"the {name}"
    if name.startswith("the guide to "):
        return name
    if name == theme and name.startswith("the ") and 0 < len(title.split()) <= _MOST_WORDS:
        name = title  # 'the deprecated CDN service' is no document: its title is “CDN service (deprecated)”
    return f"“{name}”" if not re.search(r"[“”\"]", name) else ""


def scoped(analysis: Analysis, draft: Draft, *, of_all: bool = False) -> Iterator[Draft]:
    """The draft, its question framed by its document if it is not clear without; nothing where no frame can be had.

    Questions of scoped rules begin in lower case. One that names its theme already needs no frame. of_all: whether it
    asks about all that the document has of a kind, and so has to name the document, by a quoted title if need be.
    """
    theme = analysis.profile.theme
    source = source_of(analysis)
    is_named = theme.lower() in draft.question.lower() and (
        analysis.theme_is_a_name or source.startswith("the ") or _THING.search(draft.question) is not None
    )
    if theme and is_named:
        question = draft.question
        if source.startswith("the ") and not theme.startswith("the "):
            question = re.sub(rf"\b(?:the )?{re.escape(theme)}", lambda _: source, question)
        yield replace(draft, question=capitalised(question))
        return
    if is_clear(draft.question) and not of_all:
        yield replace(draft, question=capitalised(draft.question), stands_alone=True)
        return
    question = f"According to {source}, {draft.question}" if of_all and source else framed(source, draft.question)
    if (
        question
        and len(question.split()) <= MAX_WORDS + FRAME_WORDS
        and len(draft.question.split()) <= _MOST_WORDS_ASKED
    ):
        yield replace(draft, question=question, stands_alone=True)


def framed(source: str, question: str) -> str:
    """A question within its document; empty where a title would have to be quoted for it.

    'According to the lease, ...'; 'When setting up a printer, ...', of the page “Set up a printer”.
    """
    if source.startswith("the "):
        return f"According to {source}, {question}"
    title = source.strip("“”")
    is_plain = " " in title and not re.search(r"[:;.,!?]|^\w+ (?:and|or) ", title)
    return f"When {as_reader(gerund(lower_first(title)))}, {question}" if is_plain and is_instruction(title) else ""


_THINGS = (
    r"command|filter|dialog|dialogue|tool|function|program|utility|menu|submenu|window|module|library|plug-in|plugin|"
    r"device|product"
)
_THING = re.compile(rf"\bthe (?:{_THINGS}) ", re.IGNORECASE)
