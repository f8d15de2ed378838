#!/usr/bin/env bash
# A host with a decimal comma: what it gets from the library is what the program
# writes, byte for byte, and it keeps its comma.
. "$TAKT_SOURCE/tests/support/cli.sh"
command -v localedef >/dev/null || skip "localedef is missing"
command -v pkg-config >/dev/null || skip "pkg-config is missing"
mkdir "$work/locales" && export LOCPATH=$work/locales
localedef -i de_DE -f UTF-8 "$LOCPATH/de_DE.UTF-8" 2>"$work/err" ||
    skip "no locale with a comma: $(head -1 "$work/err")"
unset LC_ALL LC_NUMERIC

unit=$TAKT_BUILD/tests/tests/unit-base-number
if [ -x "$unit" ]; then
    TAKT_COMMA=de_DE.UTF-8 "$unit" >"$work/log" 2>&1 ||
        { cat "$work/log"; fail "numbers depend on the locale"; }
    ! grep -q SKIPPED "$work/log" || fail "the locale was not taken"
fi

cmake --install "$TAKT_BUILD" --prefix "$work/there" >"$work/log" 2>&1 ||
    { cat "$work/log"; fail "cmake --install"; finish; }
export PKG_CONFIG_PATH=$(dirname "$(find "$work/there" -name takt.pc)")
export LD_LIBRARY_PATH=$(pkg-config --variable=libdir takt)
export TAKT_MODELS=$work/there/share/takt/models
cat >"$work/host.c" <<'END'
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <takt/takt.h>

static int has_comma(void)
{
    char text[8];
    snprintf(text, sizeof text, "%.1f", 1.5);
    return strcmp(text, "1,5") == 0;
}

int main(int argc, char **argv)
{
    if (!setlocale(LC_ALL, "de_DE.UTF-8") || !has_comma())
        return 77;
    int code = takt_command(argc, argv);
    return has_comma() ? code : 99;
}
END
# shellcheck disable=SC2046
${TAKT_CC:-cc} -std=c99 "$work/host.c" $(pkg-config --cflags --libs takt) \
    -o "$work/host" 2>"$work/err" ||
    { cat "$work/err"; fail "the host does not compile"; finish; }

model=$TAKT_SOURCE/models/gallery/MotorDrive.mo
# both NAME ARG...: runs program and host in a directory of their own
both() {
    local name=$1 who
    shift
    for who in program host; do
        mkdir -p "$work/of/$who/$name"
        (cd "$work/of/$who/$name" && case $who in
            program) "$work/there/bin/takt" "$@" ;;
            host) "$work/host" "$@" ;;
        esac >stdout 2>stderr </dev/null)
        code=$?
        [ "$code" = 0 ] || {
            fail "$who: takt $* ends with $code"
            head -5 "$work/of/$who/$name/stderr"
        }
    done
    diff -r "$work/of/program/$name" "$work/of/host/$name" >"$work/log" 2>&1 ||
        { fail "takt $*: other bytes under a comma"; head -5 "$work/log"; }
    checks=$((checks + 1))
}

both check check --json --method radau3 --step 1.5ms "$model" --blt blt.html
both dump check --dump=schedule --method lie --step 1.5ms "$model"
both csv sim "$model" --method lie --step 1ms --stop 0.0125 -o run.csv \
    --plot run.svg --json --set fan.J=0.0025
both page sim "$model" --method lie --step 1ms --stop 0.0125 --plot run.html --var fan.w
both mat sim "$model" --method ida --step 1ms --stop 0.05 -o run.mat
both state sim "$model" --method lie --step 1ms --stop 0.01 \
    --save-state state.json
both goes_on sim "$model" --method lie --step 1ms --stop 0.02 \
    --from-state ../../program/state/state.json -o run.csv
both compared sim "$model" --method lie --step 1ms --stop 0.0125 \
    --compare ../../program/csv/run.csv --json
both build build "$model" --step 1.5ms -o code
both cost cost "$model" --step 1.5ms --json
both linearize linearize "$model" --at 0.015 -o linear.m
both tune tune "$model" --step 1.5ms --stop 0.1 --deviation 100 --quiet --only sparsing \
    --rho 0.05 --spread fan.J=0.1 -o MotorDrive.plan.json --html MotorDrive.tune.html
both report report "$model" --step 1.5ms --stop 0.1 -o report.html
both again build "$model" --plan ../../program/tune/MotorDrive.plan.json -o code
finish
