"""Single facts from structure: keys and values, parameters and options, tables, cast lists, one-line purposes."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from ragassay.models.embedded.analysis import Analysis, Entry, Table, balanced, is_self_contained
from ragassay.models.embedded.drafts import Draft, Event, capitalised, pick
from ragassay.models.embedded.grammar import inflect, lemma, tokens_of, with_article
from ragassay.models.embedded.reckoning import find_dates
from ragassay.text import sentences

_PERSONAL = re.compile(
    r"\b(?:gender|sex|age|ethnicity|race|occupation|status|address|birthplace|residence|nationality|religion|blood pressure|pulse|temperature|"
    r"height|weight|respiration|diagnosis|name|complaint|volume|duration|interval|date|time|plan|advice|height|education|profession|habits)$"
)
"""Keys of a patient record that ask for an attribute; what stands under the others is a finding, and asked for as such."""

_EMPTY_VALUE = re.compile(
    r"^(?:none|n/?a|nil|unknown|not (?:applicable|available|known|specified|stated|recorded)|tbd|[-–—?.]*|yes|no|self|true|false|normal|good|fair|see .*)\.?$",
    re.IGNORECASE,
)
_DEFAULT = re.compile(
    r"(?:[Tt]he default(?: value| setting)? is|[Dd]efaults? to|[Bb]y default,? (?:it is|this is)|[Dd]efault(?: value)?:) (?P<value>[^.;,()]*(?:\.\d[^.;,()]*)*)(?P<after>[.;,(]|$)"
)
_MEANING_VERBS = frozenset(
    "specify set control determine enable define limit give show indicate select choose name describe allow cause force prevent disable "
    "reference configure list identify record report write print display mark count hold store return add remove create replace".split()
)
_ASKED_VERBS = frozenset("specify set control determine define indicate report describe select".split())
_IMPERATIVE = frozenset(
    "dump print show list output write connect include exclude create drop set use run do cluster echo read restore generate display enable "
    "disable force specify omit ignore add remove delete vacuum analyze reindex check skip send start stop suppress prevent turn make "
    "wait execute process copy exit sort select limit define report log record allow issue perform begin store save keep reset".split()
)


_TELLING_NAME = 12
"""A technical name of so many characters is taken to be the only one of its kind: ``wal_block_size``, but not ``batch_size``."""


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
        """(verb, object) of the first sentence of its definition: ('determine', 'how much is written'); None if not plain."""
        return meaning_of(self)

    @property
    def default(self) -> tuple[str, str] | None:
        """(value, sentence) of its documented default."""
        return default_of(self.entry.text)


def structure_facts(analysis: Analysis) -> Iterator[Draft]:
    yield from _key_facts(analysis)
    for parameter in parameters_of(analysis):
        yield from _parameter_facts(parameter, analysis.profile.theme, analysis.passage.collection)
    yield from _glossary_facts(analysis)
    for table in analysis.tables:
        if analysis.theme_is_a_name:
            yield from _table_facts(table, analysis.profile.theme)
    yield from _cast(analysis)
    yield from _purpose(analysis)


def plain_keys(analysis: Analysis) -> list[tuple[Entry, str]]:
    """(entry, whom it is about) for keys that ask for one short thing.

    A key must be known: several records of the collection have it, so that it is an attribute and no stray line. Where
    several records of one passage share a key, each is about its own heading; otherwise about the theme.
    """
    sizes = Counter(entry.group for entry in analysis.keys)
    records: dict[str, set[int]] = defaultdict(set)
    for entry in analysis.keys:
        records[entry.name.lower()].add(entry.group)
    several = {group for groups in records.values() if len(groups) > 1 for group in groups}
    found = []
    for entry in analysis.keys:
        name = entry.name.lower()
        repeated = entry.group in several
        if not (repeated or name in analysis.passage.known_keys) or sizes[entry.group] < 3 or not _asks_plainly(entry):
            continue
        headings = {other.group: other.section for other in analysis.keys if other.group in several}
        if repeated and (
            len(set(headings.values())) < len(headings)
            or not re.match(r"[A-Z][^:]*$", entry.section)
            or analysis.profile.is_person  # the sections of a life are no things of their own
        ):
            continue  # nothing tells the records apart
        owner = entry.section if repeated else person_of(entry, analysis.profile.theme)
        if owner and entry.text.lower() not in owner.lower():
            found.append((entry, owner))
    return found


_NO_QUESTION = re.compile(
    r"\b(?:summary|investigation|filing|marshalling|records?|changes|information|details|remarks)$|\band\b.*\band\b",
    re.IGNORECASE,
)
_NEVER_ASKED = frozenset(
    {
        "children's condition",
        "marriage age",
        "disease history",
        "spouse's health condition",
        "marital history",
        "record time",
        "historian",
    }
)
_OF_PERSONS = re.compile(
    r"^(?:gender|sex|age|ethnicity|race|occupation|residence|nationality|birthdate|birth ?date|date of birth|birthplace|education|address|marital status)$"
)
_CASE = re.compile(r"the case of (?P<who>.+) at (?P<court>.+)$")


def person_of(entry: Entry, theme: str) -> str:
    """Whom a key of a court record is about: the case, or the person whom the case is about."""
    case = _CASE.match(theme)
    return f"{case['who']} in the case at {case['court']}" if case and _OF_PERSONS.match(entry.name.lower()) else theme


_NO_ATTRIBUTE = frozenset(
    "name note notes title example warning important tip see yes no id summary url link status contents page version email phone "
    "telephone fax website parameters returns reference policy guide date".split()
) | {"guide number"}


def _asks_plainly(entry: Entry) -> bool:
    return (
        1 <= len(entry.name.split()) <= 5
        and 1 <= len(entry.text.split()) <= 14
        and "\n" not in entry.text
        and not _EMPTY_VALUE.match(entry.text)
        and re.fullmatch(r"[A-Za-z][A-Za-z '’/-]+", entry.name) is not None
        and is_self_contained(f"{entry.name} {entry.text}", subject_is_theme=False)
        and entry.name.lower() not in _NO_ATTRIBUTE | _NEVER_ASKED
        and not _NO_QUESTION.search(entry.name)
        and tokens_of(f"the {entry.name.lower()}")[-1].tag in {"NN", "NNS", "VBN", "VBD", "IN", "NNP", "VBG"}
    )


_WHERE_KEYS = re.compile(r"^(?:based|located)(?: (?:in|at))?$", re.IGNORECASE)
_KEPT_BY = frozenset("maintain own manage operate run supply supervise".split())


def key_question(entry: Entry, theme: str) -> str | None:
    """The question that a key asks of the theme; None where the key is no noun and no known participle."""
    key = entry.name.lower() if not re.search(r"[A-Z]{2}|\b[A-Z]\w+ [A-Z]", entry.name) else entry.name
    key = " ".join(word if word.isupper() and len(word) > 1 else word.lower() for word in entry.name.split())
    dated = find_dates(entry.text)
    tokens = tokens_of(f"the {key}")
    last = tokens[-1]
    if _WHERE_KEYS.match(key):
        return f"Where is {theme} {key.split()[0]}?"
    if dated and key in {"start", "end"}:
        return f"When did {theme} {key}?"
    verb = key.split()[0]
    if len(key.split()) <= 2 and tokens[1].tag in {"VBN", "VBD"} and lemma(verb) != verb:
        if dated and key in {verb, f"{verb} on"}:
            if lemma(verb) == "join":
                return f"When did {theme} join the organisation?"
            active = lemma(verb) in {"retire", "open", "close", "start", "end", "leave", "begin", "graduate"}
            return f"When did {theme} {lemma(verb)}?" if active else f"When was {theme} {verb}?"
        if key == f"{verb} by" and not dated and lemma(verb) in _KEPT_BY:
            return f"Who is {theme} {verb} by?"
        if key == f"{verb} by" and not dated:
            return f"Who {inflect(verb, 'VBD')} {theme}?" if not re.search(r"\d", entry.text) else None
        if key == f"{verb} in" and not dated:
            return f"Where was {theme} {verb}?"
        return None
    if last.tag not in {"NN", "NNS", "NNP", "VBG"} or not is_attribute(key):
        return None
    if (
        len(dated) == 1
        and dated[0].precision != "year"
        and dated[0].text == entry.text.rstrip(".")
        and not re.search(r"\b(?:date|time|year|month|period|deadline|day|birth)$|date", key)
    ):
        return f"When is the {key} of {theme}?"
    if _CASE.match(theme) and key in {"law firm", "date", "time", "address"}:
        return None
    plural = last.tag == "NNS"
    if theme.startswith("patient ") and not _PERSONAL.search(key):
        return f"What does the record of {theme} say about the {key}?"
    if plural and re.fullmatch(r"[\d,]+", entry.text):
        return f"How many {key} does {theme} have?"
    if (
        not dated
        and re.search(
            r"\b(?:manager|lead|owner|author|captain|director|head|chair|judge|clerk|engineer|officer|doctor|surgeon|editor|lawyer|attorney|prosecutor|physician|supervisor|master|contact|sponsor|leader|designer|architect|founder)$",
            key,
        )
        and re.match(r"(?:[A-Z][\w.'’-]*\s?){1,5}$", entry.text)
    ):
        return f"Who is the {key} of {theme}?"
    return f"What {'are' if plural else 'is'} the {key} of {theme}?"


def is_attribute(noun: str) -> bool:
    """Whether a key or a column can stand after 'the': a noun phrase without a verb in it."""
    tokens = tokens_of(f"the {noun}")
    return tokens[-1].tag in {"NN", "NNS", "NNP", "VBG"} and not any(
        token.tag in {"MD", "VB", "VBZ", "VBD", "WP", "WRB"} for token in tokens
    )


def _key_facts(analysis: Analysis) -> Iterator[Draft]:
    for entry, theme in plain_keys(analysis):
        question = key_question(entry, theme)
        if question is None:
            continue
        key = entry.name[:1].lower() + entry.name[1:] if not entry.name.isupper() else entry.name
        dates = find_dates(entry.text)
        event = None
        match = re.match(rf"When (did|was) {re.escape(theme)} (\w+)(?P<rest> the organisation)?\?$", question)
        if len(dates) == 1 and dates[0].text == entry.text and match:
            told = (
                f"{theme} {inflect(match[2], 'VBD')}{match['rest'] or ''}"
                if match[1] == "did"
                else f"{theme} was {match[2]}"
            )
            event = Event(told, question[5].lower() + question[6:-1], dates[0], subject_is_theme=False)
        yield Draft(
            "key_value",
            question,
            entry.text,
            f"The {key} of {theme} is {entry.text.rstrip('.')}.",
            (entry.quote,),
            key.lower(),
            event,
            about=theme if theme != analysis.profile.theme else "",
        )


_TYPE = re.compile(
    r"^(?P<name>[a-z][\w.]*) \((?P<type>integer|enum|boolean|string|floating point|int|float|bool|str|number|text|list|duration|path)\)$"
)
_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+|(?<![\w-])-[A-Za-z](?![\w-])")


def parameters_of(analysis: Analysis) -> list[Parameter]:
    """The technical names that the passage defines, each with its owner where the name alone could be anybody's."""
    theme = analysis.profile.theme
    found = []
    for entry in analysis.terms:
        if match := _TYPE.match(entry.name):
            owner = "" if re.search(r"[_.]", match["name"]) else theme
            found.append(Parameter(match["name"], "parameter", owner, entry, analysis.passage.collection))
            continue
        options = list(_OPTION.findall(entry.name))
        if options and re.match(r"\[?-", entry.name) and re.fullmatch(r"[\w.-]+|[A-Z ]+", theme):
            found.append(Parameter(max(options, key=len), "option", theme, entry, analysis.passage.collection))
        elif re.fullmatch(r"[a-z]+(?:[_.][a-z0-9]+)+", entry.name) and re.search(
            r"param|option|argument|setting|variable|configur", f"{entry.section} {theme}", re.IGNORECASE
        ):
            found.append(Parameter(entry.name, "parameter", "", entry, analysis.passage.collection))
    names = Counter(parameter.name for parameter in found)
    return [parameter for parameter in found if names[parameter.name] == 1]


