"""Read mails: who wrote when to whom, the text or the page that they hold; attachments are named, not read."""

from __future__ import annotations

from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage, MIMEPart
from html import escape

from ragassay.documents import decoding
from ragassay.documents.html import read_html
from ragassay.documents.parsed import ParsedText, UnreadableError, clean_characters
from ragassay.documents.plain import read_plain

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
    subject, page = _line(_header(mail, "subject")), _text(mail.get_body(("html",)))
    inside, attachments = _other_parts(mail)
    lines = _fields(mail) + ([f"Attachments: {', '.join(attachments)}"] if attachments else [])
    if page.strip():
        before, after = ("<br>".join(map(escape, each)) for each in (lines, "\n".join(inside).split("\n")))
        parsed = read_html(f"<p>{before}</p>{page}<p>{after}</p>", subject)
    else:
        text = "\n".join([*lines, "", _text(mail.get_body(("plain",))), *inside])
        parsed = replace(read_plain(text), title=subject)
    left_out = ["Left out: attachments; the text names them."] if attachments else []
    return replace(parsed, notes=(*parsed.notes, *left_out))


def _other_parts(mail: EmailMessage) -> tuple[list[str], list[str]]:
    """Return the texts of mails that stand in a mail, and the names of what is no text.

    Pictures inside its page are neither.
    """
    inside, attachments, bodies = [], [], (mail.get_body(("html",)), mail.get_body(("plain",)))
    for part in mail.walk():
        is_inside = part.get_content_maintype() == "image" and part["content-id"] and not part.is_attachment()
        if part is not mail and "from" in part:
            inside.append("\n".join(["", *_fields(part), ""]))
        if part.is_multipart() or is_inside or part in bodies:
            continue
        if part.get_content_type() == "text/plain" and not part.get_filename():
            inside.append(_text(part))
        else:
            attachments.append(_line(part.get_filename() or part.get_content_type()))
    return inside, attachments


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


def _text(part: MIMEPart | None) -> str:
    if part is None:
        return ""
    content = part.get_payload(decode=True)
    charset = part.get_content_charset() or ""
    named = charset if decoding.is_known(charset) else None
    return clean_characters(decoding.decode_bytes(content, named).text) if isinstance(content, bytes) else ""
