#!/usr/bin/env bash
# takt run: the same numbers as takt sim --static, policies, messages, signals.
# No test here depends on how fast the machine is: deadlines are either far away
# or cannot be met at all.
. "$TAKT_SOURCE/tests/support/cli.sh"
cd "$TAKT_SOURCE" || exit 4
gallery=models/gallery
export CC=$TAKT_CC
mkdir "$work/tmp" && export TMPDIR=$work/tmp

# equal A B: columns that both files have are equal in all rows
equal() {
    awk -F, 'function clean(s) { gsub(/","/, "|", s); gsub(/"/, "", s); return s }
             NR == FNR && FNR == 1 { n = split(clean($0), name, "|"); next }
             NR == FNR { row[FNR] = $0; rows = FNR; next }
             FNR == 1 { m = split(clean($0), other, "|")
                        for (i = 1; i <= m; i++) at[other[i]] = i
                        for (i = 1; i <= n; i++) if (name[i] in at) common++
                        next }
             { split(row[FNR], x, ","); split($0, y, ",")
               for (i = 1; i <= n; i++)
                   if (name[i] in at && x[i] + 0 != y[at[name[i]]] + 0) {
                       print FNR ": " name[i] " " x[i] " and " y[at[name[i]]]
                       bad = 1 } }
             END { if (FNR != rows) { print rows " and " FNR " rows"; bad = 1 }
                   if (common < 2) { print "nothing in common"; bad = 1 }
                   exit bad }' "$1" "$2" >"$work/diff" ||
        { fail "$3 differs:"; head -3 "$work/diff"; }
}

# agree MODEL STEP STOP [OPTION...]
agree() {
    local model=$1 step=$2 stop=$3
    shift 3
    expect 0 "as fast as possible" run "$model" --step "$step" --stop "$stop" \
        --no-wait -o "$work/run.csv" "$@"
    case $* in *--plan*) ;; *) set -- --method lie "$@" ;; esac
    expect 0 . sim "$model" --static --step "$step" --stop "$stop" \
        -o "$work/sim.csv" "$@"
    equal "$work/run.csv" "$work/sim.csv" "$model $*"
}

for name in HeatDiffusion MotorDrive BouncingMass FourBar SampledControl \
    TransistorAmplifier Pendulum; do
    agree $gallery/$name.mo 1ms 0.5
done
agree $gallery/VanDerPol.mo 1ms 1 --set mu=3
# obeys a plan of takt tune
expect 0 . tune $gallery/ExhaustPipe.mo --step 1ms --stop 0.05 --quiet \
    --only sparsing -o "$work/plan.json"
agree $gallery/ExhaustPipe.mo 1ms 0.05 --plan "$work/plan.json"
finish
