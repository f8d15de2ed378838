#!/usr/bin/env bash
# external.sh - external functions: trust, values, generated code, errors.
# build: sanitizers
set -eu
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$here/external"
fail() {
    echo "FAIL: $*"
    exit 1
}
cc=${TAKT_CC:-cc}

# Foreign code does not run unless somebody says so; both ways work.
if "$TAKT" check -L . Foreign.All >"$work/log" 2>&1; then
    fail "ran foreign code without being asked"
fi
grep -q 'E0620' "$work/log" || fail "no E0620"
grep -q -- '--external' "$work/log" || fail "the message does not say how"
"$TAKT" check -L . Foreign.All --external >"$work/log" 2>&1 ||
    fail "--external"
TAKT_TRUST=/nowhere:$PWD "$TAKT" check -L . Foreign.All >"$work/log" 2>&1 ||
    fail "TAKT_TRUST"
if TAKT_TRUST=/nowhere "$TAKT" check -L . Foreign.All >"$work/log" 2>&1; then
    fail "trusted another folder"
fi

# Values against the same formulas, computed here.
"$TAKT" sim -L . Foreign.All --external --method lie --step 1ms --static \
    --stop 1 -o "$work/sim.csv" >"$work/log" 2>&1
for text in 'open one' 'open two' 'close two' 'close one'; do
    [ "$(grep -c "external: $text" "$work/log")" = 1 ] || fail "not once: $text"
done
awk -F, '
    NR > 2 {
        # the header splits t[1,1] at its comma: columns are counted
        x = $2; z = $4
        if ((z^3 + z - 0.3 - 0.1*sin($1))^2 > 1e-14) { print "z", z; bad = 1 }
        if (($5 - sin(x)*z)^2 > 1e-24) { print "s"; bad = 1 }
        if (($6 - x)^2 + ($7 - 4*x)^2 + ($8 - 2*x)^2 + ($9 - 5*x)^2 > 1e-24) {
            print "t"; bad = 1
        }
        if (($12 + 5*x)^2 > 1e-24) { print "u"; bad = 1 }
        if (($13 - 1 - 2*x - 3*x^2)^2 > 1e-24) { print "v"; bad = 1 }
        if (($14 + x - 0.2*x)^2 > 1e-24) { print "w"; bad = 1 }
    }
    END { exit bad }' "$work/sim.csv" || fail "values"

# Generated code is the same to the last bit.
"$TAKT" build -L . Foreign.All --external --step 1ms --output z --output s \
    --output v --output w -o "$work/c" >"$work/log" 2>&1
cmake -S "$work/c" -B "$work/b" -DCMAKE_C_COMPILER="$cc" >"$work/log" 2>&1 ||
    fail "the generated CMake"
cmake --build "$work/b" >"$work/log" 2>&1 || fail "does not build"
if grep -q 'warning' "$work/log"; then
    fail "the generated code has warnings"
fi
"$work/b/All_example" 1000 >"$work/out"
last=$(tail -1 "$work/sim.csv")
for pair in x:2 z:4 s:5 v:13 w:14; do
    name=${pair%:*}
    sim=$(cut -d, -f"${pair#*:}" <<<"$last")
    code=$(awk -v n="$name" '$1 == n { print $2 }' "$work/out")
    awk -v a="$sim" -v b="$code" 'BEGIN { exit !(a == b) }' ||
        fail "$name: $sim at the desk, $code in C"
done

# An error in C is a failed assertion; in generated code a status.
if "$TAKT" sim -L . Foreign.Fails --external --step 10ms --method lie --stop 1 \
    >"$work/log" 2>&1; then
    fail "an error of C was not seen"
fi
grep -q '0.51 is too much' "$work/log" || fail "its text was not shown"
"$TAKT" build -L . Foreign.Fails --external --step 10ms -o "$work/f" \
    >"$work/log" 2>&1
cmake -S "$work/f" -B "$work/g" -DCMAKE_C_COMPILER="$cc" >"$work/log" 2>&1
cmake --build "$work/g" >"$work/log" 2>&1 || fail "Fails does not build"
if "$work/g/Fails_example" 100 >"$work/out"; then
    fail "generated code did not stop"
fi
grep -q "shape_guarded" "$work/out" || fail "the status has no name"

# Derivatives by differences where smoothOrder allows them.
"$TAKT" sim -L . Foreign.Implicit --external --method lie --step 1ms --stop 1 \
    -o "$work/i.csv" >"$work/log" 2>&1 || fail "Implicit"

# C that does not compile is said with the words of the compiler.
cat >"$work/Broken.mo" <<'EOF'
model Broken
  pure function f
    input Real x;
    output Real y;
  external "C" y = f(x) annotation(Include = "double f(double x) { return z; }");
  end f;
  Real y = f(time);
