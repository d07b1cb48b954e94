"""Zip files that hold the parts of a document, as Office files and e-books do: read in memory, within bounds."""

from __future__ import annotations

import posixpath
import re
import zipfile
import zlib
from collections.abc import Iterator
from io import BytesIO
from typing import Any, NamedTuple

from lxml import etree

from ragassay.documents.parsed import UnreadableError

_MOST_UNPACKED_BYTES = 300_000_000
"""Of all parts together: a small file can unpack to gigabytes."""
_MOST_TAGS = 5_000_000
"""Of the parts that are parsed: the parser needs 200 bytes of memory for a tag, however short."""
_STRICT, _USUAL = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/"), rb"http://schemas.openxmlformats.org/\1/2006/"
OLE = b"\xd0\xcf\x11\xe0"
"""Begins the files of Office before 2007, and those of later ones that have a password."""


class Relation(NamedTuple):
    """A link from one part to another. kind: the end of its type's address, such as "slide"."""

    id: str
    kind: str
    target: str


class Package:
    """The parts of a zip file by name. Names are alike in upper and lower case; some programs write backslashes."""

    def __init__(self, data: bytes, extension: str) -> None:
        """extension: for messages. Raises UnreadableError where it is another kind of file, encrypted or too large."""
        if data.startswith(OLE):
            old = "it is encrypted or from before Office 2007, despite its name"
            raise UnreadableError(f"{old}; save it as {extension} without a password")
        if data[:1_000].lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"<":
            raise UnreadableError("it is a web page or XML, despite its name; name it .html if a browser shows it")
        if not data.startswith(b"PK"):
            raise UnreadableError(f"it is not a {extension} file, despite its name")
        try:
            self._file = zipfile.ZipFile(BytesIO(data))
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
            raise UnreadableError(f"it is damaged: not a whole {extension} file; save or copy it again") from None
        unpacked, most = sum(part.file_size for part in self._file.infolist()), _MOST_UNPACKED_BYTES
        if unpacked > most:
            raise UnreadableError(f"it unpacks to {unpacked / 1e6:.0f} MB, more than the limit of {most / 1e6:.0f} MB")
        if any(part.flag_bits & 1 for part in self._file.infolist()):
            raise UnreadableError("it is protected by a password; save it without one")
        self._parts = {part.filename.replace("\\", "/").lower(): part for part in self._file.infolist()}
        self._tags = 0

    def __contains__(self, name: str) -> bool:
        return name.lower() in self._parts

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    def read(self, name: str) -> bytes:
        """Return the bytes of a part. Raises UnreadableError where it is missing or damaged."""
        try:
            return self._file.read(self._parts[name.lower()])
        except KeyError:
            raise UnreadableError(f"it is damaged: its part {name} is missing") from None
        except (zipfile.BadZipFile, EOFError, NotImplementedError, zlib.error):
            raise UnreadableError(f"it is damaged: its part {name} cannot be unpacked") from None

    def parsed(self, name: str, *, mend: bool = False) -> Any:
        """Return the root element of a part, the namespaces of strict Office files as those of usual ones.

        mend: read as far as can be, as browsers read pages.
        """
        content = self.read(name)
        self._tags += content.count(b"<")
        if self._tags > _MOST_TAGS:
            raise UnreadableError(f"it has more than {_MOST_TAGS:,} XML tags, the limit")
        options = {"resolve_entities": False, "no_network": True, "remove_comments": True, "remove_pis": True}
        try:
            root = etree.fromstring(_STRICT.sub(_USUAL, content), etree.XMLParser(recover=mend, **options))
        except etree.XMLSyntaxError:
            root = None
        if root is None:
            raise UnreadableError(f"it is damaged: its part {name} is not valid XML")
        return root

    def main_part(self) -> str:
        """Return the name of an Office file's main part."""
        places = [link.target for link in self.relations() if link.kind == "officeDocument"]
        if not places:
            raise UnreadableError("it is damaged, or another kind of file: it names no main part")
        return places[0]

    def title(self, name: str = "") -> str:
        """Return the title that a part gives, of an Office file that of its core properties; or nothing."""
        names = [name, *(link.target for link in self.relations() if link.kind == "core-properties")]
        roots = [self.parsed(each) for each in names[:2] if each in self]
        titles = [text for root in roots[:1] for text in root.xpath("(//*[local-name() = 'title'])[1]/text()")]
        return " ".join("".join(titles).split())

    def relations(self, name: str = "") -> list[Relation]:
        """Return the links of a part to others that are there; those of the whole package without a name."""
        folder, base = posixpath.split(name)
        place = posixpath.join(folder, "_rels", f"{base}.rels")
        found = []
        for link in self.parsed(place) if place in self else ():
            target = target_of(name, link.get("Target") or "")
            if target in self and link.get("TargetMode") != "External":
                found.append(Relation(link.get("Id") or "", (link.get("Type") or "").rpartition("/")[2], target))
        return found


def target_of(name: str, link: str) -> str:
    """Return the name of the part that a link in another one means: never one outside of the package."""
    return posixpath.normpath(posixpath.join("/", posixpath.dirname(name), link))[1:].lower()
