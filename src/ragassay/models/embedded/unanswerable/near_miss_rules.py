"""Questions that fit a passage and that it does not answer: missing attributes and keys, undocumented defaults."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ragassay.models.embedded.reading.analysis import Analysis, Entry
from ragassay.models.embedded.reading.clarity import content_words
from ragassay.models.embedded.reading.grammar import tokens_of
from ragassay.models.embedded.stated.parameters import parameters_of
from ragassay.models.embedded.stated.record_keys import key_question
from ragassay.models.embedded.unanswerable.circumstances import open_of_circumstances
from ragassay.models.embedded.unanswerable.open_questions import open_of_parameters, open_of_records, open_questions
from ragassay.models.embedded.unanswerable.tasks import open_of_tasks


@dataclass(frozen=True, slots=True)
class Miss:
    """A question without an answer in its passage. pattern: the rule that wrote it."""

    pattern: str
    question: str


_ATTRIBUTES: tuple[tuple[str, str, str], ...] = (
    # type nouns, what must not occur in the text, the question
    (r"film|movie|television film|documentary|thriller|comedy", r"direct|filmmaker", "Who directed {}?"),
    (
        r"film|movie|documentary|thriller|comedy|series",
        r"compos|music|score|soundtrack",
        "Who composed the music for {}?",
    ),
    (r"film|movie|documentary|thriller|comedy", r"releas|premier|theat", "When was {} released?"),
    (r"film|movie", r"budget|cost|million|gross", "What was the budget of {}?"),
    (r"album|single|song|EP|mixtape", r"produc", "Who produced {}?"),
    (r"album|single|song|EP|mixtape", r"label|records|through|via", "Which record label released {}?"),
    (r"album|single|song|EP|mixtape", r"chart|peak|billboard|number", "What was the highest chart position of {}?"),
    (r"novel|book|memoir", r"publish|publisher|press", "Which publisher brought out {}?"),
    (
        r"village|town|city|municipality|commune|township|settlement|hamlet",
        r"population|inhabitants|census|people|residents",
        "What is the population of {}?",
    ),
    (
        r"village|town|city|municipality|commune|township|river|lake|mountain",
        r"elevation|altitude|above sea|metres|meters|feet",
        "What is the elevation of {}?",
    ),
    (r"river|stream|creek", r"length|long|km|mile", "How long is {}?"),
    (
        r"company|brand|manufacturer|startup|corporation|firm|restaurant|organi[sz]ation|newspaper|magazine|"
        r"museum|school|university|college|band|team|club",
        r"found|establish|creat|start|form|incorporat|open|launch|origin",
        "Who founded {}?",
    ),
    (
        r"company|brand|manufacturer|corporation|firm|organi[sz]ation",
        r"headquart|based|office|located",
        "Where is the headquarters of {}?",
    ),
    (r"company|corporation|firm|brand", r"employ|staff|workforce|people", "How many employees does {} have?"),
    (
        r"stadium|arena|theatre|theater|hall|ferry|ship",
        r"capacity|seat|accommodat|hold|passenger",
        "What is the capacity of {}?",
    ),
    (
        r"building|bridge|tower|church|stadium|hotel|museum|station|castle",
        r"architect|design",
        "Who was the architect of {}?",
    ),
    (
        r"building|bridge|tower|stadium|museum|station|dam",
        r"cost|\$|€|£|budget|million",
        "How much did it cost to build {}?",
    ),
    (
        r"species|moth|beetle|plant|fish|spider|bird|snail|frog|fungus",
        r"describ|named|discover|17|18|19|20",
        "Who first described {}?",
    ),
    (r"video game|game", r"develop|studio|creat", "Who developed {}?"),
    (
        r"software|framework|app|browser|operating system",
        r"licen[cs]e|open[- ]source|proprietary",
        "Under which licence is {} distributed?",
    ),
)
_PLAYER = r"footballer|(?:football|soccer|hockey|basketball|baseball|rugby|volleyball|handball|lacrosse) player"
"""A company may be 'a player' too."""
_CALLINGS: tuple[tuple[str, str, str], ...] = (
    (
        r"politician|senator|minister|lawyer",
        r"party|independent|democrat|republican|labour|conservative",
        "To which political party does {} belong?",
    ),
    (
        rf"{_PLAYER}|cricketer|swimmer|runner|athlete|cyclist|skier",
        r"tall|height|\bm\b|metres|cm",
        "How tall is {}?",
    ),
    (
        _PLAYER,
        r"striker|forward|midfield|defender|goalkeeper|back|winger|guard|position",
        "In which position does {} play?",
    ),
    (r"actor|actress|director", r"award|nominat|prize|won", "Which award did {} win?"),
    (
        r"singer|musician|rapper|band|guitarist|songwriter",
        r"label|records|signed",
        "To which record label is {} signed?",
    ),
    (r"writer|novelist|poet|author|journalist", r"award|prize|won|nominat", "Which literary prize did {} receive?"),
    (
        r"scientist|physicist|chemist|biologist|engineer|researcher|mathematician",
        r"thesis|dissertation|doctoral|advis|supervis",
        "Who supervised the doctoral thesis of {}?",
    ),
    (r"coach|manager", r"contract|signed|deal", "Until when does the contract of {} run?"),
)


_LIFE_DATES = r"\([^()\n]{0,80}\b[12]\d{3}\b"
"""'(6 July 1779, Saint Petersburg – 4 December 1854)': says when and perhaps where without a word for it."""
_PERSON_ATTRIBUTES: tuple[tuple[str, str], ...] = (
    (rf"born|birth|native|{_LIFE_DATES}", "Where was {} born?"),
    (rf"born|birth|aged?\b|years old|{_LIFE_DATES}", "When was {} born?"),
    (r"universit|college|school|graduat|studi|educat|academy|degree", "Which university did {} attend?"),
    (r"father|mother|parent|son of|daughter of", "What were the names of the parents of {}?"),
)
_OCCASIONAL = 3
"""Attributes of persons fit almost every person: one in so many documents is asked, lest a set read monotonously."""


def near_misses(analysis: Analysis, whole_document: bool) -> Iterator[Miss]:
    """Questions near to a passage that it leaves open; some are sure only where the passage is the whole document."""
    if whole_document:
        yield from _missing_attributes(analysis)
        yield from _missing_of_siblings(analysis)
        yield from (Miss(*each) for each in open_questions(analysis))
    yield from _undocumented_defaults(analysis)
    yield from (Miss(*each) for each in open_of_parameters(analysis))
    yield from (Miss(*each) for each in open_of_records(analysis))
    yield from (Miss(*each) for each in open_of_tasks(analysis))
    yield from (Miss(*each) for each in open_of_circumstances(analysis))


def _missing_attributes(analysis: Analysis) -> Iterator[Miss]:
    """What one asks of this kind of thing, and the whole document does not say."""
    theme, text = analysis.profile.theme, f"{analysis.passage.opening}\n{analysis.passage.text}"
    if not theme or len(text.split()) < 60:
        return
    if analysis.profile.is_person:
        if analysis.keys:
            return  # a page of a staff handbook: nobody looks there for parents and marriages
        nouns = " ".join(analysis.profile.type_nouns)
        for kinds, forbidden, question in _CALLINGS:
            if _OF_THE_LIVING.match(question) and _DEAD.search(text):
                continue
            if re.search(kinds, nouns) and not re.search(forbidden, text, re.IGNORECASE):
                yield Miss("missing_calling", question.format(theme))
        for place, (forbidden, question) in enumerate(_PERSON_ATTRIBUTES):
            if "university" in question and not re.search(r"\b(?:19|20)\d\d\b", text):
                continue  # long ago few went there
            if (sum(theme.encode()) + place) % _OCCASIONAL == 0 and not re.search(forbidden, text, re.IGNORECASE):
                yield Miss("missing_life", question.format(theme))
        return
    head = analysis.profile.type_nouns[0] if analysis.profile.type_nouns else ""
    for nouns, forbidden, question in _ATTRIBUTES:
        if head and re.fullmatch(nouns, head) and not re.search(forbidden, text, re.IGNORECASE):
            yield Miss("missing_attribute", question.format(theme))


_OF_THE_LIVING = re.compile(r"To which|How tall is|In which position does|Until when does")
_DEAD = re.compile(r"\b(?:died|death)\b|\([^()\n]*\b[12]\d{3}\b[^()\n]*[–-][^()\n]*\b[12]\d{3}\b[^()\n]*\)")


def plural_key(name: str) -> bool:
    """Whether a key counts something: berths, staff cabins."""
    return tokens_of(f"the {name}")[-1].tag == "NNS"


def _missing_of_siblings(analysis: Analysis) -> Iterator[Miss]:
    """A key that records of the same kind have, or an option that similar commands have, and this document lacks."""
    theme, text = analysis.profile.theme, f"{analysis.passage.opening}\n{analysis.passage.text}".lower()
    if not theme:
        return
    for name in analysis.passage.sibling_attributes:
        if name.startswith("--"):
            if name not in {"--help", "--version"} and name not in text:
                yield Miss("missing_option", f"What does the {name} option of {theme} do?")
            continue
        if any(word[:5] in text for word in content_words(name)) or not re.fullmatch(r"[a-z][a-z '-]+", name):
            continue
        if plural_key(name):
            yield Miss("missing_key", f"How many {name} does {theme} have?")
            continue
        question = key_question(
            Entry(name=name, name_quote="", names=1, text="something", quote="", group=0, section=""), theme
        )
        if question is not None:
            yield Miss("missing_key", question)


def _undocumented_defaults(analysis: Analysis) -> Iterator[Miss]:
    """A parameter without a documented default, where a sibling has one."""
    parameters = parameters_of(analysis)
    if not any(parameter.default for parameter in parameters):
        return
    for parameter in parameters:
        if (
            not re.search(
                r"default|initial|normally|usually|if (?:this|it|not|no)|omitted|unset|boot|preset|read-only|report",
                parameter.entry.text,
                re.IGNORECASE,
            )
            and len(parameter.entry.text.split()) >= 12
            and parameter.kind == "parameter"
        ):
            yield Miss("undocumented_default", f"What is the default value of {parameter.phrase}?")
