"""Scored runs held against conditions: ``ragassay gate``."""