end Broken;
EOF
if "$TAKT" check --external "$work/Broken.mo" >"$work/log" 2>&1; then
    fail "broken C was accepted"
fi
grep -q 'E0621' "$work/log" || fail "no E0621"

# The same where a value of the function is wanted at compile time.
cat >"$work/Early.mo" <<'EOF'
model Early
  pure function f
    input Integer x;
    output Integer y;
  external "C" y = f(x) annotation(Include = "#include \"nowhere.h\"");
  end f;
  parameter Integer n = f(2);
  Real x[n] = fill(time, n);
  discrete Real y;
equation
  when time > 0.5 then
    y = f(3);
  end when;
end Early;
EOF
! "$TAKT" check --external "$work/Early.mo" >"$work/log" 2>&1 || fail "a missing header was not noticed"
grep -q 'nowhere.h' "$work/log" || fail "the missing header is not named"
! grep -q 'reports an error' "$work/log" || fail "a failed compilation is blamed on the function"

# FORTRAN may write to a text: dgesvx does.
cat >"$work/Expert.mo" <<'EOF'
model Expert
  pure function solve
    input Real A[:, size(A, 1)];
    input Real b[size(A, 1), :];
    output Real x[size(A, 1), size(b, 2)];
    output Integer info;
    output Real rcond;
  protected
    Integer n = size(A, 1), m = size(b, 2);
    Real B[n, n] = A, c[n, m] = b, F[n, n], r[n], s[n], ferr[m], berr[m], work[4*n];
    Integer ipiv[n], iwork[n];
    String equed = " ";
  external "FORTRAN 77" dgesvx("N", "N", n, m, B, n, F, n, ipiv, equed, r, s, c, n, x, n, rcond, ferr, berr, work, iwork, info)
    annotation(Library = "lapack");
  end solve;
  Real x[2, 1] = solve([2, 1; 1, 3], [1; 2]);
end Expert;
EOF
"$TAKT" check --dump=sys "$work/Expert.mo" >"$work/log" 2>&1 || fail "dgesvx"
grep -q 'x\[1,1\] = 0.2' "$work/log" && grep -q 'x\[2,1\] = 0.6' "$work/log" || fail "dgesvx is wrong"

# FORTRAN 77, if there is a compiler for it.
if command -v gfortran >/dev/null; then
    mkdir -p "$work/Fort/Resources/Source"
    cat >"$work/Fort/Resources/Source/addmat.f" <<'EOF'
      SUBROUTINE ADDMAT(A, N, M, K, S)
      INTEGER N, M, I, J
      DOUBLE PRECISION A(N, M), K, S
      S = 0
      DO 10 I = 1, N
        DO 10 J = 1, M
          S = S + K * I * A(I, J)
   10 CONTINUE
      END
EOF
    cat >"$work/Fort/package.mo" <<'EOF'
package Fort
  pure function addmat
    input Real a[:, :];
    input Real k;
    output Real s;
  external "FORTRAN 77" addmat(a, size(a, 1), size(a, 2), k, s)
    annotation(Library = "addmat");
  end addmat;
  model M
    Real s = addmat([1, 2, 3; 4, 5, 6], 2 + time);
  end M;
end Fort;
EOF
    "$TAKT" sim -L "$work" Fort.M --external --step 0.1 --stop 0.1 \
        --method lie -o "$work/s.csv" >"$work/log" 2>&1 || fail "FORTRAN"
    tail -1 "$work/s.csv" | awk -F, '{ exit !(($2 - 75.6)^2 < 1e-20) }' ||
        fail "FORTRAN gives another value"
fi
# without a folder for the compiler: said, no crash
cat >"$work/NoRoom.mo" <<'EOF'
model NoRoom
  pure function f
    input Real x;
    output Real y;
    external "C" y = twice(x) annotation(Include = "static double twice(double x) { return 2*x; }");
  end f;
  Real x(start = 1, fixed = true);
equation
  der(x) = -f(x);
end NoRoom;
EOF
code=0
TMPDIR=/nonexistent "$TAKT" sim "$work/NoRoom.mo" --external >"$work/log" 2>&1 || code=$?
[ $code = 1 ] && grep -q "E0621" "$work/log" ||
    fail "no TMPDIR: $code, $(head -1 "$work/log")"
# the Fourier transform comes with takt: against a sum written in Python, at the
# desk and in C, with 60 values, which are no power of 2
cat >"$work/Spectrum.mo" <<'EOF'
model Spectrum
  function fft
    input Real u[:];
    output Integer info;
    output Real a[div(size(u, 1), 2) + 1], phi[div(size(u, 1), 2) + 1];
  protected
    Real work[3*size(u, 1) + 2*(div(size(u, 1), 2) + 1)];
    external "C" info = ModelicaFFT_kiss_fftr(u, size(u, 1), work, size(work, 1), a, phi);
  end fft;
  discrete Real u[60](each start = 0, each fixed = true);
  discrete Real a[31](each start = 0), phi[31](each start = 0);
  Integer info(start = 1), k(start = 0, fixed = true);
