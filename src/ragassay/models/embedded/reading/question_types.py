"""What kind of thing a question asks for, and whether a text holds one."""

from __future__ import annotations

import re
from collections.abc import Set
from typing import Literal

from ragassay.models.embedded.reading.quantities import quantities
from ragassay.models.embedded.reading.terms import names

AnswerType = Literal["date", "place", "person", "amount", "definition", "list", "manner", "reason", "choice", "other"]


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.VERBOSE | re.IGNORECASE)


_CUES: dict[AnswerType, re.Pattern[str]] = {
    "date": _pattern(
        r"""(?<!happens\s)(?<!applies\s)(?<!do\s)\bwhen\b(?!\s+\w+ing\b)
        | \b(?:what|which)\s+(?:\w+\s+)?(?:year|date|day|month|time|decade|century)\b
        | 何时|什么时候|哪一?年|哪个?月|日期"""
    ),
    "place": _pattern(
        r"""\bwhere\b
        | \b(?:what|which)\s+(?:\w+\s+)?(?:city|country|place|state|town|location|region|county|village|address|port)\b
        | 哪里|何处|地点|在哪"""
    ),
    "person": _pattern(
        r"""\bwho(?:m|se)?\b | \b(?:what|which)\s+(?:person|president|director|author|artist|player|scientist)\b
        | 谁|何人"""
    ),
    "amount": _pattern(
        r"""\bhow\s+(?:many|much|old|long|tall|high|far|large|big|heavy|deep|wide|fast|often)\b
        | \b(?:what|which)\s+(?:\w+\s+){0,3}(?:number|amount|percentage|price|cost|fee|fare|rate|length|height|size|area
            |population|distance|revenue|profit|total|limit|weight|duration|period|age|maximum|minimum|speed|capacity)\b
        | 多少|几"""
    ),
    "reason": _pattern(r"\bwhy\b | \bwhat\s+(?:\w+\s+)?(?:caused?|reasons?)\b | \bhow\s+come\b | 为什么|原因"),
    "manner": _pattern(
        r"\bhow\s+(?:do|does|did|is|are|was|were|to|can|could|should|has|have|will|would)\b | 如何|怎么|怎样"
    ),
    "list": _pattern(
        r"""\b(?:what|which|who)\s+(?:\w+\s+){0,2}(?:are|were)\b | \b(?:list|name\s+the|outline|summari[sz]e)\b
        | \b(?:what|which)\s+(?!(?:does|is|was|has)\b)(?:\w+\s+)?\w{2,}[^s\W]s\b | 哪些|列出|总结"""
    ),
    "definition": _pattern(
        r"""^\W*what\s+(?:is|are|does)\b.*\b(?:mean|stand\s+for|refer)\b
        | ^\W*(?:what|who)\s+(?:is|are|was|were)\s+(?:an?\s+)?(?!the\b)[\w\s'’.-]{2,60}\?*\s*$ | 是什么"""
    ),
    "choice": _pattern(
        r"""^\W*(?:is|are|was|were|do|does|did|can|could|has|have|had|will|would|should|must|may)\b | \bwhich\s+of\b
        | 是否|吗[？?]"""
    ),
}


def expected_types(question: str) -> tuple[AnswerType, ...]:
    """What the question asks for, most telling first; ``other`` where no cue is found."""
    found = tuple(answer_type for answer_type, cue in _CUES.items() if cue.search(question))
    return found or ("other",)


_PATTERNS: dict[AnswerType, re.Pattern[str]] = {
    "reason": _pattern(
        r"""\b(?:because|since|due|owing|caused?|reason|result(?:s|ed|ing)?|led|leads?|leading|therefore|thus|so\s+that
            |in\s+order|thanks)\b | 因为|由于|导致|因此"""
    ),
    "manner": _pattern(
        r"""\b(?:by|through|via|using|with|first|then|next|finally|steps?|allow\w*|enabl\w*|involv\w*|process|method)\b
        | 通过|首先|然后"""
    ),
    "definition": _pattern(
        r"""\b(?:is|are|was|were)\s+(?:an?|the|one)\b | \brefers?\s+to\b | \bmeans?\b | \bdefined\b | \bstands\s+for\b
        | \bknown\s+as\b | 是|指"""
    ),
    "list": _pattern(r"[,;、；] | \band\b | \n\s*(?:[-*•]|\d+[.)])"),
    "choice": _pattern(r"^\W*(?:yes|no|both|neither|true|false)\b | \b(?:not|\w+n['’]t)\b | ^\W*[是否不]"),
}
_TIME = _pattern(
    r"""\b(?:century|decade|yesterday|today|tomorrow|o'clock|\d{1,2}:\d{2}|\d{1,2}\s?(?:am|pm|a\.m|p\.m)|days?|weeks?|months?
        |years?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|summer|winter|spring|autumn)\b"""
)
_VAGUE_AMOUNT = _pattern(
    r"""\b(?:one|dozens?|hundreds|thousands|millions|half|quarter|double|several|unlimited|free|once|twice|daily|weekly)\b"""
)
_ROLE_OR_PLACE = _pattern(
    r"""\b(?:team|staff|company|person|people|agent|office|department|group|customers?|members?|at\s+the|on\s+the|in\s+the
        |inside|outside)\b"""
)


def holds_type(text: str, answer_type: AnswerType, asked: Set[str] = frozenset()) -> bool:
    """Whether a text holds a thing of the kind that is asked for. asked: terms of the question, which are no answer."""
    if answer_type == "date":
        return _TIME.search(text) is not None or any(
            quantity.kind in ("year", "month", "day") for quantity in quantities(text)
        )
    if answer_type == "amount":
        return _VAGUE_AMOUNT.search(text) is not None or any(
            quantity.kind not in ("month", "day") for quantity in quantities(text)
        )
    if answer_type in ("place", "person"):
        return bool(names(text) - asked) or _ROLE_OR_PLACE.search(text) is not None
    pattern = _PATTERNS.get(answer_type)
    return pattern is None or pattern.search(text) is not None


def type_share(text: str, question: str, asked: Set[str] = frozenset()) -> float:
    """Share of the kinds asked for that the text holds, in [0, 1]; one half where the question shows no kind."""
    wanted = [answer_type for answer_type in expected_types(question) if answer_type != "other"]
    if not wanted:
        return 0.5
    return sum(holds_type(text, answer_type, asked) for answer_type in wanted) / len(wanted)
