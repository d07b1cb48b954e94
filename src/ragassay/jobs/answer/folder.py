"""The folder of a system's predictions: what was answered stays answered, however the process ends.

While questions are answered, each prediction is a line of ``predictions.part.jsonl``, handed to the operating system at
once and to the disk every second; a line that the end of the process cut off is dropped. When all are there, they are
put into ``predictions.jsonl`` in the order of the examples.
"""

from __future__ import annotations

import filecmp
import hashlib
import json
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, NamedTuple

from ragassay.datasets.placing import is_collection
from ragassay.errors import RecordError, RunFolderError
from ragassay.jobs.folders.progress import PROGRESS_FILE
from ragassay.jobs.folders.run_folder import (
    DOCUMENTS_FILE,
    EXAMPLES_FILE,
    OTHER_FILES,
    PART_FILE,
    PREDICTIONS_FILE,
    REPORT_FILE,
    RUN_FILE,
    SCORES_FILE,
    check_place,
    lasting_folder,
)
from ragassay.jobs.folders.versions import VERSIONS, versions_here
from ragassay.plain_files import lines_of, open_plain, read_object, write_object
from ragassay.records import Document, Example, Prediction, from_json, read_jsonl, to_json, write_jsonl
from ragassay.report.summary import METRICS_FILE, STAGES_FILE
from ragassay.version import __version__

SYNC_S = 1.0
"""A power cut loses the predictions of at most so long; the end of a process loses none."""
KIND = "predictions"
_ABOUT_PREDICTIONS = (SCORES_FILE, METRICS_FILE, STAGES_FILE, REPORT_FILE)
"""What was said of the predictions before, and would be taken for what is said of those that are there now."""
_OF_NO_USE = frozenset({RUN_FILE, EXAMPLES_FILE, DOCUMENTS_FILE, PROGRESS_FILE})


class SystemState(NamedTuple):
    """What answers: code, a fingerprint of what can be seen of it; version, as its user counts. None is not known."""

    code: str | None
    version: str | None

    @classmethod
    def of(cls, value: Any) -> SystemState | None:
        """As run.json holds it; None where it does not."""
        if not isinstance(value, dict):
            return None
        return cls(*(held if isinstance(held := value.get(name), str) else None for name in cls._fields))

    @property
    def file_name(self) -> str:
        """Of the answers that were put aside."""
        text = self.version if self.version is not None else self.code or ""
        return f"predictions.before-{hashlib.sha256(text.encode()).hexdigest()[:8]}.jsonl"

    def is_same(self, before: SystemState | None) -> bool | None:
        """Whether the same system answered before; None where nothing shows it. A version counts before the code."""
        if before is None:
            return None
        if self.version is not None and before.version is not None:
            return self.version == before.version
        if self.code is None or before.code is None:
            return None
        return self.code == before.code


class PredictFolder:
    """What a folder holds, and where the next prediction goes. Made by ``predict_folder``."""

    def __init__(
        self, folder: Path, told: dict[str, Any], *, overwrite: bool, now: SystemState, before: SystemState | None
    ) -> None:
        """told: what run.json will say. overwrite: what the folder holds is forgotten when the work begins.

        now, before: states of the system. Answers of another state are put aside when the work begins, and those of
        this state, which were put aside before, are taken back.
        """
        self.path = folder
        self.set_aside: Path | None = None
        self._told = told
        self._overwrite = overwrite
        self._recorded = {} if overwrite else _read_predictions(folder, mend=True)
        self.loaded = len(self._recorded)
        is_same = now.is_same(before)
        self.is_unseen = is_same is None
        self._earlier: dict[str, Prediction] = {}
        self._aside = folder / (before or now).file_name
        if is_same is False:
            self._earlier, self._recorded = self._recorded, {}
        self._taken_back = folder / now.file_name
        if not overwrite and self._taken_back.is_file():  # it stays until all is in one place again
            back = {each.example_id: each for each in read_jsonl(self._taken_back, Prediction)}
            self._recorded = back | self._recorded
        self._file: IO[bytes] | None = None
        self._synced_at = 0.0

    def recorded(self, example_id: str) -> Prediction | None:
        """The latest prediction for an example."""
        return self._recorded.get(example_id)

    def begin(self) -> None:
        """All that was given can be used: from now on the folder is of this run. Before, nothing in it has changed."""
        if self._earlier:
            self._put_aside()
        if self._overwrite:
            self._forget_scores()
            for name in (PREDICTIONS_FILE, PART_FILE, EXAMPLES_FILE, DOCUMENTS_FILE, RUN_FILE):
                (self.path / name).unlink(missing_ok=True)
        write_object(self.path / RUN_FILE, self._told)

    def _put_aside(self) -> None:
        """Moves the answers of an earlier state of the system to a file of their own."""
        new = self._aside.with_name(f"{self._aside.name}.new")
        write_jsonl(new, self._earlier.values())
        new.replace(self._aside)
        self._forget_scores()
        for name in (PREDICTIONS_FILE, PART_FILE):
            (self.path / name).unlink(missing_ok=True)
        self.set_aside, self._earlier = self._aside, {}

    def take(self, prediction: Prediction) -> None:
        """Keeps one more. Raises RunFolderError where the disk takes no more."""
        try:
            if self._file is None:
                self._forget_scores()
                self._file = (self.path / PART_FILE).open("ab")
            self._file.write(to_json(prediction).encode("utf-8") + b"\n")
            self._file.flush()
            if time.monotonic() - self._synced_at >= SYNC_S:
                self._sync()
        except OSError as error:
            raise RunFolderError(
                f"--out: {self.path} cannot be written ({error.strerror}); free some space and run the "
                "same command again"
            ) from None
        self._recorded[prediction.example_id] = prediction

    def close(self) -> None:
        """Hands everything to the disk."""
        if self._file is not None:
            with suppress(OSError):
                self._sync()
            self._file.close()
            self._file = None

    def finish(self, examples: Sequence[Example]) -> list[Prediction]:
        """Writes predictions.jsonl in the order of the examples, and gives it back. Each example must have one."""
        self.close()
        found = [self._recorded[example.id] for example in examples]
        self._put_in_place(PREDICTIONS_FILE, found)
        (self.path / PART_FILE).unlink(missing_ok=True)
        self._taken_back.unlink(missing_ok=True)
        return found

    def keep_examples(self, examples: Sequence[Example]) -> None:
        """Writes examples.jsonl: the folder can be scored by itself."""
        self._put_in_place(EXAMPLES_FILE, examples)

    def _put_in_place(self, name: str, records: Sequence[Example] | Sequence[Prediction]) -> None:
        """Scores go where they are of more of them, of fewer or of others."""
        new, target = self.path / f"{name}.new", self.path / name
        write_jsonl(new, records)
        if not target.exists() or not filecmp.cmp(new, target, shallow=False):
            self._forget_scores()
        new.replace(target)

    def _forget_scores(self) -> None:
        for name in _ABOUT_PREDICTIONS:
            (self.path / name).unlink(missing_ok=True)

    def _sync(self) -> None:
        assert self._file is not None
        os.fsync(self._file.fileno())
        self._synced_at = time.monotonic()


