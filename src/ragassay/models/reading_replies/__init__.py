"""Replies of language models: from text to the type that was asked for, or the reason why it cannot be read."""

from ragassay.models.reading_replies.reader import UnreadableReply, read_reply

__all__ = ["UnreadableReply", "read_reply"]
