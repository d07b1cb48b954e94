"""Whether Ragassay can work here: ``ragassay doctor``."""
