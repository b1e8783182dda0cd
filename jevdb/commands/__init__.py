"""The commands, a module for each thing people do."""
