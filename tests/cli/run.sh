#!/usr/bin/env bash
# takt run: the same numbers as takt sim --static, policies, messages, signals.
# No test here depends on how fast the machine is: deadlines are either far away
# or cannot be met at all.
# build: sanitizers
# cost: 40
. "$TAKT_SOURCE/tests/support/cli.sh"
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$work"' EXIT
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
    expect 0 . sim "$model" --static --estimate off --defect off --step "$step" --stop "$stop" \
        -o "$work/sim.csv" "$@"
    equal "$work/run.csv" "$work/sim.csv" "$model $*"
}

for name in HeatDiffusion MotorDrive BouncingMass FourBar SampledControl \
    TransistorAmplifier Pendulum; do
    agree $gallery/$name.mo 1ms 0.5
done
agree $gallery/VanDerPol.mo 1ms 1 --set mu=3
# w is kept from step to step for the defect, and is there at the start too
cat >"$work/Once.mo" <<'M'
model Once
  output Real w, y;
  Real x(start = 0.2, fixed = true);
equation
  w = 1 + sin(time);
  der(x) = w - x - y^3;
  y + 0.1*y^3 = x + w;
end Once;
M
agree "$work/Once.mo" 10ms 0.1
# obeys a plan of takt tune
for kind in sparsing delay; do
    expect 0 . tune $gallery/MotorDrive.mo --step 0.1ms --deviation 100 --only $kind \
        -o "$work/plan.json" --html "$work/tune.html"
    grep -q '"kind"' "$work/plan.json" || fail "the plan of $kind leaves nothing out"
    agree $gallery/MotorDrive.mo 0.1ms 0.005 --plan "$work/plan.json"
done

# --- policies: a period of 1e-12 s is always missed
late="run $gallery/VanDerPol.mo --step 1ms --stop 20ms --rate 1e9"
expect 0 "20 overruns" $late
grep -q "W1607" "$work/err" || fail "continue: no warning"
grep -q "^  20 steps to time 0.02 " "$work/out" || fail "continue: steps"
expect 0 '"count":.*20,' $late --on-overrun skip --json
grep -q '"skipped":.*[1-9]' "$work/out" || fail "skip: nothing was skipped"
grep -q "ticks were skipped" "$work/err" || fail "skip: not said"
expect 1 "step 1, to time 0.001, ended .* after its deadline" $late \
    --on-overrun stop -o "$work/stop.csv"
[ "$(wc -l <"$work/stop.csv")" = 3 ] || fail "stop: what was recorded is lost"
expect 0 '"steps":.*0,' run $gallery/VanDerPol.mo --step 1000 --stop 0 --json
expect 0 '"ended":.*"stop"' run $gallery/VanDerPol.mo --step 1ms --stop 5ms \
    --rate 0.05 --json --priority 1 --cpu 0
for key in model method step start stop steps wall locked priority cpu step_time \
    lateness overruns alarms final min median mean p999 max histogram; do
    grep -q "\"$key\":" "$work/out" || fail "--json has no $key"
done
expect 0 W1610 run $gallery/VanDerPol.mo --step 1ms --stop 5ms --cpu 100000

# --- what a step says
cat >"$work/Zero.mo" <<'M'
model Zero
  Real x(start = 1, fixed = true);
  output Real y;
equation
  der(x) = -1;
  y = 1/(floor(10*x) - 5);
end Zero;
M
expect 1 "error: step 40[01], from time 0.[34].*: a value is not finite.*E1605" \
    run "$work/Zero.mo" --step 1ms --stop 1 --no-wait -o "$work/zero.csv"
lines=$(wc -l <"$work/zero.csv")
[ "$lines" -ge 400 ] && [ "$lines" -le 403 ] || fail "Zero: $lines lines are kept"
expect 1 '"ended":.*"failed"' run "$work/Zero.mo" --step 1ms --stop 1 --no-wait \
    --json
cat >"$work/Slow.mo" <<'M'
model Slow
  Real x(start = 0, fixed = true);
  output Real y(start = 0);
equation
  der(x) = 1;
  y + 1e-3*(exp(40*y) - 1) = 5*sin(200*x);
end Slow;
M
expect 0 "in [0-9]* steps a block did not converge: y.*W1608" run "$work/Slow.mo" \
    --method be --newton 2 --step 1ms --no-wait
expect 0 '"y":.*[1-9]' run "$work/Slow.mo" --method be --newton 2 --step 1ms \
    --no-wait --json
cat >"$work/Watch.mo" <<'M'
model Watch
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  assert(x < 0.2, "x is above 0.2", AssertionLevel.warning);
  when x > 0.2505 then
    terminate("far enough");
  end when;
end Watch;
M
expect 0 "ended by the model: far enough" run "$work/Watch.mo" --step 1ms --no-wait
grep -q "in 51 steps an assertion warns: x is above 0.2" "$work/err" || fail "Watch: no remark"

