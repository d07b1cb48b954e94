"""The switch of the small language model, and what it turns off."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ragassay.errors import UsageError
from ragassay.models.small import roles


@pytest.fixture(autouse=True)
def nothing_loaded() -> Iterator[None]:
    caches = (roles._verifier, roles._digest)
    for each in caches:
        each.cache_clear()
    yield
    for each in caches:
        each.cache_clear()


@pytest.mark.parametrize("value", ["", "yes", "0", "on off"])
def test_another_value_is_refused_with_the_choices(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(roles.SWITCH, value)
    for ask in (roles.is_on, roles.verifier, roles.identity):
        with pytest.raises(UsageError, match=f"^RAGASSAY_SMALL_MODEL: must be on or off, not {value!r}$"):
            ask()


@pytest.mark.usefixtures("small_model_on")
def test_another_adapter_is_another_identity(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, data in (("one", b""), ("two", b"abc")):
        (tmp_path / name).write_bytes(data)
    monkeypatch.setattr(roles, "VERIFIER", tmp_path / "one")
    # the published SHA-256 of nothing and of "abc" begin so (FIPS 180-4)
    assert roles.identity() == "SmolLM2-135M-Instruct with verifier e3b0c442"
    monkeypatch.setattr(roles, "VERIFIER", tmp_path / "two")
    assert roles.identity() == "SmolLM2-135M-Instruct with verifier ba7816bf"
