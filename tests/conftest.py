"""What all tests share: the published data sets, a cache of their own, and Hypothesis' settings."""

from __future__ import annotations

import gc
import os
import sys
import tempfile
import warnings
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any, ClassVar

import hypothesis
import pytest
from forked import Forking

from ragassay import workers
from ragassay.process import Limits, Process, WorkResult

# Most tests are about what is around the small language model; those about it switch it on (``small_model_on``).
os.environ.setdefault("RAGASSAY_SMALL_MODEL", "off")
# Nothing is fetched: weights that are not installed are an error here.
os.environ["RAGASSAY_OFFLINE"] = "1"

# Many tests start Python anew. Where it may keep no bytecode beside the sources, each would compile every library
# again, which takes longer than most of what they do.
if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
    sys.dont_write_bytecode = False
    sys.pycache_prefix = str(Path(__file__).resolve().parents[1] / ".pytest_cache" / "bytecode")
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix

SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"

# No deadline, and no complaint about slow data: the first example of a test pays for imports, and machines may be slow.
# Half as many examples as Hypothesis takes by default: there are more than a hundred such tests.
# No database and no randomness in CI: a red build can be repeated, and two builds of one commit agree.
hypothesis.settings.register_profile(
    "local", deadline=None, max_examples=50, suppress_health_check=[hypothesis.HealthCheck.too_slow], print_blob=True
)
hypothesis.settings.register_profile("ci", hypothesis.settings.get_profile("local"), derandomize=True, database=None)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "local")


FIRST = ("web/in_browser", "scale")
"""Folders whose tests share what begins slowly: a process of pytest-xdist that has done its own tests takes the last of
another's, and would have to begin it, too."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Order the tests, and skip, with the reason in the summary, those whose data are not beside the checkout."""
    first = tuple(str(Path(__file__).parent / each) for each in FIRST)
    items.sort(key=lambda item: not str(item.path).startswith(first))
    if SHARED_DATA.is_dir():
        return
    absent = pytest.mark.skip(reason="the published data sets are not in ../shared/data")
    for item in items:
        if item.get_closest_marker("shared_data") or "shared_data" in getattr(item, "fixturenames", ()):
            item.add_marker(absent)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays to the end: no search for cyclic garbage goes through it, now or during the tests."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of published data sets. A test that asks for it is skipped where the folder is absent."""
    return SHARED_DATA


@pytest.fixture(scope="session", autouse=True)
def ragassay_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The cache folder of this test run, never the user's; pytest-xdist's workers share it, and the encoder in it.

    A test that needs an empty cache sets RAGASSAY_CACHE to its own tmp_path.
    """
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    cache = folder / "ragassay-cache"
    cache.mkdir(exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAGASSAY_CACHE", str(cache))
        yield cache


_AS_IF_NEW = """
def as_if_new(path, variables, folder):
    import importlib, os, sys

    gone = tuple(each + os.sep for each in {*sys.path} - {*path} if each)
    sys.path[:] = path
    for name, module in [*sys.modules.items()]:
        if (getattr(module, "__file__", None) or "").startswith(gone):
            del sys.modules[name]
    importlib.invalidate_caches()
    os.environ.clear()
    os.environ.update(variables)
    os.chdir(folder)
"""


class KeptProcess:
    """A further process that goes on when it is closed, for the next test that reads documents: it begins slowly."""

    _idle: ClassVar[list[Process]] = []
    _MOST_IDLE = 2

    def __init__(self) -> None:
        while self._idle and self._idle[-1]._has_ended:
            self._idle.pop()
        if not self._idle:
            self._process = Process()
        else:  # what a process takes over from its parent, which another test left behind
            self._process = self._idle.pop()
            given = f"{sys.path!r}, {dict(os.environ)!r}, {os.getcwd()!r}"
            self._process.submit(exec, f"{_AS_IF_NEW}\nas_if_new({given})").result(timeout=60)  # raises what it raised
        self._begun = self._done_well = 0  # counts, as the futures hold what was read
        self._has_only_read = True

    def submit(self, function: Callable[[Any], Any], argument: Any, limits: Limits | None = None) -> Future[WorkResult]:
        future = self._process.submit(function, argument, limits)
        if limits is not None:
            self._begun += 1
            future.add_done_callback(self._count)
        elif function is not workers._load:
            self._has_only_read = False
        return future

    def _count(self, read: Future[WorkResult]) -> None:
        self._done_well += not read.cancelled() and read.exception() is None

    def close(self) -> None:
        if self._has_only_read and self._done_well == self._begun:
            self._idle.append(self._process)
            while len(self._idle) > self._MOST_IDLE:
                self._idle.pop(0).close()
        else:
            self._process.close()

    @classmethod
    def close_all(cls) -> None:
        while cls._idle:
            cls._idle.pop().close()


@pytest.fixture(scope="session", autouse=True)
def kept_processes() -> Iterator[None]:
    """Documents are read in processes that serve many tests; tests about processes have their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workers, "Process", KeptProcess)
        yield
    KeptProcess.close_all()


@pytest.fixture(scope="session")
def forking(ragassay_cache: Path) -> Iterator[Forking]:
    """Begins scripts in processes of their own, to be killed or to work side by side."""
    found = Forking()
    yield found
    found.close()


@pytest.fixture
def small_model_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """The embedded model writes and judges with its language model, as users have it."""
    monkeypatch.setenv("RAGASSAY_SMALL_MODEL", "on")


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A PostgreSQL server of the test's own with pgvector; skipped, visibly, where there is none to start."""
    pytest.importorskip("psycopg", reason="psycopg is not installed (extra pgvector)")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pgserver = pytest.importorskip("pgserver", reason="pgserver is not installed: PostgreSQL is not tested")
    with tempfile.TemporaryDirectory(prefix="ragassay-pg-") as folder:
        try:
            server = pgserver.get_server(folder)
        except Exception as error:  # noqa: BLE001 - whatever keeps the server from starting is the reason to skip
            pytest.skip(f"no PostgreSQL server can be started here: {type(error).__name__}: {str(error)[:200]}")
        yield server.get_uri()
        server.cleanup()
