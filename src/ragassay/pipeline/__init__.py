"""The main job from end to end: documents in, a run folder out."""
