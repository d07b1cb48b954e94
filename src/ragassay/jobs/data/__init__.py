"""Data sets and results in other forms: converted, checked, exported, agreed on, mended."""
