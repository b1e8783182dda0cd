"""What every room stands on: errors, words, text, rows that are written, metrics."""
