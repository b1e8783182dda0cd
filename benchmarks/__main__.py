"""`python -m benchmarks`: every benchmark, one after the other."""

from benchmarks import bootstrap, ingest, lake, score, site

for benchmark in (score, bootstrap, ingest, lake, site):
    benchmark.main()
