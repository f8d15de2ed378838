#!/usr/bin/env bash
# sparsing.sh - the robot with sparsed matrices: tables of the form of Schiela's
# 6.1 to 6.4 in all three views at three steps, and the whole step beside them.
# Prints Markdown: docs/robot.md is its output.
#
#   bench/sparsing.sh [MODEL] >docs/robot.md       about a quarter of an hour
#
# With WHOLE=1 the whole step follows, by `takt cost` and by callgrind, with plans of
# mixed mode, of all kinds combined and of sparsing: as long again.
# With ALL=1 the view with all algebraic variables is tuned at all three steps, not
# at 1 ms only: the straight-line code of its factors takes long to count.
# Another model than the stand-in is named by its class, with $OPTIONS for takt (the
# library's robot: bench/fullrobot.sh); $STEPS and $VIEWS say which tables are made.
# KEEP=DIR keeps what each tuning gives there and does not make one again that is
# there already. TAKT is the program (default build/takt).
set -eu
cd "$(dirname "$0")/.."
takt=${TAKT:-build/takt}
stand_in=models/gallery/SixAxisRobot.mo
model=${1:-$stand_in}
read -ra options <<<"${OPTIONS:-}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
json=${KEEP:-$work}
mkdir -p "$json"
# like for like: factors of all sizes as straight-line code
echo '{"takt_plan": 1, "method": "lie", "factor": {"*": {"unroll": true}}}' >"$work/unroll.json"

# tune VIEW STEP: JSON of a tuning. One without an acceptable plan ends with
# code 1 and has its table all the same.
tune() {
    local out=$json/$1-$2.json
    [ -s "$out" ] && return
    "$takt" tune "$model" "${options[@]}" --plan "$work/unroll.json" --algebraic "$1" --step "$2" --only sparsing --attack 0 --json \
        -o "$work/plan.json" --html "$work/page.html" >"$work/out.json" 2>"$work/err" || [ -s "$work/out.json" ] ||
        { cat "$work/err" >&2; exit 1; }
    mv "$work/out.json" "$out"
}

