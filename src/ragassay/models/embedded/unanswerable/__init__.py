"""Questions that fit a passage and that it leaves open."""
