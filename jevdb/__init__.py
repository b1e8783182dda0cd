"""jevdb: a results warehouse for decision models."""

__version__ = "0.1.0"
