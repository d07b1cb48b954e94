"""Stretches of a clause: where they end, whether they are whole, and how they stand in a question."""

from __future__ import annotations

import re

from ragassay.models.embedded.reading.analysis import (
    THEME,
    Analysis,
)
from ragassay.models.embedded.reading.grammar import (
    Clause,
    lower_first,
    tokens_of,
)
from ragassay.models.embedded.reading.reckoning import (
    DateSpan,
)

NAME = r"[A-Z][\w.'’&-]*(?:(?: (?:of|de|la|del|von|van|the|and|upon|on|für|und|&|for))* [A-Z0-9][\w.'’&-]*)*"
PLACE = rf"(?:the )?{NAME}(?:, {NAME})*"
MADE = """
    directed written produced composed created developed published designed founded built painted hosted edited
    recorded manufactured distributed invented discovered established owned operated commissioned launched
    acquired bought purchased opened drawn narrated choreographed illustrated curated sculpted presented proposed
    introduced led approved supplied installed
""".split()


_RELATIVE = frozenset("which who because although while whereas".split())


_HANGS_ON = frozenset(
    """
    which who where with while but although as after before when because so including making however and then
    often along though to via
""".split()
)


def cut(rest: str) -> str:
    """The rest of a clause up to where a further clause hangs on: a relative, a participle, a second verb."""
    rest = re.sub(r" ?\([^()]*\)", "", rest)
    tokens = tokens_of(rest)
    for place, token in enumerate(tokens):
        following = tokens[place + 1] if place + 1 < len(tokens) else None
        hangs = following is not None and (
            following.tag in {"VBG", "WDT", "WP", "WRB", "PRP", "VBD", "VBN", "VBZ", "MD"}
            or following.lower in _HANGS_ON
        )
        if token.text == ":":
            return ""  # what follows the colon belongs to the name or list before it
        if token.text in {"–", "—"} and rest[token.start - 1 : token.start] != " ":
            continue
        if token.text in {";", "–", "—"} or (token.text == "," and hangs):
            return rest[: token.start].strip()
        if (
            token.lower in {"and", "but"}
            and following is not None
            and place > 0
            and (following.tag in {"VBD", "VBZ", "VBP", "MD", "PRP", "RB", "VBN"} and not following.is_name)
        ):
            return rest[: token.start].strip(" ,")
        if token.tag in {"WDT", "WP", "WRB"} or token.lower in _RELATIVE:
            return rest[: token.start].strip(" ,")
    return rest.strip(" ,")


def is_whole(text: str) -> bool:
    """No loose end: not cut after a preposition or article or inside a list, no finite verb left inside."""
    listed = re.search(r", (?P<last>[a-z][^,]*)$", text)
    if listed and " and " not in listed["last"] and " or " not in listed["last"]:
        return False
    tokens = tokens_of(text)
    if tokens and (
        tokens[-1].tag in {"IN", "DT", "CC", "TO", ",", "PRP$", "WDT", "VBG"} and tokens[-1].text not in {THEME}
    ):
        return False
    return (
        not any(token.tag in {"VBD", "VBZ", "VBP", "MD", "WP", "WDT", "WRB"} and not token.is_name for token in tokens)
        and " that " not in f" {text} "
    )


def subject_text(clause: Clause) -> str:
    """The subject as it stands inside a sentence."""
    return lower_first(clause.subject)


def pronoun_of(analysis: Analysis, rest: str = "") -> str:
    """'she', 'he' or 'it' for the theme; a possessive in the same clause decides where there is one."""
    own = re.search(r"\b(his|her|its)\b", rest)
    if own:
        return {"his": "he", "her": "she", "its": "it"}[own[1]]
    if not analysis.profile.is_person:
        return "it"
    text = f"{analysis.passage.opening} {analysis.passage.text}"
    return "she" if len(re.findall(r"\b[Ss]he\b|\bher\b", text)) > len(re.findall(r"\b[Hh]e\b|\bhis\b", text)) else "he"


def on_date(date: DateSpan) -> str:
    """A date with its preposition: 'on 3 May 1998', 'in 1998'."""
    return f"{'on' if date.precision == 'day' else 'in'} {date.text}"


def without_stop(name: str) -> str:
    """A name without the full stop of the sentence that it ends; 'U.S.' and 'Moss Jr.' keep theirs."""
    return name if re.search(r"\b(?:[A-Z]|Inc|Ltd|Co|Corp|Jr|Sr|St)\.$", name) else name.removesuffix(".")


def sentence_case(text: str) -> str:
    """The text with a capital at its start."""
    return text[:1].upper() + text[1:]


def without_participle(text: str) -> str:
    """A noun phrase without the participle that a clause left at its end: 'a film written' was 'and directed by'."""
    tokens = tokens_of(text)
    cut_off = len(tokens) > 2 and tokens[-1].tag in {"VBN", "VBD"} and tokens[-2].tag in {"NN", "NNS", "NNP", "NNPS"}
    return text[: tokens[-1].start].rstrip(" ,") if cut_off else text


def is_whole_definition(text: str) -> bool:
    """No loose end after 'is a ...'; clauses inside are allowed."""
    tokens = tokens_of(text)
    return (
        bool(tokens)
        and tokens[-1].tag not in {"IN", "DT", "CC", "TO", ",", "PRP$", "JJ"}
        and not re.search(r"\b(?:that|which|who)$", text)
    )
