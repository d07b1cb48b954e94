"""Objects and lists as language models write them: JSON with the usual damage, mended without guessing at content.

What is mended: trailing, doubled and missing commas, comments, single and typographic quotes, names without quotes,
Python's literals, raw line breaks and unescaped quotes in strings, inner closing brackets that were forgotten. Anything
else breaks the reading off. Nothing recurses and nothing is evaluated; the time is linear in the length of the text.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Value: TypeAlias = "str | int | float | bool | list[Value] | dict[str, Value] | None"
Container: TypeAlias = "list[Value] | dict[str, Value]"
Ending: TypeAlias = Literal["closed", "unclosed", "cut", "broken"]

MAX_DEPTH: Final = 40  # replies of tasks are three or four deep

_QUOTES: Final = {'"': '"', "'": "'", "“": '”“"', "„": "“”„", "‘": "’‘'"}
"""Opening quotes, and the quotes that may close each."""
_OPENINGS: Final = frozenset(_QUOTES) | frozenset("[{")
_COMMENTS: Final = ("//", "/*", "#")
_STOPS: Final = {quote: re.compile(rf"[\\{closing}]") for quote, closing in _QUOTES.items()}

_SPACE: Final = re.compile(r"\s*")
# bounded, since a thousand openings of a comment without an end would all be searched to the end of the text
_FILLING: Final = re.compile(r"(?:\s++|(?://|#)[^\n]*+|/\*(?:[^*]|\*(?!/)){0,200}+\*/)*+")
_NUMBER: Final = re.compile(r"[-+]?[0-9]{1,300}(?:\.[0-9]{0,300})?(?:[eE][-+]?[0-9]{1,3})?(?=[\s,\]}/#])")
_LITERAL: Final = re.compile(r"(?:true|false|null|True|False|None)(?!\w)")
_LITERALS: Final = {"true": True, "True": True, "false": False, "False": False, "null": None, "None": None}
_BARE_KEY: Final = re.compile(r"[^\W\d][\w-]{0,60}(?=[ \t]{0,20}:)")
_QUOTED_KEY: Final = re.compile(r"""["'“„‘](?:[^"\\\n]|\\.){0,200}?["'“”‘’]\s*:""")
# what shows that a comma ended an entry; dots do too, and then break the reading off
_ITEM: Final = re.compile(r"""["'“„‘\[{]|[-+]?\d|\.{3}|…|(?:true|false|null|True|False|None)\b""")
_LAST_WORD: Final = re.compile(r"[-+.\w]*+\Z")
_BRACKET: Final = re.compile(r"[\[{]")
_ESCAPE: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})(?:\\u([dD][c-fC-F][0-9a-fA-F]{2}))?|(.))", re.DOTALL)
_ESCAPED: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_ESCAPED_AS_THEY_ARE: Final = "\"'/\\“”„‘’\n"


@dataclass(frozen=True, slots=True)
class Parsed:
    """An object or list that begins at ``start`` of a text; reading stopped at ``end``.

    ending: "closed" by its own bracket; "unclosed", only the last bracket is missing after a whole entry; "cut" by the
    end of the text; "broken" by what cannot be read.
    """

    value: Container
    start: int
    end: int
    ending: Ending


def objects_in(text: str) -> Iterator[Parsed]:
    """Return the objects and lists of a text, from left to right; one that broke is not searched for smaller ones."""
    at = 0
    while bracket := _BRACKET.search(text, at):
        parsed = parse(text, bracket.start())
        yield parsed
        at = parsed.end


def parse(text: str, start: int) -> Parsed:
    """Read the object or list whose opening bracket is at ``start``."""
    return _Parser(text, start).parse()


class _Stop(Exception):  # noqa: N818 - control flow of this file
    """Reading cannot go on from where it is."""


