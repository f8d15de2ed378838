#!/usr/bin/env bash
# What the pages quote of takt's output is what it prints; see quotes.py.
set -u
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
cd "$TAKT_SOURCE" || exit 4
python3 tests/docs/figures/quotes.py README.md docs/guide/*.md docs/methods/*.md
