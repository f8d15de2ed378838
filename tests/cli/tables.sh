#!/usr/bin/env bash
# Tables: files are read as they say, numbers of a table can be set, and
# generated C computes what sim --static computes, to the last bit, for every
# smoothness and extrapolation.
. "$TAKT_SOURCE/tests/support/cli.sh"
. "$TAKT_SOURCE/tests/support/same.sh"
cd "$work" || exit 4

# every kind, inside and outside of the table, over time with jumps, in two
# directions, with parameters and with numbers
cat >All.mo <<'MO'
model All
  import Takt.Blocks.Tables.*;
  parameter Real p = 1.5;
  parameter Object1 f[6, 3] = {{Object1("NoName", "NoName", [-1, 2; 0, p; 0.4, -1; 1, -1; 2.5, 3], {2}, s, o)
    for o in {Extrapolation.HoldLastPoint, Extrapolation.LastTwoPoints, Extrapolation.Periodic}} for s in Smoothness};
  parameter Object1 g[6, 3] = {{Object1("NoName", "NoName", [-1, 2; 0, 1.5; 0.4, -1; 1, -1; 2.5, 3], {2}, s, o)
    for o in {Extrapolation.HoldLastPoint, Extrapolation.LastTwoPoints, Extrapolation.Periodic}} for s in Smoothness};
  parameter Object2 h[3, 3] = {{Object2("NoName", "NoName", [0, 0, 1, 2, 4; -1, 0, p, 1, 3; 0, 2, 2, 0, -1; 2, 4, -3, 1, 1], s, o)
    for o in {Extrapolation.HoldLastPoint, Extrapolation.LastTwoPoints, Extrapolation.Periodic}}
    for s in {Smoothness.LinearSegments, Smoothness.ContinuousDerivative, Smoothness.ConstantSegments}};
  parameter ObjectTime k[2, 2] = {{ObjectTime("NoName", "NoName", [0, 0; 0.2, 1; 0.2, 3; 0.5, p; 0.7, 0], 0.1, {2}, s, o, 0.1)
    for o in {Extrapolation.HoldLastPoint, Extrapolation.Periodic}} for s in {Smoothness.LinearSegments, Smoothness.ConstantSegments}};
  Real u, v, y[6, 3], z[6, 3], w[3, 3], t[2, 2], x(start = 0.1, fixed = true);
equation
  u = 6*sin(5*time) + x/100;
  v = 5*cos(3*time);
  for i in 1:6, j in 1:3 loop
    y[i, j] = value1(f[i, j], 1, u);
    z[i, j] = value1(g[i, j], 1, u);
  end for;
  for i in 1:3, j in 1:3 loop
    w[i, j] = value2(h[i, j], u, v);
  end for;
  for i in 1:2, j in 1:2 loop
    t[i, j] = valueOverTime(k[i, j], 1, time, 1, 0);
  end for;
  der(x) = -x - 0.01*(value1(f[2, 2], 1, x) + value1(g[5, 1], 1, x) + value2(h[2, 1], x, x)) + 0.001*sum(y);
end All;
MO

agree() { # OPTION...
    run_takt build All.mo --method lie --step 1ms --stop 1 --all --quiet --name model -o c "$@"
    [ "$code" = 0 ] || { fail "build $*: $code"; head -3 "$work/err"; return; }
    run_takt sim All.mo --static --method lie --step 1ms --stop 1 --quiet --every 1000 -o sim.csv "$@"
    [ "$code" = 0 ] || { fail "sim $*: $code"; return; }
    sanitized && return
    "$TAKT_CC" -std=c99 -Wall -Wextra -Wconversion -pedantic -Werror -O1 -ffp-contract=off -c c/model.c -o c/model.o 2>cc.txt ||
        { fail "compiler $*"; head -5 cc.txt; return; }
    "$TAKT_CC" -O1 -Ic c/example/main.c c/model.o -lm -o c/run || { fail "example $*"; return; }
    ! nm -u c/model.o | grep -E 'alloc|free|printf|puts|write|fopen|abort|exit' || fail "calls more than mathematics"
    ./c/run 1000 >values || fail "the example failed"
    same values sim.csv >diff || { fail "C differs $*:"; head -3 diff; }
}
agree
agree --set p=-0.5

# tables of parameters equal those of numbers
run_takt sim All.mo --method lie --step 1ms --stop 0.2 -o all.csv
python3 - all.csv <<'PY' || fail "tables of parameters and of numbers differ"
import csv, sys
rows = list(csv.reader(open(sys.argv[1])))
head = rows[0]
ys = [n for n in head if n.startswith('y[')]
assert len(ys) == 18
for row in rows[1:]:
    v = dict(zip(head, map(float, row)))
    for n in ys:
        assert abs(v[n] - v['z' + n[1:]]) < 1e-12, (n, v['time'])
PY

