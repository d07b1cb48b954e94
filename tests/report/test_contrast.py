"""Colours of figures and controls are told from their ground: contrast after WCAG 2.2, 1.4.11, in both themes.

That of texts is measured in the browser, on whole pages.
"""

from __future__ import annotations

import re

import pytest

from ragassay.report.html import asset

LEAST = 3.0
STYLE = asset("page.css") + asset("items.css")
THEMES = [
    (name, dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{6});", body)))
    for name, body in re.findall(r"color-scheme: (\w+);([^}]*)}", STYLE)
]


def luminance(colour: str) -> float:
    """Relative luminance of #rrggbb, in [0, 1]."""
    shares = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_worked_out_as_wcag_does() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)  # the lightest grey that is text on white


def test_series_axes_and_borders_stand_out_in_both_themes() -> None:
    assert [name for name, _ in THEMES] == ["light", "dark", "dark"]
    assert THEMES[1] == THEMES[2]
    for theme, colours in THEMES:
        for name in ("s0", "s2", "s3", "s4", "s5", "muted"):
            assert contrast(colours[name], colours["paper"]) >= LEAST, (theme, name)


def test_colours_are_named_once_for_each_theme() -> None:
    """A colour written into a rule would be the same in both themes, and nothing here would look at it."""
    outside = re.sub(r"[^{}]*{\s*color-scheme:[^}]*}", "", STYLE)
    assert re.findall(r"#[0-9a-fA-F]{3,8}\b", outside) == []
