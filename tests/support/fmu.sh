# The importer of tests/fmu, to be sourced after cli.sh; leaves the test in that folder.
cd "$TAKT_SOURCE/tests/fmu" || exit 4
"$TAKT_CC" -std=gnu11 -O1 -Wall -Wextra -Werror importer.c exchange.c main.c \
    -o "$work/importer" -lzip -lexpat -ldl -lm 2>"$work/err" ||
    { head -5 "$work/err"; skip "libzip and expat are needed"; }

# import FMU WORD...: the importer finds nothing wrong
import() {
    checks=$((checks + 1))
    "$work/importer" "$@" >"$work/said" 2>&1 ||
        { fail "importer ${*/#$work\//}"; head -3 "$work/said"; }
}

# said PATTERN
said() {
    grep -q -e "$1" "$work/said" || { fail "not said: $1"; head -3 "$work/said"; }
}

# quick, full: what takt compiles from here on is not optimised, or as for users. Contraction
# is off, so numbers are the same; half of the time of these tests was the compiler's.
quick() {
    printf '#!/bin/sh\nexec %s "$@" -O0\n' "$TAKT_CC" >"$work/cc"
    chmod +x "$work/cc"
    export CC=$work/cc
}
usual=${CC:-}
full() { if [ -n "$usual" ]; then export CC=$usual; else unset CC; fi; }

unpack() { # FMU FOLDER
    python3 -c 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])' \
        "$1" "$2"
}
