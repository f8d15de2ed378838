#!/usr/bin/env bash
# The C tells the truth: a name that is a variable's holds its value, and every
# statement leads back to the model (NAME.map.json).
# build: release
# cost: 50
. "${TAKT_SOURCE:?}/tests/support/cli.sh" || exit 4
cd "$TAKT_SOURCE" || exit 4
models=0 values=0

# Reads NAME.map.json, an entry a line: fills kind[], variable[], leads[].
read_map='
    function text(key,    s) {
        if (!match($0, "\"" key "\": \"([^\"\\\\]|\\\\.)*\"")) return ""
        s = substr($0, RSTART, RLENGTH)
        sub(/^"[a-z]*": "/, "", s); sub(/"$/, "", s)
        gsub(/\\"/, "\"", s); gsub(/\\u003c/, "<", s)
        return s }
    FILENAME ~ /map.json$/ { if (!/"c": /) next
        c = text("c"); kind[c] = text("kind"); variable[c] = text("variable")
        leads[c] = /"line": [0-9]/ || text("formula") != ""; next }
    # what a statement gives a value: its name in the map, or ""
    function target(s) {
        if (s ~ /^ *(static |for |if |return |typedef |case |\/\*|\*)/) return ""
        sub(/^ */, "", s)
        if (!match(s, /^[A-Za-z_][A-Za-z0-9_ *>.\[\]-]* [-+]?= /)) return ""
        s = substr(s, 1, RLENGTH); sub(/ [-+]?= $/, "", s)
        sub(/\[.*$/, "", s); sub(/^.*[ *]/, "", s)
        sub(/^w->next\./, "s.", s); sub(/^next\./, "s.", s)
        sub(/^[mw]->/, "", s); sub(/^newton\..*/, "newton", s)
        sub(/^d\.takt_x/, "takt_x", s) # tables are listed by their own name
        return s }'

# The C of steps, with a call after each statement that gives a variable its
# value.
trace='
    /^(static )?(TAKT_APART )?(static TAKT_APART )?(int|void) model_step.*\)$/ {
        on = 1 }
    /^}/ { on = 0 }
    FNR == 1 { print "void trace(const char *, const char *, double);" }
    { print }
    on { c = target($0)
         if (c in kind && kind[c] ~ /^(state|algebraic|derivative|discrete)$/) {
             s = $0; sub(/ [-+]?= .*/, "", s); sub(/^.*[ ]/, "", s)
             name = variable[c]; gsub(/"/, "\\\"", name)
             print "trace(\"" c "\", \"" name "\", " s ");" } }'

cat >"$work/run.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model.h"
void trace(const char *c, const char *variable, double x);
static struct { const char *c, *variable; double x; } seen[20000];
static int n;
void trace(const char *c, const char *variable, double x)
{
    int i = 0;
    while (i < n && strcmp(seen[i].c, c) != 0)
        i++;
    n += i == n;
    seen[i].c = c, seen[i].variable = variable, seen[i].x = x;
}
int main(int argc, char **argv)
{
    static model m;
    if (argc != 2 || model_init(&m) < 0)
        return 1;
    for (long k = strtol(argv[1], NULL, 10); k > 0; k--) {
        n = 0;
        model_step(&m);
    }
    for (int i = 0; i < n; i++)
        printf("%s|%s|%.17g\n", seen[i].c, seen[i].variable, seen[i].x);
    return 0;
}
END

# Compares what was traced with the last line of a CSV file, bit for bit.
compare='
    NR == FNR { split($0, f, "|"); k++
                c[k] = f[1]; name[k] = f[2]; value[k] = f[3]; next }
    FNR == 1 { sub(/^"/, ""); sub(/"$/, ""); n = split($0, head, /","/) }
    { last = $0 }
    END { m = split(last, x, ",")
          for (i = 1; i <= m; i++) truth[head[i]] = x[i]
          for (i = 1; i <= k; i++) {
              if (!(name[i] in truth)) continue
              compared++
              if (value[i] + 0 != truth[name[i]] + 0) { bad++
                  print c[i] " is " value[i] ", " name[i] " is " \
                        truth[name[i]] > "/dev/stderr" } }
          print compared + 0
          exit bad > 0 }'

# answer MAP C: every statement leads to a line of the model or to a formula
answer() {
    awk "$read_map"'
    { c = target($0) }
    c != "" { n++
              if (!(c in kind)) { bad++; print "not in the map: " $0 }
              else if (!leads[c] && kind[c] != "flag" && c != "s.time" &&
                       c != "p.step") {
                  bad++; if (!said[c]++) print "leads nowhere: " c } }
    END { print n + 0; exit bad > 0 || n == 0 }' "$1" "$2" >"$work/answers" ||
        { fail "$1"; head -10 "$work/answers"; }
    statements=$(tail -1 "$work/answers")
}

