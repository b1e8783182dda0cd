# The two commands of the README are `make demo` and `make test`; both set up .venv first.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test test-long mutants check bench docs browser npm postgres clean

demo: .venv/installed
	$(BIN)/jevdb demo

test: .venv/installed
	$(BIN)/python -m pytest -n 3 --dist worksteal

test-long: .venv/installed
	$(BIN)/python -m pytest -n 3 --dist worksteal -m long

# Which small changes of the program does no test notice? See docs/contributing.md.
mutants: .venv/installed
	$(BIN)/python -m mutation $(MUTANTS)

check: .venv/installed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/sqlfluff lint --disable-progress-bar sql

bench: .venv/installed
	$(BIN)/python -m benchmarks

# The site in build/docs; nothing is fetched.
docs: .venv/installed
	$(BIN)/python -m docs.generated
	$(BIN)/python -m zensical build --clean --strict

# What some tests need and pip cannot install; without it they say what they left out.
browser:
	.ci/apt-install chromium chromium chromium-browser google-chrome

npm:
	.ci/apt-install npm npm

postgres:
	.ci/apt-install postgresql postgres /usr/lib/postgresql/*/bin/postgres

.venv/installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[dev]'
	touch $@

clean:
	rm -rf .venv build dist jevdb-demo