@lru_cache(maxsize=1024)
def meaning_of(parameter: Parameter) -> tuple[str, str] | None:
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
        r"(?:, (?:and|but|or|so|which|as|in which|if|unless|where|when|rather|instead|because|allowing|using|causing)\b|;|:| — | - )",
        rest,
    )[0]
    if not 3 <= len(rest.split()) <= 22 or not balanced(rest) or not is_self_contained(rest, subject_is_theme=False):
        return None
    if tokens_of(rest)[-1].tag in {"IN", "DT", "CC", "TO"} or rest.split()[0].lower() in {"by", "to", "as", "that"}:
        return None
    return base, rest


@lru_cache(maxsize=1024)
def default_of(text: str) -> tuple[str, str] | None:
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
                r"(?:to|that|used|set|determined|taken|the (?:value|same|name|current|user|setting|operating|client|database|server|home)|based|given|usually|typically|platform|computed|compiled|not|an?|sufficient|recommended)\b",
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


def which_parameter(parameter: Parameter, theme: str, collection: str) -> str | None:
    """The kind of a parameter with what it belongs to: 'PostgreSQL parameter', 'option of pg_dump'; None if too vague."""
    if parameter.owner:
        return f"{parameter.kind} {'in' if parameter.kind == 'parameter' else 'of'} {parameter.owner}"
    if collection:
        return f"{collection} {parameter.kind}"
    return f"{theme.removeprefix('the ')} {parameter.kind}" if theme and len(theme.split()) <= 4 else None


