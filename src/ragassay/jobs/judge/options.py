"""What a judge is measured on: the settings of ``ragassay judge check`` and ``repeat``."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from ragassay.errors import UsageError
from ragassay.jobs.asking.model_options import ModelOptions
from ragassay.options import Group, Option, Seed, settings, shown_settings, typed_as
from ragassay.people.agreement.check_items import Quality

if TYPE_CHECKING:
    from ragassay.people.agreement.check_items import JudgeSet
    from ragassay.people.agreement.claims import ClaimSet

_SHOWN = frozenset({"quality", "blocks"})


@settings
class JudgeOptions:
    """The judge is that of ``models``."""

    data: Annotated[
        Path | None,
        Option(
            "JSONL file of pairs, comparisons, rated answers or claims; default: small sets that are shipped.",
            metavar="FILE",
            is_argument=True,
        ),
    ] = None
    claims: Annotated[bool, Option("Take claims: those in FILE, or those that are shipped.")] = False
    quality: Annotated[
        Quality | None,
        typed_as(lambda name: name.strip().lower().replace("-", "_") if isinstance(name, str) else name),
        Option(
            "faithfulness, answer_relevance, context_relevance, preference or truthfulness; default: all in FILE.",
            metavar="NAME",
        ),
    ] = None
    blocks: Annotated[
        Path | None,
        Option(
            "JSONL file of knowledge blocks, by url, id or title; default: knowledge_blocks.jsonl beside FILE.",
            metavar="PATH",
        ),
    ] = None
    seed: Annotated[Seed, Option("Random seed of intervals, the random control and ties.")] = 0
    out: Annotated[
        Path | None,
        Option(
            "Folder for values, evidence and the log of calls; default for a judge on a server: NAME.judge-check or "
            "NAME.judge-repeat.",
            metavar="FOLDER",
        ),
    ] = None
    models: Annotated[ModelOptions, Group(frozenset({"panel", "embeddings", "answers"}))] = field(
        default_factory=ModelOptions
    )

    @property
    def uses_servers(self) -> bool:
        """Whether anything is asked of a server."""
        return self.models.uses_servers

    @property
    def is_on_server(self) -> bool:
        """Whether the judge is a language model on a server."""
        return "judge" in self.models.on_servers

    def read(self, *, takes_claims: bool = True) -> JudgeSet | ClaimSet:
        """Read what is judged. Raises UsageError, InputError or RecordError."""
        from ragassay.people.agreement.check_items import read_judge_set  # imported late: --help stays fast
        from ragassay.people.agreement.claims import holds_claims, read_claim_set

        self.models.check(lexical=True)
        if self.models.more_judges:
            raise UsageError("--judge: one judge is measured; name one")
        if not (self.claims or (self.data is not None and holds_claims(self.data))):
            return read_judge_set(self.data, self.quality, self.blocks)
        if not takes_claims:
            raise UsageError(f"{self.data or '--claims'}: only `ragassay judge check` takes claims")
        for name, value in (("--quality", self.quality), ("--blocks", self.blocks)):
            if value is not None:
                raise UsageError(f"{name}: does not apply to claims; leave it out")
        return read_claim_set(self.data)

    def folder(self, command: str) -> Path | None:
        """Where results of a command go; None for nowhere."""
        if self.out is None and self.uses_servers:
            shipped = "shipped-claims" if self.claims else "shipped"
            return Path(f"{self.data.stem if self.data else shipped}.{command.replace(' ', '-')}")
        return self.out

    def settings(self, where: str) -> dict[str, str]:
        """Name to value as text. where: what was read."""
        from ragassay.documents.sources import printable

        shown: dict[str, Any] = {name: value for name, value in shown_settings(self).items() if name in _SHOWN}
        return {"data": printable(where), **shown, **self.models.settings(), "seed": str(self.seed)}
