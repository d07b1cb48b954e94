"""Questions put to a system: ``ragassay evaluate``."""
