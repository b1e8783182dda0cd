"""What keeps a file from being stored as something its author did not mean.

Each guard looks only at rows that are invalid, or whose form has two meanings.
"""
