# same.sh - sourced by tests that run generated C.
#
#   same VALUES CSV                equal to the last bit
#   same VALUES CSV 1e-9 1e-7      within this, absolute plus relative

# Compares "name value" lines with the last line of a CSV file.
same() {
    awk -v atol="${3:-0}" -v rtol="${4:-0}" '
         function abs(a) { return a < 0 ? -a : a }
         NR == FNR { name = $0; sub(/ [^ ]*$/, "", name)
                     value[name] = $NF; next }
         FNR == 1 { sub(/^"/, ""); sub(/"$/, ""); n = split($0, head, /","/) }
         { last = $0 }
         END { split(last, x, ",")
               for (i = 2; i <= n; i++) {
                   if (!(head[i] in value)) continue
                   compared++
                   d = value[head[i]] - x[i]
                   if (!(abs(d) <= atol + rtol * abs(x[i])) &&
                       value[head[i]] + 0 != x[i] + 0) {
                       bad++; print head[i] ": " value[head[i]] " and " x[i] } }
               if (!compared) print "nothing to compare"
               exit bad > 0 || !compared }' "$1" "$2"
}
