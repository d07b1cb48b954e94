"""The Chinese side of the embedded model: the same tasks by rules for Chinese text."""
