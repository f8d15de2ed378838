#!/usr/bin/env bash
# Models that go wrong on the way (tests/pathology): every run is right to 1 % of
# its reference, or says what is wrong. Seven methods, at the desk, with --static,
# and as C: at its defaults, and with the full defect and the running error.
#
#   TAKT=build/takt TAKT_SOURCE=. TAKT_CC=gcc tests/cli/pathology.sh [-v] [MODEL...]
#
# -v prints all runs. Models that name methods (`// methods:`) are run with these, and
# with all where TAKT_LONG=1.
# cost: 125
. "$TAKT_SOURCE/tests/support/cli.sh"
cd "$TAKT_SOURCE" || exit 4
verbose=
[ "${1:-}" != -v ] || { verbose=1; shift; }
models=${*:-$(cd tests/pathology && ls *.mo | sed 's/\.mo$//')}
methods="be lie ros2 rodas4 radau5 rk4 ida"
export TAKT work
checks=1
sanitized && methods=radau5

full=
"$TAKT" build --help | grep -q -e '--defect' && full="$full --defect full"
"$TAKT" build --help | grep -q -e '--estimate' && full="$full --estimate running"
export full

# Some 3,000 runs are made: what they need of the models is read once, and one() starts
# no other program than takt where it can.
(cd tests/pathology && awk '
    # what follows TEXT, up to the first character END; "-" if there is none
    function after(text, end,    at) {
        at = index($0, text)
        return at ? substr($0, at + length(text), index(substr($0, at + length(text)), end) - 1) : "-"
    }
    function line() { print name, step, stop, options, set }
    FNR == 1 { if (NR > 1) line()
               name = FILENAME; sub(/\.mo$/, "", name); step = stop = "-"; options = set = "" }
    /Interval = / { step = after("Interval = ", ")") }
    /StopTime = / { stop = after("StopTime = ", ",") }
    /^\/\/ options: / { options = options " " substr($0, 13) }
    /^\/\/ set: / { set = set " --set " $3 "=" $4 }
    END { line() }' *.mo) >"$work/models"

# codes FILE: E1234,W1235 of its messages, written to found; - for none
codes() {
    local text='' all=()
    found=-
    IFS= read -r -d '' text <"$1"
    while [[ $text =~ \[([A-Z][0-9]*)\] ]]; do
        all+=("${BASH_REMATCH[1]}")
        text=${text#*"${BASH_REMATCH[0]}"}
    done
    case ${#all[@]} in
    0) ;;
    1) found=${all[0]} ;;
    *) found=$(printf '%s\n' "${all[@]}" | sort -u | paste -sd,) ;;
    esac
}

# one MODEL METHOD STEP STOP OPTION...: the runs at the desk and the C of both kinds
one() {
    local model=$1 method=$2 step=$3 stop=$4 way static found
    local file=tests/pathology/$1.mo at=$work/$1-$2
    local how="--method $method --step $step --stop $stop"
    shift 4
    [ "$method" != auto ] || how="--stop $stop"
    # say WAY CODE: a line of the list
    say() {
        codes "$at.$1.err"
        echo "$model $method $1 $2 $found $at.$1.csv"
    }
    for way in sim static; do
        [ "$method-$way" != ida-static ] || continue
        static=
        [ $way = sim ] || static=--static
        timeout 60 "$TAKT" sim "$file" "$@" $how $static \
            -o "$at.$way.csv" >"$at.$way.out" 2>"$at.$way.err"
        say $way $? >>"$at.list"
        [ "$method" != auto ] || break
    done
    case $method in ida | auto) return ;; esac
    ! sanitized || return
    for way in c full; do
        [ $way = c ] || [ -n "$full" ] || continue
        static=
        [ $way = c ] || static=$full
        timeout 60 "$TAKT" build "$file" $how --all --name "${model}_${method}_$way" $static \
            -o "$at.$way" >"$at.$way.out" 2>"$at.$way.err"
        code=$?
        if [ $code = 0 ]; then
            codes "$at.$way.err"
            echo "RUN(${model}_${method}_$way, \"$model\", \"$method\", \"$way\", \"$found\")" >>"$at.runs"
        else
            say $way $code >>"$at.list" # refused: there is no trajectory
        fi
    done
}
export -f one codes sanitized
# methods_of MODEL: of those of this run
methods_of() {
    local own
    own=$(sed -n 's|^// methods: ||p' "tests/pathology/$1.mo")
    [ -z "${TAKT_LONG:-}" ] || own=
    for method in $methods; do
        case " ${own:-$method} " in *" $method "*) echo "$method" ;; esac
    done
}
for model in $models; do
    rest=$(sed -n "s/^$model //p" "$work/models")
    for method in $(methods_of "$model") auto; do echo $model $method $rest; done
