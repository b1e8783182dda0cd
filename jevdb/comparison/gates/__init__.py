"""Is a candidate good enough: gates, rules over items, the approved baseline."""
