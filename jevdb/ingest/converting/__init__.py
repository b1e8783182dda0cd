"""Values of files read as a user asked for it: each change counted, none by itself."""
