"""How replies are drawn: one way for all tasks, and others for some of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ragassay.errors import InputError, UsageError
from ragassay.models.llm.chat_request import Sampling
from ragassay.settings import parsed_toml
from ragassay.tasks.catalogue import TASKS

_DEFAULT = "default"
_FIELDS: Mapping[str, type] = MappingProxyType(
    {"temperature": float, "seed": int, "max_completion_tokens": int, "expected_rating": bool}
)


@dataclass(frozen=True, slots=True)
class Samplings:
    """default: for all tasks but those named in ``by_task``.

    temperature_set: the user chose the temperature of ``default``, so that it holds for tasks that prefer another, too.
    """

    default: Sampling = field(default_factory=Sampling)
    by_task: Mapping[str, Sampling] = field(default_factory=lambda: MappingProxyType({}))
    temperature_set: bool = False

    def of(self, task_name: str, sample: int = 0) -> Sampling:
        """How replies to a task are drawn.

        sample: which of several replies to the same. Those after the first are drawn at temperature 1 where the usual
        one is 0, which would give the first again, and with the seeds that follow.
        """
        usual = self._usual(task_name)
        if not sample:
            return usual
        seed = None if usual.seed is None else usual.seed + sample
        return replace(usual, sample=sample, seed=seed, temperature=usual.temperature or 1.0)

    def _usual(self, task_name: str) -> Sampling:
        own = self.by_task.get(task_name)
        if own is not None:
            return own
        task = TASKS.get(task_name)
        if task is None or task.temperature is None or self.temperature_set:
            return self.default
        return replace(self.default, temperature=task.temperature)

    @classmethod
    def load(cls, path: Path | None = None, temperature: float | None = None) -> Samplings:
        """From a TOML file with a table for each task, and one named ``default`` for the others.

        A table holds any of temperature (0 to 2), seed, max_completion_tokens and expected_rating; what it leaves out
        is as in ``default``. temperature: of ``default``, where the file says nothing. Raises InputError for a file
        that cannot be read, UsageError that names the entry for what is in it.
        """
        if temperature is not None:
            _check("--temperature", "temperature", temperature)
        usual = Sampling() if temperature is None else Sampling(temperature=float(temperature))
        if path is None:
            return cls(usual, temperature_set=temperature is not None)
        tables = _tables(path)
        defaults = _settings(path, _DEFAULT, tables.pop(_DEFAULT, {}))
        usual = replace(usual, **defaults)
        unknown = sorted(tables.keys() - TASKS.keys())
        if unknown:
            raise UsageError(f"--sampling: {path}: unknown task [{unknown[0]}]; `ragassay prompts` lists the tasks")
        own = {name: replace(usual, **_settings(path, name, table)) for name, table in tables.items()}
        return cls(usual, MappingProxyType(own), temperature is not None or "temperature" in defaults)


def _tables(path: Path) -> dict[str, Any]:
    try:
        return parsed_toml(path.read_text("utf-8-sig"), f"--sampling: {path}")
    except OSError as error:
        raise InputError(f"--sampling: {path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"--sampling: {path} is not UTF-8; save it as UTF-8") from None


def _settings(path: Path, name: str, table: Any) -> dict[str, Any]:
    where = f"--sampling: {path}: [{name}]"
    if not isinstance(table, dict):
        raise UsageError(f"{where}: must be a table; write a line [{name}] with the settings below it")
    for key, value in table.items():
        if key not in _FIELDS:
            raise UsageError(f"{where}: unknown setting {key!r}; choose one of {', '.join(_FIELDS)}")
        _check(where, key, value)
    return {key: _FIELDS[key](value) for key, value in table.items()}


def _check(where: str, key: str, value: Any) -> None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if key == "temperature":
        fits, wanted = is_number and 0 <= value <= 2, "a number from 0 to 2"
    elif key == "expected_rating":
        fits, wanted = isinstance(value, bool), "true or false"
    elif key == "seed":
        fits, wanted = is_number and isinstance(value, int), "a whole number"
    else:
        fits, wanted = is_number and isinstance(value, int) and value > 0, "a whole number above 0"
    if not fits:
        raise UsageError(f"{where}: {key} must be {wanted}, not {value!r}")
