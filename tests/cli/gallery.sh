#!/usr/bin/env bash
# Models of the gallery end where physics says they must.
# build: sanitizers
. "$TAKT_SOURCE/tests/support/cli.sh"
cd "$TAKT_SOURCE" || exit 4

# ends MODEL VARIABLE LOW HIGH [OPTION...]: the last value lies between
ends() {
    local model=$1 name=$2 low=$3 high=$4
    shift 4
    run_takt sim "models/gallery/$model.mo" --quiet -o "$work/$model.csv" "$@"
    [ "$code" = 0 ] || { fail "$model: exit code $code"; head -5 "$work/err"; return; }
    awk -F, -v name="\"$name\"" -v low="$low" -v high="$high" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next }
        { x = c ? $c : "missing" }
        END { if (!c || !(x + 0 >= low && x + 0 <= high)) {
                  print x; exit 1 } }' "$work/$model.csv" >"$work/value" ||
        fail "$model: $name is $(cat "$work/value"), expected $low to $high"
}

# keeps MODEL VARIABLE TOLERANCE [OPTION...]: the last value is the first one
keeps() {
    local model=$1 name=$2 tolerance=$3
    shift 3
    run_takt sim "models/gallery/$model.mo" --quiet -o "$work/$model.csv" "$@"
    [ "$code" = 0 ] || { fail "$model: exit code $code"; head -5 "$work/err"; return; }
    awk -F, -v name="\"$name\"" -v tolerance="$tolerance" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next }
        NR == 2 { first = $c }
        { d = $c - first; if (d < 0) d = -d; if (d > most) most = d }
        END { if (!c || !(most <= tolerance*(first < 0 ? -first : first))) {
                  print most " of " first; exit 1 } }' "$work/$model.csv" \
        >"$work/value" || fail "$model: $name changes by $(cat "$work/value")"
}

# three ways to write one filter
ends SameFilter difference 0 1e-9
# a second-order filter without load has gain 1
ends ActiveFilter amplifier.out.v 0.999 1.001
# peak less two diodes, less what the load takes
ends Rectifier smoother.v 9 11
# the operating point: (12*10/57 - 0.65) V over 470 + 8250/101 Ohm gives 2.64 mA
ends CommonEmitter transistor.e.v 1.19 1.29
# half of the time 24 V; the ripple is below 0.3 V
ends BuckConverter smoother.v 11.6 12.4
# both masses stand on the step
ends QuarterCar body.s 0.049 0.051
ends QuarterCar wheel.s 0.049 0.051
# the thermostat keeps its band, but for one step
ends HeatedRoom air.T 292.9 294.5
# control reaches what is wanted
ends MotorDrive fan.w 149 151
ends SampledControl process.y 0.99 1.01
# heat in is heat out: 60 W = 0.9*0.02*sigma*(T^4 - 293.15^4) gives 508 K at the
# end of the rod in the long run
ends GlowingRod rod.b.T 507 509 --step 100 --stop 200000
# nothing is lost in the hinges
keeps FourBar energy 1e-5 --method radau5
finish
