#!/usr/bin/env bash
# Formulations of networks: sizes that graph theory gives, trajectories that are the
# same, and what is refused.
# build: release
set -u
cd "$TAKT_SOURCE" || exit 1
failed=0
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

check() { # TITLE CONDITION...
  local title=$1
  shift
  if "$@"; then echo "ok   $title"; else echo "FAIL $title"; failed=$((failed + 1)); fi
}

size() { # MODEL FORMULATION: iteration variables of a step
  "$TAKT" check "$1" --method be --step 1e-5 --formulation "$2" 2>/dev/null |
    awk '/difference equations/ { on = 1 } on && /iteration variables/ { sub(/.*iteration variables /, ""); print; exit }'
}

# 16 nodes of the plate and that of the source; 24 resistors, 16 capacitors, 16
# diodes, the source and its lead. n_n + 2 n_b, n_n, n_b - n_n, n_n less the source.
grid=bench/models/ResistorGrid.mo
for pair in tableau=133 mna=17 mesh=41 cutset=16; do
  check "ResistorGrid ${pair%=*}: ${pair#*=} iteration variables" \
    [ "$(size $grid "${pair%=*}")" = "${pair#*=}" ]
done

# Two nodes of the user's; the others are inside of the transistors' cases.
mirror=models/gallery/HotMirror.mo
check "HotMirror: fewer with the reduced nodeset" \
  [ "$(size $mirror mna-reduced)" -lt "$(size $mirror mna)" ]

TAKT=$TAKT bench/formulations.sh -r 60 models/gallery/CommonEmitter.mo bench/models/CapacitorLoop.mo $mirror >"$out/table"
check "trajectories within 1e-10 of those with tearing" [ $? = 0 ]
cat "$out/table"

# Other methods, one of them linearly implicit: all formulations, one solution.
for method in radau3 sdirk4 bdf3 lie ros2; do
  for form in tearing tableau mna mesh; do
    "$TAKT" sim models/gallery/CommonEmitter.mo --method $method --stop 5e-4 --formulation $form --json 2>/dev/null |
      sed -n '/"final"/,$p' | grep -E '"(bypass.v|into.v|collector.i)"' >"$out/$form"
  done
  check "$method: values" [ "$(wc -l <"$out/tearing")" = 3 ]
  for form in tableau mna mesh; do
    check "$method: $form as tearing" awk -F'[:,]' 'NR == FNR { a[FNR] = $2; next }
      { d = a[FNR] - $2; x = a[FNR]; if (d < 0) d = -d; if (x < 0) x = -x; if (d > 1e-9 * x + 1e-13) exit 1 }' "$out/tearing" "$out/$form"
  done
done

# Fixed points: the same values after more iterations; a loop that grows is said.
cat >"$out/Loop.mo" <<'MO'
model Loop "recycle of a mixer: converges where a < 1"
  parameter Real a = 0.5;
  Real x(start = 1, fixed = true), y(start = 1), z(start = 1);
equation
  der(x) = y - x;
  y = a*sin(z) + 0.1*x;
  z = 1 + a*cos(y);
end Loop;
MO
final() {
  "$TAKT" sim "$out/Loop.mo" --method be --stop 1 --step 0.01 "$@" --json 2>/dev/null | sed -n '/"final"/,$p' | awk -F'[:,]' '/"[xyz]"/ { printf "%.9g ", $2 }'
}
check "fixed points as Newton: $(final)" [ "$(final)" = "$(final --iteration fixed-point)" ]
check "three values" [ "$(final | wc -w)" = 3 ]
"$TAKT" sim "$out/Loop.mo" --method be --stop 1 --step 0.01 --set a=30 --iteration fixed-point >/dev/null 2>"$out/err"
check "a loop that does not contract is no silent result" [ $? != 0 ]
"$TAKT" sim "$out/Loop.mo" --method lie --iteration fixed-point >/dev/null 2>"$out/err"
check "nothing to iterate in lie: E1208" grep -q E1208 "$out/err"
"$TAKT" sim models/gallery/Hires.mo --method be --formulation mna >/dev/null 2>"$out/err"
check "no network: E1209" grep -q E1209 "$out/err"
"$TAKT" sim $grid --method be --formulation mna --algebraic keep >/dev/null 2>"$out/err"
check "two choices of the same: refused" [ $? = 2 ]
[ $failed = 0 ]
