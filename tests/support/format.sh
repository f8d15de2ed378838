#!/usr/bin/env bash
# format.sh - all C files are as clang-format writes them.
set -u
cd "${TAKT_SOURCE:-$(dirname "${BASH_SOURCE[0]}")/../..}" || exit 4
command -v clang-format >/dev/null ||
    { echo "skipped: there is no clang-format"; exit 77; }
git rev-parse --is-inside-work-tree >/dev/null 2>&1 ||
    { echo "skipped: not a checkout"; exit 77; }
git ls-files -z '*.c' '*.h' | xargs -0 clang-format --dry-run -Werror 2>&1 |
    sed -n 's/:[0-9]*:[0-9]*: error: .*/ is not formatted: make format/p' |
    sort -u | { ! grep .; }