# hold MODEL STEP STOP STEPS METHOD
hold() {
    local name out
    name=$(basename "$1" .mo)
    out=$work/$name
    run_takt build "$1" --method "$5" --step "$2" --stop "$3" --quiet \
        --name model -o "$out"
    [ "$code" = 0 ] || { fail "build $name: $code"; head -3 "$work/err"; return; }
    mv "$out/model.c" "$out/plain.c"
    answer "$out/model.map.json" "$out/plain.c"
    awk "$read_map$trace" "$out/model.map.json" "$out/plain.c" >"$out/model.c"
    $TAKT_CC -O0 -ffp-contract=off "-I$out" "$out/model.c" "$work/run.c" -lm \
        -o "$out/run" 2>"$work/cc" || { fail "$name: compiler"; head -5 "$work/cc"; return; }
    run_takt sim "$1" --static --estimate off --defect off --method "$5" --step "$2" --stop "$3" --quiet \
        --every "$4" -o "$work/sim.csv"
    "$out/run" "$4" >"$work/traced" || { fail "$name: no start"; return; }
    compared=$(awk "$compare" "$work/traced" "$work/sim.csv" 2>"$work/lies") ||
        { fail "$name ($5): names that lie"; head -5 "$work/lies"; return; }
    models=$((models + 1))
    values=$((values + compared))
}

for model in models/gallery/*.mo; do
    case $model in
    */Andrews.mo) hold "$model" 10us 500us 50 lie ;;
    *) hold "$model" 1ms 50ms 50 lie ;;
    esac
done
# several iterations, stages, histories
for method in be radau3 bdf2 liex5; do
    hold models/gallery/VanDerPol.mo 1ms 50ms 50 "$method"
    hold models/gallery/MotorDrive.mo 1ms 50ms 50 "$method"
    hold models/gallery/BouncingMass.mo 1ms 50ms 50 "$method"
done
echo "$models models, $values names hold the values of their variables"
[ "$models" -ge 42 ] && [ "$values" -ge 1000 ] ||
    fail "only $models models, $values values"

# a scaled value says so, and by what
run_takt build models/gallery/Hires.mo --step 1ms --quiet -o "$work/hires"
grep -q '"kind": "scaled", "variable": "der(pr)", "formula": "der(pr)~\*h"' \
    "$work/hires/Hires.map.json" || fail "no scaled value in Hires"
grep -q 'const double der_pr_iterate_scaled = .*; /\* = der(pr)~\*h.* \*/' \
    "$work/hires/Hires.c" || fail "a scaled value without comment"
grep -h '"kind": "scaled"' "$work"/*/model.map.json | grep '\*\.\.\.' &&
    fail "scaled by what?"
# formulas and units
run_takt build models/gallery/MotorDrive.mo --step 1ms --quiet --name model \
    -o "$work/MotorDrive"
grep -q ' c[0-9]*; /\* = h\*(1/motor.winding.L) \*/' "$work/MotorDrive/model.h" ||
    fail "no formula in MotorDrive"
grep -q '"variable": "motor.emf.v", .*"line": 321, "unit": "V"}' \
    "$work/MotorDrive/model.map.json" || fail "no unit in MotorDrive"

# Where does this line come from? An answer for every statement of the robot.
run_takt build models/gallery/SixAxisRobot.mo --step 1ms --quiet --name model \
    -o "$work/robot"
answer "$work/robot/model.map.json" "$work/robot/model.c"
[ "$statements" -ge 2000 ] || fail "the robot has only $statements statements"
echo "the robot: $statements statements"
# by tables, rotations, selections; with a delay
for factor in table qr dense; do
    run_takt build models/gallery/RlcIndex1.mo --factor "$factor" --step 1ms \
        --quiet --name model -o "$work/factor"
    answer "$work/factor/model.map.json" "$work/factor/model.c"
done
cat >"$work/Late.mo" <<'END'
model Late
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -y;
  y = delay(x, 0.01);
end Late;
END
run_takt build "$work/Late.mo" --step 1ms --stop 0.1 --quiet --name model \
    -o "$work/late"
answer "$work/late/model.map.json" "$work/late/model.c"
# no more than 20 statements without a comment in a step
awk '/_step.*\)$/ { on = 1; n = 0 }
     /a state that is not finite/ || /^}/ { on = 0 }
     /\/\*/ { n = 0 }
     on && / = .*;$/ && !/(sum|bad|warn|excess) / { if (++n > most) most = n }
     END { print "at most " most " statements without a comment"
           exit most > 20 }' "$work/robot/model.c" || fail "too few comments"
# constants are explained where they are declared
awk '/^    double c[0-9]+;/ { n++; if ($0 !~ /\/\* = .+ \*\//) { bad++; print } }
     END { print n " constants"; exit bad > 0 || n < 100 }' \
    "$work/robot/model.h" || fail "constants without a formula"
# the same input gives the same bytes
run_takt build models/gallery/SixAxisRobot.mo --step 1ms --quiet --name model \
    -o "$work/again"
for file in model.c model.h model.map.json; do
    cmp "$work/robot/$file" "$work/again/$file" || fail "$file differs"
done
command -v python3 >/dev/null &&
    { python3 -m json.tool "$work/robot/model.map.json" /dev/null ||
        fail "the map is no JSON"; }
finish