algorithm
  when sample(0.01, 0.01) then
    k := pre(k) + 1;
    for i in 1:60 loop
      if k == i then
        u[i] := 1 + 3*cos(2*time*10 + 0.3) + exp(-time)*sin(91*time);
      end if;
    end for;
  end when;
  when k == 60 then
    (info, a, phi) := fft(u);
  end when;
end Spectrum;
EOF
"$TAKT" sim "$work/Spectrum.mo" --method lie --static --step 10ms --stop 0.61 \
    --quiet -o "$work/spectrum.csv" >"$work/log" 2>&1 ||
    fail "fft: $(head -1 "$work/log")"
cat >"$work/spectrum.py" <<'EOF'
import cmath, csv, sys
row = list(csv.DictReader(open(sys.argv[1])))[-1]
u = [float(row["u[%d]" % (i + 1)]) for i in range(60)]
assert max(map(abs, u)) > 1 and float(row["info"]) == 0
for k in range(31):
    x = sum(v*cmath.exp(-2j*cmath.pi*j*k/60) for j, v in enumerate(u))
    a, phi = float(row["a[%d]" % (k + 1)]), float(row["phi[%d]" % (k + 1)])
    assert abs(a - abs(x)/31) < 1e-13*60, (k, a, abs(x)/31)
    assert abs(cmath.rect(a*31, phi) - x) < 1e-11, (k, phi, cmath.phase(x))
EOF
python3 "$work/spectrum.py" "$work/spectrum.csv" || fail "fft: wrong spectrum"
"$TAKT" build "$work/Spectrum.mo" --method lie --step 10ms --all --quiet \
    --name model -o "$work/fft" >"$work/log" 2>&1 ||
    fail "fft: $(head -1 "$work/log")"
case $TAKT in *asan*) ;; *)
    $cc -std=c99 -Wall -Wextra -Werror -O1 -ffp-contract=off "-I$work/fft" \
        "$work/fft/example/main.c" "$work/fft/model.c" -lm -o "$work/fft/run" ||
        fail "fft: the C does not compile"
    "$work/fft/run" 61 >"$work/fft/values" || fail "fft: the C fails"
    python3 - "$work/fft/values" "$work/spectrum.csv" <<'EOF' || fail "fft: C differs"
import csv, sys
last = list(csv.DictReader(open(sys.argv[2])))[-1]
have = {}
for line in open(sys.argv[1]):
    word = line.split()
    if len(word) >= 2:
        have[word[0]] = word[-1]
names = ["a[%d]" % k for k in range(1, 32)] + ["phi[%d]" % k for k in range(1, 32)]
assert all(float(have[n]) == float(last[n]) for n in names)
EOF
    ;;
esac
# an impure function is called as often as written, at the desk and in C: two calls
# each time the clause is active, in their order
cat >"$work/count.h" <<'EOF'
static int counter = 0;
static double count_up(void) { return ++counter; }
EOF
cat >"$work/Counts.mo" <<EOF
model Counts
  impure function count
    output Real y;
  external "C" y = count_up() annotation(Include = "#include \"$work/count.h\"");
  end count;
  discrete Real a(start = 0, fixed = true), b(start = 0, fixed = true);
  Real x(start = 0, fixed = true);
equation
  der(x) = a;
  when sample(0.25, 0.25) then
    a = count();
    b = count();
  end when;
end Counts;
EOF
"$TAKT" sim "$work/Counts.mo" --external --method be --step 0.1 --stop 1 --quiet -o "$work/counts.csv" ||
    fail "counts: it does not run"
grep -q "^0.8,5,6," "$work/counts.csv" || fail "counts: other numbers: $(tail -3 "$work/counts.csv")"
case $TAKT in *asan*) ;; *)
    "$TAKT" build "$work/Counts.mo" --external --method be --step 0.1 --stop 1 --all --quiet --name model \
        -o "$work/counts" >"$work/log" 2>&1 || fail "counts: $(head -1 "$work/log")"
    $cc -O1 "-I$work/counts" "$work/counts/example/main.c" "$work/counts/model.c" \
        "$work/counts/model_external.c" -lm -o "$work/counts/run" || fail "counts: the C does not compile"
    "$work/counts/run" 10 >"$work/counts/values" || fail "counts: the C fails"
    grep -q "^a 7$" "$work/counts/values" && grep -q "^b 8$" "$work/counts/values" ||
        { fail "counts: other numbers in C"; cat "$work/counts/values"; }
    ;;
esac
echo "external functions: values, trust, C, errors as expected"
