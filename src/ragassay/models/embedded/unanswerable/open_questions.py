"""What one asks of this kind of page and it leaves open: versions, privileges, exit codes, approvals, injuries.

Where the verifier is on, it reads whether the document answers a question. Where it is off, a question is asked only
if none of the words stands in the text in which any answer would have to be given; the words are chosen wide, so that
many questions are lost and few are answered after all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ragassay.models.embedded.reading.analysis import Analysis
from ragassay.models.embedded.stated.parameters import OPTION, Parameter, parameters_of
from ragassay.models.small import roles
from ragassay.tasks.statements import Passage


class Open(NamedTuple):
    """A question that a text may leave open. pattern: the rule that wrote it."""

    pattern: str
    question: str


class _Kind(NamedTuple):
    """A question for one kind of page: {} takes its theme, {product} the name of the collection, {was} its number.

    answered: what stands in the text if it may hold an answer.
    """

    pattern: str
    answered: str
    question: str


_VERSION = r"version|release|since|introduc|\badded|\bnew\b|prior to|earlier|older|later|\d\.\d"
_PRIVILEGE = r"privileg|superuser|\bown|permi|\broles?\b|grant|must be|allowed|readable|access|\buser"

_CHANGES = r"(?:ALTER|CREATE|DROP|REFRESH|REINDEX|TRUNCATE|COPY|CLUSTER|COMMENT|IMPORT)\b"
"""Commands that change something, so that one may ask what they lock."""

_PROGRAM = (
    _Kind("unstated_version", _VERSION, "In which version of {product} was {} introduced?"),
    _Kind("unstated_exit_status", r"exit|status|return|\bcode\b", "Which exit status does {} return when it fails?"),
    _Kind(
        "unstated_environment",
        r"environment|variable|\$[A-Z]|\b[A-Z]{6,}\b",
        "Which environment variables does {} use?",
    ),
    _Kind(
        "unstated_platform",
        r"windows|linux|unix|platform|macos|operating system",
        "Is {} supported on Windows?",
    ),
    _Kind("unstated_privilege", _PRIVILEGE, "Which privileges does one need to run {}?"),
)
_COMMAND = (
    _Kind("unstated_version", _VERSION, "Since which version of {product} has {} been available?"),
    _Kind("unstated_privilege", _PRIVILEGE, "Which privilege does a user need to run {}?"),
    _Kind("unstated_transaction", r"transaction|commit|rollback|roll", "Can {} be run inside a transaction block?"),
    _Kind("unstated_lock", r"\block|concurren|block", "Which kind of lock does {} acquire?"),
)
_FUNCTION = (
    _Kind("unstated_version", _VERSION, "In which version of {product} was {} added?"),
    _Kind("unstated_threads", r"thread|concurren|reentrant", "Is it safe to call {} from several threads at once?"),
)
_TABLE = (
    _Kind("unstated_version", _VERSION, "In which version of {product} was {} added?"),
    _Kind("unstated_privilege", _PRIVILEGE, "Which privilege does a user need to read {}?"),
    _Kind("unstated_indexes", r"index|unique|primary key", "Which indexes are defined on {}?"),
)
_MONEY = r"[£$€]|\bcost|\bpaid|\bpay|price|expens|\bloss|damages|budget"
_INJURY = r"injur|hurt|casualt|harm|burn|hospital|ambulance|medical|killed|died"
_INSURANCE = r"insur|underwrit|claim|cover"
_APPROVAL = r"approv|sign|adopt|board|author|owner|director|manager"
_CONTACT = r"telephone|phone|\bcall\b|contact|@"
_PERSON = (
    _Kind("unstated_contact", _CONTACT, "What is the telephone number of {}?"),
    _Kind("unstated_contact", _CONTACT, "What is the e-mail address of {}?"),
)
_PAGES: tuple[tuple[str, tuple[_Kind, ...]], ...] = (
    (
        r"policy|procedure|plan|standard|code|rules|handbook|guidelines|scheme",
        (
            _Kind("unstated_person", _APPROVAL, "Who approved {}?"),
            _Kind("unstated_date", r"effective|force|from \d|since", "When did {} come into force?"),
            _Kind("unstated_review", r"review|revis|updat", "When {was} {} last reviewed?"),
        ),
    ),
    (
        r"fire|collision|accident|grounding|explosion|crash|derailment|storm|flood",
        (
            _Kind("unstated_injuries", _INJURY, "How many people were injured in {}?"),
            _Kind("unstated_cost", _MONEY, "How much did the damage from {} cost?"),
            _Kind("unstated_insurer", _INSURANCE, "Which insurer paid for the damage from {}?"),
        ),
    ),
    (
        r"failure|outage|incident|fault|leak|shift|spill|breakdown|breach",
        (
            _Kind("unstated_cost", _MONEY, "How much did {} cost?"),
            _Kind("unstated_insurer", _INSURANCE, "Which insurer paid for the damage from {}?"),
            _Kind("unstated_detection", r"detect|notic|discover|report|alarm|saw|found", "Who first noticed {}?"),
            _Kind("unstated_inquiry", r"investigat|inquir|audit", "Who investigated {}?"),
        ),
    ),
    (
        r"terminal|depot|office|yard|station|site|warehouse|building|hall|plant|factory|centre|center",
        (
            _Kind("unstated_parking", r"park|spaces|\bcars?\b|vehicle", "How many parking spaces does {} have?"),
            _Kind("unstated_person", r"design|architect|drawn|plans", "Who designed {}?"),
            _Kind("unstated_cost", _MONEY, "How much did it cost to build {}?"),
            _Kind("unstated_contact", _CONTACT, "What is the telephone number of {}?"),
            _Kind("unstated_staff", r"employ|staff|workforce|people", "How many people work at {}?"),
            _Kind("unstated_access", r"wheelchair|step-free|ramp|disab", "Is {} accessible by wheelchair?"),
        ),
    ),
    (
        r"system|software|app|tool|website",
        (
            _Kind(
                "unstated_language",
                r"written in|language|python|java|\bcode|program",
                "In which programming language is {} written?",
            ),
            _Kind("unstated_users", r"\busers?\b|customers|people|staff|members", "How many users does {} have?"),
        ),
    ),
    (
        r"report|review|survey|study|minutes|newsletter|guide",
        (_Kind("unstated_person", r"author|wr(?:ote|itten)|prepar|edit|compil|\bby\b|owner", "Who wrote {}?"),),
    ),
)
_FEWEST_WORDS = 60
"""Words of a page below which hardly anything would stand in it, and every question would be far from it."""


def open_questions(analysis: Analysis) -> Iterator[Open]:
    """Questions that the whole document, which the passage is, leaves open."""
    theme, text = analysis.profile.theme, f"{analysis.passage.opening}\n{analysis.passage.text}"
    if not theme or ":" in theme or len(text.split()) < _FEWEST_WORDS:
        return
    name, kinds = _kinds(analysis, theme, text)
    for kind in kinds:
        if "{product}" in kind.question and not analysis.passage.collection:
            continue
        if kind.pattern == "unstated_lock" and not re.match(_CHANGES, theme):
            continue
        if kind.pattern == "unstated_indexes" and name.startswith("the view "):
            continue  # views have none
        if is_open(kind.answered, text):
            was = "were" if _head(name).endswith("s") else "was"
            yield Open(kind.pattern, kind.question.format(name, product=analysis.passage.collection, was=was))


_RECORDS: tuple[tuple[str, tuple[_Kind, ...]], ...] = (
    (
        r"patient ",
        (
            _Kind("unstated_insurer", r"insur|payer|coverage", "Which health insurer covers {}?"),
            _Kind(
                "unstated_blood_type", r"blood (?:type|group)|\brh\b|\b[ABO]{1,2}[+-]", "What is the blood type of {}?"
            ),
            _Kind("unstated_weight", r"weigh|\bkg\b|\blbs?\b|pounds|\bBMI\b", "How much does {} weigh?"),
            _Kind("unstated_contact", r"contact|telephone|phone|next of kin", "Who is the emergency contact of {}?"),
        ),
    ),
    (
        r"the case of ",
        (
            _Kind("unstated_witnesses", r"witness|testif|testimon", "How many witnesses testified in {}?"),
            _Kind("unstated_bail", r"\bbail|bond|custod|detain|detention|arrest", "What bail was set in {}?"),
        ),
    ),
    (
        r".* (?:Inc|Ltd|Corp|Co|LLC|PLC|Company|Corporation|Group|Enterprises|Solutions|Services)\.?$",
        (
            _Kind("unstated_staff", r"employ|staff|workforce|people|personnel", "How many employees does {} have?"),
            _Kind("unstated_founder", r"found|establish|creat|start|set up|launch", "Who founded {}?"),
            _Kind("unstated_auditor", r"audit|accountan|review", "Which firm audits the accounts of {}?"),
        ),
    ),
)
"""Begins or form of the themes of records, which are asked of in parts: these questions hold for the passage alone."""


_FEWEST_KEYS = 3


def open_of_records(analysis: Analysis) -> Iterator[Open]:
    """Questions about a patient, a case or a company that a passage of its record leaves open."""
    theme, text = analysis.profile.theme, f"{analysis.passage.opening}\n{analysis.passage.text}"
    begins = analysis.passage.opening.startswith(analysis.passage.text[:40])
    if len(text.split()) < _FEWEST_WORDS or not (begins or len(analysis.keys) >= _FEWEST_KEYS):
        return  # nobody looks for such things amid the prose
    for form, kinds in _RECORDS:
        if re.match(form, theme) and (theme.startswith(("patient", "the case")) or analysis.theme_is_a_name):
            for kind in kinds:
                if is_open(kind.answered, text):
                    yield Open(kind.pattern, kind.question.format(theme))
            return


def is_open(answered: str, text: str) -> bool:
    """Whether a question may be asked. answered: a pattern of what answers it; the verifier, where it is on, reads."""
    return roles.is_on() or not _pattern(answered).search(text)


@lru_cache(maxsize=64)
def _pattern(answered: str) -> re.Pattern[str]:
    return re.compile(answered, re.IGNORECASE if not re.search(r"\[A-Z\]", answered) else 0)


def _kinds(analysis: Analysis, theme: str, text: str) -> tuple[str, tuple[_Kind, ...]]:
    """How the page's subject is called in a question, and what is asked of such pages."""
    if re.fullmatch(r"[A-Z]{3,}(?: [A-Z]+)*", theme):
        return theme, _COMMAND if re.search(r"(?m)^Synopsis$", text) else ()
    has_options = any(OPTION.match(entry.name) for entry in analysis.terms)
    if has_options and re.fullmatch(r"[a-z][\w.-]*(?: [a-z][\w-]*){0,2}", theme):
        return theme, _PROGRAM
    if re.fullmatch(r"[A-Za-z]\w*(?:\(\))?", theme):
        if _lists_columns(analysis.passage):
            kind = re.search(rf"\bThe (?:system )?(catalog|view|table) {re.escape(theme)}\b", text)
            return (f"the {kind[1]} {theme}", _TABLE) if kind else (theme, ())
        return theme, _FUNCTION if _has_prototype(theme, text) else ()
    if analysis.profile.is_person:
        return theme, _PERSON if analysis.keys else ()
    if not theme.startswith("the "):
        return theme, ()
    if analysis.profile.type_nouns and "policy" not in theme:
        return theme, ()  # the text says what it is; an office may be an agency
    if re.search(r"\b(?:manual|reference|topic|chapter|keyword)\b", theme, re.IGNORECASE):
        return theme, ()  # 'Reference Manual: Topic fire' is no fire
    return theme, next((kinds for nouns, kinds in _PAGES if re.fullmatch(nouns, _head(theme))), ())


