#!/usr/bin/env bash
# work_precision.sh - error against instructions of controlled runs.
#
#   bench/work_precision.sh [-n] [-m "METHOD ..."] [-t "TOLERANCE ..."] [MODEL ...]
#
# Every run has one row of output, at its end (RingModulator ten: it makes too
# many steps for one). The error is the largest over the states of
# |x - reference| / (rtol |x| + atol), so 1 is the tolerance itself; the reference
# is radau5 at 1e-12, and IDA at 1e-11 says how far to trust it. That of
# RingModulator is in bench/references, where bench/ring_reference.sh puts it;
# RingModulator@1e-4 ends at 1e-4, and bench/ring_peer.c has made its reference.
# Instructions are counted by callgrind within the run (sim_run, adaptive_run);
# "translation" is everything before it: flattening, inlining, sorting, tearing.
# -n leaves the counts out, which take fifty times as long as the runs. -s MODEL
# prints its file, stop time, atol over rtol and rows alone.
# TAKT names the program. Prints rows of a table in Markdown.
set -u
takt=${TAKT:-build/takt}
here=$(cd "$(dirname "$0")" && pwd)
methods="radau5 radau3 lobatto4 sdirk4 rodas4 bdf liex ida cvode"
tolerances="1e-3 1e-4 1e-5 1e-6 1e-7 1e-8 1e-9"
counts=1
setting_of=
while getopts nm:t:s: option; do
    case $option in
    n) counts= ;;
    s) setting_of=$OPTARG ;;
    m) methods=$OPTARG ;;
    t) tolerances=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || set -- Hires VanDerPol RobertsonOde AkzoNobel TransistorAmplifier \
    Andrews RingModulator Pollution
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# The end of the run, atol over rtol, and rows.
setting() {
    case $1 in
    Hires) echo "321.8122 1e-4 1" ;;
    VanDerPol) echo "2000 1 1" ;;
    RobertsonOde) echo "1e6 1e-8 1" ;;
    AkzoNobel) echo "180 1e-3 1" ;;
    TransistorAmplifier) echo "0.2 1 1" ;;
    Andrews) echo "0.03 1 1" ;;
    RingModulator) echo "1e-3 1e-3 10" ;;
    RingModulator@*) echo "${1#*@} 1e-3 10" ;;
    Pollution) echo "60 1e-3 1" ;;
    Oregonator) echo "360 1e-3 1" ;;
    E5) echo "1e5 1e-20 1" ;;
    Brusselator) echo "10 1e-3 1" ;;
    MedicalAkzo) echo "20 1e-3 1" ;;
    Pleiades) echo "3 1 1" ;;
    Cusp) echo "1.1 1 1" ;;
    Beam) echo "5 1 1" ;;
    Arenstorf) echo "10 1 1" ;;
    InverterChain) echo "25 1 1" ;;
    *) echo "1 1e-3 1" ;;
    esac
}

# The file of a model: in the gallery, or beside this script.
file_of() {
    local name=${1%@*}
    local file=$here/../models/gallery/$name.mo
    [ -f "$file" ] || file=$here/models/$name.mo
    echo "$file"
}

# run MODEL METHOD RTOL OUT [COMMAND...]: a run of one row.
run() {
    local model=$1 method=$2 rtol=$3 out=$4 stop factor rows
    shift 4
    read -r stop factor rows <<<"$(setting "$model")"
    timeout 900 "$@" "$takt" sim "$(file_of "$model")" --method "$method" \
        --tolerance "$rtol" --atol "$(awk "BEGIN { print $rtol * $factor }")" \
        --stop "$stop" --step "$(awk "BEGIN { printf \"%.17g\", $stop / $rows }")" \
        --once -o "$out" >"$dir/text" 2>"$dir/err"
}

# distance A B RTOL FACTOR: largest error of a state at the end.
distance() {
    [ -s "$1" ] && [ -s "$2" ] || { echo -; return; }
    awk -F, -v rtol="$3" -v factor="$4" '
        FNR == 1 { gsub(/"/, ""); for (i = 1; i <= NF; i++) { name[FILENAME, i] = $i; has[$i] = 1 } }
        { for (i = 1; i <= NF; i++) last[FILENAME, name[FILENAME, i]] = $i }
        END { a = ARGV[1]; b = ARGV[2]
            for (x in has) if (("der(" x ")") in has) {
                d = last[a, x] - last[b, x]; s = last[b, x]
                if (d < 0) d = -d
                if (s < 0) s = -s
                e = d / (rtol * s + rtol * factor)
                if (e > most) most = e }
            printf "%.3g", most }' "$1" "$2"
}

collected() { # instructions within the function
    awk '/Collected/ { print $NF }' "$dir/err"
}

count() { # MODEL METHOD RTOL FUNCTION
    [ -n "$counts" ] || return
    run "$1" "$2" "$3" "$dir/count.csv" valgrind --tool=callgrind \
        --callgrind-out-file=/dev/null ${4:+--toggle-collect="$4"} || return
    collected
}

if [ -n "$setting_of" ]; then # for work_time.py
    echo "$(file_of "$setting_of") $(setting "$setting_of")"
    exit
fi

echo "| model | method | rtol | error / tolerance | steps | instructions of the run |"
echo "|---|---|---|---|---|---|"
for model in "$@"; do
    read -r stop factor rows <<<"$(setting "$model")"
    rm -f "$dir/ref.csv" "$dir/ida.csv"
    cp "$here/references/$model.csv" "$dir/ref.csv" 2>"$dir/err" || run "$model" radau5 1e-12 "$dir/ref.csv" || { echo "| $model | no reference: $(tail -1 "$dir/err") |"; continue; }
    run "$model" ida 1e-11 "$dir/ida.csv"
    echo "| $model | reference | | $(distance "$dir/ida.csv" "$dir/ref.csv" 1e-9 "$factor") of 1e-9 from ida | | |"
    for method in $methods; do
        for rtol in $tolerances; do
            rm -f "$dir/run.csv"
            if ! run "$model" "$method" "$rtol" "$dir/run.csv"; then
                echo "| $model | $method | $rtol | failed | | |"
                continue
            fi
            error=$(distance "$dir/run.csv" "$dir/ref.csv" "$rtol" "$factor")
            steps=$(awk '/rtol/ { for (i = 2; i <= NF; i++) if ($i ~ /^steps/) { print $(i - 1); exit } }' "$dir/text")
            function=sim_run
            case $method in ida | cvode) function=adaptive_run ;; esac
            echo "| $model | $method | $rtol | $error | $steps | $(count "$model" "$method" "$rtol" $function) |"
        done
    done
done
