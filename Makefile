# The commands of this repository. `make` alone lists them.
#
# Needed on the machine: make and Python 3.11 or newer with its venv module. The browser tests also need Chromium.

PYTHON  ?= python3
VENV    := .venv
BIN     := $(VENV)/bin
# What has been installed: to play or to host, and to work on it.
RUN_STAMP := $(VENV)/.installed-to-run
DEV_STAMP := $(VENV)/.installed
PIP     := $(BIN)/python -m pip install --disable-pip-version-check --no-input --require-hashes
# Seconds for a turn in the sandbox, where one person reads, and plays, for all of them.
TURN    := 300
# Computations side by side.
JOBS    ?= 2
# Test files side by side: one more, since many tests wait for a bot or a browser. Each file stays in one process, so
# that its tests share what they start, and the files keep their order, so that the long ones do not begin last.
WORKERS ?= 3
# The tests' databases wait for the disk at every commit. In memory, where there is a gigabyte for that, they do not.
SHM     := /dev/shm
SCRATCH := $(shell [ "$$(df --output=avail $(SHM) 2>/dev/null | tail -n 1)" -gt 1048576 ] 2>/dev/null && echo TMPDIR=$(SHM))

.DEFAULT_GOAL := help
.PHONY: help install run test check format lang golden pictures contact-sheet bench-pictures bench-engine bench-bot bench-calls bench-starvation bench-thinking bench-players play-presets chaos bad-network mutants records lock clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: $(DEV_STAMP) ## everything to work on it, into .venv (quick when nothing has changed); `run` needs less

$(DEV_STAMP): requirements-dev.txt $(VENV)/pyvenv.cfg
	@echo "Installing the bot's packages and the tools to work on it: a few minutes the first time."
	@$(PIP) -r requirements-dev.txt
	@touch $(RUN_STAMP) $@

$(RUN_STAMP): requirements.txt $(VENV)/pyvenv.cfg
	@echo "Installing the packages that the bot needs: about a minute the first time."
	@$(PIP) -r requirements.txt
	@touch $@

$(VENV)/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	    || { echo "Python 3.11 or newer is needed; choose one with: make PYTHON=python3.x" >&2; exit 1; }
	@echo "Making an environment of its own for them: $(VENV)"
	@$(PYTHON) -m venv $(VENV) || { rm -f $@; exit 1; }

run: $(RUN_STAMP) ## play, in the sandbox (its options: ARGS="--port 8200"); or for real, if BOT_TOKEN is set (here or in .env)
	@if [ -n "$$BOT_TOKEN" ] || grep -qsE '^(export )?BOT_TOKEN=["'\'']?[^"'\'' ]' .env; then \
	    $(if $(ARGS),echo "ARGS are the sandbox's options; with BOT_TOKEN set the bot runs without them." >&2;) \
	    exec $(BIN)/python -m bot; \
	else \
	    LOG_LEVEL=$${LOG_LEVEL:-WARNING} TURN_SECONDS=$${TURN_SECONDS:-$(TURN)} exec $(BIN)/python -m sandbox $(ARGS); \
	fi

test: install ## all tests; all of engine/ must be reached (one part: .venv/bin/pytest tests/engine)
	$(SCRATCH) $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder --cov --cov-report=term

check: install ## style, types and who may import whom
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: install ## lay the code out as `check` wants it, and mend what can be mended so
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .

lang: install ## add the messages that a catalogue lacks, name those that nothing uses
	$(BIN)/python -m bot.locales extract

golden: install ## write anew what tests compare with (read the difference before a commit)
	$(BIN)/python -m tests.engine.playthrough --write
	$(BIN)/python -m tests.bot.screens.gallery --write
	$(BIN)/python -m tests.bot.screens.settings_page --write

pictures: install ## take the README's pictures anew, by playing a script in the sandbox (needs Chromium)
	$(BIN)/python -m tests.e2e.pictures

contact-sheet: install ## draw twelve tables and a match's end side by side, to be looked at: docs/pictures/tables.jpg
	$(BIN)/python -m tests.bot.pictures.contact_sheet

bench-pictures: install ## how long a table takes to be drawn, and how many bytes it has
	$(BIN)/python -m benchmarks.bench_pictures

bench-engine: install ## the engine's moves a second beside RLCard's Uno (installs that, apart, the first time)
	$(BIN)/python -m benchmarks.engine_vs_rlcard

bench-bot: install ## how fast the bot answers, how much it can do, what it needs to start (six minutes)
	$(BIN)/python -m benchmarks.bench_bot

bench-thinking: install ## how fast presses are answered while twenty strong computer players think (two minutes)
	$(BIN)/python -m benchmarks.bench_thinking

bench-calls: install ## how many calls to Telegram a move takes, and how late they are (ten minutes)
	$(BIN)/python -m benchmarks.bench_calls

bench-starvation: install ## how late a group's table is while people flood its chat (ten minutes)
	$(BIN)/python -m benchmarks.bench_starvation

bench-players: install ## tournaments between computer players of all levels (about an hour)
	$(BIN)/python -m benchmarks.bench_players --jobs $(JOBS)

play-presets: install ## every preset to the end by computer players of every level, a thousand times (hours)
	$(BIN)/python -m benchmarks.play_to_the_end --jobs $(JOBS)

chaos: install ## two hundred tables through everything that can go wrong at once (five minutes)
	$(BIN)/python -m benchmarks.chaos

bad-network: install ## people play while the network before Telegram does everything wrong (ten minutes)
	$(BIN)/python -m tests.faults.bad_network

mutants: install ## how many small changes to the engine its tests find out (half an hour or more)
	$(BIN)/python -m benchmarks.mutants --jobs $(JOBS)

# An index that is set in the environment stays out of the files; the hashes hold for whichever index is used.
LOCK = $(BIN)/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes --no-header \
       --no-emit-index-url --no-emit-find-links

records: install ## a thousand matches at random: are their records those that their logs give?
	$(BIN)/python -m tests.bot.records.simulation

lock: install ## choose the newest versions that fit, and write both lock files
	$(LOCK) --upgrade --output-file requirements.txt
	$(LOCK) --upgrade --extra dev --constraint requirements.txt --output-file requirements-dev.txt

clean: ## remove what the tools have made, the environment too (never a database)
	rm -rf $(VENV) mutants build dist *.egg-info .coverage .coverage.* htmlcov
	rm -rf .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
