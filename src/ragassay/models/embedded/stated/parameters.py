"""Technical names that a passage defines: parameters and options, what is said of them, questions on single ones."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from ragassay.models.embedded.reading.analysis import (
    Analysis,
    Entry,
    balanced,
    is_self_contained,
)
from ragassay.models.embedded.reading.grammar import (
    inflect,
    lemma,
    tokens_of,
)
from ragassay.models.embedded.stated.drafts import Draft, capitalised, pick
from ragassay.text import sentences

_DEFAULT = re.compile(
    r"(?:[Tt]he default(?: value| setting)? is|[Dd]efaults? to|[Bb]y default,? (?:it is|this is)|"
    r"[Dd]efault(?: value)?:) (?P<value>[^.;,()]*(?:\.\w[^.;,()]*)*)(?P<after>[.;,(]|$)"
)
_MEANING_VERBS = frozenset(
    """
    specify set control determine enable define limit give show indicate select choose name describe allow cause
    force prevent disable reference configure list identify record report write print display mark count hold
    store return add remove create replace
""".split()
)
_ASKED_VERBS = frozenset("specify set control determine define indicate report describe select".split())
_IMPERATIVE = frozenset(
    """
    dump print show list output write connect include exclude create drop set use run do cluster echo read restore
    generate display enable disable force specify omit ignore add remove delete vacuum analyze reindex check skip
    send start stop suppress prevent turn make wait execute process copy exit sort select limit define report log
    record allow issue perform begin store save keep reset
""".split()
)
_TELLING_NAME = 12
"""A technical name of so many characters is taken to be the only one of its kind: not ``batch_size``."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A technical name and what is said of it. kind: parameter or option; owner: what it belongs to, or empty.

    collection: what the whole collection is about; it qualifies short names, which may be anybody's.
    """

    name: str
    kind: str
    owner: str
    entry: Entry
    collection: str

    @property
    def phrase(self) -> str:
        """How a question names it: 'wal_level', 'the --all option of clusterdb'."""
        if not self.owner:
            is_short = len(self.name) < _TELLING_NAME and self.name.count("_") < 2 and "." not in self.name
            return f"the {self.collection} parameter {self.name}" if is_short and self.collection else self.name
        return f"the {self.name} {self.kind} {'in' if self.kind == 'parameter' else 'of'} {self.owner}"

    @property
    def meaning(self) -> tuple[str, str] | None:
        """(verb, object) of its definition: ('determine', 'how much is written'); None if it is not plain."""
        return meaning_of(self)

    @property
    def default(self) -> tuple[str, str] | None:
        """(value, sentence) of its documented default."""
        return default_of(self.entry.text)


TYPE = re.compile(
    r"^(?P<name>[a-z][\w.]*) \((?P<type>integer|enum|boolean|string|floating point|int|float|bool|str|number|"
    r"text|list|duration|path)\)$"
)
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+|(?<![\w-])-[A-Za-z](?![\w-])")


_COMMAND = re.compile(r"[\w.-]+|[A-Z ]+|[a-z][\w.-]*(?: [a-z][\w-]*){1,2}")


@lru_cache(maxsize=256)
def parameters_of(analysis: Analysis) -> tuple[Parameter, ...]:
    """The technical names that the passage defines, each with its owner where the name alone could be anybody's."""
    theme = analysis.profile.theme
    found = []
    for entry in analysis.terms:
        if match := TYPE.match(entry.name):
            owner = "" if re.search(r"[_.]", match["name"]) else theme
            found.append(Parameter(match["name"], "parameter", owner, entry, analysis.passage.collection))
            continue
        options = list(OPTION.findall(entry.name))
        if options and re.match(r"\[?-", entry.name) and _COMMAND.fullmatch(theme):
            found.append(Parameter(max(options, key=len), "option", theme, entry, analysis.passage.collection))
        elif re.fullmatch(r"[a-z]+(?:[_.][a-z0-9]+)+", entry.name) and re.search(
            r"param|option|argument|setting|variable|configur", f"{entry.section} {theme}", re.IGNORECASE
        ):
            found.append(Parameter(entry.name, "parameter", "", entry, analysis.passage.collection))
    names = Counter(parameter.name for parameter in found)
    return tuple(parameter for parameter in found if names[parameter.name] == 1)


