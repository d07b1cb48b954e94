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


def test_encyclopaedia_markup() -> None:
    assert wording.plain("== Life ==\n'''Ada''' wrote ''Notes''.") == "Life Ada wrote Notes."


def test_names_with_underscores_and_products_stay() -> None:
    assert wording.plain("set max_len_s = 2*3*4") == "set max_len_s = 2*3*4"


def test_a_sentence_is_one_line_without_its_list_mark() -> None:
    assert wording.sentence("- Dry it\n  flat.\n\n2) Iron it.") == "Dry it flat. Iron it."
    assert wording.sentence("-5 degrees") == "-5 degrees"


def test_a_window_grows_on_both_sides_as_far_as_it_fits() -> None:
    text = "One rose. Two fell. Three stood. Four sat. Five lay."
    at = text.index("Three")
    # A sentence counts 2 words + 1: 9 hold the sentence itself, the one before and the one after.
    start, end = wording.window(text, at, at + 12, lambda part: len(part.split()), limit=9)
    assert text[start:end] == "Two fell. Three stood. Four sat."


def test_a_window_holds_its_own_sentence_however_long() -> None:
    text = "One rose. Two rose and fell again."
    at = text.index("Two")
    start, end = wording.window(text, at, len(text), lambda part: len(part.split()), limit=2)
    assert text[start:end] == "Two rose and fell again."


def test_what_is_learned_begins_with_a_capital() -> None:
    assert wording.question_target("how  long?\n") == " How long?"
    assert wording.question_target("") == " "
