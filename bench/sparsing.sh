#!/usr/bin/env bash
# sparsing.sh - the robot with sparsed matrices: tables of the form of Schiela's
# 6.1 to 6.4, and the whole step beside them. Prints Markdown.
#
#   bench/sparsing.sh [MODEL]       about ten minutes; OUTPUT of a run: TABLES
set -eu
cd "$(dirname "$0")/.."
takt=${TAKT:-build/takt}
model=${1:-models/gallery/SixAxisRobot.mo}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# tune VIEW STEP: JSON of a tuning
tune() {
    "$takt" tune "$model" --algebraic "$1" --step "$2" --only sparsing --json \
        -o "$work/plan.json" --html "$work/page.html" >"$work/$1-$2.json" 2>/dev/null ||
        [ -s "$work/$1-$2.json" ]
}

# rows FILE: a row a candidate of the matrix
rows() {
    awk '
    function value(line) { sub(/^[^:]*:[ \t]*/, "", line); gsub(/[",]/, "", line); return line }
    function ratio(a, b) { return b > 0 ? sprintf("%.1f", a / b) : "-" }
    /"symbolic"/ { part = "s" } /"differences"/ { part = "d" } /"candidates"/ { part = "c" }
    part != "c" && /"nnz"/ { if (part) nnz[part] = value($0) }
    part != "c" && /"factor_nnz"/ { fnnz[part] = value($0) }
    part != "c" && /"factor_flops"/ { flops[part] = value($0) }
    part != "c" && /"largest_block"/ { big[part] = value($0)
        if (part == "s") printf "| no sparsing | %d | %d | %d | %d | | | | | |\n", nnz["s"], fnnz["s"], big["s"], flops["s"]
        if (part == "d") printf "| finite differences | %d | %d | %d | %d | | | | | |\n", nnz["d"], fnnz["d"], big["d"], flops["d"] }
    part == "c" && /"name"/ { name = value($0); delete k }
    part == "c" && /"[a-z_]+":/ { key = $1; gsub(/[":]/, "", key); if (!(key in k)) k[key] = value($0) }
    part == "c" && /"verdict"/ {
        if (name ~ /^(sparsed|frozen)/ && "nnz" in k)
            printf "| %s | %d | %d | %d | %d | %s | %s | %d | %s | %s |\n", name, k["nnz"], k["factor_nnz"],
                k["largest_block"], k["factor_flops"], ratio(flops["s"], k["factor_flops"]),
                flops["d"] ? ratio(flops["d"], k["factor_flops"]) : "-", k["instructions"],
                k["deviation_percent"] == "null" ? "-" : sprintf("%.2g", k["deviation_percent"]),
                k["safe"] == "true" ? "yes" : "no"
        if (name ~ /^full/ && "nnz" in k)
            printf "| %s | | | | | | | %d | %.2g | |\n", name, k["instructions"], k["deviation_percent"] }
    ' "$1"
}

head="| plan | nnz | of factors | largest block | operations of factor and solve | less than symbolic | less than differences | instructions a step | deviation % | certified |
|---|---|---|---|---|---|---|---|---|---|"
table() {
    tune "$2" "$3"
    printf '\n### %s\n\n%s\n' "$1" "$head"
    rows "$work/$2-$3.json"
}

table "All algebraic variables kept (table 6.1), 1 ms" keep 1ms
table "Torn variables kept (table 6.2), 1 ms" keep-small 1ms
table "States alone (table 6.3), 1 ms" solve 1ms
table "States alone (table 6.4), 0.1 ms" solve 0.1ms
table "States alone (table 6.4), 10 ms" solve 10ms

# whole NAME OPTION...: counted instructions of a step
whole() {
    local name=$1
    shift
    "$takt" cost "$model" "$@" --json 2>/dev/null | tr -d ' \t' | awk -F: -v name="$name" '
        $1 ~ /^"(add|mul|div|select|load|store|call)"$/ && !($1 in seen) {
            seen[$1] = 1; n += $1 == "\"call\"" ? 60 * $2 : $2 }
        END { print "| " name " | " n " |" }'
}

printf '\n### The whole step, 1 ms\n\n| step | instructions, counted |\n|---|---|\n'
whole "torn, dense Newton matrices" --method lie --step 1ms --algebraic tear --factor dense
whole "torn, sparse, fixed pivots" --method lie --step 1ms --algebraic tear
whole "the cheapest view" --method lie --step 1ms --algebraic auto
"$takt" tune "$model" --step 1ms --only mixed --quiet -o "$work/mixed.json" --html "$work/page.html" &&
    whole "and the plan of \`takt tune --only mixed\`" --plan "$work/mixed.json"
"$takt" tune "$model" --step 1ms --only sparsing --rho 0.5 --rho 1 --quiet -o "$work/sparsed.json" --html "$work/page.html" &&
    whole "and the plan of \`takt tune --only sparsing\`" --plan "$work/sparsed.json"
