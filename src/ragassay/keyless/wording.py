"""Keys, columns, headings and names as they stand inside a question."""

from __future__ import annotations

import re

from ragassay.models.embedded.reading.parser import is_english, noun_phrase

EMPTY = re.compile(
    r"^(?:none|n/?a|nil|unknown|not (?:applicable|available|known|specified|stated|recorded)|tbd|tba|[-–—?.]*|yes|"
    r"no|self|true|false|see .*|as (?:above|before)|ditto|same .*|as required|various|varies|variable|optional)\.?$",
    re.IGNORECASE,
)
"""A value or cell that says nothing by itself."""
_NO_ATTRIBUTE = frozenset(
    """
    id no number code url link links uri name title note notes comment comments remark remarks description details
    detail information info example examples result results meaning alias summary status contents content page pages
    tip warning caution important question answer usage see returns reference references changes records data text
    type value item items entry row position rank order index yes version email phone telephone fax website date step
    feature features key keywords tags category section unit units subject action actions purpose explanation
    """.split()
)
"""Last words of keys and columns that hold no attribute, or none that its word alone would tell."""
FINITE_TAGS = frozenset({"MD", "VB", "VBZ", "VBD", "VBP", "WP", "WRB", "WDT", "PRP", "EX"})
_POINTING = re.compile(r"\b(?:here|this|these|that|those|it|its|they|their|above|below|following|other|same)\b", re.I)
_KEY = re.compile(r"[A-Za-z][A-Za-z '’/-]{1,40}")
_UNIT = re.compile(r" ?[(\[]([^()\[\]]{1,12})[)\]]$")
_WRITTEN_SO = re.compile(r"[_\d]|[a-z][A-Z]|[A-Z].*[A-Z]")
"""A word whose capitals say something: ID, IPv6, GNU/Linux."""
_GROUP = re.compile(r"\b(?:crew|staff|team|cast|fleet|herd|squad|workforce|class)$")
_MONEY = re.compile(
    r"price|cost|fee|fare|rate|budget|value|amount|salary|limit|charge|revenue|total|allowance|turnover|spend|deposit|"
    r"excess|reward|bonus|prize|grant|wage|income|profit|loss|balance|refund|premium|discount|funding|debt|loan|payment|"
    r"tax|sales|capital|assets|penalty|fine|rent"
)
_CALENDAR = re.compile(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|\w+day|I|I['’]\w+)$"
)
_BARE_NUMBER = re.compile(r"[\d.,]*\d")


def capitalised(text: str) -> str:
    """The text with a capital at its start."""
    return text[:1].upper() + text[1:]


def lower_first(text: str) -> str:
    """A question without the capital at its start."""
    return text if text.startswith("I ") else text[:1].lower() + text[1:]


def sentence_case(text: str, prose: str) -> str:
    """A title or heading as it stands inside a sentence: each word as the prose writes it, acronyms as they are."""
    words = []
    for word in text.split():
        bare = re.escape(word.strip(".,"))
        lower = len(re.findall(rf"(?<=[a-z,] ){bare.lower()}\b", prose))
        same = len(re.findall(rf"(?<=[a-z,] ){bare}\b", prose))
        words.append(word if _WRITTEN_SO.search(word) or same > lower else word.lower())
    return " ".join(words)


def attribute_of(name: str, value: str = "") -> str:
    """A key or column as a noun that can stand after "the": 'gross tonnage'; empty for one that is no attribute."""
    bare = _UNIT.sub("", name).strip()
    if not _KEY.fullmatch(bare) or _POINTING.search(bare) or len(bare.split()) > 5:
        return ""
    words = [word.lower() if word[1:] == word[1:].lower() or _shouts(word) else word for word in bare.split()]
    noun = " ".join(words).removeprefix("number of ")
    tokens = noun_phrase(noun)
    last = tokens[-1].lower if tokens else ""
    if not tokens or tokens[-1].tag not in {"NN", "NNS", "NNP", "NNPS"} or last in _NO_ATTRIBUTE:
        return ""
    if any(token.tag in FINITE_TAGS or token.lower in {"and", "or"} for token in tokens):
        return ""
    if last.endswith("ing") and last not in {"rating", "building", "ranking", "ceiling", "offspring"}:
        return ""  # 'vehicle marshalling' is no attribute, and 'heating' one of which nobody asks so
    if _GROUP.search(noun) and re.fullmatch(r"[\d,]+(?: [a-z]+)?", value):
        return f"{noun} size"
    if re.match(r"[$€£] ?\d", value) and not _MONEY.search(noun):
        return f"{noun} price"
    return noun


def _shouts(word: str) -> bool:
    """Whether a word is in capitals for no reason of its own: 'SIZE', and not 'EMR'."""
    return word.isupper() and len(word) > 3 and is_english(word.lower())


def unit_of(name: str) -> str:
    """What a key or column says in brackets that its bare numbers count: 'm' of "Length (m)"; or empty."""
    found = _UNIT.search(name)
    return found[1] if found else ""


def with_unit(value: str, name: str) -> str:
    """A bare number with the unit that its key or column gives."""
    unit = unit_of(name)
    if not unit or not _BARE_NUMBER.fullmatch(value):
        return value
    return f"{unit}{value}" if unit in {"$", "€", "£", "¥"} else f"{value}{'' if unit == '%' else ' '}{unit}"


def is_plural(noun: str) -> bool:
    """Whether a noun phrase is a plural."""
    tokens = noun_phrase(noun)
    return bool(tokens) and tokens[-1].tag in {"NNS", "NNPS"}


def is_full_name(label: str) -> bool:
    """Whether a label names one thing anywhere: 'MV Granite Point', 'wal_level'; not 'Boilers' or 'Basic'."""
    words = label.split()
    if not words:
        return False
    if len(words) == 1:
        return re.search(r"\w[_.]\w|[A-Za-z]\d|\d[A-Za-z]|[a-z][A-Z]", label) is not None
    return (
        all(word[:1].isupper() or word[:1].isdigit() or word in SMALL_WORDS for word in words)
        and words[0] not in SMALL_WORDS
    )


SMALL_WORDS = frozenset("of the and de la du von van für for in on".split())


def of_label(label: str) -> str:
    """Return a heading or a row's label as it stands after "of": names as they are, others in quotation marks."""
    is_name = label.startswith("“") or is_full_name(label) or len(label.split()) == 1
    return label if is_name else f"“{label}”"


def names_something(question: str) -> bool:
    """Whether a word of a question behind its first is a name or a code."""
    words = [word.strip("“”\"'(),.;:?") for word in question.split()[1:]]
    return any(
        (word[:1].isupper() or _WRITTEN_SO.search(word)) and not _CALENDAR.match(word) and not word.isdigit()
        for word in words
    )


_EMPTY_WORDS = frozenset(
    "i my me we our us you your it is are was the a an of in on at to for do does did can could should may must will"
    " what which who when where why how there be have has get use make need if or and with from by not any"
    " against".split()
)


def telling_words(question: str) -> set[str]:
    """The words of a question that say what it is about."""
    return {word for word in re.findall(r"[\w'’-]+", question.lower()) if word not in _EMPTY_WORDS}


_GENERIC = re.compile(
    r"(?:index|readme|home|overview|introduction|untitled|document|notes?|page|contents|data|text|file|about|faqs?|"
    r"frequently asked questions|glossary|history|summary|description|examples?|usage|options|parameters|preface|"
    r"synopsis|name|general(?: information)?|miscellaneous|lists? of .*|further information|see also|"
    r"(?:chapter|appendix|part|section|page|item|record|row) [\w.]+|(?:about )?this \w+)$",
    re.IGNORECASE,
)


def is_generic(title: str) -> bool:
    """Whether a title names no document: "FAQ", "Overview"."""
    return _GENERIC.match(title) is not None


_CUT_OFF = re.compile(
    r"(?:and|or|but|nor|because|if|when|while|that|which|who|to|of|by|with|from|than|is|are|was|were)\b.*\s"
    r"|.*(?:[,…]|\.\.|\s(?:the|an?|and|or|but|nor|of|to|in|on|at|by|for|with|from|that|which|who|than|as|if|is|are|was|"
    r"were|be|can|may|must|will))$"
)


def is_fragment(text: str) -> bool:
    """Whether a phrase of several words is a piece of a sentence: it begins or ends where one would go on."""
    return " " in text and _CUT_OFF.match(text) is not None
