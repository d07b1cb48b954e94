"""How long a reStructuredText document becomes once its substitutions are put in, told before any is."""

from __future__ import annotations

from collections.abc import Iterable

from docutils import nodes
from docutils.readers import standalone
from docutils.transforms import Transform
from docutils.transforms.references import Substitutions

_MOST_TIMES = 10
_ALWAYS_ALLOWED_CHARS = 1_000_000


class TooLongError(Exception):
    """A few lines of definitions would become more text than a reader can mean. The message says how much."""


class Reader(standalone.Reader):  # type: ignore[type-arg]  # generic in the stubs only
    """docutils' own, which raises TooLongError before it puts in substitutions that make a document absurdly long."""

    def get_transforms(self) -> list[type[Transform]]:
        return [*super().get_transforms(), _CheckLength]


class _CheckLength(Transform):
    default_priority = Substitutions.default_priority - 1

    def apply(self) -> None:
        definitions = self.document.substitution_defs
        by_lower = self.document.substitution_names
        longest = self.document.settings.line_length_limit
        lengths: dict[str, int] = {}

        def length_of(name: str, above: tuple[str, ...]) -> int:
            key = name if name in definitions else by_lower.get(name.lower())
            if key is None or key in above:  # unknown or circular: docutils puts nothing in
                return 0
            if key not in lengths:
                definition = definitions[key]
                length = len(definition.astext()) + total(_names(definition), (*above, key))
                lengths[key] = length if length <= longest else 0  # docutils leaves such a name as it is
            return lengths[key]

        def total(names: Iterable[str], above: tuple[str, ...] = ()) -> int:
            return sum(length_of(name, above) for name in names)

        found = total(_names(self.document, outside_definitions=True))
        if found > max(_ALWAYS_ALLOWED_CHARS, _MOST_TIMES * len(self.document.rawsource)):
            raise TooLongError(f"its substitutions would make {found:,} characters of it")


def _names(node: nodes.Node, *, outside_definitions: bool = False) -> list[str]:
    references = node.findall(nodes.substitution_reference)
    return [
        each["refname"]
        for each in references
        if not (outside_definitions and isinstance(each.parent, nodes.substitution_definition))
    ]