def _head(theme: str) -> str:
    return re.split(r" (?:of|at|on|in|to|for|by|from|with|between) ", theme)[0].rsplit(" ", 1)[-1].lower()


def _lists_columns(passage: Passage) -> bool:
    """Whether a table says that it gives columns with their types: then the page is about a table of a database."""
    heads: dict[int, list[str]] = {}
    for block in passage.blocks:
        if block.kind == "header_cell" and block.row == 0:
            heads.setdefault(block.group, []).append(passage.text[block.start : block.end])
    return any(re.search(r"column\b.*\btype", " ".join(cells), re.IGNORECASE) for cells in heads.values())


def _has_prototype(name: str, text: str) -> bool:
    """Whether a line declares it with its type, as C does: 'void SPI_pfree(void * pointer)'."""
    if f"{name}(" not in text:
        return False
    return re.search(rf"(?m)^[ \t]*{_TYPE}[ *]+{re.escape(name)}\(", text) is not None


_TYPE = (
    r"(?:(?:const|static|extern|unsigned) )*(?!The |This |An? |If |When |Call |Use )"
    r"(?:void|int|char|bool|[A-Z]\w+|\w+_t)"
)


_BOUNDED = re.compile(
    r"maxim|at most|range|between|up to|less|limit|largest|exceed|must|no more|below|greater|valid", re.I
)
_CHANGED = re.compile(
    r"can only|start|reload|session|\bset\b.*\bfile|\.conf|chang|superuser|privileg|command line|read-only|report", re.I
)
_NUMERIC = re.compile(r"\((?:integer|floating point|int|float|number)\)$")


def open_of_parameters(analysis: Analysis) -> Iterator[Open]:
    """Limits and conditions that some parameters of a passage have, asked of those for which it gives none."""
    parameters = parameters_of(analysis)
    settable = [parameter for parameter in parameters if parameter.kind == "parameter"]
    for parameter in settable:
        if len(parameter.entry.text.split()) < 12 or parameter.entry.text not in analysis.passage.text:
            continue
        others = [other for other in settable if other is not parameter]
        if _NUMERIC.search(parameter.entry.name) and not _said_of(parameter, _BOUNDED):
            yield Open("unstated_maximum", f"What is the maximum allowed value of {parameter.phrase}?")
        if any("can only be set at server start" in other.entry.text for other in others) and not _said_of(
            parameter, _CHANGED
        ):
            question = f"Is a server restart needed for a new value of {parameter.phrase} to take effect?"
            yield Open("unstated_restart", question)


def _said_of(parameter: Parameter, pattern: re.Pattern[str]) -> bool:
    return pattern.search(parameter.entry.text) is not None
