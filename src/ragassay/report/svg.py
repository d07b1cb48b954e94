"""A small writer of SVG figures for the report: lines, whiskers, markers, labels, scales.

Colours are classes of the page's CSS. Coordinates are pixels of the view box, y downwards. All text is escaped here.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from ragassay.report.safe_text import visible
from ragassay.report.wording import count, decimal


def number(value: float) -> str:
    """Return a coordinate with one decimal at most: figures stay small and the same everywhere."""
    return f"{value:.1f}".removesuffix(".0")


def escaped(text: str) -> str:
    """Return text of any origin, fit for an element or a quoted attribute."""
    return str(escape(visible(text)))


class Canvas:
    """Collects elements and writes them as one accessible <svg>."""

    def __init__(self, width: float, height: float) -> None:
        self.width = width
        self.height = height
        self._parts: list[str] = []

    def line(self, x1: float, y1: float, x2: float, y2: float, kind: str) -> None:
        self._parts.append(f'<path class="{kind}" d="M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}"/>')

    def polyline(self, points: Sequence[tuple[float, float]], kind: str) -> None:
        if len(points) > 1:
            path = " ".join(f"{number(x)},{number(y)}" for x, y in points)
            self._parts.append(f'<polyline class="{kind}" points="{path}"/>')

    def text(self, x: float, y: float, content: str, kind: str = "", anchor: str = "start") -> None:
        css = f' class="{kind}"' if kind else ""
        place = "" if anchor == "start" else f' text-anchor="{anchor}"'
        self._parts.append(f'<text{css} x="{number(x)}" y="{number(y)}"{place}>{escaped(content)}</text>')

    def marker(self, x: float, y: float, shape: str, kind: str, tip: str = "") -> None:
        """shape: ``circle``, ``square``, ``triangle``, ``diamond`` or ``cross``. tip: shown by browsers on hovering."""
        title = f"<title>{escaped(tip)}</title>" if tip else ""
        self._parts.append(f'<path class="{kind}" d="{_marker_path(x, y, shape)}">{title}</path>')

    def whisker(self, x: float, y_low: float, y_high: float, kind: str) -> None:
        """A vertical interval with caps."""
        top, bottom, left, right = number(y_high), number(y_low), number(x - 3), number(x + 3)
        path = f"M{left} {top}H{right}M{number(x)} {top}V{bottom}M{left} {bottom}H{right}"
        self._parts.append(f'<path class="{kind}" d="{path}"/>')

    def render(self, identity: str, title: str, description: str) -> Markup:
        """identity: unique in the page. title, description: what a screen reader says in place of the figure."""
        name = re.sub(r"[^A-Za-z0-9_-]+", "-", identity)
        return Markup(  # every part is built from numbers, fixed class names and text escaped above
            f'<svg role="img" viewBox="{self._size}" aria-labelledby="{name}-t" aria-describedby="{name}-d">'
            f'<title id="{name}-t">{escaped(title)}</title><desc id="{name}-d">{escaped(description)}</desc>'
            f"{''.join(self._parts)}</svg>"
        )

    def render_ornament(self) -> Markup:
        """For drawings that only repeat the words beside them: screen readers pass them over."""
        return Markup(f'<svg aria-hidden="true" viewBox="{self._size}">{"".join(self._parts)}</svg>')

    @property
    def _size(self) -> str:
        return f"0 0 {number(self.width)} {number(self.height)}"


def _marker_path(x: float, y: float, shape: str) -> str:
    if shape == "square":
        return f"M{number(x - 3.5)} {number(y - 3.5)}h7v7h-7z"
    if shape == "triangle":
        return f"M{number(x)} {number(y - 4.5)}l4.5 8h-9z"
    if shape == "diamond":
        return f"M{number(x)} {number(y - 5)}l5 5l-5 5l-5 -5z"
    if shape == "cross":
        return f"M{number(x - 3.5)} {number(y - 3.5)}l7 7m0 -7l-7 7"
    return f"M{number(x - 4)} {number(y)}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z"


@dataclass(frozen=True, slots=True)
class Scale:
    """A straight line from values to pixels; ``start`` is the pixel of ``low``."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        inside = min(max(value, self.low), self.high)
        return self.start + (inside - self.low) / (self.high - self.low) * (self.end - self.start)

    @property
    def ticks(self) -> list[float]:
        return round_ticks(self.low, self.high)


def round_ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return multiples of 1, 2 or 5 times a power of ten that hold ``low`` and ``high`` between them.

    most: steps at most. A range without extent gets one step of 0.1.
    """
    extent = high - low if high > low else 1.0
    power = 10.0 ** math.floor(math.log10(extent / most))
    step = next(power * factor for factor in (1, 2, 5, 10, 20) if _steps(low, high, power * factor) <= most)
    first, digits = math.floor(low / step + 1e-9), max(0, -math.floor(math.log10(step) + 1e-9))
    return [round((first + place) * step, digits) for place in range(max(1, _steps(low, high, step)) + 1)]


def _steps(low: float, high: float, step: float) -> int:
    return math.ceil(high / step - 1e-9) - math.floor(low / step + 1e-9)


def tick_words(ticks: Sequence[float]) -> list[str]:
    """Write round ticks with as many decimals as their step needs."""
    step = abs(ticks[1] - ticks[0])
    places = max(0, -math.floor(math.log10(step) + 1e-9))
    return [decimal(tick, places) if places or tick < 0 else count(round(tick)) for tick in ticks]
