"""The version of the program, where a build and every room find it."""

__version__ = "0.1.0"
