"""Read mails: who wrote when to whom, the text or the page that they hold; attachments are named, not read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage, MIMEPart
from html import escape

from selectolax.lexbor import LexborHTMLParser

from ragassay.documents import decoding
from ragassay.documents.html import read_html
from ragassay.documents.parsed import ParsedText, UnreadableError, clean_characters
from ragassay.documents.plain import read_plain

_TEXTS = ("text/html", "text/plain")
_ENCRYPTED = ("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime")


def read_mail(data: bytes) -> ParsedText:
    """Read a mail; its title is the subject. Raises UnreadableError where it is none, or encrypted."""
    mail = message_from_bytes(data, policy=policy.default)
    if not ("from" in mail or "subject" in mail):
        raise UnreadableError(
            "it is not a mail, or one of Outlook (.msg): it has neither sender nor subject; save it as .eml"
        )
    if mail.get_content_type() in _ENCRYPTED and mail.get_param("smime-type") != "signed-data":
        raise UnreadableError("it is encrypted; save it decrypted")
    subject, (texts, attachments) = _line(_header(mail, "subject")), _read_parts(mail)
    lines = _fields(mail) + ([f"Attachments: {', '.join(attachments)}"] if attachments else [])
    if any(is_page and text.strip() for text, is_page in texts):
        pages = "".join(_page(*text) for text in [("\n".join(lines), False), *texts])
        parsed = read_html(f"<main>{pages}</main>", subject)
    else:
        parsed = replace(read_plain("\n".join([*lines, "", *(text for text, _ in texts)])), title=subject)
    left_out = ["Left out: attachments; the text names them."] if attachments else []
    return replace(parsed, notes=(*parsed.notes, *left_out))


def _page(text: str, is_page: bool) -> str:
    """Write a text as HTML, and of a page its body, in which nothing stays open."""
    if is_page:
        return getattr(LexborHTMLParser(text).body, "html", "")
    return f"<p>{escape(text)}</p>".replace("\n\n", "</p><p>").replace("\n", "<br>")


def _read_parts(mail: EmailMessage) -> tuple[list[tuple[str, bool]], list[str]]:
    """Return the texts in order, each with whether it is a page, and names of what is no text and no picture of one."""
    texts, attachments = [], []
    for part in _parts(mail):
        kind, is_attachment = part.get_content_type(), part.is_attachment()
        if part is not mail and "from" in part:
            texts.append(("\n".join(["", *_fields(part), ""]), False))
        if kind in _TEXTS and not is_attachment:
            texts.append((_text(part), kind == "text/html"))
        elif not part.is_multipart() and (is_attachment or not (kind.startswith("image/") and part["content-id"])):
            attachments.append(_line(part.get_filename() or kind))
    return texts, attachments


def _parts(part: MIMEPart) -> Iterator[MIMEPart]:
    """Yield a part and all in it, in order; of alternatives pages, else plain text, and what holds neither."""
    yield part
    parts = list(part.iter_parts())
    if part.get_content_type() == "multipart/alternative":
        held = [{each.get_content_type() for each in one.walk() if _text(each).strip()} for one in parts]
        best = next((kind for kind in _TEXTS if any(kind in kinds for kinds in held)), "")
        parts = [one for one, kinds in zip(parts, held, strict=True) if best in kinds or kinds.isdisjoint(_TEXTS)]
    for each in parts:
        yield from _parts(each)


def _fields(part: MIMEPart) -> list[str]:
    """Return who wrote when to whom; the date as ISO 8601 writes it, as it stands where it is none."""
    when = getattr(_header(part, "date"), "datetime", None)
    fields = {name: _line(_header(part, name)) for name in ("Subject", "From", "To", "Cc", "Date")}
    fields |= {"Date": when.isoformat(" ")} if when else {}
    return [f"{name}: {value}" for name, value in fields.items() if value]


def _header(part: MIMEPart, name: str) -> object:
    """Return a header; as it stands where the library fails to parse it."""
    try:
        return part[name]
    except (IndexError, ValueError, OverflowError, TypeError, AttributeError):
        return next(value for other, value in part.raw_items() if other.lower() == name.lower())


def _line(value: object) -> str:
    return " ".join(clean_characters(str(value or "")).split())


def _text(part: MIMEPart) -> str:
    content = part.get_payload(decode=True)
    charset = part.get_content_charset() or ""
    named = charset if decoding.is_known(charset) else None
    return clean_characters(decoding.decode_bytes(content, named).text) if isinstance(content, bytes) else ""
