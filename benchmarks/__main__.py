"""`python -m benchmarks`: every benchmark, one after the other."""

from benchmarks import inference, ingest, lake, score, site, suites

for benchmark in (score, inference, suites, ingest, lake, site):
    benchmark.main()
