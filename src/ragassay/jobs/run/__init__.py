"""The main job from end to end: ``ragassay run``."""
