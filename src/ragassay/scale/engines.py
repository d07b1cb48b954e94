"""The engines by name: ``local``, ``ray`` and ``ray:ADDRESS``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from ragassay.errors import UsageError

LOCAL = "local"
RAY = "ray"


@contextmanager
def engine(name: str = LOCAL) -> Iterator[None]:
    """What is done meanwhile shares its work with the machines of an engine; the results are the same bytes.

    name: ``local`` for the cores of this machine. ``ray`` for the cluster that the environment variable RAY_ADDRESS
    names, or else for a Ray of its own on this machine; ``ray:10.0.0.1:6379`` for the cluster at that address. Calls to
    servers, their limits and the files of a run stay with this process.
    Raises UsageError for any other name, and where the extra ``ragassay[ray]`` is missing; ModelError where there is no
    cluster, or its machines have another version of Ragassay or Python.
    """
    kind, _, address = name.partition(":")
    if kind == LOCAL and not address:
        yield
        return
    if kind != RAY or (":" in name and address != "auto" and not re.search(r":\d+$", address)):
        raise UsageError(f"--engine: unknown engine {name!r}; choose local, ray or ray:HOST:PORT")
    from ragassay.scale.ray_cluster import ray_cluster  # imported late: takes a second, and is an extra
    from ragassay.workers import running_on

    with ray_cluster(address or None) as cluster, running_on(cluster):
        yield
