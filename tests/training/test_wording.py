from __future__ import annotations

from ragassay.models.small import wording


def test_markup_goes_and_wrapped_lines_are_joined() -> None:
    text = (
        "## Care\n\nSee [the **guide**](http://a.example/x_y) before\nyou *wash* it <br>with `soap_bar`.\n\n"
        "- dry it\n  flat\n- iron\n\n1. <%= title %>fold\n![a tent](tent.png)\n"
    )
    assert wording.plain(text) == (
        "Care\nSee the guide before you wash it with `soap_bar`.\n- dry it flat\n- iron\n1. fold"
    )


def test_a_sentence_is_one_line_without_its_list_mark() -> None:
    assert wording.sentence("- Dry it\n  flat.\n\n2) Iron it.") == "Dry it flat. Iron it."
    assert wording.sentence("-5 degrees") == "-5 degrees"


def test_a_window_grows_on_both_sides_as_far_as_it_fits() -> None:
    text = "One rose. Two fell. Three stood. Four sat. Five lay."
    at = text.index("Three")
    # A sentence counts 2 words + 1: 9 hold the sentence itself, the one before and the one after.
    start, end = wording.window(text, at, at + 12, lambda part: len(part.split()), limit=9)
    assert text[start:end] == "Two fell. Three stood. Four sat."
