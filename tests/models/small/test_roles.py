"""The switch of the small language model, and what it turns off."""

from __future__ import annotations

from collections.abc import Iterator

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
