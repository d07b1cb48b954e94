"""A judge against people: ``ragassay judge``, and what is known of the judge of any other command."""
