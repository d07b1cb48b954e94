"""Questions whose answer is a list: items and steps under a heading or an introduction, units joined in a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ragassay.models.embedded.reading.analysis import (
    THEME,
    Analysis,
    ListedItems,
    balanced,
    is_self_contained,
)
from ragassay.models.embedded.reading.clarity import content_words
from ragassay.models.embedded.reading.grammar import (
    inverted,
    lemma,
    lower_first,
    tokens_of,
)
from ragassay.models.embedded.reading.outline import heading_above
from ragassay.models.embedded.stated.drafts import Draft, capitalised, pick

MAX_ANSWER_WORDS = 110
SENDS_ELSEWHERE = re.compile(r"(?:For (?:an?|more|further|other)\b[^.]*?,? )?(?:[Pp]lease )?(?:[Ss]ee|[Rr]efer to)\b")
"""A sentence of an answer that holds none: 'For more details, see Deployment.'"""


def joined(items: Sequence[str]) -> str:
    """Items in one line, parted by semicolons where an item holds commas or is long."""
    stripped = [item.rstrip(" .;,") for item in items]
    separator = "; " if any("," in item or len(item.split()) > 6 for item in stripped) else ", "
    return separator.join(stripped)


_FOLLOWING = re.compile(r"\bthe following (?P<what>[a-z][a-z -]*?)(?: (?:are|is|will be|may be|can be) [a-z ]+)?:?$")


def listed_items(analysis: Analysis) -> Iterator[Draft]:
    """Lists and steps whose heading or introduction says what they are."""
    for listed in analysis.lists:
        items = [re.sub(r"\s+", " ", item).strip() for item in listed.items]
        words = sum(len(item.split()) for item in items)
        if (
            not 2 <= len(items) <= 10
            or words > MAX_ANSWER_WORDS
            or any(len(item.split()) > 30 or not balanced(item) for item in items)
        ):
            continue
        if (
            any(item.endswith(":") or _REQUEST.match(item) for item in items)
            or sum(other.section == listed.section for other in analysis.lists) > 1
        ):
            continue  # parts of a longer list
        if len({item.lower() for item in items}) < len(items) or sum(len(item.split()) for item in items) < 4:
            continue
        question = _list_question(listed, analysis)
        if question:
            pattern = "steps" if listed.ordered else "list"
            yield Draft(
                pattern=pattern,
                question=question,
                answer=joined(items),
                statement=f"{_told(question)}: {joined(items)}.",
                quotes=tuple(listed.items),
                attribute=listed.section.lower(),
            )


_REQUEST = re.compile(r"(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) /")
"""An address of an interface: 'GET /album/5' under 'Albums' is no album."""

_ASKED = (
    (r"Which (?P<noun>.+?) are (?P<how>listed for|set out in) (?P<of>.+)", r"The \g<noun> \g<how> \g<of>"),
    (r"What are the (?P<what>.+)", r"The \g<what>"),
    (r"How do you (?P<what>.+)", r"To \g<what>"),
)


def _told(question: str) -> str:
    """What a list is of, as a statement begins with it: 'Which routes are listed for X?', 'The routes listed for X'."""
    bare = question.rstrip("?")
    for asked, told in _ASKED:
        if match := re.fullmatch(asked, bare):
            return match.expand(told)
    return bare


_NAMING_HEADINGS = frozenset(
    (
        "responsibilities, features, members, awards, follow-up actions, actions, benefits, requirements, "
        "facilities, services, duties, exceptions, routes, contents, advantages, disadvantages, limitations, "
        "symptoms, courses, departments, destinations, corrective actions, lessons, rules, albums, singles, "
        "films, publications, track listing"
    ).split(", ")
)


_OF_THE_PART_ABOVE = (
    _NAMING_HEADINGS
    - frozenset("members awards courses departments routes destinations albums singles films publications".split())
    - {"track listing"}
)
"""Those that are about the part which they stand in, where they do not stand right below the title."""


def _list_question(listed: ListedItems, analysis: Analysis) -> str | None:
    theme = analysis.profile.theme
    heading = re.sub(r"^[\d.]+ ", "", listed.section).strip(" :")
    intro = re.sub(r"\s+", " ", listed.intro).strip()
    if intro.endswith(":") and (question := _intro_question(intro, analysis)):
        return question
    if (
        not heading
        or len(heading.split()) > 8
        or not theme
        or re.match(
            r"(?:see also|external links|references|notes|further reading|sources|bibliography|links|"
            r"works cited|contents|sub-?sections|examples?|notable people|gallery)$",
            heading,
            re.IGNORECASE,
        )
    ):
        return None
    tokens = tokens_of(heading[0].lower() + heading[1:])
    text = heading if any(token.is_name for token in tokens[1:]) else heading.lower()
    if listed.ordered or tokens[0].tag == "VBG":
        return _steps_question(listed, heading, analysis)
    last = tokens[-1]
    if text in _OF_THE_PART_ABOVE and heading_above(analysis.passage, listed.section):
        return None
    if tokens_of(theme)[0].tag in {"IN", "WRB"}:
        return None  # 'Before you launch' is nothing that has requirements
    if text in _NAMING_HEADINGS:
        noun = {"actions": "follow-up actions"}.get(text, text)
        if theme.endswith(("policy", "procedure")):
            return f"Which {noun} are set out in {theme}?"
        return pick(("What are the {} of {}?", "Which {} are listed for {}?"), theme).format(noun, theme)
    if (
        last.tag == "NNS"
        and len(tokens) <= 4
        and " and " not in text
        and " on " not in text
        and text not in theme.lower()
        and analysis.theme_is_a_name
        and tokens[0].tag not in {"VB", "VBZ", "VBG", "WRB", "WP", "CD"}
        and last.lower not in _EMPTY_NOUNS
        and not intro.endswith(":")  # which says what the items are: cases, reasons
    ):
        return f"Which {text} are listed for {theme}?"
    return None


_EMPTY_NOUNS = frozenset(
    """
    details items things notes points basics specifics particulars highlights essentials remarks comments extras
    miscellanea considerations caveats tips values results