# rows FILE VIEW: a row per candidate of the matrix
rows() {
    awk '
    function value(line) { sub(/^[^:]*:[ \t]*/, "", line); gsub(/[",]/, "", line); return line }
    function percent(key) { return !(key in k) || k[key] == "null" ? "-" : sprintf("%.2g", k[key]) }
    function ratio(a, b) { return b > 0 ? sprintf("%.1f", a / b) : "-" }
    !part && /"evaluations"/ { eval = value($0) }
    /"symbolic"/ { part = "s" } /"differences"/ { part = "d" } /"candidates"/ { part = "c" }
    part != "c" && /"nnz"/ { if (part) nnz[part] = value($0) }
    part != "c" && /"factor_nnz"/ { fnnz[part] = value($0) }
    part != "c" && /"factor_flops"/ { flops[part] = value($0) }
    part != "c" && /"largest_block"/ { big[part] = value($0)
        if (part == "s") printf "| no sparsing | %d | %d | %d | %d | | | %s | | | | | | |\n", nnz["s"], fnnz["s"], big["s"], flops["s"], eval
        if (part == "d") printf "| finite differences | %d | %d | %d | %d | | | | | | | | | |\n", nnz["d"], fnnz["d"], big["d"], flops["d"] }
    part == "c" && /"name"/ { name = value($0); delete k; held = 0 }
    part == "c" && /"eq"/ { held++ }
    part == "c" && /"[a-z_]+":/ { key = $1; gsub(/[":]/, "", key); if (!(key in k)) k[key] = value($0) }
    part == "c" && /"product_ratio"/ {
        if (name ~ /^(sparsed|frozen|by)/ && "nnz" in k)
            printf "| %s | %d | %d | %d | %d | %s | %s | %s | %d | %s | %s | %s | %s | %s |\n", name, k["nnz"], k["factor_nnz"],
                k["largest_block"], k["factor_flops"], ratio(flops["s"], k["factor_flops"]),
                flops["d"] ? ratio(flops["d"], k["factor_flops"]) : "-", k["evaluations"], k["instructions"],
                percent("deviation_percent"), percent("estimated_drift_percent"), held ? held : "",
                k["safe"] == "true" ? "yes" : "no", k["ringing"] == "null" ? "-" : sprintf("%.2f", k["ringing"])
        if ((name == "full" || name == "full " view) && "nnz" in k)
            printf "| %s | | | | | | | | %d | %s | | | | |\n", name, k["instructions"], percent("deviation_percent") }
    ' view="$2" "$1"
}

head="| plan | nnz | of factors | largest block | operations of factor and solve | less than symbolic | less than differences | evaluations | instructions per step | deviation % | estimated % | held | proven | rings |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"
table() {
    case " ${VIEWS:-keep keep-small solve} " in *" $2 "*) ;; *) return 0 ;; esac
    tune "$2" "$3"
    printf '\n### %s\n\n' "$1"
    printf '    takt tune %s --plan unroll.json --algebraic %s --step %s --only sparsing --attack 0\n\n%s\n' "$model" "$2" "$3" "$head"
    rows "$json/$2-$3.json" "$2"
}

[ "$model" != "$stand_in" ] || cat <<'END'
# The robot with sparsed matrices

Made by `bench/sparsing.sh >docs/robot.md`: `models/gallery/SixAxisRobot.mo`, 78 states, in
tables of the form of Schiela 2002, 6.1 to 6.4: views of its algebraic variables at
τ = 0.1, 1 and 10 ms (with all of them kept at 1 ms; `ALL=1` has the other steps too). `nnz` counts the entries of L − τJ; operations are those of a
factorisation and a solution with fixed pivots, the same ordering for all rows; "less
than differences" compares with the pattern that finite differences of the
right-hand side see ([tuning](methods/tuning.md)), which is the case he measured.
Evaluations of the model are those from which differences would make the matrix, columns
without a common row together, and one at the point (his 17, 19, and 78 to 16); takt needs none.
Instructions are those that `takt cost` counts for the whole step. The deviation is that of
the joints' angles from a reference run, in percent of their range, measured in a
trial; beside it what was estimated that the missing entries add, and how many
entries are held because of it ([sparsing](methods/sparsing.md), what eigenvalues do not
see). `full` rows are the step without sparsing, in the view of the table and in the cheapest one. Like is compared with like: `unroll.json` is
`{"takt_plan": 1, "method": "lie", "factor": {"*": {"unroll": true}}}`, so that factors of
all sizes are straight-line code (beyond 3,000 operations takt would take tables, which
need more instructions, for which sparsing is not to be praised). `by magnitude` and `by
cycles` are rules of run time ([sparsing](methods/sparsing.md#rules-of-run-time)). `rings` is how far an
eigenvalue stands left of the full step's; beyond 0.05 a plan is not recommended, and
nothing here was attacked.
END

for step in ${STEPS:-0.1ms 1ms 10ms}; do
    at=${step%ms}
    [ $step != 1ms ] && [ -z "${ALL:-}" ] ||
        table "All algebraic variables kept (table 6.1), $at ms" keep $step
    table "Torn variables kept (table 6.2), $at ms" keep-small $step
    table "States alone (tables 6.3 and 6.4), $at ms" solve $step
done

[ -n "${WHOLE:-}" ] || exit 0

# whole NAME OPTION...: instructions of a step, counted and by callgrind
whole() {
    local name=$1 seen=-
    shift
    if command -v valgrind >/dev/null; then # least and largest
        seen=$(TAKT=$takt bench/count_steps.sh "$model" 50 "$@" --defect off | awk '{ print $2 " to " $4 }')
    fi
    "$takt" cost "$model" "$@" --defect off --json 2>/dev/null | tr -d ' \t' | awk -F: -v name="$name" -v seen="$seen" '
        $1 ~ /^"(add|mul|div|select|load|store|call)"$/ && !($1 in had) {
            had[$1] = 1; n += $1 == "\"call\"" ? 60 * $2 : $2 }
        END { print "| " name " | " n " | " seen " |" }'
}

printf '\n### The whole step, 1 ms\n\nWith the defect off, as `takt cost` counts it; a call of an elementary function is 60.\n'
printf 'Beside it the instructions that callgrind counts in the compiled step (gcc -O2, least and\nlargest of 50 steps).\n\n'
printf '| step | counted | callgrind |\n|---|---|---|\n'
whole "torn, dense Newton matrices" --method lie --step 1ms --algebraic tear --factor dense
whole "torn, sparse, fixed pivots" --method lie --step 1ms --algebraic tear
whole "the cheapest view" --method lie --step 1ms --algebraic auto
# plan NAME OPTION...: the plan of a tuning, its row, what is shown of it
plan() {
    local out=$json/$1.plan.json
    shift
    [ -s "$out" ] || "$takt" tune "$model" --step 1ms "$@" --quiet -o "$out" --html "$work/page.html"
    whole "the plan of \`takt tune --step 1ms $*\`" --plan "$out"
    shown+=("$(printf '| `%s` | %s | %s %% | %s | %s |' "$*" "$(evidence name "$out")" \
        "$(evidence deviation_percent "$out")" "$(evidence ringing "$out")" "$(evidence state "$out")")")
}
# evidence KEY PLAN: its first value in the evidence
evidence() { sed -n '/"evidence"/,$p' "$2" | sed -n "s/^[[:space:]]*\"$1\":[[:space:]]*\"\{0,1\}\([^\"]*[^\",]\)\"\{0,1\},\{0,1\}$/\1/p" | head -1; }
shown=()
plan mixed --only mixed --deviation 0.3 --attack 0
plan combined --only mixed,combined --deviation 0.3 --attack 0
plan sparsed --only sparsing --rho 0.5 --rho 1 --attack 0
printf '\n| plan | candidate | deviation | rings | proof |\n|---|---|---|---|---|\n'
printf '%s\n' "${shown[@]}"
