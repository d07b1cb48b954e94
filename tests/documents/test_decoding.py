"""Bytes to text: texts of many languages in the encodings that they are kept in, and what is said of each."""

from __future__ import annotations

from importlib import import_module

import pytest

from ragassay.documents.decoding import decode_bytes
from ragassay.documents.parsed import UnreadableError

KEPT_IN = {
    "cp1252": "de es fr it pt sv da fi nb ca",
    "cp1250": "pl cs hu hr sk sl",
    "iso8859-2": "pl hu",
    "cp1251": "ru uk bg sr",
    "koi8-r": "ru",
    "cp866": "ru",
    "cp1253": "el",
    "cp1254": "tr",
    "cp1255": "he",
    "cp1256": "ar fa",
    "cp1257": "lt",
    "cp874": "th",
    "cp932": "ja",
    "euc_jp": "ja",
    "iso2022_jp": "ja",
    "cp949": "ko",
    "gb18030": "zh",
    "utf-16-le": "de ru el he ar th ja ko zh hi en",
    "utf-16-be": "de ru el he ar th ja ko zh hi en",
}
TABLE = [(encoding, language) for encoding, languages in KEPT_IN.items() for language in languages.split()]
ENGLISH = "It opened in May and the first ferry of the season left the pier at noon, with forty cars on its deck. "


THAI = "กรุงเทพมหานครเป็นเมืองหลวงของประเทศไทย มีประชากรมากที่สุดในประเทศ เรือข้ามฟากออกจากท่าเรือตอนเที่ยง"


def sentences(language: str, encoding: str) -> str:
    """Sentences that spaCy keeps as examples of a language, without the signs that an encoding lacks."""
    text = THAI if language == "th" else "\n".join(import_module(f"spacy.lang.{language}.examples").sentences)
    return text.encode(encoding, "ignore").decode(encoding)


@pytest.mark.parametrize(("encoding", "language"), TABLE)
def test_texts_of_many_languages_are_read_in_the_encoding_that_they_are_kept_in(encoding, language):
    text = sentences(language, encoding)
    read = decode_bytes(text.encode(encoding))
    assert read.text == text
    assert "a guess" in read.note
    assert decode_bytes(text.encode(), "cp1252") == (text, "")  # UTF-8 is told from any other, also from the user's


@pytest.mark.parametrize("sign", [*"£–—“”‘’•…€©®°½×§±²éèêçñüößåæøÀÉíãõ", "£12.8", "Kirkvoe–Marrowick", "“Zürich”"])
@pytest.mark.parametrize("sentence", ["Fares rose to {} there. ", "The line{}that is new. "])
def test_few_signs_of_windows_text_are_enough(sign, sentence):
    text = ENGLISH + sentence.format(sign) + ENGLISH
    assert decode_bytes(text.encode("cp1252")).text == text


PROSE = "Le café – “noir” – est fermé. "
DECLARED = "<meta charset={}><p>Füße</p>"


@pytest.mark.parametrize(
    ("data", "encoding", "text", "said"),
    [
        # one damaged byte costs one sign, and nothing around it
        (PROSE.encode() + b"Caf\xe9.", None, PROSE + "Caf\ufffd.", "Damaged: 1 stretch"),
        (PROSE.encode()[:-8], None, PROSE[:-7], ""),
        ("ferm\u00e9".encode()[:-1] + b" " + PROSE.encode(), None, "ferm\ufffd " + PROSE, "Damaged: 1 stretch"),
        (b"\xff\xfe" + "ab".encode("utf-16-le") + b"c", None, "ab\ufffd", "Damaged: 1 stretch"),
        ("a\ufffdé".encode(), None, "a\ufffdé", ""),
        # the mark, then UTF-8, then what the text declares
        (b"\xef\xbb\xbfF\xc3\xbc", "cp1251", "Fü", ""),
        (DECLARED.format("utf-8").encode(), None, DECLARED.format("utf-8"), ""),
        (DECLARED.format("iso-8859-1").encode(), None, DECLARED.format("iso-8859-1"), ""),
        (DECLARED.format("iso-8859-1").encode("cp1252"), None, DECLARED.format("iso-8859-1"), "cp1252, as it declares"),
        (DECLARED.format("macintosh").encode("mac_roman"), None, DECLARED.format("macintosh"), "mac-roman, as it"),
        (
            b"<?xml version='1.0' encoding='cp437'?>\x81",
            None,
            "<?xml version='1.0' encoding='cp437'?>ü",
            "cp437, as it",
        ),
        (b".. -*- coding: cp850 -*-\n\x81", None, ".. -*- coding: cp850 -*-\nü", "cp850, as it declares"),
        (DECLARED.format("base64").encode("cp1252"), None, DECLARED.format("base64"), "cp1252, a guess"),
        # what the user says counts where the bytes are not UTF-8
        ("Été".encode("cp850"), "cp850", "Été", "cp850, as --encoding says"),
        (DECLARED.format("cp1251").encode("cp1252"), "cp1252", DECLARED.format("cp1251"), "as --encoding says"),
        ("Füße".encode(), "cp1251", "Füße", ""),
        ("東京".encode("iso2022_jp"), "iso2022_jp", "東京", "as --encoding says"),
    ],
)
def test_what_decides_and_what_is_said(data, encoding, text, said):
    read = decode_bytes(data, encoding)
    assert read.text == text
    assert said in read.note if said else not read.note


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (b"\x00\x01\x02" * 100, None),
        (b"\x7fELF\x02\x01\x01\x00" + bytes(range(256)) * 9, None),
        (bytes(range(1, 9)) * 50, None),
        (PROSE.encode("cp1252"), "ascii"),
    ],
)
def test_what_is_no_text_is_refused(data, encoding):
    with pytest.raises(UnreadableError):
        decode_bytes(data, encoding)