""".split()
)
"""Headings that do not say what the items below them are: 'Details' may be conditions, steps or anything else."""


def _steps_question(listed: ListedItems, heading: str, analysis: Analysis) -> str | None:
    """How to do what a heading names, where the items below it are instructions."""
    if not are_instructions(listed.items):
        return None
    theme = analysis.profile.theme
    first = tokens_of(heading[0].lower() + heading[1:])[0]
    text = plain_heading(heading, analysis.passage.text)
    guide = re.match(r"the guide to (.+)$", theme)
    if guide and (text in _MERE_STEPS or text.startswith("how to")):
        return f"What are the steps for {guide[1]}?"
    is_gerund = first.tag == "VBG" and lemma(first.text) != first.text
    if is_gerund or text.startswith("how to "):
        under = _under(theme, text)
        done = f"{lemma(first.text)} {text.partition(' ')[2]}" if is_gerund else text[7:]
        question = f"How do you {done}{under}?"
        return None if under is None else question.replace("  ", " ") if is_gerund else question
    return f"What are the steps of {theme}?" if text in _MERE_STEPS else None


_MERE_STEPS = frozenset("procedure steps process instructions method".split())


def _under(theme: str, heading: str) -> str | None:
    """What makes a heading's question clear by itself: nothing if it is long, the rules it stands in, or None."""
    if theme.lower() in heading.lower() or len(content_words(heading)) >= 4:
        return ""
    if re.search(r"policy|procedure|guide|rules|manual|handbook", theme):
        return f" according to {theme}"
    return f" with {theme}" if re.search(r"[_\d]", theme) else None


