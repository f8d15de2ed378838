#!/usr/bin/env bash
# Symbolic links that lead nowhere or back: an error, no hang. The links are made
# here, as not everything that keeps a source tree can keep them.
. "${TAKT_SOURCE:?}/tests/support/cli.sh" || exit 4

mkdir -p "$work/libs/Loop"
printf 'package Loop\nend Loop;\n' > "$work/libs/Loop/package.mo"
ln -s . "$work/libs/Loop/Again"
ln -s Dangling.mo "$work/libs/Loop/Dangling.mo"
printf 'model UsesLoop\n  Loop.Again.Again m;\nend UsesLoop;\n' > "$work/UsesLoop.mo"
printf 'model UsesDangling\n  Loop.Dangling m;\nend UsesDangling;\n' > "$work/UsesDangling.mo"

expect 1 'this directory leads to one that it lies in \[E0211\]' \
    check "$work/UsesLoop.mo" -L "$work/libs"
expect 1 "'Loop' has no element 'Again' \[E0302\]" \
    check "$work/UsesLoop.mo" -L "$work/libs"
expect 1 'Too many levels of symbolic links \[E0201\]' \
    check "$work/UsesDangling.mo" -L "$work/libs"
finish
