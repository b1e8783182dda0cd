"""`jevdb doctor`: the program, the file, who holds it, and what is wrong."""
