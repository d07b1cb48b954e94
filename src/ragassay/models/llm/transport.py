"""Requests to one server over connections that are kept: sent once, cut when they hang, never redirected."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Literal, NamedTuple
from urllib.parse import urlsplit

from ragassay.models.llm.endpoints import Endpoint, public_address
from ragassay.models.llm.masking import NO_MASK, Mask, mask_of

if TYPE_CHECKING:
    import aiohttp

MAX_REPLY_BYTES = 64 * 1024 * 1024
"""No reply of a model is longer; a batch of embeddings in decimal digits may come near it."""

Trouble = Literal["not connected", "time-out", "cut", "too long"]


RAISED = 0
"""In the place of a status: a function of the user's, which stands for a server, raised."""


class Received(NamedTuple):
    """A reply of a server. headers: case-insensitive. mask: for what is put together out of parts of the body."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    mask: Mask = NO_MASK


class NotReceived(Exception):  # noqa: N818 - no error but one outcome of a try
    """No whole reply came. reason: without secrets. billed: the server may have done the work."""

    def __init__(self, kind: Trouble, reason: str) -> None:
        super().__init__(reason)
        self.kind: Trouble = kind
        self.reason = reason
        self.billed = kind != "not connected"


class Transport:
    """Connections to the server of an endpoint. Each event loop has its own; those of a closed loop are dropped."""

    def __init__(self, endpoint: Endpoint, connect_timeout_s: float, secrets: Iterable[str] = ()) -> None:
        """secrets: masked in replies, beside key and headers."""
        self._base = endpoint.base_url.rstrip("/")
        self._query = endpoint.query
        self._shown = public_address(endpoint.base_url)
        self._headers = _headers(endpoint)
        self.mask = mask_of(endpoint.key, endpoint.headers, secrets)
        self._proxy = _proxy(endpoint.base_url)
        self._connect_timeout_s = connect_timeout_s
        self._loop: asyncio.AbstractEventLoop | None = None
        self._kept: aiohttp.ClientSession | None = None

    async def post(self, path: str, body: bytes, *, timeout_s: float) -> Received:
        """Send a JSON body once. Raises NotReceived."""
        return await self.request("POST", path, body, timeout_s=timeout_s)

    async def request(
        self, method: Literal["GET", "POST", "HEAD"], path: str, body: bytes, *, timeout_s: float
    ) -> Received:
        """Send as ``post``, by any method. path: for GET in the form in which it is sent. Raises NotReceived."""
        import aiohttp
        from yarl import URL

        session = await self._session()
        timeout = aiohttp.ClientTimeout(total=timeout_s, sock_connect=self._connect_timeout_s)
        try:
            async with session.request(
                method,
                URL(
                    self._base + path + self._query.replace("?", "&" if "?" in path else "?"), encoded=method != "POST"
                ),
                data=body or None,
                timeout=timeout,
                allow_redirects=False,
                proxy=self._proxy,
            ) as response:
                said = self.mask.masked(await self._body(response), response.status)
                return Received(response.status, response.headers, said, self.mask)
        except aiohttp.ConnectionTimeoutError:
            raise NotReceived(
                "not connected", f"no connection to {self._shown} within {self._connect_timeout_s:g} s"
            ) from None
        except TimeoutError:
            raise NotReceived("time-out", f"no reply from {self._shown} within {timeout_s:g} s") from None
        except aiohttp.ClientConnectorCertificateError:
            raise NotReceived("not connected", f"the certificate of {self._shown} is not trusted") from None
        except aiohttp.ClientConnectorError as error:
            why = error.os_error.strerror or type(error.os_error).__name__
            raise NotReceived("not connected", f"no connection to {self._shown} ({why})") from None
        except (aiohttp.ClientError, OSError) as error:
            raise NotReceived("cut", f"the connection to {self._shown} was cut ({type(error).__name__})") from None

    async def close(self) -> None:
        session, self._kept = self._kept, None
        if session is not None:
            with suppress(RuntimeError):  # its event loop is closed: there is nobody to say goodbye to
                await session.close()

    async def _body(self, response: aiohttp.ClientResponse) -> bytes:
        parts = []
        n_bytes = 0
        async for part in response.content.iter_any():
            parts.append(part)
            n_bytes += len(part)
            if n_bytes > MAX_REPLY_BYTES:
                response.close()
                raise NotReceived("too long", f"{self._shown} sent a reply of more than {MAX_REPLY_BYTES >> 20} MiB")
        return b"".join(parts)

    async def _session(self) -> aiohttp.ClientSession:
        import aiohttp

        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            await self.close()
            self._loop = loop
        if self._kept is None:
            # limit 0: how many calls are in flight is the business of Pace.
            self._kept = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0), headers=self._headers, cookie_jar=aiohttp.DummyCookieJar()
            )
        return self._kept


def _headers(endpoint: Endpoint) -> dict[str, str]:
    headers = {"Content-Type": "application/json", "User-Agent": "ragassay", **endpoint.headers}
    if endpoint.key and not {"authorization", "api-key"} & {name.lower() for name in headers}:
        is_token = not endpoint.is_azure or endpoint.key.startswith("eyJ")
        headers |= {"Authorization": f"Bearer {endpoint.key}"} if is_token else {"api-key": endpoint.key}
    return headers


def _proxy(url: str) -> str | None:
    """Return the proxy that the environment names, none for this machine; aiohttp would take passwords of ~/.netrc."""
    from urllib.request import getproxies, proxy_bypass

    parts = urlsplit(url)
    host = parts.hostname or ""
    if host == "localhost" or host.endswith(".localhost") or host.startswith("127.") or host == "::1":
        return None
    if proxy_bypass(host):
        return None
    proxy: str | None = getproxies().get(parts.scheme)
    return proxy
