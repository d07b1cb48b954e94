"""Where work is done, by name: here, or on the machines of a Ray cluster, one process for each of their cores.

On every machine an actor of Ray keeps a process of ours (``ragassay.process``) to which it passes what it is given:
limits hold as they do here. An actor that goes with its machine is replaced, and its work is done again.
"""

from __future__ import annotations

import os
import pickle
import platform
import re
import socket
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from typing import Any

from ragassay.errors import ModelError, UsageError
from ragassay.process import EndedError, Limits, Process, WorkResult, running_on
from ragassay.version import __version__

LOCAL = "local"
_TAKEN_ALONG = ("RAGASSAY_SMALL_MODEL", "RAGASSAY_OFFLINE")
"""Settings that change results or what may be done. Keys and folders are those of each machine."""
_PROBE_S = 60.0
_KNOCK_S = 10.0


@contextmanager
def engine(name: str = LOCAL) -> Iterator[None]:
    """Share what is done meanwhile with the machines of an engine; the results are the same bytes.

    name: ``local`` for the cores of this machine. ``ray`` for the cluster that the environment variable RAY_ADDRESS
    names, or else for a Ray of its own on this machine; ``ray:10.0.0.1:6379`` for the cluster at that address.
    Raises UsageError for any other name, and where the extra ``ragassay[ray]`` is missing; ModelError where there is no
    cluster, or its machines have another version of Ragassay or Python.
    """
    if name == LOCAL:
        yield
        return
    match = re.fullmatch(r"ray(?::(auto|.*:\d+))?", name)
    if match is None:
        raise UsageError(f"--engine: unknown engine {name!r}; choose local, ray or ray:HOST:PORT")
    with ray_cluster(match[1]) as cluster, running_on(cluster):
        yield


class RayCluster:
    """The engine. processes: as many as the cluster had cores when it was joined."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self._actor = ray.remote(max_restarts=0)(_Keeper)
        self.processes = max(1, int(ray.cluster_resources().get("CPU", 1)))

    def begin(self) -> _RayProcess:
        """Begin a process on a machine with a core to spare; it waits for one where none has."""
        return _RayProcess(self._ray, self._actor.options(num_cpus=1).remote(_settings()))


@contextmanager
def ray_cluster(address: str | None) -> Iterator[RayCluster]:
    """Join the cluster at an address; None for that of RAY_ADDRESS, or one of its own. Raises as ``engine``."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # before Ray is imported: nothing is reported to anybody
    try:
        import ray
    except ImportError:
        raise UsageError("--engine ray: Ray is not installed; run: pip install 'ragassay[ray]'") from None
    is_own = not ray.is_initialized()  # the caller's stays
    if is_own:
        address = address or os.environ.get("RAY_ADDRESS") or None
        try:
            _knock(address or "")
            ray.init(
                address=address or "local",
                include_dashboard=None if address else False,
                configure_logging=False,
                log_to_driver=False,
                namespace="ragassay",
            )
        except (RuntimeError, ValueError, OSError, ImportError, ray.exceptions.RayError) as error:
            where = f"at {address}" if address else "on this machine"
            raise ModelError(
                f"--engine ray: there is no usable cluster {where} ({_in_a_line(error)}); start one with "
                "'ray start --head', with the same versions of Python and Ray on all machines"
            ) from error
    try:
        _check_machines(ray)
        yield RayCluster(ray)
    finally:
        if is_own:
            ray.shutdown()


def _knock(address: str) -> None:
    """Raise OSError where nobody answers at HOST:PORT; Ray itself would try for minutes."""
    host, _, port = address.rpartition(":")
    if host and port.isdecimal() and "://" not in address:
        socket.create_connection((host.strip("[]"), int(port)), _KNOCK_S).close()


def _check_machines(ray: Any) -> None:
    """Raise ModelError for a machine that would not do the same work."""

    def addresses() -> dict[str, str]:
        return {node["NodeID"]: node["NodeManagerAddress"] for node in ray.nodes() if node["Alive"]}

    tell = ray.remote(num_cpus=0, max_retries=0)(_software)
    on = ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy
    replies = {node: tell.options(scheduling_strategy=on(node, soft=False)).remote() for node in addresses()}
    for node, reply in replies.items():
        name = addresses().get(node)
        try:
            found = ray.get(reply, timeout=_PROBE_S)
        except Exception as error:
            if name is None or node not in addresses():
                continue  # it has gone meanwhile
            why = _in_a_line(getattr(error, "cause", None) or error)
            raise ModelError(
                f"--engine ray: machine {name} cannot run Ragassay ({why}); install ragassay {__version__} on it"
            ) from error
        if found != _software():
            raise ModelError(
                f"--engine ray: machine {name} has {found}, this one has {_software()}; install the same on all"
            )


def _software() -> str:
    return f"Ragassay {__version__} on Python {platform.python_version()}"


def _in_a_line(error: BaseException) -> str:
    """Return the first sentence; Ray's may go over several lines."""
    from ragassay.models.llm.masking import one_line  # imported late: `import ragassay` stays fast

    return one_line(str(error)).split(". ")[0].rstrip(".:")[:300] or type(error).__name__


def _settings() -> dict[str, str]:
    return {name: os.environ[name] for name in _TAKEN_ALONG if name in os.environ}


class _Keeper:
    """Keeps a process on its machine. What it returns or raises is passed on as it is."""

    def __init__(self, settings: Mapping[str, str]) -> None:
        os.environ.update(settings)
        self._process = Process()

    def work(self, asked: bytes, limits: Limits | None) -> WorkResult | Exception:
        try:
            function, argument = pickle.loads(asked)
            return self._process.submit(function, argument, limits).result()
        except Exception as error:  # noqa: BLE001 - Ray would wrap it
            return error


class _RayProcess:
    """What ``Process`` is here, on a machine of the cluster."""

    def __init__(self, ray: Any, actor: Any) -> None:
        self._ray = ray
        self._actor = actor

    def submit(self, function: Callable[[Any], Any], argument: Any, limits: Limits | None = None) -> Future[WorkResult]:
        """Hand work over as ``Process.submit``."""
        asked = pickle.dumps((function, argument), pickle.HIGHEST_PROTOCOL)
        future: Future[WorkResult] = Future()
        try:
            reply = self._actor.work.remote(asked, limits)
        except self._ray.exceptions.RayError as error:  # no room here for what is handed over, for one
            future.set_exception(_ended(error))
            return future
        reply.future().add_done_callback(lambda done: self._pass_on(done, future))
        return future

    def close(self) -> None:
        """End the process, whatever it is doing."""
        with suppress(Exception):  # it has ended already, or its cluster has
            self._ray.kill(self._actor)

    def _pass_on(self, done: Future[Any], future: Future[WorkResult]) -> None:
        errors = self._ray.exceptions
        try:
            found = done.result()
        except errors.RayTaskError as error:  # a fault of ours
            found = error
        except errors.RayError as error:  # the machine or Ray's process went, which is no fault of the work
            found = _ended(error)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is the caller's to hear
            found = error
        if isinstance(found, Exception):
            future.set_exception(found)
        else:
            future.set_result(found)


def _ended(error: Exception) -> EndedError:
    ended = EndedError(at_work=False)
    ended.__cause__ = error
    return ended
