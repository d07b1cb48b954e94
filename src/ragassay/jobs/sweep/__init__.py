"""Settings of a retrieval system side by side: ``ragassay sweep``."""
