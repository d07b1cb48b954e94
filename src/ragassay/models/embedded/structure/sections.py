"""What a document says under its headings: short sections."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragassay.models.embedded.prose.clause_numbers import without_clause_numbers
from ragassay.models.embedded.reading.analysis import Analysis, balanced
from ragassay.models.embedded.reading.grammar import noun_phrase, tokens_of
from ragassay.models.embedded.reading.outline import heading_above, is_instruction, plain_heading
from ragassay.models.embedded.structure.drafts import Draft
from ragassay.models.embedded.structure.framing import source_of

MAX_ANSWER_WORDS = 110
_NO_TOPIC = re.compile(
    r"^(?:introduction|overview|summary|abstract|description|notes?|examples?|see also|references|conclusions?|"
    r"contents|appendix|miscellaneous|other|general|general information|about|details|further (?:reading|information)|"
    r"links|name|synopsis|usage|faq|history|tips?|preface|foreword|remarks?|bugs|discussion|keywords|homework|"
    r"any other business|credits|thanks|acknowledge?ments|(?:further )?considerations|caution|warning|important|"
    r"(?:other|additional|more) (?:information|details)|"
    r"what\b.*|how\b.*|why\b.*|when\b.*|where\b.*|who\b.*|which\b.*|i{1,3}|iv|v)$",
    re.IGNORECASE,
)
_OPENS_ELSEWHERE = re.compile(
    r"(?:This|These|That|Those|However|Additionally|Furthermore|Moreover|But|And|It|They|He|She|Such|Also|Then|So|Therefore|Thus|Here|Another|Other|"
    r"Again|Now|As (?:above|mentioned)|For this|In this|The (?:above|former|latter|following))\b"
)


def section_drafts(analysis: Analysis) -> Iterator[Draft]:
    """'What does the remote work policy say about equipment?'; of a document that is called so."""
    source = source_of(analysis)
    if not source.startswith("the "):
        return
    listed = {each.section for each in analysis.lists} | {each.section for each in analysis.tables}
    for heading, quotes in _texts(analysis).items():
        topic = topic_of(heading, analysis)
        words = sum(len(quote.split()) for quote in quotes)
        if not topic or heading in listed or not 2 <= len(quotes) <= 6 or not 20 <= words <= MAX_ANSWER_WORDS:
            continue
        topic = _with_article(topic, analysis.passage.text)
        if not _is_told(quotes) or topic.lower() in source.lower() or _is_a_name_below(topic, heading, analysis):
            continue
        told = without_clause_numbers(quotes, analysis.passage.text, analysis.passage.blocks)
        answer = re.sub(r"\s+", " ", " ".join(told))
        yield Draft(
            pattern="section_topic",
            question=f"What does {source} say about {topic}?",
            answer=answer,
            statement=answer,
            quotes=tuple(quotes),
            attribute=topic,
            stands_alone=True,
        )


def _with_article(topic: str, text: str) -> str:
    """'the shutdown callback' where the text never writes the two words without an article, 'content strategy' else."""
    if " " not in topic or tokens_of(topic)[0].tag in {"DT", "VBG"}:
        return topic
    if tokens_of(topic)[0].tag == "NN" and topic.split()[1] == "of":
        return f"the {topic}"  # 'the importance of several instances'
    if noun_phrase(topic)[-1].tag != "NN":
        return topic
    before = [match[1].lower() for match in re.finditer(rf"(\S+) {re.escape(topic)}\b", text, re.IGNORECASE)]
    return f"the {topic}" if before and set(before) <= {"the", "a", "an", "this", "each", "every"} else topic


def _is_a_name_below(topic: str, heading: str, analysis: Analysis) -> bool:
    """'Windows' below 'Uninstalling': what stands there is about the part above, and other parts say more of it."""
    return len(topic.split()) == 1 and not topic.islower() and bool(heading_above(analysis.passage, heading))


def _texts(analysis: Analysis) -> dict[str, list[str]]:
    """Sentences by heading; headings that stand twice are left out."""
    text = analysis.passage.text
    headings = [text[block.start : block.end].strip() for block in analysis.passage.blocks if block.kind == "heading"]
    return {heading: quotes for heading, quotes in analysis.sentences.items() if headings.count(heading) == 1}


_LOST = re.compile(r"``|[(,] ?[,)]|^\w+ to \w+ \w+ of\b")
"""Where markup that a sentence speaks of was read as markup: 'Use to wrap groups of links', '(for example,)'."""


def _is_told(quotes: list[str]) -> bool:
    """Whether sentences are whole and begin something, so that they can be read without what stands before them."""
    return (
        all(quote.rstrip()[-1:] in '.”"!' and balanced(quote) and not _LOST.search(quote) for quote in quotes)
        and not _OPENS_ELSEWHERE.match(quotes[0])
        and not any(re.match(r"(?:See|Please (?:see|refer)|Refer|Below|Here)\b", quote) for quote in quotes)
        and not any(
            re.search(
                r"\b(?:below|above|following|next section|figure|chapter|already mentioned|previous|preceding)\b"
                r"|\b(?:from:?|click|see|found) here\b",
                quote,
            )
            for quote in quotes
        )
    )


def topic_of(heading: str, analysis: Analysis) -> str:
    """A heading as the object of 'say about': a noun phrase or a gerund in sentence case; '' for all others."""
    bare = re.sub(
        r"^(?:(?:section|chapter|appendix|part) )?(?:[\dIVX]+[.)]|[\d.]+\d|[A-Z]\.)[\d.]* ?", "", heading, flags=re.I
    )
    bare = bare.strip(" .:-–—#")
    if "," in bare and bare.split(",")[0].istitle():
        return ""  # a person and what she is
    if not bare or _NO_TOPIC.match(bare) or len(bare.split()) > 8 or re.search(r"[?!:;“”\"()<>=/\\]", bare):
        return ""
    is_shouted = bare.isupper() and (" " in bare or bare.lower() in analysis.passage.text)
    text = bare.lower() if is_shouted else bare
    elsewhere = analysis.passage.text.replace(heading, " ", -1 if " " in heading else 1)
    is_name = re.search(r" [A-Z][a-z]", text) is not None and f" {text} " in elsewhere.replace("\n", " ")
    text = text if is_name else plain_heading(text, elsewhere)
    tokens = tokens_of(text)
    first, last = tokens[0], tokens[-1]
    if first.tag not in {"NN", "NNS", "JJ", "VBG", "DT", "NNP", "NNPS", "VBN"} or last.tag not in {
        "NN",
        "NNS",
        "NNP",
        "NNPS",
        "VBG",
    }:
        return ""
    if any(
        token.tag in {"VBZ", "VBD", "VBP", "MD", "PRP", "PRP$", "WP", "WRB"} and not token.is_name for token in tokens
    ):
        return ""
    return "" if first.tag != "VBG" and is_instruction(bare) else text