# names that the C around it has too; other kinds of C
for name in step takt_run start value m int; do
    sed "s/Watch/$name/" "$work/Watch.mo" >"$work/$name.mo"
    expect 0 "ended by the model" run "$work/$name.mo" --step 1ms --no-wait
done
expect 0 "ended by the model" run "$work/int.mo" --step 1ms --no-wait --name whole
for how in "--scalar float" "--math takt" "--fixed" "--init values" \
    "--scalar float --math takt --factor table"; do
    expect 0 '"ended":.*"stop"' run $gallery/DiodeLadder.mo --step 1ms \
        --stop 0.1 --no-wait --json $how
done

# --- inputs
cat >"$work/Double.mo" <<'M'
model Double
  input Real u;
  output Real y;
  Real x(start = 0, fixed = true);
equation
  y = 2*u;
  der(x) = u - x;
end Double;
M
printf 'time,u\n0,1\n0.3,2\n0.7,0\n' >"$work/u.csv"
agree "$work/Double.mo" 1ms 0.5 --input "$work/u.csv"
expect 1 E1313 run "$work/Double.mo" --input "$work/zero.csv" --no-wait
expect 1 E1309 run "$work/Double.mo" --input "$work/none.csv" --no-wait
expect 0 W1315 run "$work/Double.mo" --no-wait

# --- messages
expect 0 "takt run models/gallery/MotorDrive.mo" run --help
expect 2 "exactly one MODEL" run
expect 2 "on-overrun takes" run $gallery/VanDerPol.mo --on-overrun panic
expect 2 "rate takes" run $gallery/VanDerPol.mo --rate 0
expect 2 "priority takes" run $gallery/VanDerPol.mo --priority 100
expect 2 "cpu takes" run $gallery/VanDerPol.mo --cpu -2
expect 2 "every take" run $gallery/VanDerPol.mo --every 0
expect 2 "exclude each other" run "$work/Double.mo" --input x.csv --udp-in 0
expect 2 "positive time" run $gallery/VanDerPol.mo --step 0
expect 1 E1404 run $gallery/VanDerPol.mo --output nope
expect 1 E1308 run $gallery/VanDerPol.mo --no-wait -o "$work/no/such.csv"
expect 1 E1308 run $gallery/VanDerPol.mo --no-wait -o /dev/full
expect 1 E1606 run $gallery/VanDerPol.mo --udp-in 5000
expect 1 E1606 run "$work/Double.mo" --udp-in port
expect 1 E1606 run "$work/Double.mo" --udp-out 127.0.0.1:99999999
CC=/nonexistent expect 1 "'/nonexistent' cannot be started.*E1601" \
    run $gallery/VanDerPol.mo
CC=false expect 1 "did not compile the model" run $gallery/VanDerPol.mo
CC="$TAKT_CC -no-such-option" expect 1 "note: .*no-such-option" \
    run $gallery/VanDerPol.mo
cat >"$work/bad-cc" <<'S'
#!/bin/sh
while [ "$1" != -o ]; do shift; done
echo "no library" >"$2"
S
chmod +x "$work/bad-cc"
CC=$work/bad-cc expect 1 "cannot be loaded: .*E1602" run $gallery/VanDerPol.mo
TMPDIR=$work/none expect 1 "set TMPDIR.*E1602" run $gallery/VanDerPol.mo

# --- signals end a run in order, and leave nothing behind
# wait_for PATTERN FILE
wait_for() {
    for _ in $(seq 600); do
        grep -q -e "$1" "$2" 2>/dev/null && return
        sleep 0.1
    done
    fail "no line '$1' in $(cat "$2")"
}
"$TAKT" run $gallery/VanDerPol.mo --step 1ms --rate 1e-6 --forever \
    -o "$work/sig.csv" >"$work/sig" 2>&1 & # the second tick is in 1000 s
pid=$!
wait_for "as fast as real time" "$work/sig"
kill -TERM $pid
wait $pid || fail "SIGTERM: exit code $?"
grep -q "ended by a signal" "$work/sig" || fail "SIGTERM: no summary"
[ -s "$work/sig.csv" ] || fail "SIGTERM: nothing was recorded"
checks=$((checks + 1))

printf '#!/bin/sh\necho here >%s\nexec sleep 60\n' "$work/slow" >"$work/slow-cc"
chmod +x "$work/slow-cc"
CC=$work/slow-cc "$TAKT" run $gallery/VanDerPol.mo >"$work/sig" 2>&1 &
pid=$!
wait_for here "$work/slow"
kill -TERM $pid
wait $pid
[ $? = 4 ] || fail "a signal while compiling: not 4"
grep -q "before the first step" "$work/sig" || fail "a signal while compiling"
checks=$((checks + 1))

