#!/usr/bin/env bash
# Models that go wrong on the way (tests/pathology): every run is right to 1 % of
# its reference, or says what is wrong. Seven methods, at the desk, with --static,
# and as C: at its defaults, and with the full defect and the running error.
#
#   TAKT=build/takt TAKT_SOURCE=. TAKT_CC=gcc tests/cli/pathology.sh [-v] [MODEL...]
#
# -v prints all runs. Models that name methods (`// methods:`) are run with these, and
# with all where TAKT_LONG=1.
# cost: 120
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

# one MODEL METHOD: the runs at the desk and the C of both kinds
one() {
    local model=$1 method=$2 file=tests/pathology/$1.mo step stop set=() options way
    local at=$work/$1-$2
    step=$(sed -n 's/.*Interval = \([^)]*\)).*/\1/p' "$file")
    stop=$(sed -n 's/.*StopTime = \([^,]*\),.*/\1/p' "$file")
    options=$(sed -n 's|^// options: ||p' "$file")
    read -r -a set <<<"$(sed -n 's|^// set: \([^ ]*\) \(.*\)|--set \1=\2|p' "$file")"
    # say WAY CODE: a line of the list
    say() {
        echo "$model $method $1 $2 $(codes "$at.$1.err") $at.$1.csv"
    }
    codes() { grep -o '\[[A-Z][0-9]*\]' "$1" | tr -d '[]' | sort -u | paste -sd, | sed 's/^$/-/'; }
    for way in sim static; do
        [ "$method-$way" != ida-static ] || continue
        case $method in
        auto) options="$options --stop $stop" ;;
        *) options="$options --method $method --step $step --stop $stop" ;;
        esac
        timeout 60 "$TAKT" sim "$file" $options "${set[@]}" $([ $way = sim ] || echo --static) \
            -o "$at.$way.csv" >"$at.$way.out" 2>"$at.$way.err"
        say $way $? >>"$at.list"
        [ "$method" != auto ] || break
    done
    case $method in ida | auto) return ;; esac
    ! sanitized || return
    for way in c full; do
        [ $way = c ] || [ -n "$full" ] || continue
        mkdir "$at.$way"
        timeout 60 "$TAKT" build "$file" --method "$method" --step "$step" --stop "$stop" \
            --all --name "${model}_${method}_$way" $([ $way = c ] || echo $full) \
            -o "$at.$way" >"$at.$way.out" 2>"$at.$way.err"
        code=$?
        if [ $code = 0 ]; then
            echo "RUN(${model}_${method}_$way, \"$model\", \"$method\", \"$way\", \"$(codes "$at.$way.err")\")" >>"$at.runs"
        else
            say $way $code >>"$at.list" # refused: there is no trajectory
        fi
    done
}
export -f one sanitized
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
    for method in $(methods_of "$model") auto; do echo "$model $method"; done
done | xargs -P 2 -L 1 bash -c 'one "$0" "$1"'
sort "$work"/*.list >"$work/list"
cat "$work"/*.runs /dev/null >"$work/runs.h" 2>/dev/null
sed 's|RUN(\([^_]*\)_\([^_]*\)_\([^_,]*\),.*|#include "\1-\2.\3/\1_\2_\3.h"|' "$work/runs.h" >"$work/headers.h"
(cd tests/pathology && awk -f cases.awk *.mo) >"$work/cases.h"

# the C of a model with all methods is compiled at once: what is static in a file
# gets a name of its own
units() {
    for model in $models; do
        grep "^RUN(${model}_" "$work/runs.h" | sed 's/RUN(\([^_]*\)_\([^_]*\)_\([^_,]*\),.*/\1 \2 \3/' |
            while read -r model method way; do
                file=$model-$method.$way/${model}_${method}_$way.c
                names=$(sed -n -e 's/^} \([a-z_]*\)\[.*/\1/p' -e 's/^static [^=;(]*[ *]\([A-Za-z_0-9]*\)[[(].*/\1/p' \
                    -e 's/^static const [a-z0-9_]* \([A-Za-z_0-9]*\) = {.*/\1/p' "$work/$file" |
                    grep -v "^${model}_" | sort -u)
                printf "#define %s ${method}_${way}_%s\n" $(printf '%s %s ' $(echo "$names" | sed 's/.*/& &/'))
                echo "#include \"$file\""
                printf '#undef %s\n' $names
            done >"$work/$model.unit.c"
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
