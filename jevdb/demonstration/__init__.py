"""The data of the demo: real runs that ship with jevdb, and made-up ones."""
