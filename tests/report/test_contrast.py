"""Colours of the pages are told apart: contrast after WCAG 2.2, worked out from the style sheets, in both themes."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from ragassay.report.html import asset

TEXT, GRAPHICS = 4.5, 3.0
"""WCAG 2.2, success criteria 1.4.3 (text of normal size) and 1.4.11 (what is needed to see figures and controls)."""

STYLE = asset("page.css") + asset("items.css")
SERIES = ("s0", "s1", "s2", "s3", "s4", "s5")
PAIRS = [
    *((text, ground, TEXT) for text in ("ink", "muted", "link") for ground in ("paper", "shade")),
    ("mark-ink", "mark", TEXT),
    *(("ink", ground, TEXT) for ground in ("g1", "g2", "g3", "g4")),  # counts on the grounds of heat maps
    *((name, "paper", TEXT) for name in SERIES),  # names at the ends of lines are written in their colours
    *(("paper", name, TEXT) for name in ("s2", "s3", "s4", "s5", "muted")),  # shares inside bars; s0 as a bar is muted
    ("muted", "paper", GRAPHICS),  # axes, borders of controls
]


def themes() -> Iterator[tuple[str, dict[str, str]]]:
    """Name and colours of each block of the style sheet that sets a theme."""
    for name, body in re.findall(r"color-scheme: (\w+);([^}]*)}", STYLE):
        yield name, dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{6});", body))


THEMES = list(themes())


def luminance(colour: str) -> float:
    """Relative luminance of #rrggbb, in [0, 1]."""
    shares = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """From 1, the same, to 21, black on white."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def over(colour: str, ground: str, opacity: float) -> str:
    """What is seen of a colour that lets its ground through."""
    mixed = (
        round(int(colour[place : place + 2], 16) * opacity + int(ground[place : place + 2], 16) * (1 - opacity))
        for place in (1, 3, 5)
    )
    return "#" + "".join(f"{each:02x}" for each in mixed)


def rule_of(selector: str) -> str:
    """The declarations of the one rule with this selector."""
    (found,) = re.findall(rf"^{re.escape(selector)} {{([^}}]*)}}", STYLE, re.MULTILINE)
    return str(found)


def test_contrast_is_worked_out_as_wcag_does() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)  # the lightest grey that is text on white
    assert over("#000000", "#ffffff", 0.5) == "#808080"


def test_there_is_a_light_theme_and_one_dark_theme_that_is_chosen_in_two_ways() -> None:
    assert [name for name, _ in THEMES] == ["light", "dark", "dark"]
    assert THEMES[1] == THEMES[2]
    assert THEMES[0][1].keys() == THEMES[1][1].keys()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_and_figures_stand_out_from_their_ground(theme: str) -> None:
    colours = dict(THEMES)[theme]
    weak = {
        f"{front} on {ground}": round(contrast(colours[front], colours[ground]), 2)
        for front, ground, least in PAIRS
        if contrast(colours[front], colours[ground]) < least
    }
    assert weak == {}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_whiskers_stand_out_though_the_paper_shines_through(theme: str) -> None:
    colours = dict(THEMES)[theme]
    (opacity,) = re.findall(r"opacity: ([\d.]+)", rule_of(".wh"))
    for name in SERIES:
        seen = over(colours[name], colours["paper"], float(opacity))
        assert contrast(seen, colours["paper"]) >= GRAPHICS, name


@pytest.mark.parametrize("selector", ["button", ".tools input, .tools select"])
def test_controls_have_a_border_that_is_seen(selector: str) -> None:
    (name,) = re.findall(r"border: 1px solid var\(--([\w-]+)\)", rule_of(selector))
    for theme, colours in THEMES:
        assert contrast(colours[name], colours["paper"]) >= GRAPHICS, theme


def test_colours_are_named_once_for_each_theme() -> None:
    """A colour written into a rule would be the same in both themes, and nothing here would look at it."""
    outside = re.sub(r"[^{}]*{\s*color-scheme:[^}]*}", "", STYLE)
    assert re.findall(r"#[0-9a-fA-F]{3,8}\b", outside) == []
