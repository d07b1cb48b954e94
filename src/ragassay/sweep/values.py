"""What came of one setting, question by question, and the file that keeps it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from ragassay.plain_files import open_plain
from ragassay.rag.setting import Setting
from ragassay.sweep.search import Rows

Values = npt.NDArray[np.float64]

TOKENS_IN, TOKENS_OUT = "input_tokens", "output_tokens"
"""Beside the metrics: what the generator read and wrote for a question."""
COST = "cost_usd"
"""Beside them where results are made, never in a file: what these tokens cost at the prices of the day."""
COPIED = "copied answers"
"""Beside them, too: 1 where an answer only repeats its chunks, word for word, else 0; NaN without an answer."""


@dataclass(frozen=True, slots=True, eq=False)
class SettingValues:
    """rows: the questions that were asked, rising. metrics: name to the values of these, NaN where there is none.

    missing: metric to why values are missing, to the rows without one. unanswered: rows for which a server left
    something unanswered that it was asked. unheard: those among them for which nothing came back at all, so that asking
    again may well help; no file keeps a setting with any.
    """

    setting: Setting
    rows: Rows
    metrics: Mapping[str, Values]
    missing: Mapping[str, Mapping[str, Sequence[int]]]
    unanswered: frozenset[int] = frozenset()
    unheard: frozenset[int] = frozenset()

    @property
    def reasons(self) -> dict[str, dict[str, int]]:
        """Metric to why values are missing, with counts."""
        return {name: {reason: len(rows) for reason, rows in some.items()} for name, some in self.missing.items()}

    def mean(self, metric: str) -> tuple[float | None, int]:
        """Mean over the questions with a value, and how many these are; None where there is none."""
        there = self.metrics[metric][~np.isnan(self.metrics[metric])]
        return (float(there.mean()) if len(there) else None), len(there)

    def save(self, path: Path) -> None:
        """Write the file, whole or not at all."""
        part = path.with_name(f"{path.name}.part")
        arrays: dict[str, Any] = {f"metric {name}": values for name, values in self.metrics.items()}
        told = {"missing": self.missing, "unanswered": sorted(self.unanswered)}
        with part.open("wb") as file:
            np.savez(file, rows=self.rows, told=np.array(json.dumps(told)), **arrays)
        part.replace(path)

    @classmethod
    def load(cls, path: Path, setting: Setting) -> SettingValues | None:
        """What a file keeps; None where there is none that can be read."""
        try:
            with open_plain(path) as opened, np.load(opened, allow_pickle=False) as file:
                metrics = {
                    name.removeprefix("metric "): file[name] for name in file.files if name.startswith("metric ")
                }
                told = json.loads(str(file["told"]))
                return cls(setting, file["rows"], metrics, told["missing"], frozenset(told["unanswered"]))
        except (OSError, ValueError, KeyError, BadZipFile):
            return None
