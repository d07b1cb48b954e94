"""Tests in one browser. A package, as fixtures of a folder that is none last until all tests have ended."""
