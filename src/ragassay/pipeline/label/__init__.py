"""What a judge says of a set: ``ragassay label``, ``critique`` and ``filter``."""
