"""What a number is: selections, runs, reports, explanations, methods, scorings."""
