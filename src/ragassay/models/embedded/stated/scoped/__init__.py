"""Questions that name their document first, for documents whose text gives few questions that stand alone."""
