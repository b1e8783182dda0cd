"""What leaves a warehouse as files: results, RESULTS.md, formats of others, proof."""
