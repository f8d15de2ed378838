#!/usr/bin/env bash
# Inputs from a file that are Integer, Boolean, enumerations or discrete: change,
# edge and pre of them, for every way to integrate, with jumps on the grid, between
# grid points, one after the other, and together with a sample(). What must come
# out is counted by hand in the file of inputs.
# build: sanitizers
. "$TAKT_SOURCE/tests/support/events.sh"

counter() { # NAME EQUATIONS
    model <<M
model $1
  type Gear = enumeration(low, mid, high);
  input Integer k;
  input Boolean b;
  input Gear g;
  discrete input Real w;
  input Real u;
  discrete output Real nk(start = 0, fixed = true), nb(start = 0, fixed = true);
  discrete output Real ng(start = 0, fixed = true), nw(start = 0, fixed = true);
  discrete output Real rise(start = 0, fixed = true);
  discrete output Real sum(start = 0, fixed = true);
  discrete output Real at(start = 0, fixed = true);
  discrete output Real tick(start = 0, fixed = true);
  Real x(start = 0, fixed = true);
equation
  der(x) = u + k - x;
  when change(k) then
    nk = pre(nk) + 1;
    sum = pre(sum) + 10 * k + pre(k);
    at = time;
  end when;
  when change(b) then nb = pre(nb) + 1; end when;
  when change(g) then ng = pre(ng) + 1; end when;
  when change(w) then nw = pre(nw) + 1; end when;
  when edge(b) then rise = pre(rise) + 1; end when;
  $2
end $1;
M
}
counter Counter "when time < 0 then tick = 0; end when;"
counter Sampled "when sample(0, 0.1) then tick = pre(tick) + 1; end when;"

