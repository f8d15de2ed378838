#!/usr/bin/env bash
# mutate.sh - do the tests notice when the code is wrong?
#
#   tests/mutate.sh [options] [N [SEED]]     N mutants (30), chosen by SEED (1)
#     -j JOBS      mutants judged at a time, each in a tree of its own (2)
#     -f A,B       only these folders of src
#     -l PERCENT   exit code 1 if fewer are killed
#     -s           only shows what is known so far
#     -a           judges the survivors again, after tests were added
#     -r FILE      results (default in the directory of -d, by commit and seed);
#                  a run that was broken off goes on from there
#     -d DIR       where trees and builds are (default /tmp/takt-mutate.UID)
#
# A mutation is one small change of src: an operator, a constant, a condition,
# a deleted statement (support/mutants.py). A mutant is killed when a test of
# its folder, a golden file, or a test that mutate.tests names for the folder
# fails. One that does not compile is replaced by another. A survivor that
# computes the same in every case belongs in mutants.equivalent, with a reason:
# it then counts neither way.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
for tool in python3 cmake ninja git; do
    command -v $tool >/dev/null ||
        { echo "mutate.sh needs $tool, which is not here"; exit 77; }
done
exec python3 "$here/support/mutate.py" "$@"