@contextmanager
def predict_folder(
    folder: Path,
    identity: dict[str, Any],
    settings: dict[str, Any],
    *,
    overwrite: bool = False,
    state: SystemState | None = None,
) -> Iterator[PredictFolder]:
    """The folder, for one process at a time. An empty or missing one is taken, and one with predictions of the same.

    identity: what has to be equal for a run to go on, as JSON. settings: what else run.json says.
    overwrite: forget the predictions in it, whosever they are. state: of the system; predictions of another state
    are put aside, and all questions asked again. ``PredictFolder.begin`` is the first to write.
    Raises RunFolderError for a folder that holds something else.
    """
    identity = json.loads(json.dumps(identity))

    def fault_of(run: dict[str, Any]) -> str:
        if run.get("kind") != KIND:
            return OTHER_FILES
        before = run.get("identity")
        if overwrite or before == identity:
            return ""
        known = before if isinstance(before, dict) else {}
        names = [name for name in {**known, **identity} if known.get(name) != identity.get(name)]
        return f"other predictions (other {', '.join(names)}); name another folder, or replace them with --overwrite"

    with lasting_folder(folder, lambda: check_place(folder, RUN_FILE, fault_of), _OF_NO_USE):
        now = state or SystemState(None, None)
        content = {"version": __version__, "kind": KIND, "identity": identity, "state": now._asdict(), **settings}
        held: PredictFolder | None = None
        try:
            told = content | {VERSIONS: versions_here()}
            held = PredictFolder(folder, told, overwrite=overwrite, now=now, before=state_in(folder))
            yield held
        except OSError as error:
            raise RunFolderError(f"--out: {folder} cannot be written ({error.strerror}); name another folder") from None
        finally:
            if held is not None:
                held.close()


def state_in(folder: Path) -> SystemState | None:
    """The state of the system that answered in a folder; None where it does not say."""
    return SystemState.of(read_object(folder / RUN_FILE).get("state"))


class Held(NamedTuple):
    """What a folder of predictions holds at this moment."""

    examples: list[Example]
    predictions: list[Prediction]
    has_documents: bool


def held_predictions(folder: Path) -> Held | None:
    """What a folder of predictions holds, also while a run fills it; None for any other folder. Writes nothing."""
    if read_object(folder / RUN_FILE).get("kind") != KIND:
        return None
    examples = list(read_jsonl(folder / EXAMPLES_FILE, Example)) if (folder / EXAMPLES_FILE).exists() else []
    found = _read_predictions(folder, mend=False)
    documents = folder / DOCUMENTS_FILE
    has_documents = documents.is_file() and is_collection(examples, read_jsonl(documents, Document))
    return Held(examples, [found[each.id] for each in examples if each.id in found], has_documents)


def check_questions(folder: Path, examples: Iterable[Example], held: PredictFolder) -> None:
    """Raises RunFolderError where a question that was answered reads otherwise now."""
    path = folder / EXAMPLES_FILE
    if not path.exists():
        return
    before = {example.id: example.asked for example in read_jsonl(path, Example)}
    for example in examples:
        if held.recorded(example.id) and before.get(example.id, example.asked) != example.asked:
            raise RunFolderError(
                f"--out: {folder} holds an answer to another question with the id {example.id}; name "
                "another folder, or start over with --overwrite"
            )


def _read_predictions(folder: Path, *, mend: bool) -> dict[str, Prediction]:
    """The latest of each example. mend: cut off what the end of a process left unfinished."""
    found: dict[str, Prediction] = {}
    finished = folder / PREDICTIONS_FILE
    if finished.exists():
        found = {each.example_id: each for each in read_jsonl(finished, Prediction)}
    part = folder / PART_FILE
    if not part.exists():
        return found
    whole = 0
    with open_plain(part) as file:
        for number, line in enumerate(lines_of(file, part.name), start=1):
            if not line.endswith(b"\n"):
                break
            try:
                each = from_json(Prediction, line, where=f"{part.name} line {number}")
            except RecordError:
                if file.read(1):
                    raise  # in the middle of the file: no end of a process leaves that
                break
            found[each.example_id] = each
            whole += len(line)
    if mend:
        os.truncate(part, whole)
    return found
