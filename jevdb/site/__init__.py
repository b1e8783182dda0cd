"""The warehouse as pages: static HTML that needs neither network nor server."""
