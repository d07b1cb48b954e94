"""What can be done from Python, a function for each command; ``import ragassay`` brings all of them."""