def _parameter_facts(parameter: Parameter, theme: str, collection: str) -> Iterator[Draft]:
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
            "default",
            capitalised_phrase(question),
            value,
            f"The default value of {phrase} is {value}.",
            (parameter.entry.name_quote, sentence),
            "default",
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
    statement = f"{capitalised_phrase(phrase)} {third} {rest}."
    yield Draft("meaning", question, answer, statement, quotes, "meaning")
    what = which_parameter(parameter, theme, collection)
    if what and parameter.name.lower().strip("-") not in rest.lower():
        yield Draft("which_parameter", f"Which {what} {third} {rest}?", parameter.name, statement, quotes, "name")


def capitalised_phrase(text: str) -> str:
    """A capital at the start unless an identifier stands there."""
    first = text.split(" ", 1)[0]
    return text if re.search(r"[_\d-]", first) else capitalised(text)


def _glossary_facts(analysis: Analysis) -> Iterator[Draft]:
    """Terms of a glossary: an ordinary word or name with a definition of at least six words."""
    is_glossary = bool(
        re.search(
            r"glossary|terms|definitions|vocabulary",
            f"{analysis.passage.title} {analysis.passage.section}",
            re.IGNORECASE,
        )
    )
    for entry in analysis.terms:
        if (
            not re.fullmatch(r"[A-Za-z][A-Za-z '’()-]{2,40}", entry.name)
            or _OPTION.search(entry.name)
            or _TYPE.match(entry.name)
        ):
            continue
        first = re.sub(r"\s+", " ", next(iter(sentences(entry.text)), ""))
        if (
            not 6 <= len(first.split()) <= 32
            or not first.endswith(".")
            or not is_self_contained(first, subject_is_theme=False)
        ):
            continue
        if (
            not (is_glossary or re.match(r"(?:An?|The|Any) ", first))
            or entry.name.split()[0].islower()
            or entry.name.isupper()
        ):
            continue
        term = re.sub(r" \([^)]*\)", "", entry.name)
        yield Draft(
            "term",
            pick(
                (
                    f"What is meant by “{term}”?",
                    f"What does the term “{term}” mean?",
                    f"How is the term “{term}” defined?",
                ),
                term,
            ),
            first.rstrip("."),
            f"{term}: {first}",
            (entry.quote.split("\n")[0], first),
            "definition",
        )


