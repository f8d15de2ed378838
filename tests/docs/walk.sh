#!/usr/bin/env bash
# The walk in docs/architecture.md: every function is defined where the table
# says, and called by the function that it names, which is defined in src too.
set -u
cd "$TAKT_SOURCE" || exit 4
bad=0
rows=0

# defined NAME FILE...: a function definition begins a line
defined() {
    local name=$1
    shift
    grep -qE "^[A-Za-z].*\b$name\(" "$@"
}

# calls CALLER CALLEE FILE: the body of CALLER has "CALLEE("
calls() {
    awk -v caller="$1" -v callee="$2" '
        $0 ~ "^[A-Za-z].*[^A-Za-z_]" caller "\\(" { inside = 1 }
        inside && /^{/ { body = 1 }
        body && $0 ~ "(^|[^A-Za-z_])" callee "(\\(|[^A-Za-z_(]*\\))" { found = 1 }
        /^}/ { inside = body = 0 }
        END { exit !found }' "$3"
}

while IFS='|' read -r _ function file caller _; do
    function=$(echo "$function" | tr -d '` ')
    file=$(echo "$file" | tr -d '` ')
    caller=$(echo "$caller" | tr -d '` ')
    rows=$((rows + 1))
    defined "$function" "$file" ||
        { echo "$function is not defined in $file"; bad=1; }
    [ -n "$caller" ] || continue
    # verbs are called through their table
    [ "$caller" = takt_command ] && continue
    found=0
    for where in $(grep -lE "^[A-Za-z].*\b$caller\(" src/*/*.c); do
        calls "$caller" "$function" "$where" && found=1
    done
    [ $found = 1 ] || { echo "$caller does not call $function"; bad=1; }
done < <(sed -n '/^## A walk/,/^## /p' docs/architecture.md |
    grep -E '^\| `[a-z_]+` \|')
[ "$rows" -ge 15 ] || { echo "only $rows rows were found"; bad=1; }
exit $bad
