"""Pages about runs and sets, and runs side by side: ``ragassay report`` and ``ragassay compare``."""
