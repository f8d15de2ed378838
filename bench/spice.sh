#!/usr/bin/env bash
# spice.sh - ngspice on the diode ladder of bench/models/Ladder100.mo: prints the
# instructions per accepted time point and the largest error of the node voltages
# against takt's IDA at 1e-8, over their range; nothing if ngspice is not here.
# Two runs of different length are counted, so that reading and setting up the
# circuit does not count.
set -eu
command -v ngspice >/dev/null || exit 0
command -v valgrind >/dev/null || exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
takt=${TAKT:-build/takt}
n=100

netlist() { # STOP
    echo "diode ladder"
    echo "vs 1s 0 sin(0 2 7.957747154594767)" # 50 rad/s
    for i in $(seq $n); do
        if [ "$i" = 1 ]; then from=1s; else from=n$((i - 1)); fi
        echo "r$i $from n$i 100"
        echo "c$i n$i 0 1u ic=0"
        echo "d$i n$i 0 dio"
    done
    # n vt = 0.04 V at 26.85 degrees
    echo ".model dio d(is=1n n=1.5472636)"
    echo ".options temp=26.85 tnom=26.85 gmin=1e-15 reltol=1e-3"
    echo ".tran 100u $1 0 100u uic"
    echo ".control"
    echo "run"
    echo "set filetype=ascii"
    echo "linearize v(n1) v(n10) v(n50)"
    echo "wrdata $work/spice.data v(n1) v(n10) v(n50)"
    echo "rusage totiter accept"
    echo "quit"
    echo ".endc"
    echo ".end"
}

counted() { # STOP: instructions and accepted points
    netlist "$1" >"$work/in.cir"
    valgrind --tool=callgrind --callgrind-out-file="$work/cg" \
        ngspice -b "$work/in.cir" >"$work/log" 2>&1 || true
    echo "$(sed -n 's/^totals: //p' "$work/cg" | tail -1) $(sed -n 's/^Accepted timepoints = *//p' "$work/log")"
}

read -r few few_points < <(counted 0.02)
read -r many points < <(counted 0.1)
[ -n "${points:-}" ] && [ -n "${few_points:-}" ] || exit 0
"$takt" sim bench/models/Ladder100.mo --method ida --tolerance 1e-8 --step 100us \
    --stop 0.1 --quiet --filter 'v*' -o "$work/ref.csv"
# the grid of linearize is that of .tran: rows k = 1 .. 1000
error=$(awk '
    FNR == NR { if (FNR == 1) { n = split($0, name, ",")
                    for (i = 1; i <= n; i++) { gsub(/"/, "", name[i])
                        if (name[i] == "v[1]") a = i
                        if (name[i] == "v[10]") b = i
                        if (name[i] == "v[50]") c = i } next }
                split($0, x, ","); t = sprintf("%.4f", x[1])
                va[t] = x[a]; vb[t] = x[b]; vc[t] = x[c]; next }
    { t = sprintf("%.4f", $1); if (!(t in va)) next
      if (va[t] > high) high = va[t]; if (va[t] < low) low = va[t]
      d = $2 - va[t]; if (d < 0) d = -d; if (d > most) most = d
      d = $4 - vb[t]; if (d < 0) d = -d; if (d > most) most = d
      d = $6 - vc[t]; if (d < 0) d = -d; if (d > most) most = d; seen++ }
    END { if (seen) printf "%.2g", most / (high - low); else print "-" }' \
    "$work/ref.csv" "$work/spice.data" 2>/dev/null || echo -)
awk -v a="$few" -v b="$many" -v m="$few_points" -v n="$points" -v e="$error" \
    'BEGIN { printf "%.0f %d %s\n", (b - a) / (n - m), n, e }'
