"""Models behind other protocols than OpenAI's, by way of the package litellm.

It takes the place of the connections to a server: a request goes in and a reply comes out in the words of OpenAI's
protocol, so log, budget, pace, retries and the reading of replies are the same as for any server.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import Any, NoReturn

from ragassay.errors import ModelError
from ragassay.models.llm.endpoints import Endpoint
from ragassay.models.llm.masking import mask_of, secrets_of
from ragassay.models.llm.transport import NotReceived, Received

_FUNCTIONS = {"/chat/completions": "acompletion", "/embeddings": "aembedding"}


class LitellmTransport:
    """Has the methods of ``Transport``. Keys are litellm's business, which takes them from the environment."""

    def __init__(self, endpoint: Endpoint) -> None:
        """Raises ModelError, with what to install, where the package is missing."""
        self._name = endpoint.name
        self._headers = dict(endpoint.headers)
        self.mask = mask_of(endpoint.key, endpoint.headers, secrets_of(os.environ))
        self._litellm = _imported()

    async def post(self, path: str, body: bytes, *, timeout_s: float, fresh: bool = False) -> Received:
        """Asks once. fresh: has no meaning here. Raises NotReceived."""
        ask = getattr(self._litellm, _FUNCTIONS[path])
        fields: dict[str, Any] = json.loads(body)
        if self._headers:
            fields["extra_headers"] = self._headers
        try:
            async with asyncio.timeout(timeout_s):
                # One try: whether there is another one is decided where the budget is known.
                reply = await ask(**fields, timeout=timeout_s, num_retries=0, max_retries=0)
        except TimeoutError:
            self._timed_out(timeout_s)
        except Exception as error:
            status = getattr(error, "status_code", None)
            if not isinstance(status, int):  # no answer of a server, but a mistake in what was asked, or in litellm
                raise
            if type(error).__name__ == "Timeout":
                self._timed_out(timeout_s)
            said = json.dumps({"error": _described(error)}).encode()
            return Received(status, _headers(error), self.mask.masked(said, status))
        return Received(200, {}, self.mask.masked(reply.model_dump_json().encode(), 200), self.mask)

    async def close(self) -> None:
        """Nothing is kept here."""

    def _timed_out(self, timeout_s: float) -> NoReturn:
        raise NotReceived("time-out", f"no reply by way of {self._name} within {timeout_s:g} s") from None


def _imported() -> ModuleType:
    # Read while it is imported: without this, prices are fetched from the network.
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    try:
        litellm = import_module("litellm")
    except ModuleNotFoundError as error:
        if error.name != "litellm":
            raise
        raise ModelError(
            "models named litellm:... need the package litellm, which is not installed; "
            "run: pip install 'ragassay[litellm]'"
        ) from None
    litellm.telemetry = False  # type: ignore[attr-defined]
    litellm.suppress_debug_info = True  # type: ignore[attr-defined]  # it would be printed among our own output
    return litellm


def _headers(error: Exception) -> Mapping[str, str]:
    """Of the reply that an error stands for, such as how long to wait; names in lower case."""
    response = getattr(error, "response", None)
    given = getattr(error, "litellm_response_headers", None) or getattr(response, "headers", None) or {}
    return {str(name).lower(): str(value) for name, value in dict(given).items()}


def _described(error: Exception) -> dict[str, str]:
    """An error as OpenAI's protocol has it; litellm tells a filter by the kind of error alone."""
    filtered = type(error).__name__ == "ContentPolicyViolationError"
    return {"message": _said(error), **({"code": "content_policy_violation"} if filtered else {})}


def _said(error: Exception) -> str:
    text = str(error)
    while text.startswith("litellm."):
        text = text.partition(":")[2].strip()
    return text
