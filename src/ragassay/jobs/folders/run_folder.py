"""The run folder: made for one run, never mixed with another, never left half-written."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Set
from contextlib import contextmanager, suppress
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol

from ragassay.documents.sources import printable, resolved
from ragassay.errors import RunFolderError
from ragassay.jobs.asking.model_options import ModelOptions
from ragassay.jobs.folders.progress import PROGRESS_FILE
from ragassay.jobs.folders.versions import VERSIONS, versions_here
from ragassay.models.llm.call_log import LOG_FILE
from ragassay.plain_files import open_plain, read_object, write_object
from ragassay.report.asked import LOG_SUMMARY_FILE
from ragassay.report.refresh import REFRESH_FILE, REFRESH_PAGE
from ragassay.report.summary import METRICS_FILE, STAGES_FILE, SUMMARY_FILE
from ragassay.report.synthesis import SYNTHESIS_FILE
from ragassay.version import __version__

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows: two runs in one folder are not told apart
    fcntl = None

RUN_FILE = "run.json"
DOCUMENTS_FILE = "documents.jsonl"
EXAMPLES_FILE = "examples.jsonl"
REFUSED_FILE, FINDINGS_FILE = "refused.jsonl", "findings.jsonl"
"""Drafted pairs that are not in the set, and faults of the documents."""
QUESTIONS_FILE = "questions.jsonl"
"""What people asked, each question once, and whether a page answers it."""
PREDICTIONS_FILE = "predictions.jsonl"
PART_FILE = "predictions.part.jsonl"
"""Predictions as they come."""
SCORES_FILE = "scores.jsonl"
REPORT_FILE = "report.html"
CHECK_FILE = "check.json"
"""The figures of ``ragassay judge check``."""
VERDICTS_FILE = "verdicts.jsonl"
"""What a judge said of each pair of a set."""
SWEEP_FILE, EXPERIMENT_FILE = "sweep.json", "experiment.json"
"""What tells of a sweep, and of an experiment."""
FOLLOWED_FILE = "followed.jsonl"
"""What became of every example of an older set."""
SCENARIO_FILES = ("configurations.jsonl", "schema.toml", "scenario.json")


LOCK_FILE = ".lock"
PART_FOLDER = ".part"
"""Folder inside the run folder that files are written to until the run is done."""
_LEFT_OVER = frozenset({LOCK_FILE, PROGRESS_FILE})
"""By a process that ended before it had begun, beside calls and parts of files."""
_FILES = (
    DOCUMENTS_FILE,
    EXAMPLES_FILE,
    REFUSED_FILE,
    FINDINGS_FILE,
    QUESTIONS_FILE,
    PREDICTIONS_FILE,
    SCORES_FILE,
    REPORT_FILE,
    STAGES_FILE,
    METRICS_FILE,
    SUMMARY_FILE,
    *SCENARIO_FILES,
    SYNTHESIS_FILE,
    REFRESH_FILE,
    REFRESH_PAGE,
    FOLLOWED_FILE,
    LOG_SUMMARY_FILE,
    PROGRESS_FILE,
    RUN_FILE,
)
"""All files of a run, in the order in which they are put in place: what tells whose they are comes last.

