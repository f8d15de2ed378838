#!/usr/bin/env bash
# functions.sh - functions are short: 99 of 100 have at most 45 lines, none has
# more than 80. Prints the figures and, with a failure, the long ones.
set -u
cd "${TAKT_SOURCE:-$(dirname "${BASH_SOURCE[0]}")/../..}" || exit 4
awk -f tests/support/functions.awk src/*/*.c src/*/*.h | sort -rn |
    awk -v usual=45 -v most=80 '
        { line[NR] = $0; length_of[NR] = $1 }
        END {
            if (NR < 1000) { print "only " NR " functions found"; exit 1 }
            p99 = length_of[int(NR / 100) + 1]
            printf "%d functions: median %d, p99 %d, longest %d lines\n",
                   NR, length_of[int(NR / 2)], p99, length_of[1]
            if (p99 > usual)
                for (i = 1; length_of[i] > usual; i++) print line[i]
            else
                for (i = 1; length_of[i] > most; i++) print line[i]
            exit p99 > usual || length_of[1] > most
        }'
