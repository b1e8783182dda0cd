"""`python -m benchmarks`: every benchmark, one after the other."""

from benchmarks import bootstrap, ingest, score

for benchmark in (score, bootstrap, ingest):
    benchmark.main()
