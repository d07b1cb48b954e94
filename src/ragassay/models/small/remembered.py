"""What the small language model said of a text, kept between runs: it says the same of it every time."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

from ragassay.models.cache_folder import cache_folder
from ragassay.models.kept_values import KeptValues

FILE_NAME = "readings.sqlite"


class Remembered:
    """Replies of one model by what was asked. Trouble with the file never stops a run; one warning says why.

    identity: of the model; nothing is kept for one without. further: what else a reply depends on.
    """

    def __init__(self, identity: str, further: str = "") -> None:
        self._maker = f"{identity}-{further}".encode()
        what = "readings of the small language model"
        self._store = KeptValues(cache_folder() / FILE_NAME, what) if identity else None

    def key(self, *parts: str) -> bytes:
        """Of what was asked."""
        digest = blake2b(self._maker, digest_size=16)
        for part in parts:
            digest.update(b"\0" + part.encode("utf-8", "surrogatepass"))
        return digest.digest()

    def known(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The replies to those that were asked before."""
        return {} if self._store is None else self._store.read(keys)

    def keep(self, replies: dict[bytes, bytes]) -> None:
        """Adds replies."""
        if replies and self._store is not None:
            self._store.write(replies)