def plain_heading(heading: str, text: str) -> str:
    """A heading in sentence case: each word as the text writes it inside sentences, acronyms as they are."""
    words = []
    for word in heading.split():
        lower = len(re.findall(rf"(?<=[a-z,] ){re.escape(word.lower())}\b", text))
        same = len(re.findall(rf"(?:(?<=[a-z,] )|(?<=[A-Z]{{2}} )){re.escape(word)}\b", text))  # 'GNOME Classic'
        keep = (word.isupper() and len(word) > 1) or re.search(r"[_\d]|[a-z][A-Z]", word) or same > lower
        words.append(word if keep else word.lower())
    return " ".join(words)


def are_instructions(items: Sequence[str]) -> bool:
    """Whether four fifths of the items begin with a verb in the imperative."""
    firsts = [item.split()[0].strip(",.:").lower() for item in items if item.split()]
    told = [
        word
        for word in firsts
        if lemma(word) == word and tokens_of(f"to {word} it")[1].tag in {"VB", "VBP", "NN"} and word not in _NO_VERB
    ]
    return len(told) * 5 >= len(items) * 4


_NO_VERB = frozenset(
    """
    the a an all any each every no not it this that these those if when you your we our in on at for from by with
    and or current is are was one two
""".split()
)


def _intro_question(intro: str, analysis: Analysis) -> str | None:
    """'X supports the following formats:' becomes 'Which formats does X support?'."""
    masked = intro.rstrip(": ")
    for name in analysis.profile.names:
        masked = re.sub(rf"(?<![\w-])(?:[Tt]he )?{re.escape(name)}(?![\w-])", THEME, masked)
    match = _FOLLOWING.search(masked)
    from ragassay.models.embedded.reading.grammar import clause_of

    clause = clause_of(f"{masked}.")
    if clause is None or not match or clause.front or not clause.rest.endswith(match.group().rstrip(":")):
        return None
    what = match["what"].strip()
    before = clause.rest[: -len(match.group().rstrip(":"))].strip()
    if (
        before.endswith((",", " with", " in", " of", " for", " to", " by", " on", " as"))
        or tokens_of(f"the {what}")[-1].tag != "NNS"
        or THEME not in clause.subject
        or not is_self_contained(f"{clause.subject} {before}", subject_is_theme=True)
    ):
        return None
    subject = lower_first(clause.subject)
    return analysis.unmask(f"Which {what} {inverted(clause, subject, before)}?")


_COORDINATED = re.compile(r"^(?P<items>[^,;:]{2,60}(?:, [^,;:]{2,60})+,? and [^,;:]{2,70})$")
_HOLDING = {
    "consist": "What does {} consist of?",
    "comprise": "What does {} comprise?",
    "include": "What does {} include?",
    "contain": "What does {} contain?",
    "border": "What does {} border?",
    "offer": "What does {} offer?",
    "provide": "What does {} provide?",
    "produce": "What does {} produce?",
    "cover": "What does {} cover?",
    "serve": "What does {} serve?",
    "require": "What does {} require?",
    "support": "What does {} support?",
    "operate": "What does {} operate?",
}


def enumerations(analysis: Analysis) -> Iterator[Draft]:
    """'X consists of a, b and c.': three or more units joined in one sentence."""
    for sentence in analysis.sentences:
        clause = sentence.clause if THEME in sentence.masked and len(sentence.masked.split()) <= 45 else None
        if (
            clause is None
            or clause.subject != THEME
            or clause.auxiliaries
            or clause.lemma not in _HOLDING
            or clause.front
        ):
            continue
        rest = clause.rest.removeprefix("of ") if clause.lemma == "consist" else clause.rest
        match = _COORDINATED.match(rest)
        if not match or not is_self_contained(rest, subject_is_theme=False) or len(rest.split()) < 5:
            continue
        past = clause.main.tag == "VBD"
        question = _HOLDING[clause.lemma].format(analysis.profile.theme)
        if past:
            question = question.replace("What does", "What did")
        yield Draft(
            pattern="enumeration",
            question=question,
            answer=capitalised(analysis.unmask(rest)),
            statement=capitalised(analysis.unmask(f"{THEME} {clause.main.text} {clause.rest}.")),
            quotes=(sentence.quote,),
            attribute=clause.lemma,
        )
