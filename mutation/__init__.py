"""Small changes of the program, one at a time: which does no test notice.

`python -m mutation` (`make mutants`) changes an operator, a condition or a constant of
`sql/` or of the modules that decide numbers, identity, atomicity and secrets, runs the
tests that can see it, and prints what none of them noticed. `targets.toml` says which
tests those are; `equivalent.toml` which changes change nothing, and why.
"""
