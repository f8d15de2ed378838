#!/usr/bin/env bash
# run.sh PAGE.py: a test of pages, with a Python that has selenium. Skipped where
# there is no browser, unless TAKT_BROWSER says that there must be one.
set -u
for python in python3 /usr/bin/python3; do
    "$python" -c 'import selenium' 2>/dev/null || continue
    cd "$(dirname "$1")" || exit 4
    exec "$python" "$1"
done
echo "skipped: no python3-selenium"
[ -n "${TAKT_BROWSER:-}" ] && exit 1
exit 77
