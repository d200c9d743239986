# Two commands do everything, set-up included: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS := $(shell nproc 2>/dev/null || sysctl -n hw.ncpu)
# More test processes than cores: the tests spend a third of their time waiting for phones, browsers and deadlines.
WORKERS := $(shell expr 3 '*' $(JOBS) / 2)
PIP := $(BIN)/python -m pip --disable-pip-version-check
# Tests start hundreds of processes, which would compile all of heed's source each time.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test lint types layers unit coverage prove messages reference pictures site lock clean

demo: $(VENV)/.core
	$(BIN)/heed demo

test: lint types layers unit

lint: $(VENV)/.core
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(VENV)/.llama
	$(BIN)/mypy

layers: $(VENV)/.core
	$(BIN)/lint-imports

# A test that hangs fails by itself, and a tree that is broken all over says so early. A process without work takes half
# of what another one still has before it; neighbours stay together, since the tests of a file share what is slow to make.
PYTEST := -m pytest --numprocesses $(WORKERS) --dist worksteal --timeout 300 --maxfail 25 --durations 15 -rs $(OPTIONS)

unit: $(VENV)/.llama
	$(BIN)/python $(PYTEST)

# The same tests, half as fast again; fails where fewer branches are run than pyproject.toml demands.
coverage: $(VENV)/.llama
	$(BIN)/coverage erase
	$(BIN)/coverage run $(PYTEST)
	$(BIN)/coverage combine --quiet
	@echo "heed: branch coverage in percent (coverage html shows where it lacks):"
	@$(BIN)/coverage report --format=total

prove: $(VENV)/.llama
	HEED_PROVE=1 $(BIN)/python -m bench.prove

# The catalogue of messages (heed/locale) brought up to date with the code; names what lacks a translation.
messages: $(VENV)/.llama
	$(BIN)/python -m tools.messages

# The pages under docs/ that are written from the code, and the pictures, which are drawn from the demo itself.
reference: $(VENV)/.llama
	$(BIN)/python -m tools.reference

pictures: $(VENV)/.core
	$(BIN)/python -m tools.pictures > /dev/null
	$(BIN)/python -m tools.console_pictures
	$(BIN)/python -m tools.phone_pictures

# The documentation as a site, in site/.
site: $(VENV)/.core
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

# --- set-up: each stamp is made once --------------------------------------------------------------------------
$(VENV)/.core: constraints.txt pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "heed: installing the pinned dependencies (a minute or two, once)"
	$(PIP) install --quiet --require-hashes -r constraints.txt
	$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	touch $@

$(VENV)/.llama: $(VENV)/.core constraints-llama.txt
	@echo "heed: compiling llama.cpp (3 to 6 minutes on two cores, once); its steps follow"
	CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) $(PYTHON) tools/progress.py \
		$(PIP) install --verbose --no-deps --require-hashes -r constraints-llama.txt
	touch $@

# Needs `uv`; writes versions and hashes, never an index address.
lock:
	uv pip compile pyproject.toml --extra llama --extra channels --extra mcp --group dev --generate-hashes --universal --python-version 3.11 \
		--no-emit-index-url --no-emit-find-links --no-header --no-annotate --output-file constraints.txt
	$(PYTHON) tools/split_lock.py

clean:
	rm -rf site $(VENV) $(VENV)-* .mypy_cache .ruff_cache .hypothesis .coverage htmlcov
