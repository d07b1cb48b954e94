"""Which store is meant by a name: ``memory``, ``mapped:FOLDER``, ``faiss``, ``faiss:hnsw``, ``postgresql://...``."""

from __future__ import annotations

from pathlib import Path

from ragassay.errors import UsageError
from ragassay.retrieval.stores.base import Store

HNSW = ":hnsw"
_EXAMPLES = "memory, mapped:FOLDER, faiss, faiss:hnsw, postgresql://HOST/DATABASE, or that plus :hnsw"


def open_store(name: str, *, language: str = "en") -> Store:
    """The store of a name, with what it holds.

    Raises UsageError for a name that is none or an extra that is missing, InputError where a folder or server cannot be
    used.
    """
    if name == "memory":
        from ragassay.retrieval.stores.memory import MemoryStore

        return MemoryStore(language)
    kind, _, rest = name.partition(":")
    if kind == "mapped" and rest:
        from ragassay.retrieval.stores.mapped import MappedStore

        return MappedStore(Path(rest).expanduser(), language)
    if name in ("faiss", f"faiss{HNSW}"):
        from ragassay.retrieval.stores.faiss_store import FaissStore

        return FaissStore(approximate=name.endswith(HNSW), language=language)
    if kind in ("postgresql", "postgres") and rest.startswith("//"):
        from ragassay.retrieval.stores.postgres import PostgresStore

        url = name.removesuffix(HNSW)
        return PostgresStore(url, approximate=url != name, language=language)
    raise UsageError(f"store: unknown store {name[:80]!r}; choose one of {_EXAMPLES}")
