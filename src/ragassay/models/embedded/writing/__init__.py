"""The tasks of writing: which rules answer which task, and in which order."""
