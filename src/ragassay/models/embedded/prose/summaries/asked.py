"""Questions that the document asks itself, in headings, bold lines or terms, with what stands under them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from ragassay.models.embedded.prose.markup import without_markup
from ragassay.models.embedded.prose.passages import Line, ReadPassage, Section
from ragassay.models.embedded.prose.setting import plain_title
from ragassay.models.embedded.prose.summaries.sketch import LONGEST_ANSWER, Sketch
from ragassay.models.embedded.prose.whole_sentences import raw_blocks
from ragassay.text import sentence_spans

UNREAD = 12
"""Letters between two sentences that may be left out: the number of an item."""
_LABEL = re.compile(r"^(?:Q(?:uestion)?\s*\d*\s*[.:)]|\d+(?:\.\d+)*[.)]?)\s*", re.I)
_OPENS = re.compile(
    r"(?:(?:for|in|on|at|to|by|under|with|from|until|since|after) )?(?:who|what|which|when|where|why|how|whom|whose"
    r"|is|are|was|were|do|does|did|can|could|may|must|should|shall|will|would|has|have|am|if|what's|who's)\b",
    re.I,
)
_INTERVIEW = re.compile(r"\b(?:I|my|me|I'm|I've)\b")
_ANSWER_LABEL = re.compile(r"^\s*(?:(?:\*\*)?A(?:nswer)?\s*\d*\s*[.:)](?:\*\*)?|:)\s*")
_POINTS_OUT = re.compile(
    r"\b(?:it|this|that|these|those|they|them|its|their|he|she|him|her|we|us|our|so|such|above|below)\b", re.I
)


def asked_sections(read: ReadPassage) -> Iterator[Sketch]:
    """Each question of the document with what stands under it, where that is short."""
    for section in read.sections:
        heading = section.heading[-1] if section.heading else ""
        question = own_question(heading)
        if question and section.lines:
            sentences = [(line.span, line.whole(set())) for line in _up_to_the_next(section)]
            yield from _answered(question, sentences, section, complete=_covers(read.passage.text, section))
    yield from _asked_in_text(read)


def _up_to_the_next(section: Section) -> list[Line]:
    """The sentences before the first that is a question itself."""
    at = next((at for at, line in enumerate(section.lines) if line.doc.text.rstrip().endswith("?")), len(section.lines))
    return list(section.lines[:at])


def _covers(text: str, section: Section) -> bool:
    """Whether the sentences are all that stands between the first and the last of them, lists and code included."""
    spans = sorted(span for line in section.lines for span in line.spans)
    gaps = (text[end:start] for (_, end), (start, _) in itertools.pairwise(spans))
    return all(len(re.sub(r"\W", "", gap)) <= UNREAD for gap in gaps)


def own_question(heading: str) -> str:
    """The question that a heading or line is; empty if it is none or points to something outside."""
    text = plain_title(_LABEL.sub("", without_markup(heading).strip()))
    if not text.endswith("?") or text.count("?") > 1 or len(text.split()) < 3 or len(text.split()) > 25:
        return ""
    return text[:1].upper() + text[1:] if _OPENS.match(text) and not _POINTS_OUT.search(text) else ""


def _asked_in_text(read: ReadPassage) -> Iterator[Sketch]:
    """A line or block that is one question, the next block its answer."""
    text = read.passage.text
    blocks = read.passage.blocks or tuple(raw_blocks(text))
    section = read.sections[0] if read.sections else None
    if section is None:
        return
    for block, following in zip(blocks, [*blocks[1:], None], strict=True):
        if block.kind == "heading":
            continue
        start = block.start
        stretch = text[block.start : block.end]
        first, _, rest = stretch.partition("\n")
        question = own_question(first)
        if question and rest.strip():
            start, end = block.start + len(first) + 1, block.end
        elif own_question(stretch.replace("\n", " ")) and following is not None and following.kind != "heading":
            question = own_question(stretch.replace("\n", " "))
            start, end = following.start, following.end
        else:
            continue
        flat = text[start:end].replace("\n", " ")
        label = _ANSWER_LABEL.match(flat)
        shift = label.end() if label else 0
        spans = [(start + shift + a, start + shift + b) for a, b in sentence_spans(flat[shift:])]
        sentences = [(span, without_markup(text[span[0] : span[1]].replace("\n", " "))) for span in spans]
        yield from _answered(question, sentences, section, complete=True)


def _answered(
    question: str, sentences: list[tuple[tuple[int, int], str]], section: Section, *, complete: bool
) -> Iterator[Sketch]:
    kept: list[tuple[tuple[int, int], str]] = []
    n_words = 0
    for span, sentence in sentences:
        n_words += len(sentence.split())
        if n_words > LONGEST_ANSWER:
            complete = False
            break
        kept.append((span, sentence))
    if any(_INTERVIEW.search(sentence) for _, sentence in kept) or (
        question.lower().startswith(("how", "what", "who"))
        and (re.search(r"\b(?:are|do|did|have|were) you\b", question))
    ):
        return
    if not kept or not complete or kept[-1][1].endswith(":"):
        return
    question = _in_sentence_case(question, section)
    names = bool(re.search(r"(?<=\w )[A-Z]\w", question)) or len(question.split()) > 9
    yield Sketch(
        question,
        [sentence for _, sentence in kept],
        tuple(span for span, _ in kept),
        "asked",
        section.setting,
        names,
        features={"complete": float(complete), "sentences": float(len(kept))},
    )


def _in_sentence_case(question: str, section: Section) -> str:
    """A heading in title case as one writes a question."""
    words = question.split()
    capitals = sum(1 for word in words[1:] if word[:1].isupper())
    if 2 * capitals <= len(words) - 1:
        return question
    lowered = section.setting.lowered(question)
    return lowered[:1].upper() + lowered[1:]
