"""The switch of the small language model, and what it turns off."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ragassay.errors import UsageError
from ragassay.models.small import roles
from ragassay.models.small.verifier import Verifier


@pytest.fixture(autouse=True)
def nothing_loaded() -> Iterator[None]:
    caches = (roles._verifier, roles._digest)
    for each in caches:
        each.cache_clear()
    yield
    for each in caches:
        each.cache_clear()


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was loaded, by name, in order; nothing is read."""
    calls: list[str] = []
    monkeypatch.setattr(Verifier, "load", lambda: calls.append("verifier") or "the verifier")
    return calls


@pytest.mark.parametrize(("value", "on"), [("on", True), ("off", False), (" On\n", True), ("OFF", False), (None, True)])
def test_switch_values(value: str | None, on: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if value is None:
        monkeypatch.delenv(roles.SWITCH)
    else:
        monkeypatch.setenv(roles.SWITCH, value)
    assert roles.is_on() is on


@pytest.mark.parametrize("value", ["", "yes", "0", "on off"])
def test_another_value_is_refused_with_the_choices(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(roles.SWITCH, value)
    for ask in (roles.is_on, roles.verifier, roles.identity):
        with pytest.raises(UsageError, match=f"^RAGASSAY_SMALL_MODEL: must be on or off, not {value!r}$"):
            ask()


def test_off_loads_nothing(loaded: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(roles.SWITCH, "off")
    monkeypatch.setattr(roles, "VERIFIER", Path("no such file"))
    assert (roles.verifier(), roles.likelihood(), roles.identity()) == (None, None, "")
    assert loaded == []


@pytest.mark.usefixtures("small_model_on")
def test_on_loads_once(loaded: list[str]) -> None:
    assert [roles.verifier(), roles.verifier()] == ["the verifier", "the verifier"]
    assert loaded == ["verifier"]


def test_the_switch_is_read_each_time(loaded: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for value in ("on", "off", "on"):
        monkeypatch.setenv(roles.SWITCH, value)
        found.append(roles.verifier())
    assert found == ["the verifier", None, "the verifier"]
    assert loaded == ["verifier"]


@pytest.mark.usefixtures("small_model_on")
def test_another_adapter_is_another_identity(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, data in (("one", b""), ("two", b"abc")):
        (tmp_path / name).write_bytes(data)
    monkeypatch.setattr(roles, "VERIFIER", tmp_path / "one")
    # the published SHA-256 of nothing and of "abc" begin so (FIPS 180-4)
    assert roles.identity() == "SmolLM2-135M-Instruct with verifier e3b0c442"
    monkeypatch.setattr(roles, "VERIFIER", tmp_path / "two")
    assert roles.identity() == "SmolLM2-135M-Instruct with verifier ba7816bf"