Progress is left by a run that a limit ended."""
_NOT_ASKED = frozenset({"out", "beside", "overwrite", "processes", "strict"})
"""Options on which no score depends."""
_LOCK_TRIES, _LOCK_WAIT_S = 4, 0.02
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EROFS}


class FolderOptions(Protocol):
    """What a run folder has to know of the options of the command that fills it.

    fingerprint: equal for two runs that are asked the same. settings: option name to value as text.
    """

    @property
    def command(self) -> str: ...

    @property
    def out(self) -> Path: ...

    @property
    def overwrite(self) -> bool: ...

    @property
    def processes(self) -> int | None: ...

    @property
    def models(self) -> ModelOptions: ...

    def fingerprint(self) -> str: ...

    def settings(self) -> dict[str, str]: ...


def fingerprint_of(options: DataclassInstance, leave_out: Set[str] = _NOT_ASKED, **said: Any) -> str:
    """Equal for two commands that are asked the same of the same paths by the same version.

    Every option counts but those that are left out, so that a new one cannot be forgotten. said: what counts in place
    of options, by their names, or beside them.
    """
    asked = {
        "version": __version__,
        "command": getattr(options, "command", ""),
        **_values_of(options, leave_out),
        **said,
    }
    return hashlib.sha256(json.dumps(_plain(asked), sort_keys=True).encode()).hexdigest()[:16]


def _values_of(options: DataclassInstance, leave_out: Set[str] = frozenset()) -> dict[str, Any]:
    return {each.name: getattr(options, each.name) for each in fields(options) if each.name not in leave_out}


def _plain(value: Any) -> Any:
    """As JSON holds it: a path from the root, a whole number as such. Raises TypeError for what has no such form."""
    if isinstance(value, ModelOptions):
        return _plain(value.asked())
    if is_dataclass(value) and not isinstance(value, type):
        return _plain(_values_of(value))
    if isinstance(value, Path):
        return resolved(value)
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, Mapping):
        return sorted([str(name), _plain(each)] for name, each in value.items())
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, float):
        return int(value) if value.is_integer() else repr(value)
    if value is None or isinstance(value, int):
        return value
    raise TypeError(f"{type(value).__name__} cannot be part of a fingerprint")


OTHER_FILES = "other files; name an empty or new folder"


def check_place(folder: Path, mark: str, fault_of: Callable[[dict[str, Any]], str]) -> None:
    """Raise RunFolderError for a folder that may not be written to; a missing one may, and one without results.

    Calls that were paid for are no obstacle where nothing says whose they are, nor is what the end of a process left.
    mark: the file that says what the folder holds. fault_of: from what stands in it, {} for nothing, to what the folder
    holds and what to do; "" where that may be gone on with or replaced.
    """
    try:
        names = [path.name for path in folder.iterdir()]
    except FileNotFoundError:
        return
    except NotADirectoryError:
        raise RunFolderError(f"--out: {folder} is a file; name a folder") from None
    except OSError as error:
        raise RunFolderError(f"--out: {folder} cannot be used ({error.strerror}); name another folder") from None
    held = read_object(folder / mark) or read_object(folder / PART_FOLDER / mark)  # the latter of one that was killed
    has_calls = any(name.startswith(LOG_FILE) for name in names)
    is_left_over = all(
        name in _LEFT_OVER or name.startswith(LOG_FILE) or name.endswith((".part", ".new")) for name in names
    )
    if is_left_over and not (held and has_calls):
        return
    fault = fault_of(held)
    if fault:
        raise RunFolderError(f"--out: {folder} holds {fault}")


@contextmanager
def run_folder(options: FolderOptions) -> Iterator[Path]:
    """Where the files of a run are written; they are put in place together when the run is done.

    An empty or missing folder is taken, and one with the same run or, with ``overwrite``, another run; anything else
    is left alone with a RunFolderError. Until the end, and if the run fails, what the folder held stays as it was; a
    folder that was made here goes again, unless it has calls to models in it: then it says what was asked, too.
    """
    folder, part = options.out, options.out / PART_FOLDER

    def fault_of(held: dict[str, Any]) -> str:
        if not isinstance(held.get("fingerprint"), str):
            return OTHER_FILES
        is_ours = options.overwrite or held["fingerprint"] == options.fingerprint()
        what = f"another run{_differences(held, options)}"
        return "" if is_ours else f"{what}; name another folder, or replace it with --overwrite"

    with lasting_folder(folder, lambda: check_place(folder, RUN_FILE, fault_of)):
        begun = False
        try:
            shutil.rmtree(part, ignore_errors=True)  # of a run that was killed
            part.mkdir()
            _write_run_file(part, options, "running")
            begun = True
            yield part
            _write_run_file(part, options, "finished")
            put_in_place(part, folder)
        except OSError as error:
            if not begun or error.errno in _NO_ROOM or str(error.filename).startswith(str(folder)):
                raise RunFolderError(
                    f"--out: {folder} cannot be written ({error.strerror}); free some space, or name another folder"
                ) from None
            raise
        finally:
            # Keep beside its calls what a run that was stopped was asked, and how far it came; a finished one stays.
            is_free = read_object(folder / RUN_FILE).get("state", "running") == "running"
            if is_free and (folder / LOG_FILE).exists() and (part / PROGRESS_FILE).exists():
                with suppress(OSError):
                    for name in (PROGRESS_FILE, RUN_FILE):
                        (part / name).replace(folder / name)
            shutil.rmtree(part, ignore_errors=True)


def _differences(held: Mapping[str, Any], options: FolderOptions) -> str:
    """Return the first settings in which a run of a folder differs, each there and here; empty where none is told."""
    told, none = held.get("settings"), "not given"
    before = {**(told if isinstance(told, dict) else {}), **{name: held.get(name) for name in ("version", "command")}}
    now = {**options.settings(), "version": __version__, "command": options.command}
    names = [name for name in {**before, **now} if (before.get(name) or none) != (now.get(name) or none)]
    said = [f"{name}: {before.get(name) or none} there, {now.get(name) or none} now" for name in names[:3]]
    return f" ({'; '.join(said)})" if said else ""


def lock_folder(folder: Path) -> int | None:
    """An open file whose lock says that a run works in the folder; it goes with the process, however that ends.

    Raises RunFolderError where another process holds it. None where the system has no such locks.
    """
    if fcntl is None:
        return None
    for tries_left in reversed(range(_LOCK_TRIES)):
        folder.mkdir(parents=True, exist_ok=True)  # the one before may just have taken its unused folder away
        with suppress(FileNotFoundError):
            file = os.open(folder / LOCK_FILE, os.O_RDWR | os.O_CREAT, 0o644)
            if _is_locked_now(file, folder / LOCK_FILE):
                return file
            os.close(file)
        if tries_left:  # it may be a page that looks whether the folder is locked
            time.sleep(_LOCK_WAIT_S)
    raise RunFolderError(f"--out: another run is using {folder}; wait for it to end, or name another folder")


def _is_locked_now(file: int, path: Path) -> bool:
    """Lock an open file; False where another process holds it, or has just taken it away and others lock a new one."""
    assert fcntl is not None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in {errno.EWOULDBLOCK, errno.EACCES}  # a file system without locks
    try:
        return os.path.samestat(os.fstat(file), path.stat())
    except FileNotFoundError:
        return False


def unlock_folder(folder: Path, lock: int | None) -> None:
    """End what ``lock_folder`` began. The file goes while it is locked: never the file of the next one."""
    if lock is not None:
        (folder / LOCK_FILE).unlink(missing_ok=True)
        os.close(lock)


@contextmanager
def lasting_folder(folder: Path, check: Callable[[], None], of_no_use: Set[str] = frozenset()) -> Iterator[None]:
    """A folder whose files stay as they are written, made if missing, for one process at a time.

    check: raises where a folder that is there must be left alone. of_no_use: names of files that are worth nothing by
    themselves: a folder that was made here goes again if it holds no others. Raises RunFolderError for a folder that
    cannot be used.
    """
    made = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not made:
            check()
        lock = lock_folder(folder)
    except FileExistsError:
        raise RunFolderError(f"--out: {folder} is a file; name a folder") from None
    except OSError as error:
        raise RunFolderError(f"--out: {folder} cannot be written ({error.strerror}); name another folder") from None
    is_used = True
    try:
        check()  # once more: until the lock was ours, another process may have filled the folder
        is_used = not made
        yield
    finally:
        files = [path for path in folder.rglob("*") if path.is_file()]
        is_used = is_used or not {path.name for path in files} <= {*of_no_use, LOCK_FILE}
        if not is_used:
            _empty(folder)
        unlock_folder(folder, lock)
        if not is_used:
            with suppress(OSError):  # the next one may have come already
                folder.rmdir()


def _empty(folder: Path) -> None:
    """Everything in a folder but its lock."""
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name != LOCK_FILE:
            path.unlink()


def is_locked(folder: Path) -> bool:
    """Whether a process is at work in a run folder."""
    if fcntl is None or not (folder / LOCK_FILE).exists():
        return False
    try:
        with open_plain(folder / LOCK_FILE) as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno in {errno.EWOULDBLOCK, errno.EACCES}
    return False


def put_in_place(part: Path, folder: Path) -> None:
    """Move the files of a finished run into its folder; those of the run that was there before are gone."""
    for name in (METRICS_FILE, SUMMARY_FILE, SCENARIO_FILES[-1]):  # an old one beside new files would lie
        (folder / name).unlink(missing_ok=True)
    for name in _FILES:
        if (part / name).exists():
            (part / name).replace(folder / name)
        else:
            (folder / name).unlink(missing_ok=True)  # of what was there before
    shutil.rmtree(part, ignore_errors=True)


def _write_run_file(folder: Path, options: FolderOptions, state: str) -> None:
    content = {
        "version": __version__,
        "command": options.command,
        "state": state,
        "fingerprint": options.fingerprint(),
        "settings": options.settings(),
        "prompts": options.models.prompt_hashes(),
        VERSIONS: versions_here(),
    }
    if not content["prompts"]:
        del content["prompts"]
    write_object(folder / RUN_FILE, content)