cat >"$dir/grid.csv" <<E
time,k,b,g,w,u
0,1,0,1,0.5,0
0.1,2,1,2,0.6,0
0.2,3,0,3,0.5,0
0.3,4,1,2,0.6,0
0.4,5,0,1,0.5,0
0.5,6,1,2,0.6,0
0.6,7,0,3,0.5,0
0.7,8,1,2,0.6,0
0.8,9,0,1,0.5,0
0.9,10,1,2,0.6,0
1,11,0,3,0.5,0
E
cat >"$dir/between.csv" <<E
time,k,b,g,w,u
0,1,0,1,0.5,0
0.333,1,0,1,0.5,0
0.333,3,1,2,0.6,0
0.55512,2,0,2,0.6,0
0.777,5,1,3,0.5,0
0.88,5,1,3,0.5,0
E
cat >"$dir/short.csv" <<E
time,k,b,g,w,u
0,1,0,1,0.5,0
0.333,2,1,2,0.6,0
0.335,1,0,1,0.5,0
0.7513,1,0,1,0.5,0
0.7514,1,0,1,0.5,900
0.7515,1,0,1,0.5,0
1,1,0,1,0.5,0
E
# x with k piecewise constant
x_grid=$(awk 'BEGIN { for (m = 1; m <= 10; m++) x = m + (x - m) * exp(-0.1); print x }')
x_between=$(awk 'function to(k, dt) { x = k + (x - k) * exp(-dt) }
    BEGIN { to(1, 0.333); to(3, 0.22212); to(2, 0.22188); to(5, 0.223); print x }')
x_short=$(awk 'function to(k, dt) { x = k + (x - k) * exp(-dt) }
    BEGIN { to(1, 0.333); to(2, 0.002); to(1, 0.665)
            print x + 0.09 * exp(-0.2486) }')
grid="nk 10 0 nb 10 0 ng 10 0 nw 10 0 rise 5 0 sum 705 0 at 1 1e-12"
between="nk 3 0 nb 3 0 ng 2 0 nw 2 0 rise 2 0 sum 106 0"
short="nk 2 0 nb 2 0 ng 2 0 nw 2 0 rise 1 0 sum 33 0"

# on the grid
for m in Counter Sampled; do
    for method in lie be rk4 radau5 bdf2 trapezoid ros2 "lie --static"; do
        for h in 0.1 0.05; do
            for f in grid between; do
                expect $m "${!f}" --method $method --step $h --stop 1 \
                    --input "$dir/$f.csv"
            done
        done
    done
done

# where they are
for m in Counter Sampled; do
    for f in grid between short; do
        x=x_$f at=
        [ $f = between ] && at="at 0.777 1e-12"
        [ $f = short ] && at="at 0.335 1e-12"
        for how in "" "--method ida --tolerance 1e-8" \
            "--method cvode --tolerance 1e-8" "--method ida --step 0.1" \
            "--method radau5 --tolerance 1e-6 --step 0.1" \
            "--method radau5 --step 0.1 --events exact"; do
            expect $m "${!f} $at x ${!x} 1e-4" $how --stop 1 \
                --input "$dir/$f.csv"
        done
    done
done

# C sees the values with which it is called: those before a jump at its end
for m in Counter Sampled; do
    for f in grid between; do
        "$TAKT" run "$dir/$m.mo" --no-wait --step 0.1 --stop 1.1 \
            --input "$dir/$f.csv" -o "$dir/c.csv" >"$dir/out" 2>&1 ||
            { head -n 5 "$dir/out"; bad=1; }
        # the last change is dated by the end of the step that sees it
        last=1.1
        [ $f = grid ] || last=0.8
        awk -F, -v want="${!f}" -v title="run $m $f" -v last=$last '
            NR == 1 { for (i = 1; i <= NF; i++) { gsub(/"/, "", $i); at[$i] = i } }
            { row = $0 }
            END {
                split(row, value, ",")
                m = split(want, w, " ")
                late = value[at["at"]] - last
                if (late > 1e-9 || late < -1e-9) {
                    print title ": at = " value[at["at"]]
                    bad = 1
                }
                for (i = 1; i <= m; i += 3)
                    if (w[i] != "at" && value[at[w[i]]] != w[i + 1]) {
                        print title ": " w[i] " = " value[at[w[i]]]
                        bad = 1
                    }
                exit bad
            }' "$dir/c.csv" || bad=1
        n=$((n + 1))
    done
done

# what the grid cannot see is said, and only that
for f in grid between short; do
    "$TAKT" sim "$dir/Counter.mo" --method lie --step 0.1 --stop 1 \
        --input "$dir/$f.csv" >"$dir/out" 2>&1
    got=$(grep -c 'W1336' "$dir/out")
    want=0
    [ $f = short ] && want=5 # k, b, g, w, u
    [ "$got" = "$want" ] || { echo "$f: $got of W1336, not $want"; bad=1; }
done
"$TAKT" sim "$dir/Counter.mo" --method lie --step 0.1 --events exact --stop 1 \
    --input "$dir/short.csv" 2>&1 | grep W1336 && bad=1

# jumps at every point of the grid, whose times are rounded in other ways than the
# file's: nothing is unseen, and nothing is singular in 1 + 3 y^2
cat >"$dir/Jumps.mo" <<'EOF'
model Jumps
  input Real u;
  output Real x(start = 0, fixed = true), y;
equation
  der(x) = u - 5*x;
  y + y^3 = u;
end Jumps;
EOF
awk 'BEGIN { print "time,u"; r = 7; v = 0
    for (k = 0; k <= 200; k++) {
        if (k > 0) printf "%.10g,%.10g\n", k*0.01, v
        r = (r*1103 + 12345) % 65536
        v = r/32768 - 1
        printf "%.10g,%.10g\n", k*0.01, v
        if (k < 200) x = x*exp(-0.05) + v*(1 - exp(-0.05))/5
    }
    printf "%.12g\n", x >"/dev/stderr" }' >"$dir/jumps.csv" 2>"$dir/truth"
for method in radau5 rodas4 rk4; do
    "$TAKT" sim "$dir/Jumps.mo" --method $method --step 0.01 --stop 2 \
        --input "$dir/jumps.csv" -o "$dir/jumps.out.csv" >"$dir/out" 2>&1 || bad=1
    grep -E 'warning|error:' "$dir/out" && { echo "jumps, $method: said"; bad=1; }
    tail -1 "$dir/jumps.out.csv" | awk -F, -v want="$(cat "$dir/truth")" \
        '{ d = $3 - want; if (d > 1e-5 || d < -1e-5) { print "jumps: " $3 ", not " want; exit 1 } }' ||
        bad=1
    n=$((n + 1))
done

echo "$n runs"
exit $bad
