#!/usr/bin/env bash
# Damping of algebraic variables (Schiela 5.5): flow through an orifice that comes
# to rest, on the desk and in generated C, which agree to the last bit.
# cost: 9
. "$TAKT_SOURCE/tests/support/cli.sh"
. "$TAKT_SOURCE/tests/support/same.sh"
cd "$TAKT_SOURCE" || exit 4
clutch=models/gallery/HydraulicClutch.mo

cat >"$work/Orifice.mo" <<'M'
model Orifice
  Real q(start = 1, fixed = true), dp(start = 1);
equation
  der(q) = -1e4*q;
  q = noEvent(if dp > 0 then sqrt(dp + 1e-12) else -sqrt(-dp + 1e-12));
end Orifice;
M

# rest FILE MODEL OPTION...: runs; FILE.csv has the trajectory
rest() {
    local file=$1 model=$2
    shift 2
    run_takt sim "$model" --method lie --step 1ms --quiet --defect off \
        -o "$work/$file.csv" "$@"
    [ "$code" = 0 ] || { fail "$file: exit code $code"; head -3 "$work/err"; }
}

# largest FILE A B FROM: the largest |A - B| after time FROM; B may be 0
largest() {
    awk -F, -v a="\"$2\"" -v b="\"$3\"" -v from="$4" '
        NR == 1 { for (i = 1; i <= NF; i++) { if ($i == a) c = i; if ($i == b) d = i } next }
        $1 > from { v = $c - (d ? $d : 0); v = v < 0 ? -v : v; if (v > m) m = v }
        END { printf "%.6g", m }' "$work/$1.csv"
}
holds() { awk "BEGIN { exit !($1) }" || fail "$2"; }

# --- one orifice: dp = q^2 is 0 at rest ---------------------------------------
rest plain "$work/Orifice.mo" --stop 1
rest damped "$work/Orifice.mo" --stop 1 --damping
plain=$(largest plain dp 0 0.5) damped=$(largest damped dp 0 0.5)
holds "$damped < 1e-5 && $plain > 0.1" "orifice at rest: $plain, damped $damped"

# every value follows from the rule by hand
awk -F, -v q=1 -v dp=1 -v lambda=1 '
    function abs(v) { return v < 0 ? -v : v }
    function flow(v) { return v > 0 ? sqrt(v + 1e-12) : -sqrt(-v + 1e-12) }
    NR == 1 { for (i = 1; i <= NF; i++) if ($i == "\"dp\"") c = i; next }
    NR == 2 { next } # the start
    { q /= 1 + 1e4*1e-3
      full = (q - flow(dp))*2*sqrt(abs(dp) + 1e-12)
      f[1] = 2*lambda < 1 ? 2*lambda : 1; f[2] = lambda
      f[3] = lambda/2 > 1/64 ? lambda/2 : 1/64
      least = 1e99
      for (k = 1; k <= 3; k++) { r = abs(q - flow(dp + f[k]*full))
          if (r < least) { least = r; lambda = f[k] } }
      dp += lambda*full
      if (!(lambda in seen)) { seen[lambda] = 1; nseen++ }
      if (!(abs(dp - $c) <= 1e-9*abs(dp) + 1e-15)) { print $1, dp, $c; exit 1 }
      if (NR == 300) exit !(nseen > 3) }' \
    "$work/damped.csv" >"$work/value" || fail "not the rule: $(cat "$work/value")"

# --- what cannot be damped is said ----------------------------------------------
expect 0 'damping has nothing to act on.*W1208' sim models/gallery/HeatDiffusion.mo \
    --method lie --step 1ms --stop 5ms --damping
expect 0 'damping has nothing to act on.*W1208' cost models/gallery/VanDerPol.mo \
    --step 1ms --damping
run_takt sim "$clutch" --method lie --step 1ms --stop 5ms --damping
grep -q W1208 "$work/err" && fail "the clutch has something to damp"

# --- a stiff circuit: the pressure at the pump is that of the line at rest -----
rest plain "$clutch" --static
rest damped "$clutch" --static --damping
plain=$(largest plain pp pl 0.26) damped=$(largest damped pp pl 0.26)
holds "$damped < 10 && $plain > 4e5" "clutch at rest: $plain Pa, damped $damped Pa"
# the states are those of the undamped run: they take their whole correction
awk -F, 'NR == FNR { a[FNR] = $6; next } FNR > 1 && a[FNR] != $6 { exit 1 }' \
    "$work/plain.csv" "$work/damped.csv" || fail "damping has changed a state"

# --- generated C does what the desk does ----------------------------------------
# agree NAME MODEL OPTION...: 400 steps of 1 ms, all variables, to the last bit
agree() {
    local name=$1 model=$2
    shift 2
    run_takt build "$model" --step 1ms --stop 0.4 --all --quiet --damping --defect off \
        --name model -o "$work/$name" "$@"
    [ "$code" = 0 ] || { fail "build $name: $code"; head -3 "$work/err"; return; }
    sanitized && return
    grep -q 'damping of algebraic unknowns' "$work/$name/model.c" ||
        fail "$name: nothing is damped"
    $TAKT_CC -O1 -ffp-contract=off "-I$work/$name" "$work/$name/example/main.c" \
        "$work/$name/model.c" -lm -o "$work/$name/run" || { fail "$name: compiler"; return; }
    run_takt sim "$model" --static --step 1ms --stop 0.4 --damping --defect off --estimate off --quiet \
        --every 400 -o "$work/sim.csv" "$@"
    "$work/$name/run" 400 >"$work/values" || fail "$name: the example failed"
    same "$work/values" "$work/sim.csv" >"$work/diff" ||
        { fail "$name differs:"; head -3 "$work/diff"; }
}
agree clutch "$clutch" --method lie
agree table "$clutch" --method lie --factor table
agree qr "$clutch" --method lie --factor qr
agree keep "$clutch" --method lie --algebraic keep
agree euler "$clutch" --method be --newton 3
agree radau "$clutch" --method radau3 --newton 2
agree rectifier models/gallery/Rectifier.mo --method lie --algebraic keep
agree emitter models/gallery/CommonEmitter.mo --method lie
agree ladder models/gallery/DiodeLadderLoop.mo --method lie --factor unroll

# --- a run that goes on has the factors of the one that was left ----------------
rest half "$clutch" --static --damping --stop 0.3 --save-state "$work/state.json"
rest rest "$clutch" --static --damping --from-state "$work/state.json"
[ "$(tail -1 "$work/rest.csv")" = "$(tail -1 "$work/damped.csv")" ] ||
    fail "damping is not part of a saved state"

# --- it is counted apart ---------------------------------------------------------
run_takt cost "$clutch" --step 1ms --damping --json
tr -d ' \t\n' <"$work/out" | grep -q '"watch":.*{"name":"damping"' ||
    fail "no row for damping"
run_takt cost "$clutch" --step 1ms --json
grep -q '"damping"' "$work/out" && fail "a row for damping that nobody asked for"
finish
