#!/usr/bin/env bash
# The models that come with takt: they are read without an error.
. "$TAKT_SOURCE/tests/support/cli.sh"
cd "$TAKT_SOURCE" || exit 4
expect 0 ' 0 errors' parse models
finish
