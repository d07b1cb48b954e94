"""Batches of calls on disk: what is on its way to a server is known before it is sent, and after any kill."""

from __future__ import annotations

import json
import os
import secrets
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from ragassay.errors import RunFolderError

SUFFIX = "-batches"
"""Of the folder beside the call log."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchRecord:
    """A batch as it was made. name: ours, which the server is given as metadata. address, model: whose it is.

    keys: of the calls, in hexadecimal. file_id, batch_id: the server's; empty as long as it has not told them.
    made_at: seconds since 1970.
    """

    name: str
    address: str
    model: str
    keys: tuple[str, ...]
    made_at: float
    file_id: str = ""
    batch_id: str = ""


class BatchFolder:
    """The batches of one call log. Raises RunFolderError where the disk takes no more."""

    def __init__(self, log: Path) -> None:
        self.path = log.with_name(log.name + SUFFIX)

    def add(self, address: str, model: str, lines: Mapping[str, bytes]) -> BatchRecord:
        """A new batch, on disk. lines: key in hexadecimal to its line of the file."""
        now = time.time()
        name = f"{int(now * 1e6):017d}-{secrets.token_hex(4)}"
        record = BatchRecord(name=name, address=address, model=model, keys=tuple(lines), made_at=now)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise self._unusable(error) from None
        self._write(self._lines(record), b"".join(lines.values()))
        self.keep(record)
        return record

    def keep(self, record: BatchRecord) -> None:
        """Writes what is known of a batch by now."""
        self._write(self._state(record), json.dumps(asdict(record)).encode())

    def lines(self, record: BatchRecord) -> bytes:
        """The file that the server is sent."""
        try:
            return self._lines(record).read_bytes()
        except OSError as error:
            raise self._unusable(error) from None

    def remove(self, record: BatchRecord) -> None:
        """Forgets a batch: all that came of it is in the log, or nothing will come of it."""
        for path in (self._state(record), self._lines(record)):
            path.unlink(missing_ok=True)

    def records(self, known: Mapping[str, object], address: str, model: str) -> list[BatchRecord]:
        """All of one model that are not known by name, oldest first."""
        found = []
        for path in sorted(self.path.glob("*.json")):
            if path.stem in known:
                continue
            try:
                data = json.loads(path.read_bytes())
                record = replace(BatchRecord(**data), keys=tuple(data["keys"]))
            except FileNotFoundError:  # another process has just finished it
                continue
            except (OSError, ValueError, TypeError, KeyError):
                raise RunFolderError(
                    f"{path} cannot be read, and the batch that it stands for may be paid for; repair it, or move "
                    "it elsewhere to have its calls sent, and paid for, again"
                ) from None
            if (record.address, record.model) == (address, model):
                found.append(record)
        return found

    def _state(self, record: BatchRecord) -> Path:
        return self.path / f"{record.name}.json"

    def _lines(self, record: BatchRecord) -> Path:
        return self.path / f"{record.name}.jsonl"

    def _write(self, path: Path, content: bytes) -> None:
        """Whole or not at all, and there after a power cut."""
        new = path.with_name(f"{path.name}.new")
        try:
            with new.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            new.replace(path)
        except OSError as error:
            raise self._unusable(error) from None

    def _unusable(self, error: OSError) -> RunFolderError:
        return RunFolderError(f"the batches in {self.path} cannot be kept ({error}); free some space and run it again")
