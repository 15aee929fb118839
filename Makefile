# The commands of this repository. `make` alone lists them.
#
# Requires make and Python 3.11 or newer with its venv module; the browser tests also require Chromium.

PYTHON  ?= python3
VENV    := .venv
BIN     := $(VENV)/bin
# Marks of what is installed: the packages to run the bot, and the development tools.
RUN_STAMP := $(VENV)/.installed-to-run
DEV_STAMP := $(VENV)/.installed
PIP     := $(BIN)/python -m pip install --disable-pip-version-check --no-input --require-hashes
# Seconds per turn in the sandbox, where one person plays for everybody.
TURN    := 300
# Parallel computations.
JOBS    ?= 2
# Parallel test processes: one more, because many tests wait for a bot or a browser. Each file runs in one process, so
# that its tests share what they start; files keep their order, so that the long ones do not start last.
WORKERS ?= 3
# Where a gigabyte of shared memory is free, the tests' databases go there: on a disk every commit waits.
SHM     := /dev/shm
SCRATCH := $(shell [ "$$(df --output=avail $(SHM) 2>/dev/null | tail -n 1)" -gt 1048576 ] 2>/dev/null && echo TMPDIR=$(SHM))

.DEFAULT_GOAL := help
.PHONY: help install run test check format lang golden pictures contact-sheet bench-pictures bench-engine bench-bot bench-calls bench-starvation bench-thinking bench-players play-presets chaos simulate bad-network mutants records lock clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: $(DEV_STAMP) ## install all development tools into .venv (quick when nothing has changed); `run` needs less

$(DEV_STAMP): requirements-dev.txt $(VENV)/pyvenv.cfg
	@echo "Installing the bot's packages and the development tools: a few minutes the first time."
	@$(PIP) -r requirements-dev.txt
	@touch $(RUN_STAMP) $@

$(RUN_STAMP): requirements.txt $(VENV)/pyvenv.cfg
	@echo "Installing the packages that the bot needs: about a minute the first time."
	@$(PIP) -r requirements.txt
	@touch $@

$(VENV)/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	    || { echo "Python 3.11 or newer is needed; choose one with: make PYTHON=python3.x" >&2; exit 1; }
	@echo "Creating the virtual environment $(VENV)"
	@$(PYTHON) -m venv $(VENV) || { rm -f $@; exit 1; }

run: $(RUN_STAMP) ## play in the sandbox (options: ARGS="--port 8200"), or for real if BOT_TOKEN is set (here or in .env)
	@if [ -n "$$BOT_TOKEN" ] || grep -qsE '^(export )?BOT_TOKEN=["'\'']?[^"'\'' ]' .env; then \
	    $(if $(ARGS),echo "ARGS are the sandbox's options; with BOT_TOKEN set the bot runs without them." >&2;) \
	    exec $(BIN)/python -m bot; \
	else \
	    LOG_LEVEL=$${LOG_LEVEL:-WARNING} TURN_SECONDS=$${TURN_SECONDS:-$(TURN)} exec $(BIN)/python -m sandbox $(ARGS); \
	fi

test: install ## all tests, with full coverage of engine/ required (one part: .venv/bin/pytest tests/engine)
	$(SCRATCH) $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder --cov --cov-report=term

check: install ## style, types and import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: install ## format the code, and apply automatic fixes
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .

lang: install ## add missing messages to the catalogues, list unused ones
	$(BIN)/python -m bot.locales extract

golden: install ## regenerate the files that tests compare with (read the diff before you commit)
	$(BIN)/python -m tests.engine.playthrough --write
	$(BIN)/python -m tests.bot.screens.gallery --write
	$(BIN)/python -m tests.bot.screens.settings_page --write

pictures: install ## retake the README's pictures by playing a script in the sandbox (needs Chromium)
	$(BIN)/python -m tests.e2e.pictures

contact-sheet: install ## draw twelve tables and a match's end side by side for inspection: docs/pictures/tables.jpg
	$(BIN)/python -m tests.bot.pictures.contact_sheet

bench-pictures: install ## time and size of pictures of tables
	$(BIN)/python -m benchmarks.bench_pictures

bench-engine: install ## the engine's moves per second, next to RLCard's Uno (installed separately the first time)
	$(BIN)/python -m benchmarks.engine_vs_rlcard

bench-bot: install ## latency, throughput and start-up time of the bot (six minutes)
	$(BIN)/python -m benchmarks.bench_bot

bench-thinking: install ## latency of presses while twenty strong computer players think (two minutes)
	$(BIN)/python -m benchmarks.bench_thinking

bench-calls: install ## calls to Telegram per move, and their delay (ten minutes)
	$(BIN)/python -m benchmarks.bench_calls

bench-starvation: install ## delay of a group's table while people flood its chat (ten minutes)
	$(BIN)/python -m benchmarks.bench_starvation

bench-players: install ## tournaments between computer players of all levels (about an hour)
	$(BIN)/python -m benchmarks.bench_players --jobs $(JOBS)

play-presets: install ## a thousand matches of every preset by computer players of every level (hours)
	$(BIN)/python -m benchmarks.play_to_the_end --jobs $(JOBS)

chaos: install ## two hundred tables while everything goes wrong at once (five minutes)
	$(BIN)/python -m benchmarks.chaos

# Simulated time has nothing to do with real: SEED=7 HOURS=20 GROUPS=6 FAULTS="kill,429" ONLY=3,14 TRACE=file
SEED    ?= 1
HOURS   ?= 1
GROUPS  ?= 4
simulate: install ## groups play in virtual time while everything goes wrong, under one SEED (HOURS=1: a minute or two)
	$(SCRATCH) PYTHONHASHSEED=0 $(BIN)/python -m tests.simulation --seed "$(SEED)" --hours $(HOURS) --groups $(GROUPS) \
	    $(if $(FAULTS),--faults "$(FAULTS)") $(if $(ONLY),--only "$(ONLY)") $(if $(TRACE),--trace "$(TRACE)")

bad-network: install ## play over a network that fails in every way (ten minutes)
	$(BIN)/python -m tests.faults.bad_network

mutants: install ## mutation tests of the engine (half an hour or more)
	$(BIN)/python -m benchmarks.mutants --jobs $(JOBS)

# An index that is set in the environment stays out of the files; the hashes hold for whichever index is used.
LOCK = $(BIN)/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes --no-header \
       --no-emit-index-url --no-emit-find-links

records: install ## compare the records of a thousand random matches with their logs
	$(BIN)/python -m tests.bot.records.simulation

lock: install ## upgrade the locked dependencies
	$(LOCK) --upgrade --output-file requirements.txt
	$(LOCK) --upgrade --extra dev --constraint requirements.txt --output-file requirements-dev.txt

clean: ## remove everything the tools have made, including the environment (never a database)
	rm -rf $(VENV) mutants build dist *.egg-info .coverage .coverage.* htmlcov
	rm -rf .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