class _Parser:
    """Place in the text, and the open containers. after_value: the innermost has got a value and no comma since."""

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.start = start
        self.at = start
        self.open: list[Container] = []
        self.after_value = False
        self.value_end = start

    def parse(self) -> Parsed:
        root = self._opened()
        ending: Ending = "closed"
        try:
            while self.open:
                self._entry()
        except _Stop:
            ending = self._ending()
        return Parsed(root, self.start, self.at, ending)

    def _ending(self) -> Ending:
        at_end = self.at == len(self.text)
        # prose that follows begins a line of its own
        apart = at_end or "\n" in self.text[self.value_end : self.at]
        if apart and self.after_value and len(self.open) == 1 and isinstance(self.open[0], dict):
            return "unclosed"
        return "cut" if at_end else "broken"

    def _entry(self) -> None:
        """Read a comma, a closing bracket, or an entry of the innermost container."""
        character = self._next()
        container = self.open[-1]
        if character == ",":
            self.at += 1
            self.after_value = False
        elif character in "]}":
            self._close(character)
        elif self.after_value and not self._entry_begins_without_comma(self.at):
            raise _Stop
        elif isinstance(container, list):
            self.after_value = False
            container.append(self._value(character))
        else:
            self.after_value = False
            key = self._key(character)
            if self._next() != ":":
                raise _Stop
            self.at += 1
            container[key] = self._value(self._next())

    def _next(self) -> str:
        """Return the next character that is neither space nor comment, with ``at`` on it."""
        filling = _FILLING.match(self.text, self.at)
        if filling:
            self.at = filling.end()
        if self.at == len(self.text):
            raise _Stop
        return self.text[self.at]

    def _close(self, character: str) -> None:
        """Close the innermost container of this kind, and those inside it whose own bracket was forgotten."""
        kind = list if character == "]" else dict
        depth = len(self.open) - 1
        while depth >= 0 and not isinstance(self.open[depth], kind):
            depth -= 1
        if depth < 0:
            raise _Stop
        del self.open[depth:]
        self.at += 1
        self._got_value()

    def _got_value(self) -> None:
        self.after_value = True
        self.value_end = self.at

    def _opened(self) -> Container:
        container: Container = [] if self.text[self.at] == "[" else {}
        self.open.append(container)
        self.at += 1
        self.after_value = False
        return container

    def _key(self, character: str) -> str:
        if character in _QUOTES:
            return self._string(character, key=True)
        bare = _BARE_KEY.match(self.text, self.at)
        if bare is None:
            raise self._broken_word()
        self.at = bare.end()
        return bare.group()

    def _value(self, character: str) -> Value:
        if character in "[{":
            if len(self.open) >= MAX_DEPTH:
                raise _Stop
            return self._opened()
        value = self._string(character) if character in _QUOTES else self._bare()
        self._got_value()
        return value

    def _bare(self) -> Value:
        literal = _LITERAL.match(self.text, self.at)
        if literal:
            self.at = literal.end()
            return _LITERALS[literal.group()]
        number = _NUMBER.match(self.text, self.at)
        value = _number(number.group()) if number else None
        if number is None or value is None:
            raise self._broken_word()
        self.at = number.end()
        return value

    def _broken_word(self) -> _Stop:
        """What is no word of JSON; at the end of the text it may be half of one."""
        if _LAST_WORD.match(self.text, self.at):
            self.at = len(self.text)
        return _Stop()

    def _string(self, quote: str, *, key: bool = False) -> str:
        """Return the string that begins at ``at``; it ends at a quote that is followed by what may follow a string."""
        text, start, stops = self.text, self.at + 1, _STOPS[quote]
        at = start
        quoting = False  # between two quotes that belong to the string
        while stop := stops.search(text, at):
            at = stop.end()
            if stop.group() == "\\":
                at += 1
            elif self._ends_string(at, key=key):
                self.at = at
                if quoting:
                    # the string may end here or only its quotation
                    raise _Stop
                return _ESCAPE.sub(_character, text[start : at - 1])
            else:
                quoting = not quoting and quote == '"' and text[at - 2] in " (\n" and not text[at].isspace()
        self.at = len(text)
        raise _Stop

    def _ends_string(self, at: int, *, key: bool) -> bool:
        """Return whether the quote before ``at`` ends a string, judged by what follows it."""
        text = self.text
        after = self._after_space(at)
        if after == len(text):
            return True
        character = text[after]
        if key:
            return character == ":"
        if character == ",":
            after = self._after_space(after + 1)
            if after == len(text) or text[after] in "]},":
                return True
            return text.startswith(_COMMENTS, after) or self._entry_begins(after)
        if character in "]}":
            kind = list if character == "]" else dict
            return any(isinstance(each, kind) for each in self.open)
        return after > at and (self._entry_begins_without_comma(after) or text.startswith(_COMMENTS, after))

    def _entry_begins(self, at: int) -> bool:
        pattern = _ITEM if isinstance(self.open[-1], list) else _QUOTED_KEY
        return pattern.match(self.text, at) is not None

    def _entry_begins_without_comma(self, at: int) -> bool:
        """Return whether only a comma is missing before a place: a quote or a bracket there can be nothing else."""
        return self.text[at] in _OPENINGS and self._entry_begins(at)

    def _after_space(self, at: int) -> int:
        space = _SPACE.match(self.text, at)
        return space.end() if space else at


def _number(digits: str) -> int | float | None:
    if digits.lstrip("+-").isdigit():
        return int(digits)
    value = float(digits)
    return value if math.isfinite(value) else None


def _character(escape: re.Match[str]) -> str:
    code, low, single = escape.groups()
    if code is None:
        return single if single in _ESCAPED_AS_THEY_ARE else _ESCAPED.get(single, escape.group())
    first = int(code, 16)
    if low is not None and 0xD800 <= first < 0xDC00:
        return chr(0x10000 + ((first - 0xD800) << 10) + (int(low, 16) - 0xDC00))
    # half a pair is no character
    return ("\ufffd" if 0xD800 <= first < 0xE000 else chr(first)) + ("\ufffd" if low else "")
