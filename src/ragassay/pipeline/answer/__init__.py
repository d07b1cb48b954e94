"""Questions put to a system: ``ragassay predict``."""
