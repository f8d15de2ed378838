# ends_with MODEL STOP VARIABLE VALUE TOLERANCE OPTION...: how a run ends, to be sourced
# after cli.sh; jumps CODE TEXT MODEL COUNT: how often it said so.
ends_with() {
    local m=$1 stop=$2 var=$3 value=$4 tol=$5
    shift 5
    run_takt sim $m.mo --stop $stop --quiet -o "$work/out.csv" "$@"
    [ "$code" = 0 ] || { fail "$m $*: $code"; head -3 "$work/err"; return 1; }
    awk -F, -v name="\"$var\"" -v value="$value" -v tol="$tol" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i }
        { x = $c }
        END { d = x - value; print x; exit !(c && d < tol && d > -tol) }
        ' "$work/out.csv" >"$work/off" ||
        fail "$m $*: $var = $(cat "$work/off"), not $value"
}

jumps() {
    local code=$1 text=$2 m=$3 count=$4
    if [ "$count" = 0 ]; then
        ! grep -q "$code" "$work/err" || fail "$m: $(grep "$code" "$work/err")"
    else
        grep -q "$count times $text.*$code" "$work/err" ||
            fail "$m: not $count jumps: $(head -1 "$work/err")"
    fi
}
