"""`python -m benchmarks`: every benchmark, one after the other."""

from benchmarks import inference, ingest, lake, score, site

for benchmark in (score, inference, ingest, lake, site):
    benchmark.main()