def _table_facts(table: Table, theme: str) -> Iterator[Draft]:
    """'What is the <column> of <row>?' from tables whose first column names things."""
    if not 2 <= len(table.header) <= 7 or not 2 <= len(table.rows) <= 40:
        return
    labels = [row[0] for row in table.rows]
    if len(set(labels)) < len(labels) or not all(names_a_thing(label) for label in labels):
        return
    for row, quote in zip(table.rows, table.quotes, strict=True):
        for column in range(1, len(row)):
            header, cell = table.header[column], row[column]
            values = [other[column] for other in table.rows]
            if (
                not re.fullmatch(r"[A-Za-z][A-Za-z ()€$£%/-]{2,30}", header)
                or not 1 <= len(cell.split()) <= 6
                or _EMPTY_VALUE.match(cell)
                or values.count(cell) > 1
            ):
                continue
            noun = column_noun(header, cell)
            if (
                noun.split()[-1] in {"may", "must"}
                or noun in {"start", "end", "date", "from", "to", "version", "type", "number", "code", "value"}
                or not is_attribute(noun)
            ):
                continue
            if tokens_of(f"the {noun}")[-1].tag not in {"NN", "NNP"} or noun in {
                "description",
                "example",
                "notes",
                "name",
                "comment",
                "result",
                "meaning",
                "remarks",
                "alias",
                "aliases",
                "note",
                "detail",
                "details",
            }:
                continue
            unit = re.search(r"\(([^)]*)\)", header)
            answer = f"{cell} {unit[1]}" if unit and re.fullmatch(r"[\d.,]+", cell) else cell
            in_theme = "" if theme.lower() in row[0].lower() or re.search(r"[_.]", row[0]) else f" in {theme}"
            row_name = with_article_free(row[0])
            is_person = bool(_ROLE.search(noun) and re.fullmatch(r"[A-Z][\w.'’-]+(?: [A-Z][\w.'’-]+){1,3}", cell))
            yield Draft(
                "table",
                f"{'Who' if is_person else 'What'} is the {noun} of {row_name}{in_theme}?",
                answer,
                f"The {noun} of {row_name}{in_theme} is {answer}.",
                (table.header_quote, quote),
                noun,
            )


