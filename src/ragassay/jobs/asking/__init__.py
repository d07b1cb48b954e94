"""Who is asked and what that costs: models of a command, on servers or embedded, and how it waits for them."""
