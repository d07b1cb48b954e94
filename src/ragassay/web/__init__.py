"""Pages on this machine: look at runs, and annotate."""
