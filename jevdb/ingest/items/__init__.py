"""Items and their gold: read, checked and stored."""
