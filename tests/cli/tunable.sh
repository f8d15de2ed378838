#!/usr/bin/env bash
# --tunable: zeros and ones in arrays become numbers of real-time code, with the
# parameters that make them; the rest stays settable, and nothing else changes.
# build: sanitizers
. "$TAKT_SOURCE/tests/support/cli.sh"
cat >"$work/Axis.mo" <<'M'
model Axis
  parameter Real n[3] = {0, 0, 2};
  parameter Real e[3] = n/sqrt(n*n);
  parameter Real off = 0, m = 1, length = 0.4;
  parameter Real r[3] = length*e;
  parameter Real I[2, 2] = [0.2, off; off, 0.3];
  parameter Integer kind = 2;
  Real w[3](start = {1, 2, 3}, each fixed = true), a[3];
  Real q[2](start = {1, 0}, each fixed = true);
equation
  a = if kind == 1 then -w else cross(e, w) - m*w;
  der(w) = a + r;
  I*der(q) = -q;
  annotation(experiment(StopTime = 1));
end Axis;
M
names() { # OPTION...: the parameters of the table of names
    run_takt build "$work/Axis.mo" --step 1ms --name axis --quiet -o "$work/c" "$@"
    [ "$code" = 0 ] || { fail "build $*: $code"; head -3 "$work/err"; }
    sed -n 's/.*"kind": "parameter", "variable": "\([^"]*\)".*/\1/p' \
        "$work/c/axis.map.json" | grep -v '^start(\|^step$' | sort | tr '\n' ' '
}
same() { # WANTED OPTION...
    local want=$1 got
    shift
    got=$(names "$@")
    [ "$got" = "$want" ] || fail "names with '$*': $got, not $want"
}
# n[3] = 2 is no structure, and what follows from it stays a function of it
same 'I[1,1] I[2,2] e[3] length m n[3] r[3] '
same '' --tunable none
same '' --fixed
expect 2 'exclude' cost "$work/Axis.mo" --fixed --tunable all
case $(names --tunable all) in
*e\[1\]*kind*off*) ;;
*) fail "--tunable all has not all" ;;
esac
case $(names --tunable off,kind) in
*kind*off*) ;;
*) fail "what is named is not there" ;;
esac
# after --set: 0.5 is no structure, and 0 becomes one
case $(names --set 'n[1]=0.5') in
*n\[1\]*) ;;
*) fail "n[1] = 0.5 was taken for structure" ;;
esac
case $(names --set 'I[1,1]=1') in
*I\[1,1\]*) fail "I[1,1] = 1 was not taken for structure" ;;
esac
# results: those of all parameters settable, but for roundings
for set in "m=1" "kind=1" "n[1]=0.5" "off=0.05"; do
    for how in all auto none; do
        run_takt sim "$work/Axis.mo" --static --method lie --step 1ms --quiet \
            --tunable $how --set "$set" -o "$work/$how.csv"
        [ "$code" = 0 ] || fail "sim --tunable $how --set $set: $code"
    done
    for how in auto none; do
        paste -d, "$work/all.csv" "$work/$how.csv" | awk -F, 'NR > 1 {
            for (i = 1; i <= NF/2; i++) {
                d = $i - $(i + NF/2); s = $i < 0 ? -$i : $i
                if (d < -1e-12*(1 + s) || d > 1e-12*(1 + s)) bad = 1 } }
            END { exit bad || NR < 1000 }' ||
            fail "--tunable $how --set $set differs"
    done
done

# factors that are 0 decide on the index: R = 0 is a number, R = 1 is data
zero() { # OPTION...
    run_takt build "$TAKT_SOURCE/tests/hybrid/ZeroFactor.mo" --step 1ms --stop 1 \
        --name zero --quiet -o "$work/z" "$@"
    [ "$code" = 0 ] || { fail "build $*: $code"; head -3 "$work/err"; }
    sed -n 's/.*"kind": "parameter", "variable": "\([^"]*\)".*/\1/p' \
        "$work/z/zero.map.json" | grep -v '^start(\|^step$' | sort | tr '\n' ' '
}
[ "$(zero --tunable all)" = '' ] || fail "R = 0 and k = 0 can be set"
[ "$(zero --tunable all --set R=1)" = 'R ' ] || fail "R = 1 cannot be set"
finish
