"""Signatures compared: columns with their types and references, functions with their arguments and results."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from ragassay.models.embedded.analysis import Analysis, Entry, is_self_contained
from ragassay.models.embedded.drafts import Draft, pick
from ragassay.models.embedded.grammar import tokens_of
from ragassay.text import sentences

_COLUMN = re.compile(
    r"(?P<name>[a-z]\w*) (?P<type>[a-z][\w ]*(?:\[\])?)(?: \(references (?P<to>[a-z]\w*)\.(?P<key>\w+)\))?"
)
_FUNCTION = re.compile(
    r"(?P<name>[a-z]\w*) ?\( ?(?P<arguments>[^()\[\]]*?) ?\) (?:→|->) (?P<type>[a-z][\w ]*(?:\[\])?)"
)
_ARGUMENT = re.compile(r"[a-z_][a-z0-9_]*(?: [a-z][a-z0-9_ ]*(?:\[\])?)?")
_MOST_COMPARISONS = 6
"""Of one kind from one passage: a table of forty columns would give hundreds, and a document may give few anyway."""
_FEWEST_COLUMNS, _MOST_COLUMNS = 4, 20
"""Columns of a table in which those of one type are counted: all of them are references."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a catalog or view. refers_to: the catalog that its values are keys of, or empty; target: and the key.

    holds: the first sentence of what is said of it, or empty; quote: its name and type as they stand.
    """

    name: str
    type: str
    refers_to: str
    target: str
    holds: str
    quote: str


@dataclass(frozen=True, slots=True)
class Signature:
    """A function. arguments: how many it takes; None where that depends on the call."""

    name: str
    type: str
    arguments: int | None
    quote: str


def first_sentence(entry: Entry) -> str:
    """Of what is said of an entry, as it stands; empty where nothing is said."""
    return next(iter(sentences(entry.text)), "")


@lru_cache(maxsize=64)
def columns_of(analysis: Analysis) -> tuple[tuple[Column, ...], ...]:
    """The columns of each table whose header says that it lists columns with their types, each name once."""
    tables = []
    for group in _groups_headed(analysis, r"column\b.*\btype"):
        found = []
        for entry in analysis.terms:
            match = _COLUMN.fullmatch(entry.name) if entry.group == group and entry.names == 1 else None
            if match:
                found.append(
                    Column(
                        match["name"],
                        match["type"],
                        match["to"] or "",
                        f"{match['to']}.{match['key']}" if match["to"] else "",
                        first_sentence(entry),
                        entry.name_quote,
                    )
                )
        if len(found) == sum(entry.group == group for entry in analysis.terms):
            tables.append(_each_once(found))
    return tuple(tables)


def _groups_headed(analysis: Analysis, header: str) -> list[int]:
    """Groups of blocks whose header row matches a pattern, in any case of letters."""
    passage = analysis.passage
    heads: dict[int, list[str]] = {}
    for block in passage.blocks:
        if block.kind == "header_cell" and block.row == 0:
            heads.setdefault(block.group, []).append(passage.text[block.start : block.end])
    return [group for group, cells in heads.items() if re.search(header, " ".join(cells), re.IGNORECASE)]


def _each_once(columns: Sequence[Column]) -> tuple[Column, ...]:
    names = Counter(column.name for column in columns)
    return tuple(column for column in columns if names[column.name] == 1)


@lru_cache(maxsize=64)
def functions_of(analysis: Analysis) -> tuple[Signature, ...]:
    """The functions that a passage defines by their signatures.

    Overloaded ones are left out, and single plain words, which other passages may overload.
    """
    found = []
    for entry in analysis.terms:
        match = _FUNCTION.fullmatch(entry.name) if entry.names == 1 else None
        if match and "_" in match["name"]:
            count = _argument_count(match["arguments"])
            found.append(Signature(match["name"], match["type"], count, entry.name_quote))
    names = Counter(name for entry in analysis.terms for name in _called(entry))
    return tuple(function for function in found if names[function.name] == 1)


def _called(entry: Entry) -> list[str]:
    return re.findall(r"\b([a-z]\w*) ?\(", entry.name)


def _argument_count(text: str) -> int | None:
    if not text:
        return 0
    arguments = [argument.strip() for argument in text.split(",")]
    return len(arguments) if all(_ARGUMENT.fullmatch(argument) for argument in arguments) else None


def table_name(analysis: Analysis) -> str:
    """How a question names the table that a page is about: 'the catalog pg_class'; empty where nothing tells it.

    A plain word needs what it is: 'columns of sequences' may be those of any.
    """
    theme = analysis.profile.theme
    if not re.fullmatch(r"[a-z]\w*", theme):
        return ""
    opening = analysis.passage.opening or analysis.passage.text
    kind = re.search(rf"\bThe (?:system )?(catalog|view|table) {theme}\b", opening)
    return f"the {kind[1]} {theme}" if kind else theme if "_" in theme else ""


_HOLDS = re.compile(
    r"(?:The|A|An|Name|OID|Number|Type|Size|Owner|Time|Total|List|Text|Current|Maximum|Minimum|Identifier|Index|Array)\b"
)


def signature_facts(analysis: Analysis) -> Iterator[Draft]:
    """Type, reference and content of single columns, the results of single functions."""
    table = table_name(analysis)
    for column in (each for columns in columns_of(analysis) for each in columns) if table else ():
        yield Draft(
            pattern="column_type",
            question=f"What is the type of the column {column.name} of {table}?",
            answer=column.type,
            statement=f"The column {column.name} of {table} is of type {column.type}.",
            quotes=(column.quote,),
            attribute="type",
        )
        if column.refers_to:
            yield Draft(
                pattern="column_reference",
                question=f"What does the column {column.name} of {table} refer to?",
                answer=column.target,
                statement=f"The column {column.name} of {table} refers to {column.target}.",
                quotes=(column.quote,),
                attribute="reference",
            )
        told = re.sub(r"\s+", " ", column.holds).rstrip(".")
        if (
            _HOLDS.match(told)
            and 4 <= len(told.split()) <= 20
            and "(" not in told
            and is_self_contained(told, subject_is_theme=False)
            and is_noun_phrase(told)
        ):
            yield Draft(
                pattern="column_meaning",
                question=f"What does the column {column.name} of {table} hold?",
                answer=told,
                statement=f"The column {column.name} of {table} holds: {told}.",
                quotes=(column.quote, column.holds),
                attribute="meaning",
            )
    for function in functions_of(analysis):
        if function.type != "void":
            yield Draft(
                pattern="result_type",
                question=f"What type of value does the function {function.name} return?",
                answer=function.type,
                statement=f"{function.name} returns {function.type}.",
                quotes=(function.quote,),
                attribute="type",
            )


def is_noun_phrase(text: str) -> bool:
    """Whether no verb makes a sentence of it: those behind 'that' or 'whose' belong to the noun."""
    for token in tokens_of(text):
        if token.lower in {"that", "which", "whose", "when", "if", "where", "for", "to"}:
            return True
        if token.tag in {"VBZ", "VBP", "VBD", "MD"} and not token.is_name:
            return False
    return True


def column_comparisons(analysis: Analysis) -> Iterator[Draft]:
    """Whether two columns of a table have the same type or refer to the same catalog, and how many are of a type."""
    table = table_name(analysis)
    for columns in columns_of(analysis) if table else ():
        yield from _same_types(columns, table)
        yield from _same_references(columns, table)
        yield from _counts_of_type(columns, table, analysis)


def _same_types(columns: Sequence[Column], table: str) -> Iterator[Draft]:
    for one, other in _pairs(columns, table, "type"):
        same = one.type == other.type
        yield Draft(
            pattern="same_type",
            question=f"Do the columns {one.name} and {other.name} of {table} have the same type?",
            answer=f"Yes, both are of type {one.type}"
            if same
            else f"No, the first is of type {one.type}, the second of type {other.type}",
            statement=f"In {table}, {one.name} is of type {one.type} and {other.name} of type {other.type}.",
            quotes=(one.quote, other.quote),
            attribute="type",
        )


def _same_references(columns: Sequence[Column], table: str) -> Iterator[Draft]:
    for one, other in _pairs([column for column in columns if column.refers_to], table, "refers_to"):
        same = one.refers_to == other.refers_to
        yield Draft(
            pattern="same_reference",
            question=f"Do the columns {one.name} and {other.name} of {table} refer to the same catalog?",
            answer=f"Yes, both refer to {one.refers_to}"
            if same
            else f"No, the first refers to {one.refers_to}, the second to {other.refers_to}",
            statement=f"In {table}, {one.name} references {one.refers_to} and {other.name} {other.refers_to}.",
            quotes=(one.quote, other.quote),
            attribute="reference",
        )


def _counts_of_type(columns: Sequence[Column], table: str, analysis: Analysis) -> Iterator[Draft]:
    """How many columns are of one type, from a table that the passage holds whole."""
    if not _FEWEST_COLUMNS <= len(columns) <= _MOST_COLUMNS or analysis.passage.text.rstrip().endswith(
        analysis.terms[-1].text[-40:].rstrip()
    ):
        return  # the table may go on in the next passage
    kinds = Counter(column.type for column in columns)
    for kind, count in kinds.items():
        if not 2 <= count < len(columns):
            continue
        names = [column.name for column in columns if column.type == kind]
        yield Draft(
            pattern="count_of_type",
            question=f"How many of the columns that are listed for {table} have the type {kind}?",
            answer=f"{count} ({', '.join(names)})",
            statement=f"Of the {len(columns)} columns of {table}, {count} are of type {kind}: {', '.join(names)}.",
            quotes=tuple(column.quote for column in columns),
            attribute="count",
        )


def _pairs(columns: Sequence[Column], table: str, said: str) -> list[tuple[Column, Column]]:
    """Neighbouring columns of which the same is said, or different things: chance decides which, so that answers vary.

    said: the attribute that is compared.
    """
    pairs = list(pairwise(columns))
    wanted = bool(sum(f"{table} {said}".encode()) % 2)
    alike = [pair for pair in pairs if (getattr(pair[0], said) == getattr(pair[1], said)) is wanted]
    return (alike or pairs)[: 2 * _MOST_COMPARISONS : 2]


def function_comparisons(analysis: Analysis) -> Iterator[Draft]:
    """'Do the functions A and B return the same type?', 'Which takes more arguments, A or B?'"""
    functions = functions_of(analysis)
    for one, other in list(pairwise(functions))[: 2 * _MOST_COMPARISONS : 2]:
        same = one.type == other.type
        if "void" not in (one.type, other.type):
            yield Draft(
                pattern="same_result",
                question=pick(
                    (
                        f"Do {one.name} and {other.name} return values of the same type?",
                        f"Is the value that {one.name} returns of the same type as that of {other.name}?",
                    ),
                    one.name,
                ),
                answer=f"Yes, both return {one.type}"
                if same
                else f"No, the first returns {one.type}, the second {other.type}",
                statement=f"{one.name} returns {one.type}; {other.name} returns {other.type}.",
                quotes=(one.quote, other.quote),
                attribute="type",
            )
        if one.arguments is None or other.arguments is None or one.arguments == other.arguments:
            continue
        more, fewer = (one, other) if one.arguments > other.arguments else (other, one)
        yield Draft(
            pattern="more_arguments",
            question=f"Which function takes more arguments, {one.name} or {other.name}?",
            answer=f"{more.name} ({more.arguments} against {fewer.arguments or 'none'})",
            statement=f"{more.name} takes {more.arguments} arguments, {fewer.name} {fewer.arguments or 'none'}.",
            quotes=(one.quote, other.quote),
            attribute="arguments",
        )
