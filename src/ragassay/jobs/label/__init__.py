"""What a judge says of a set, and which of its examples pass conditions: ``ragassay label``."""