# --- datagrams
"$TAKT_CC" -O1 tests/support/udp_peer.c -lm -o "$work/peer" || fail "udp_peer.c"
coproc holder { exec "$work/peer" hold; }
holder_id=$holder_PID
read -r port <&"${holder[0]}"
expect 1 "E1606" run "$work/Double.mo" --udp-in "$port"
expect 0 '"sent":.*4,' run "$work/Double.mo" --step 1ms --stop 20ms --no-wait \
    --udp-out "127.0.0.1:$port" --udp-every 5 --output x --json
tr -d '\n\t ' <"$work/out" | grep -q '"udp_out":{"names":\["y","x"\]' ||
    fail "udp-out: names"
exec {holder[1]}>&-
wait "$holder_id"
coproc peer { exec "$work/peer" talk 3.25 6.5; }
exec {from}<&"${peer[0]}" # bash forgets its own when the peer ends
read -r port <&"$from"
"$TAKT" run "$work/Double.mo" --step 5ms --forever --udp-in 0 \
    --udp-out "127.0.0.1:$port" >"$work/udp" 2>&1 &
pid=$!
wait_for "numbers at port" "$work/udp"
sed -n 's/.*of 1 numbers at port //p' "$work/udp" >&"${peer[1]}"
read -r answer <&"$from"
kill -TERM $pid
wait $pid || fail "udp: exit code $?"
case $answer in time*) ;; *) fail "udp: no answer: $answer" ;; esac
grep -q "6 datagrams to 0 were ignored.*W1611" "$work/udp" ||
    { fail "udp: malformed datagrams"; cat "$work/udp"; }
grep -q " 1 datagrams taken" "$work/udp" || fail "udp: datagrams taken"
grep -q "datagrams of 2 numbers sent" "$work/udp" || fail "udp: sent"
checks=$((checks + 1))

# --- the page
"$TAKT" run "$work/Double.mo" --step 5ms --forever --page 0 >"$work/page" 2>&1 &
pid=$!
wait_for "shows itself" "$work/page"
port=$(sed -n 's|.*http://127.0.0.1:\([0-9]*\)/#token=.*|\1|p' "$work/page")
token=$(sed -n 's|.*/#token=||p' "$work/page")
# ask TEXT: what the page answers
ask() {
    exec {web}<>"/dev/tcp/127.0.0.1/$port"
    printf '%b' "$1" >&"$web"
    timeout 60 cat <&"$web"
    exec {web}>&-
}
# answers PATTERN TEXT
answers() {
    ask "$2" >"$work/answer"
    grep -q -e "$1" "$work/answer" || { fail "page: no '$1'"; cat "$work/answer"; }
    checks=$((checks + 1))
}
answers '<title>takt run</title>' 'GET / HTTP/1.1\r\nHost: localhost:8080\r\n\r\n'
tail -1 "$work/answer" | grep -q '</html>' || fail "page: it is cut"
answers '"model":"Double".*"names":\["y",.*"units":\[.*"parameters":\[' 'GET /model HTTP/1.1\r\n\r\n'
answers ' 403 ' 'GET /model HTTP/1.1\r\nHost: evil.example\r\n\r\n'
answers ' 403 ' 'GET /model HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://evil.example\r\n\r\n'
answers ' 200 ' 'GET /model HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://127.0.0.1\r\n\r\n'
answers ' 404 ' 'GET /nothing HTTP/1.1\r\n\r\n'
answers ' 400 ' 'DELETE / HTTP/1.1\r\n\r\n'
post='Content-Length: 5\r\n\r\npause'
answers ' 403 ' "POST /order HTTP/1.1\r\nHost: 127.0.0.1\r\n$post"
answers ' 403 ' "POST /order HTTP/1.1\r\nX-Takt-Token: ${token}0\r\n$post"
answers ' 403 ' "POST /order HTTP/1.1\r\nHost: a.example\r\nX-Takt-Token: $token\r\n$post"
answers ' 400 ' "POST /order HTTP/1.1\r\nX-Takt-Token: $token\r\nContent-Length: 3\r\n\r\nfly"
answers ' 200 ' "POST /order HTTP/1.1\r\nX-Takt-Token: $token\r\n$post"
answers '^ok$' "POST /order HTTP/1.1\r\nx-takt-token: $token\r\nContent-Length: 6\r\n\r\nresume"
expect 1 "E1606" run "$work/Double.mo" --page "$port"
ask 'GET /events HTTP/1.1\r\n\r\n' >"$work/events" &
asker=$!
wait_for '^data: {"time":.*"steps":.*"values":\[0,.*"rows":\[\[' "$work/events"
kill -TERM $pid
wait $pid || fail "page: exit code $?"
wait $asker
grep -q "^event: end" "$work/events" || fail "page: the end is not told"

[ -z "$(ls "$TMPDIR")" ] || fail "left behind: $(ls "$TMPDIR")"
finish
