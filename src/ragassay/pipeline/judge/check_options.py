"""What a judge is checked on: the options of ``ragassay judge check`` and ``repeat``."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from ragassay.agreement.check_files import JudgeSet, read_judge_set
from ragassay.agreement.check_items import Quality
from ragassay.agreement.claim_files import ClaimSet, holds_claims, read_claim_set
from ragassay.corpus.sources import printable
from ragassay.errors import UsageError, check_seed
from ragassay.pipeline.asking.model_options import ModelOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeCheckOptions:
    """data: file of pairs, comparisons, rated answers or claims; None for what comes with the package.

    claims: judge claims: those that come with the package where there is no file; a file of claims is recognised.
    quality: what to check; None for all that the lines say. blocks: file of knowledge blocks, see ``read_judge_set``.
    models: its judge is checked. out: folder for values, figures and the log of calls; None writes nothing, unless the
    judge is on a server. seed: of intervals, controls and ties of rankings.
    """

    data: Path | None = None
    claims: bool = False
    quality: Quality | None = None
    blocks: Path | None = None
    models: ModelOptions = field(default_factory=ModelOptions)
    out: Path | None = None
    seed: int = 0

    def read(self) -> JudgeSet | ClaimSet:
        """What is judged. Raises UsageError, InputError or ModelError for options that cannot be meant."""
        self._check()
        if not self._is_of_claims:
            return read_judge_set(self.data, self.quality, self.blocks)
        for name, value in (("--quality", self.quality), ("--blocks", self.blocks)):
            if value is not None:
                raise UsageError(f"{name}: does not apply to claims; leave it out")
        return read_claim_set(self.data)

    def read_items(self) -> JudgeSet:
        """What is judged where claims cannot be; else as ``read``."""
        self._check()
        if self._is_of_claims:
            raise UsageError(f"{self.data or '--claims'}: only `ragassay judge check` takes claims")
        return read_judge_set(self.data, self.quality, self.blocks)

    def folder(self, command: str) -> Path | None:
        """Where results of a command go, which is not where those of another go; None for nowhere."""
        if self.out is None and self.models.uses_servers:
            shipped = "shipped-claims" if self.claims else "shipped"
            return Path(f"{self.data.stem if self.data else shipped}.{command.replace(' ', '-')}")
        return self.out

    def settings(self, where: str) -> dict[str, str]:
        """Option name to value, as pages show them. where: what was read."""
        quality = {} if self.quality is None else {"quality": self.quality}
        return {"data": printable(where), **quality, **self.models.settings(), "seed": str(self.seed)}

    @property
    def _is_of_claims(self) -> bool:
        return self.claims or (self.data is not None and holds_claims(self.data))

    def _check(self) -> None:
        self.models.check(lexical=True)
        check_seed(self.seed)
