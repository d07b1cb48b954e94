"""Choose where work is done by name: ``local``, ``ray`` or ``ray:HOST:PORT``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from ragassay.errors import UsageError

LOCAL = "local"


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
    from ragassay.process import running_on
    from ragassay.scale.ray_cluster import ray_cluster  # imported late: takes a second, and is an extra

    with ray_cluster(match[1]) as cluster, running_on(cluster):
        yield
