"""Documents in, an evaluation set out: ``ragassay synthesize`` and ``scenario``; the first stages of a run."""