done | xargs -P 2 -L 1 bash -c 'one "$0" "$@"'
sort "$work"/*.list >"$work/list"
cat "$work"/*.runs /dev/null >"$work/runs.h" 2>/dev/null
sed 's|RUN(\([^_]*\)_\([^_]*\)_\([^_,]*\),.*|#include "\1-\2.\3/\1_\2_\3.h"|' "$work/runs.h" >"$work/headers.h"
(cd tests/pathology && awk -f cases.awk *.mo) >"$work/cases.h"

# the C of a model with all methods is compiled at once: what is static in a file
# gets a name of its own
units() {
    for model in $models; do
        sed -n "s/^RUN(\(${model}_\([^_]*\)_\([^_,]*\)\),.*/\2 \3 $model-\2.\3\/\1.c/p" "$work/runs.h" |
            awk -v work="$work" -v model="$model" '
                function note(name) {
                    if (index(name, model "_") == 1 || name in seen) return
                    seen[name] = 1; names[++n] = name
                }
                # the last one in front of a bracket, before the first of "=;("
                function declared(line,    name) {
                    if (match(line, /[=;(]/)) line = substr(line, 1, RSTART - (substr(line, RSTART, 1) != "("))
                    name = ""
                    while (match(line, /[ *][A-Za-z_0-9]*[[(]/)) {
                        name = substr(line, RSTART + 1, RLENGTH - 2)
                        line = substr(line, RSTART + 1)
                    }
                    if (name != "") note(name)
                }
                { n = 0; for (name in seen) delete seen[name]
                  file = work "/" $3
                  while ((getline line < file) > 0) {
                      if (match(line, /^} [a-z_]*\[/)) note(substr(line, 3, RLENGTH - 3))
                      else if (line !~ /^static /) continue
                      else if (match(line, /^static const [a-z0-9_]* [A-Za-z_0-9]* = \{/)) {
                          split(line, word, " "); note(word[4])
                      } else declared(substr(line, 8))
                  }
                  close(file)
                  for (i = 1; i <= n; i++) print "#define " names[i] " " $1 "_" $2 "_" names[i]
                  print "#include \"" $3 "\""
                  for (i = 1; i <= n; i++) print "#undef " names[i] }' >"$work/$model.unit.c"
        [ ! -s "$work/$model.unit.c" ] || echo "$model"
    done
}
export TAKT_CC
if ! sanitized; then
    units | xargs -P 2 -n 4 bash -c 'for m in "$0" "$@"; do
        "$TAKT_CC" -std=c99 -w -O0 -ffp-contract=off -c "$work/$m.unit.c" -o "$work/$m.o" ||
            echo "$m: compiler"; done' >"$work/cc" 2>&1
    [ ! -s "$work/cc" ] || { fail "C does not compile:"; head -20 "$work/cc"; }
fi
shopt -s nullglob # with sanitizers there is no C
"$TAKT_CC" -O1 -w "-I$work" -Itests/pathology -Isrc tests/pathology/judge.c "$work"/*.o -lm \
    -o "$work/judge" 2>"$work/cc" || { fail "the judge"; head -20 "$work/cc"; finish; }
"$work/judge" "$work/list" >"$work/verdicts" || fail "the judge failed"
[ -z "$verbose" ] || cat "$work/verdicts"

# a table: what was right, said, silent
awk '{ n[$3, $2, $4]++; n[$3, "", $4]++; m[$2]; all[$3]++ }
    END { nm = split("be lie ros2 rodas4 radau5 rk4 ida auto", order, " ")
          nw = split("sim static c full", way, " ")
          printf "%-8s %8s %22s\n", "", "runs", "right/said/silent"
          for (w = 1; w <= nw; w++) {
              k = way[w]; if (!all[k]) continue
              printf "%-8s %8d %7d %6d %6d  ", k, all[k], n[k, "", "right"], n[k, "", "said"], n[k, "", "silent"]
              for (i = 1; i <= nm; i++) if (order[i] in m)
                  printf " %s %d/%d/%d", order[i], n[k, order[i], "right"], n[k, order[i], "said"], n[k, order[i], "silent"]
              print "" } }' "$work/verdicts"
awk '$4 == "silent" { print $1, $2, $3 }' "$work/verdicts" | sort >"$work/silent"
# those that are known, each with its reason
grep -v '^#' tests/pathology/silent.txt | awk 'NF { print $1, $2, $3 }' | sort >"$work/known"
comm -23 "$work/silent" "$work/known" >"$work/new"
[ ! -s "$work/new" ] || { fail "$(wc -l <"$work/new") runs are silent:"; grep -F -f "$work/new" "$work/verdicts"; }
# in C at its defaults one in twenty
awk '$3 == "c" { all++; silent += $4 == "silent" } END { exit silent*20 > all }' "$work/verdicts" ||
    fail "more than one in twenty runs of C are silent"
[ "$(ls tests/pathology/*.mo | wc -l)" -ge 40 ] || fail "too few models"
finish