def names_a_thing(label: str) -> bool:
    """Whether a row's label is a name or identifier, so that 'the length of <label>' reads well: MV Saltmarsh, int8, Engineering."""
    words = label.split()
    return (
        1 <= len(words) <= 5
        and bool(re.match(r"[^\d]*[A-Za-z]{3}", label))
        and (
            bool(re.fullmatch(r"[\w.-]*[_\d.][\w.-]*|[a-z]+", label))
            or all(word[0].isupper() or word[0].isdigit() or word in {"of", "the", "and", "de"} for word in words)
        )
    )


_ROLE = re.compile(
    r"\b(?:manager|lead|owner|captain|director|head|chair|officer|editor|master|leader|supervisor|author|chief)$"
)
_MONEY = re.compile(
    r"price|cost|fee|fare|rate|budget|value|amount|salary|limit|charge|revenue|total|allowance|turnover|spend|deposit|excess"
)


def column_noun(header: str, cell: str) -> str:
    """What a column gives, as a noun: 'Default' is a default value, 'Adult' over pounds an adult price."""
    name = re.sub(r" ?\([^)]*\)", "", header).strip()
    noun = name.lower() if not name.isupper() else name
    if noun == "default":
        return "default value"
    return f"{noun} price" if re.match(r"[$€£]", cell) and not _MONEY.search(noun) else noun


def with_article_free(label: str) -> str:
    """A row's label as it stands in a question: plain nouns get an article, names and identifiers do not."""
    if label[:1].isupper() or re.search(r"[_\d]", label) or len(label.split()) > 3:
        return label
    return with_article(label) if tokens_of(f"the {label}")[-1].tag == "NN" and " " in label else label


def _cast(analysis: Analysis) -> Iterator[Draft]:
    """'Jeff Bridges as Mike Olson' in a list or on lines under a heading such as Cast."""
    name = r"[A-Z][\w.'’-]+(?: [A-Z][\w.'’-]+){1,3}"
    lines = re.findall(rf"^[^\w\n]*({name}) as ({name})(?:[,:;(]|$| – | - )", analysis.passage.text, re.MULTILINE)
    roles = Counter(role for _, role in lines)
    theme = analysis.profile.theme
    for actor, role in lines:
        if theme and len(lines) >= 3 and roles[role] == 1 and role not in theme:
            yield Draft(
                "cast",
                pick(("Who plays {0} in {1}?", "Which actor plays {0} in {1}?"), role).format(role, theme),
                actor,
                f"{actor} plays {role} in {theme}.",
                (f"{actor} as {role}",),
                "cast",
            )


def _purpose(analysis: Analysis) -> Iterator[Draft]:
    """'clusterdb — cluster a PostgreSQL database': what a reference page says in one line."""
    theme = analysis.profile.theme
    match = (
        re.search(
            rf"^{re.escape(theme)}(?:\(\))? +[—–-]+ (?P<purpose>[a-z][^\n.]+)$",
            analysis.passage.text[:600],
            re.MULTILINE,
        )
        if theme
        else None
    )
    if not match:
        return
    verb, _, rest = match["purpose"].partition(" ")
    if (
        lemma(verb) != verb
        or not 2 <= len(rest.split()) <= 16
        or tokens_of(f"to {verb} {rest}")[1].tag not in {"VB", "VBP", "NN"}
        or not re.fullmatch(r"[a-z]+", verb)
    ):
        return
    third = inflect(verb, "VBZ")
    command = (
        "SQL command"
        if re.fullmatch(r"[A-Z ]+", theme)
        else "function"
        if re.search(r"^PQ|^SPI_|^lo_|\(\)|[a-z][A-Z]", theme)
        else "program"
    )
    statement = f"{theme} {third} {rest}."
    yield Draft(
        "purpose",
        f"What does the {command} {theme} do?",
        capitalised(f"{third} {rest}"),
        statement,
        (match.group(),),
        "purpose",
    )
    yield Draft("which_does", f"Which {command} {third} {rest}?", theme, statement, (match.group(),), "name")
