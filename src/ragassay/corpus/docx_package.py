"""A Word file's package, cut down to the parts that are read: nothing else in it can keep it from being opened."""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from ragassay.corpus.parsed import UnreadableError

_MOST_UNPACKED_BYTES = 300_000_000
"""Of all parts together: a small file can unpack to gigabytes."""
_MOST_TAGS = 5_000_000
"""Of the parts that are read: the parser needs 200 bytes of memory for a tag, however short."""
_PIECE_BYTES = 1_000_000
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml"


class _Kind(NamedTuple):
    """name: under which python-docx gets the part. type: of its content."""

    name: str
    type: str


_TEXT = f"{_RELATION}/officeDocument"
_CORE = f"{_PACKAGE}/relationships/metadata/core-properties"
_KINDS = {
    _TEXT: _Kind("word/document.xml", f"{_WORD}.document.main+xml"),
    f"{_RELATION}/styles": _Kind("word/styles.xml", f"{_WORD}.styles+xml"),
    f"{_RELATION}/numbering": _Kind("word/numbering.xml", f"{_WORD}.numbering+xml"),
    f"{_RELATION}/footnotes": _Kind("word/footnotes.xml", f"{_WORD}.footnotes+xml"),
    f"{_RELATION}/endnotes": _Kind("word/endnotes.xml", f"{_WORD}.endnotes+xml"),
    _CORE: _Kind("docProps/core.xml", "application/vnd.openxmlformats-package.core-properties+xml"),
}
"""The parts that are read, by the kind of the relationship that leads to them."""
_TRANSITIONAL = {
    b"http://purl.oclc.org/ooxml/officeDocument/relationships": _RELATION.encode(),
    b"http://purl.oclc.org/ooxml/wordprocessingml/main": b"http://schemas.openxmlformats.org/wordprocessingml/2006/main",
}
"""Names of Strict Open XML (ISO/IEC 29500-1) to those of the transitional kind (29500-4), which python-docx knows."""


def plain_package(path: Path) -> BytesIO:
    """The text, notes, styles, numberings and properties of a Word file, as a package that python-docx opens.

    It refuses some that Word opens: where a picture is named and missing, with macros, templates, Strict Open XML.
    Raises UnreadableError for what is too large or no package, LookupError where the text is missing, and what zipfile
    and lxml raise for damaged files.
    """
    try:
        package = zipfile.ZipFile(path)
    except zipfile.BadZipFile:
        raise UnreadableError("it is not a Word document: not even a ZIP file") from None
    with package:
        unpacked = sum(part.file_size for part in package.infolist())
        if unpacked > _MOST_UNPACKED_BYTES:
            raise UnreadableError(
                f"it unpacks to {unpacked / 1e6:.0f} MB, more than the limit of {_MOST_UNPACKED_BYTES / 1e6:.0f} MB"
            )
        return _packed(_Parts(package).by_kind())


class _Parts:
    """The parts of a package. Their names are alike in upper and lower case; some programs write backslashes."""

    def __init__(self, package: zipfile.ZipFile) -> None:
        self._package = package
        self._by_name = {part.filename.replace("\\", "/").lower(): part for part in package.infolist()}
        self._tags = 0

    def by_kind(self) -> dict[str, bytes]:
        """The first part of each kind that is read, by its kind."""
        of_package = self._related("")
        names = {**self._related(of_package[_TEXT]), **of_package}
        return {kind: self._read(names[kind]) for kind in _KINDS if kind in names}

    def _related(self, name: str) -> dict[str, str]:
        """Kind to name of what a part, or the package as such, says that it is related to and that is there."""
        from docx.oxml.parser import parse_xml

        folder, base = posixpath.split(name)
        relations = posixpath.join(folder, "_rels", f"{base}.rels")
        found: dict[str, str] = {}
        for each in parse_xml(self._read(relations)) if relations in self._by_name else ():
            target = posixpath.normpath(posixpath.join("/", folder, each.get("Target") or ""))[1:].lower()
            if target in self._by_name and each.get("TargetMode") != "External":
                found.setdefault(each.get("Type") or "", target)
        return found

    def _read(self, name: str) -> bytes:
        content = bytearray()
        with self._package.open(self._by_name[name]) as file:
            while piece := file.read(_PIECE_BYTES):
                content += piece
                self._tags += piece.count(b"<")
                if self._tags > _MOST_TAGS:
                    raise UnreadableError(f"it has more than {_MOST_TAGS:,} XML tags, the limit")
        for strict, transitional in _TRANSITIONAL.items():
            content = content.replace(strict, transitional)
        return bytes(content)


def _packed(parts: Mapping[str, bytes]) -> BytesIO:
    above = {kind: _KINDS[kind].name for kind in parts if kind in (_TEXT, _CORE)}
    beside = {kind: posixpath.basename(_KINDS[kind].name) for kind in parts if kind not in above}
    types = "".join(f'<Override PartName="/{_KINDS[kind].name}" ContentType="{_KINDS[kind].type}"/>' for kind in parts)
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as package:
        package.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" '
            f'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>{types}</Types>',
        )
        package.writestr("_rels/.rels", _relationships(above))
        package.writestr("word/_rels/document.xml.rels", _relationships(beside))
        for kind, content in parts.items():
            package.writestr(_KINDS[kind].name, content)
    return file


def _relationships(targets: Mapping[str, str]) -> str:
    each = (
        f'<Relationship Id="r{number}" Type="{kind}" Target="{name}"/>'
        for number, (kind, name) in enumerate(targets.items())
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{"".join(each)}</Relationships>'
