"""Sentences and words with exact offsets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.text import count_words, sentence_spans, sentences, words


@pytest.mark.parametrize(
    "parts",
    [
        ["Mr. Smith paid $3.50 for version 1.2.3.", "He left."],
        ["See e.g. Fig. 3 and foo.py.", "Then stop."],
        ["U.S. troops met Dr. J. R. Hale.", "They left at 5 p.m. on Monday."],
        ["It belongs to Apple Inc.", "The firm said so."],
        ["See No. 5 of vol. 2.", "She said no.", "Then she went."],
        ["Visit www.example.com or http://a.b/c?d=e. now.", "It works!", "Really?"],
        ["Is it?", "Yes!", "“Quote.”", "(An aside.)", "More…", "End."],
        ["1. First step here.", "Second sentence."],
        ["Who am I?", "It is I.", "The end."],
        ["公司成立于2001年。", "其次，收购（股票代码：HXYE）。", "“好。”", "他说；", "然后走了！"],
        ["Heading", "A line without stop", "Another."],
        ["Wait... what happened?", "It ended..."],
        ["Der Vertrag gilt ab dem 3. März 2024, d. h. im 2. Quartal.", "Sie war 12.", "Dann zog sie um."],
        ["Er wiegt ca. 3 kg usw.", "Der Preis steht auf S. 5.", "Er sagte: „Komm.“", "Dann ging er."],
        ["Il a dit : « Viens ! »", "Puis il partit.", "Elle dit : « Bien. »", "« Où ? » demanda-t-il."],
        ["M. Dupont utilise des outils, p. ex. Git, c.-à-d. Gitea.", "Le manuel les décrit.", "Voir chap. Outils."],
        ["El Sr. Pérez vive en EE. UU.", "La Sra. López usa herramientas, p. ej. Git.", "Véase pág. Dos."],
        ["Hay perros, gatos, etc.", "¿Cuántos hay?", "¡Muchos!", "Dijo: «Ven.»", "Luego se fue."],
    ],
)
def test_sentences(parts):
    separator = "\n" if parts[0] == "Heading" else "" if "。" in parts[0] else " "
    assert sentences(separator.join(parts)) == parts


def test_a_line_break_ends_a_sentence_whatever_follows():
    text = "external plugins: loaded.\nbuiltin plugins: from a directory.\nothers"
    assert sentences(text) == text.split("\n")


def test_sentences_glued_by_a_lost_line_break():
    text = "He spoke with Billboard.At the 30th gala he won (2018).On Monday he left.Inventory theory differs."
    assert sentences(text) == [
        "He spoke with Billboard.",
        "At the 30th gala he won (2018).",
        "On Monday he left.",
        "Inventory theory differs.",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Call System.Out now",
        "Open Node.JS and ASP.NET first",
        "It is at example.Com/path",
        "Use a.B there",
        "U.S.Army base",
    ],
)
def test_names_with_dots_are_not_split(text):
    assert sentences(text) == [text]


def test_protected_stretches_are_not_split():
    text = "Use logging.Logger here. Or not."
    start = text.index("logging")
    assert sentences(text, [(start, start + len("logging.Logger"))]) == ["Use logging.Logger here.", "Or not."]


def test_words():
    assert words("The well-known O'Neil paid 3.50 in 2024, 公司A.") == [
        *("The", "well-known", "O'Neil", "paid", "3.50", "in", "2024", "公", "司", "A"),
    ]
    assert count_words("one two, three.") == 3


@given(st.text(alphabet=st.sampled_from("aZ .!?\n。“”()1é\t；…:"), max_size=80))
def test_sentences_hold_all_that_is_not_space_in_order(text):
    position = 0
    for start, end in sentence_spans(text):
        assert position <= start < end
        assert not text[position:start].strip()
        assert text[start:end] == text[start:end].strip()
        position = end
    assert not text[position:].strip()
