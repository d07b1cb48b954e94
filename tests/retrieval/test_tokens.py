from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.retrieval.tokens import TokenizedDocuments, tokenize_documents


def terms(text: str, language: str = "en") -> list[str]:
    """Terms of a document in the order of their places."""
    return names(tokenize_documents([text], language=language))


def names(tokens: TokenizedDocuments) -> list[str]:
    by_id = {number: term for term, number in tokens.vocabulary.items()}
    return [by_id[number] for number in tokens.terms.tolist()]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The connections are refused", ["connect", "refus"]),
        ("PostgreSQL's replicas", ["postgresql", "replica"]),
        ("it’s the vendor’s", ["vendor"]),
        ("set max_wal_size now", ["set", "max_wal_size", "max", "wal", "size", "now"]),
        ("use --no-acl here", ["use", "--no-acl", "no-acl", "acl", "here"]),
        ("psql -U alice", ["psql", "-u", "u", "alic"]),
        ("pg_catalog.pg_class", ["pg_catalog.pg_class", "pg", "catalog", "pg", "class"]),
        ("INSERT ... ON CONFLICT fails", ["insert", "conflict", "fail"]),
        ("call getElementById()", ["call", "getelementbyid", "get", "element", "id"]),
        ("__init__", ["__init__", "init"]),
        ("well - known; foo--bar", ["well", "known", "foo", "bar"]),
        ("____ -- ...", []),
        ("ｆｕｌｌ　ｗｉｄｔｈ", ["full", "width"]),
    ],
)
def test_english_terms(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("数据库系统", ["数据", "数", "据库", "据", "库系", "库", "系统", "系", "统"]),
        ("用", ["用"]),
        ("东京，日本", ["东京", "东", "京", "日本", "日", "本"]),
        ("使用PostgreSQL数据", ["使用", "使", "用", "postgresql", "数据", "数", "据"]),
        ("カワン・ショート", ["カワ", "ワン", "ショ", "ョー", "ート"]),
    ],
)
def test_unspaced_scripts_become_bigrams_and_han_characters(text: str, expected: list[str]) -> None:
    assert terms(text, "zh") == expected


def test_other_languages_are_stemmed_by_their_own_rules_or_left() -> None:
    assert terms("die Verbindungen", "de") == ["die", "verbind"]
    assert terms("connections", "eo") == ["connections"]
    assert terms("हिन्दी में", "hi") == ["हिन्दी", "में"]  # vowel signs stay inside their words


@given(st.lists(st.text(alphabet="abcXYZ019_-.:'/ 数据\n’ñ", max_size=60), max_size=4))
def test_offsets_hold_the_term(texts: list[str]) -> None:
    tokens = tokenize_documents(texts, language="eo")  # without stemming a term is the text it stands for
    keys = list(zip(tokens.documents.tolist(), tokens.starts.tolist(), strict=True))
    assert keys == sorted(keys)
    for document, term, start, end in zip(
        tokens.documents.tolist(), names(tokens), tokens.starts.tolist(), tokens.ends.tolist(), strict=True
    ):
        assert 0 <= start < end <= len(texts[document])
        stretch = texts[document][start:end].lower().replace("’", "'").replace("\n", " ")
        assert stretch in (term, term + "'s")


@given(st.text(max_size=30))
def test_any_text_is_read_alike_as_document_and_as_question(text: str) -> None:
    tokens = tokenize_documents([text])
    assert sorted(tokens.terms_of(text).tolist()) == sorted(tokens.terms.tolist())
