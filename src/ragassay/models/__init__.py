EMBEDDED = "embedded"
"""The name of the model, and of the encoder, that are asked in this process."""
LEXICAL = "lexical"
"""The embedded judge without sentence vectors; it judges and does nothing else."""
LOCAL = frozenset((EMBEDDED, LEXICAL))
