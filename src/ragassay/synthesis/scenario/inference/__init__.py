"""A schema from seed documents without a language model: outline, alignment, kinds of values, dependencies, wording."""
