"""Where the work of a command runs: on this machine, or on the machines of a Ray cluster.

A stage is the same function either way. It hands pieces of work to ``Workers``, whose further processes are children of
this one, or run on other machines beside Ray's. What schedules is here, and nothing else.
"""
