"""Examples without a language model: drafts by rules that are right by construction, chosen, then verified."""
