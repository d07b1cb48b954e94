"""Text of users that cannot hide, reorder or steer: as it is shown, and as it is written to a terminal."""

from __future__ import annotations

import errno
import io
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text

from ragassay.report.safe_text import CleanStream, Piece, clean_streams, excerpt, excerpt_around, open_console, visible


def test_harmful_characters_are_spelt_out_and_scripts_keep_their_joiners() -> None:
    assert visible("a\x1b[31m\u202eb\ud800") == "a⟨U+001B⟩[31m⟨U+202E⟩b⟨U+D800⟩"
    assert visible("one\r\ntwo\rthree\u2028four\tfive") == "one\ntwo\nthree\nfour\tfive"
    assert visible("\u05d0\u200f \u0645\u06cc\u200c\u062e \U0001f469\u200d\U0001f52c") == (
        "\u05d0\u200f \u0645\u06cc\u200c\u062e \U0001f469\u200d\U0001f52c"
    )


@given(st.text(alphabet=st.characters(exclude_categories=())))
def test_visible_text_can_be_written_and_stays_as_it_is(text: str) -> None:
    once = visible(text)
    once.encode("utf-8")
    assert visible(once) == once


def test_an_excerpt_ends_between_words_if_there_are_any() -> None:
    assert excerpt("ten little words", 16) == "ten little words"
    assert excerpt("ten little words", 14) == "ten little …"
    assert excerpt("x" * 20, 14) == "x" * 14 + " …"


def test_a_short_text_is_shown_whole_with_overlapping_marks_joined() -> None:
    shown = excerpt_around("The ferry sails at noon.", [(4, 9), (6, 15)], 100)
    assert shown.pieces == (Piece("The ", False, 0), Piece("ferry sails", True, 0), Piece(" at noon.", False, 0))
    assert shown.left_out == 0


def test_a_long_text_is_cut_around_its_marks_and_says_how_much_is_left_out() -> None:
    text = "a " * 100 + "MARK" + " b" * 100  # 200 + 4 + 200 characters
    shown = excerpt_around(text, [(200, 204)], 44)
    # 40 characters are left for both sides: 20 before, of which 0 up to the next word, and 20 after
    assert [piece.marked for piece in shown.pieces] == [False, True, False]
    assert shown.pieces[1].text == "MARK"
    assert shown.pieces[0].left_out + len(shown.pieces[0].text) == 200
    assert shown.left_out + len(shown.pieces[2].text) == 200
    assert sum(len(piece.text) for piece in shown.pieces) <= 44


@given(
    st.text(alphabet="ab \n", max_size=300),
    st.lists(st.tuples(st.integers(-5, 320), st.integers(-5, 320)), max_size=5),
    st.integers(1, 120),
)
def test_pieces_and_gaps_make_up_the_whole_text(text: str, marks: list[tuple[int, int]], chars: int) -> None:
    shown = excerpt_around(text, marks, chars)
    position = 0
    for piece in shown.pieces:
        position += piece.left_out
        assert text[position : position + len(piece.text)] == piece.text
        position += len(piece.text)
    assert position + shown.left_out == len(text)
    assert sum(len(piece.text) for piece in shown.pieces) <= max(chars, 0) or len(text) <= chars


STEERING = "a\x1b[31mred\x1b]0;title\x07b\x9bc\r\u202ed"
SPELT_OUT = "a⟨U+001B⟩[31mred⟨U+001B⟩]0;title⟨U+0007⟩b⟨U+009B⟩c\n⟨U+202E⟩d"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_escapes_are_spelt_out() -> None:
    shown = io.StringIO()
    clean = CleanStream(shown)
    assert clean.write(STEERING) == len(STEERING)
    clean.writelines(["\tüber\n", "\x00"])
    assert shown.getvalue() == f"{SPELT_OUT}\tüber\n⟨U+0000⟩"


@pytest.mark.parametrize(
    ("stdout", "expected"), [(Terminal(), SPELT_OUT), (io.StringIO(), STEERING)], ids=["terminal", "pipe"]
)
def test_standard_error_is_clean_and_standard_output_where_it_is_a_terminal(
    monkeypatch: pytest.MonkeyPatch, stdout: io.StringIO, expected: str
) -> None:
    stderr = Terminal()
    monkeypatch.setattr(sys, "stdout", stdout)
    monkeypatch.setattr(sys, "stderr", stderr)
    with clean_streams(), clean_streams():
        sys.stdout.write(STEERING)
        sys.stderr.write(STEERING)
        print(STEERING, file=sys.stderr)
    assert (sys.stdout, sys.stderr) == (stdout, stderr)
    assert stdout.getvalue() == expected
    assert stderr.getvalue() == f"{SPELT_OUT}{SPELT_OUT}\n"


def test_a_console_keeps_its_own_escapes(monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = Terminal()
    monkeypatch.setattr(sys, "stderr", stderr)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    with clean_streams():
        open_console(stderr=True).print(Text("bold", style="bold"))
    assert stderr.getvalue() == "\x1b[1mbold\x1b[0m\n"


def test_a_pipe_without_a_reader_is_left_to_the_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    class Closed(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError(errno.EPIPE, "Broken pipe")

    monkeypatch.setattr(sys, "stdout", Closed())
    with pytest.raises(BrokenPipeError) as broken:
        open_console().print("a table")
    assert broken.value.errno == errno.EPIPE
