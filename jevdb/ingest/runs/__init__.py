"""One run: read, judged, counted, and stored whole or not at all."""
