"""Equations of Word (Office MathML) as one line: "E=mc^2", "(a+b)/2", "√(x)"."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
MATHS = frozenset((f"{_M}oMath", f"{_M}oMathPara"))
_DEEPEST = 60


def math_text(element: Any, depth: int = 0) -> str:
    """What an equation, or a part of one, reads as. Of markup that is nested absurdly deep, its signs alone."""
    if element.tag == f"{_M}t":
        return element.text or ""
    if depth > _DEEPEST:
        return "".join(element.itertext(f"{_M}t"))
    write = _WRITTEN.get(element.tag)
    return write(element, depth + 1) if write else "".join(math_text(child, depth + 1) for child in element)


def _part(element: Any, name: str, depth: int) -> str:
    part = element.find(f"{_M}{name}")
    return "" if part is None else math_text(part, depth)


def _sign(element: Any, properties: str, name: str, default: str) -> str:
    """A sign that is set where it differs from the usual one."""
    found = element.find(f"{_M}{properties}/{_M}{name}")
    return default if found is None else found.get(f"{_M}val") or ""


def _apart(text: str) -> str:
    return text if len(text) < 2 or text.isalnum() else f"({text})"


def _scripts(element: Any, depth: int) -> str:
    below, above = _part(element, "sub", depth), _part(element, "sup", depth)
    return (f"_{_apart(below)}" if below else "") + (f"^{_apart(above)}" if above else "")


def _root(element: Any, depth: int) -> str:
    return f"{_part(element, 'deg', depth)}√{_apart(_part(element, 'e', depth))}"


def _between(element: Any, depth: int) -> str:
    inner = _sign(element, "dPr", "sepChr", "|").join(math_text(part, depth) for part in element.iterchildren(f"{_M}e"))
    return f"{_sign(element, 'dPr', 'begChr', '(')}{inner}{_sign(element, 'dPr', 'endChr', ')')}"


def _sum(element: Any, depth: int) -> str:
    return f"{_sign(element, 'naryPr', 'chr', '∫')}{_scripts(element, depth)} {_part(element, 'e', depth)}"


def _function(element: Any, depth: int) -> str:
    return f"{_part(element, 'fName', depth)} {_part(element, 'e', depth)}"


def _fraction(element: Any, depth: int) -> str:
    return "/".join(_apart(_part(element, name, depth)) for name in ("num", "den"))


def _scripted(element: Any, depth: int) -> str:
    return _part(element, "e", depth) + _scripts(element, depth)


def _rows(element: Any, depth: int) -> str:
    rows = (
        ", ".join(math_text(part, depth) for part in row.iterchildren(f"{_M}e"))
        for row in element.iterchildren(f"{_M}mr")
    )
    return "; ".join(rows)


_WRITTEN: dict[str, Callable[[Any, int], str]] = {
    f"{_M}f": _fraction,
    f"{_M}func": _function,
    f"{_M}rad": _root,
    f"{_M}d": _between,
    f"{_M}nary": _sum,
    f"{_M}m": _rows,
    **dict.fromkeys((f"{_M}sSup", f"{_M}sSub", f"{_M}sSubSup"), _scripted),
}