# files
printf '#1\n# two tables\nfloat other(1,2)\n 9 9\ndouble tab(3, 2) # of three points\n0\t0\n1,1 # one\n\n2;4\n' >t.txt
printf 'u,y\n0,0\n1,1\n 2 , 4\n' >t.csv
mkdir -p Lib && printf 'package Lib\nend Lib;\n' >Lib/package.mo && cp t.txt Lib/
cat >File.mo <<'MO'
model File
  Takt.Blocks.Tables.Table1 a(fileName = "t.txt", tableName = "tab");
  Takt.Blocks.Tables.Table1 r(fileName = "modelica://Lib/t.txt", tableName = "tab");
equation
  a.u = 1.5;
  r.u = 3;
end File;
MO
expect 0 'a.y = 2.5' check --dump=sys -L "$work" File.mo
expect 0 'r.y = 7' check --dump=sys -L "$work" File.mo
sed -i 's/t.txt", tab/t.mat", tab/; s/"modelica:[^"]*"/"one.csv"/' File.mo
tail -n +2 t.csv >one.csv
# version 4: type, rows, columns, imaginary part, length of the name; columns
python3 - t.mat <<'PY'
import struct, sys
with open(sys.argv[1], 'wb') as f:
    f.write(struct.pack('<5i', 0, 3, 2, 0, 4) + b'tab\0' + struct.pack('<6d', 0, 1, 2, 0, 1, 4))
PY
expect 0 'a.y = 2.5' check --dump=sys -L "$work" File.mo
expect 0 'r.y = 7' check --dump=sys -L "$work" File.mo
sed -i 's/t.mat", tab/t.txt", tab/' File.mo
for case in 'nowhere.txt:No such file' 't.txt#none:it has no table' 'bad.txt:line 3: a number is expected' \
    'short.txt:it ends too early' 'no.txt:its first line is not #1' 'bad.csv:line 2 has 3 numbers' 'bad.mat:no MAT file'; do
    printf '#1\ndouble tab(2,2)\n1 x\n2 3\n' >bad.txt
    printf '#1\ndouble tab(2,2)\n1 2\n2\n' >short.txt
    printf 'double tab(2,2)\n1 2\n2 3\n' >no.txt
    printf '1,2\n1,2,3\n' >bad.csv
    printf 'MATLAB' >bad.mat
    file=${case%%:*} name=tab
    case $file in *'#'*) name=${file#*#} file=${file%#*} ;; esac
    sed "s/\"t.txt\", tableName = \"tab\"/\"$file\", tableName = \"$name\"/" File.mo >Wrong.mo
    sed -i 's/model File/model Wrong/; s/end File/end Wrong/' Wrong.mo
    expect 1 "${case#*:}" check -L "$work" Wrong.mo
done

# a byte order mark in front of text; a table in a struct in a struct of a MAT file
printf '\357\273\277#1\ndouble tab(3,2)\n0 0\n1 1\n2 4\n' >marked.txt
printf '\357\273\2770,0\n1,1\n2,4\n' >marked.csv
python3 - struct.mat <<'PY'
import struct, sys
def element(kind, data):
    return struct.pack('<2I', kind, len(data)) + data + b'\0' * (-len(data) % 8)
def matrix(cls, rows, columns, name, rest):
    return element(14, element(6, struct.pack('<2I', cls, 0)) +
                   element(5, struct.pack('<2i', rows, columns)) +
                   element(1, name) + rest)
def record(name, member, value):
    return matrix(2, 1, 1, name, struct.pack('<2Hi', 5, 4, 32) +
                  element(1, member.ljust(32, b'\0')) + value)
numbers = matrix(6, 3, 2, b'', element(9, struct.pack('<6d', 0, 1, 2, 0, 1, 4)))
with open(sys.argv[1], 'wb') as f:
    f.write(b'MATLAB 5.0 MAT-file'.ljust(124) + struct.pack('<H', 0x0100) + b'IM' +
            record(b's', b't', record(b'', b'tab', numbers)))
PY
for case in marked.txt:tab marked.csv:tab struct.mat:s.t.tab; do
    sed "s/\"t.txt\", tableName = \"tab\"/\"${case%:*}\", tableName = \"${case#*:}\"/" File.mo >Other.mo
    sed -i 's/model File/model Other/; s/end File/end Other/' Other.mo
    expect 0 'a.y = 2.5' check --dump=sys -L "$work" Other.mo
done
sed -i 's/s\.t\.tab/s.t.none/' Other.mo
expect 1 "struct.mat': it has no matrix 's.t.none'" check -L "$work" Other.mo

# random numbers: the same in C, not in float
cat >Noise.mo <<'MO'
model Noise
  pure function random
    input Integer stateIn[2];
    output Real result;
    output Integer stateOut[2];
  external "C" ModelicaRandom_xorshift64star(stateIn, stateOut, result);
  end random;
  Integer state[2](start = {1234567, -7654321}, each fixed = true);
  Real r(start = 0, fixed = true), x(start = 0, fixed = true);
algorithm
  when sample(0, 0.01) then
    (r, state) := random(pre(state));
  end when;
equation
  der(x) = r - x;
end Noise;
MO
sed 's/All.mo/Noise.mo/' <<<"$(declare -f agree)" >noise.sh && . ./noise.sh && agree
expect 3 'with --scalar float' build Noise.mo --step 1ms --scalar float -o f
finish
