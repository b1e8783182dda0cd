"""Speed and memory against named alternatives, each measured in the same run."""