@lru_cache(maxsize=1024)
def meaning_of(parameter: Parameter) -> tuple[str, str] | None:
    """(verb, object) of the first sentence of a definition; None where it is not one plain predicate."""
    first = next(iter(sentences(parameter.entry.text)), "")
    first = re.sub(r"\s+", " ", re.sub(r" ?\([^()]*\)", "", first)).strip()
    if not first.endswith(".") or not 4 <= len(first.split()) <= 28:
        return None
    words = first[:-1].split(" ", 1)
    if words[0] == parameter.name and len(words) > 1:
        words = words[1].split(" ", 1)
    if len(words) < 2:
        return None
    verb, rest = words
    base = lemma(verb)
    if parameter.name in {"--help", "--version"}:
        return None
    if verb.lower() == base:
        if parameter.kind != "option" or base not in _IMPERATIVE:
            return None
        rest = re.split(rf" and (?={'|'.join(sorted(_IMPERATIVE))}\b)", rest)[0]
    elif base not in _MEANING_VERBS | _IMPERATIVE or inflect(base, "VBZ") != verb.lower():
        return None
    rest = re.split(
        r"(?:, (?:and|but|or|so|which|as|in which|if|unless|where|when|rather|instead|because|allowing|using|"
        r"causing)\b|;|:| — | - )",
        rest,
    )[0]
    if ". " in rest:
        return None  # 'the shutdown mode. mode can be smart': a sentence that begins with a name in small letters
    if not 3 <= len(rest.split()) <= 22 or not balanced(rest) or not is_self_contained(rest, subject_is_theme=False):
        return None
    if tokens_of(rest)[-1].tag in {"IN", "DT", "CC", "TO"} or rest.split()[0].lower() in {"by", "to", "as", "that"}:
        return None
    return base, rest


@lru_cache(maxsize=1024)
def default_of(text: str) -> tuple[str, str] | None:
    """(value, sentence) of the one default that a definition states without conditions."""
    if len(re.findall(r"\bdefaults?\b", text)) > 2:
        return None
    for sentence in sentences(text):
        match = _DEFAULT.search(sentence)
        if not match:
            continue
        value = re.split(r" (?:which|so|unless|when|if|meaning|and|but|that|for|because|on|in)\b", match["value"])[
            0
        ].strip(" :\"'“”")
        if (
            not 1 <= len(value.split()) <= 5
            or value.lower() in {"to", "the same", "used"}
            or re.match(
                r"(?:to|that|used|set|determined|taken|the (?:value|same|name|current|user|setting|operating|"
                r"client|database|server|home)|based|given|usually|typically|platform|computed|compiled|not|"
                r"an?|sufficient|recommended)\b",
                value,
            )
        ):
            return None
        if re.search(r" (?:if|unless|when|for|on|in) ", match["value"] + " ") or re.match(
            r",? (?:if|unless|when|except)\b", sentence[match.end("value") :]
        ):
            return None
        return value, sentence
    return None


def _which_parameter(parameter: Parameter, theme: str, collection: str) -> str | None:
    """The kind of a parameter with its owner: 'PostgreSQL parameter', 'option of pg_dump'; None if too vague."""
    if parameter.owner:
        return f"{parameter.kind} {'in' if parameter.kind == 'parameter' else 'of'} {parameter.owner}"
    if collection:
        return f"{collection} {parameter.kind}"
    return f"{theme.removeprefix('the ')} {parameter.kind}" if theme and len(theme.split()) <= 4 else None


def parameter_facts(parameter: Parameter, theme: str, collection: str) -> Iterator[Draft]:
    """Default, meaning, and the name asked for by its meaning."""
    phrase = parameter.phrase
    default = parameter.default
    if default:
        value, sentence = default
        question = pick(
            ("What is the default value of {}?", "What is {}'s default value?", "What does {} default to?")
            if phrase == parameter.name
            else ("What is the default value of {}?", "What does {} default to?"),
            parameter.name,
        ).format(phrase)
        yield Draft(
            pattern="default",
            question=_capitalised_phrase(question),
            answer=value,
            statement=f"The default value of {phrase} is {value}.",
            quotes=(parameter.entry.name_quote, sentence),
            attribute="default",
        )
    meaning = parameter.meaning
    if meaning is None:
        return
    verb, rest = meaning
    quotes = (parameter.entry.name_quote, next(iter(sentences(parameter.entry.text))))
    third = inflect(verb, "VBZ")
    is_imperative = parameter.entry.text.lower().startswith(f"{verb} ")
    if verb in _ASKED_VERBS and not is_imperative:
        question = f"What does {phrase} {verb}?"
        answer = capitalised(rest)
    else:
        question = f"What does {phrase} do?" if parameter.kind == "option" else f"What is the effect of {phrase}?"
        answer = capitalised(f"{third} {rest}")
    statement = f"{_capitalised_phrase(phrase)} {third} {rest}."
    yield Draft(
        pattern="meaning", question=question, answer=answer, statement=statement, quotes=quotes, attribute="meaning"
    )
    what = _which_parameter(parameter, theme, collection)
    if what and parameter.name.lower().strip("-") not in rest.lower():
        yield Draft(
            pattern="which_parameter",
            question=f"Which {what} {third} {rest}?",
            answer=parameter.name,
            statement=statement,
            quotes=quotes,
            attribute="name",
        )


def _capitalised_phrase(text: str) -> str:
    """A capital at the start unless an identifier stands there."""
    first = text.split(" ", 1)[0]
    return text if re.search(r"[_\d-]", first) else capitalised(text)
