#!/usr/bin/env bash
# takt run under orders: scenarios, parameters, pause, step, reset, the watchdog,
# sequence numbers, policies, the cache. Nothing here depends on speed.
# build: sanitizers
. "$TAKT_SOURCE/tests/support/cli.sh"
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 4
gallery=$TAKT_SOURCE/models/gallery
export CC=$TAKT_CC

# wait_for PATTERN FILE
wait_for() {
    for _ in $(seq 600); do
        grep -q -e "$1" "$2" 2>/dev/null && return
        sleep 0.05
    done
    fail "no line '$1' in $(cat "$2")"
}
# count KEY: a number of the JSON in $work/out
count() { tr -d ' \n\t' <"${2:-$work/out}" | sed "s/.*\"$1\":\([-0-9.e+]*\).*/\1/"; }

cat >Decay.mo <<'M'
model Decay
  parameter Real k(min = 0, max = 10) = 1;
  input Real u(start = 0);
  Real x(start = 1, fixed = true);
  output Real y = x;
equation
  der(x) = k*(u - x);
end Decay;
M

# --- scenarios. x is 1 at first; with k = 0 it stays, with u = 3 it goes there.
cat >good.txt <<'S'
case nothing happens # a comment
at 0 set k 0
from 0 to 0.5 expect x 1 within 1e-9
case "it goes to 3"
at 0.5 input u 3
at 0.5 set k 10
at 2 expect y 3 within 1e-3
S
sed -i 's/^case nothing happens/case nothing/' good.txt
run="run Decay.mo --step 1ms --stop 2 --no-wait"
expect 0 'good.txt: 2 of 2 expectations held' $run --scenario good.txt --junit good.xml
grep -q 'tests="2" failures="0"' good.xml || fail "JUnit: $(cat good.xml)"
grep -q 'classname="it goes to 3" name="line 7: y"' good.xml || fail "JUnit has no case"
# the same by sim: k = 0 changes nothing, so x(2) = 3 - 2 exp(-15) but for the step
sed 's/at 2 expect y 3 within 1e-3/at 2 expect y 3 within 1e-9/; s/x 1 within/x 1.5 within/' good.txt >bad.txt
expect 1 '2 of 2 expectations of bad.txt did not hold.*E1614' $run --scenario bad.txt --junit bad.xml
grep -q "bad.txt:7:1: note: y is 2.9999.* at 2 s, 3 is expected" "$work/err" || fail "no value in the note"
[ "$(grep -c '<failure ' bad.xml)" = 2 ] || fail "JUnit without failures"
grep -q '"failed":.*2' <("$TAKT" $run --scenario bad.txt --json 2>/dev/null) || fail "--json without failures"
command -v python3 >/dev/null && { python3 -c "import sys, xml.dom.minidom as x; x.parse(sys.argv[1])" bad.xml ||
    fail "JUnit is not well-formed"; }
case_() { # MESSAGE LINE
    printf '%s\n' "$2" >wrong.txt
    expect 1 "$1" $run --scenario wrong.txt
}
case_ "wrong.txt:1:1: .*E1612" 'at noon set k 0'
case_ "E1612" 'at 1 expect x 1'
case_ "E1612" 'at 1 expect x 1 within -1'
case_ "E1612" 'from 2 to 1 expect x 1 within 1'
case_ "E1612" 'from 1 to 2 set k 1'
case_ "E1612.*" 'at 1 set "k 1'
case_ "no such parameter.*E1613" 'at 1 set nobody 1'
case_ "above the largest.*E1613" 'at 1 set k 11'
case_ "no such input.*E1613" 'at 1 input k 1'
case_ "no such variable.*E1613" 'at 1 expect nobody 1 within 1'
case_ "did not come to 9 s" 'at 9 expect x 1 within 1'
expect 1 E1309 $run --scenario none.txt
expect 2 'needs --scenario' $run --junit x.xml
expect 2 'ends in .xml' $run --scenario good.txt --junit x.txt
expect 1 E1308 $run --scenario good.txt --junit nowhere/x.xml

# --- orders
if command -v python3 >/dev/null; then
    cat >console.py <<'P'
"""console.py PORT: gives orders, checks the answers."""
import fnmatch, socket, sys, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.connect(("127.0.0.1", int(sys.argv[1])))
s.settimeout(20)
bad = 0

def say(order, want):
    global bad
    s.send(order.encode())
    answer = s.recv(1000).decode().strip()
    if not fnmatch.fnmatch(answer, want):
        print("FAIL: %r is answered %r, not %r" % (order, answer, want))
        bad = 1

def until(want):
    global bad
    for _ in range(400):
        s.send(b"status")
        answer = s.recv(1000).decode().strip()
        if fnmatch.fnmatch(answer, want):
            return
        time.sleep(0.02)
    print("FAIL: status is %r, not %r" % (answer, want))
    bad = 1

until("time 0 steps 0 paused *")
say("step 10", "ok")
until("time 0.01 steps 10 paused *")
say("set k 2.5", "ok")
say("set k 11", "error: the value is above*")
for order in ("set nobody 1", "set k", "set k nan", "step 0", "fly", "", "x" * 600, "set k 1 2"):
    say(order, "error: *")
say("step", "ok")
until("time 0.011 steps 11 *")
say("reset", "ok")
until("time 0 steps 0 *")
say("resume", "ok")
until("* running *")
say("pause", "ok")
until("* paused *")
say("stop", "ok")
sys.exit(bad)
P
    "$TAKT" run Decay.mo --step 1ms --forever --control 0 --json --paused >run.json 2>run.err &
    pid=$!
    wait_for 'obeys orders at port' run.err
    timeout 60 python3 console.py "$(sed -n 's/.*obeys orders at port //p' run.err)" >say || fail "$(cat say)"
    kill -0 $pid 2>/dev/null && sleep 0.5 && kill -TERM $pid 2>/dev/null
    wait $pid || fail "orders: exit code $?"
    grep -q '"ended":.*"order"' run.json || fail "not ended by an order"
    [ "$(count changes run.json)" = 1 ] && [ "$(count resets run.json)" = 1 ] || fail "changes and resets"
    [ "$(count k run.json)" = 2.5 ] || fail "reset forgets parameters: k is $(count k run.json)"
    checks=$((checks + 1))
fi
expect 2 'who should resume' $run --paused

# --- the watchdog: one datagram, then none
if command -v python3 >/dev/null; then
    cat >peer.py <<'P'
"""peer.py PORT FRAMES ORDERS: sends SEQUENCE:VALUE, then stops the run 100 steps later."""
import socket, struct, sys, time
port, frames, orders = int(sys.argv[1]), sys.argv[2].split(), int(sys.argv[3])
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
c = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
c.connect(("127.0.0.1", orders))
c.settimeout(20)
def steps():
    c.send(b"status")
    return int(c.recv(1000).split()[3])
try:
    for f in frames:
        sequence, u = f.split(":")
        s.sendto(b"TKT1" + struct.pack("<HHQqd", 1, 1, int(sequence), 0, float(u)), ("127.0.0.1", port))
    begin, end = steps(), time.time() + 20
    while steps() < begin + 100 and time.time() < end:
        time.sleep(0.01)
    c.send(b"stop")
except OSError:
    pass # it has ended by itself
P
    silent() { # POLICY -> JSON
        rm -f dog.json dog.err
        "$TAKT" run Decay.mo --step 1ms --forever --udp-in 0 --watchdog 20 --on-silence "$1" --json --output u \
            --control 0 >dog.json 2>dog.err &
        pid=$!
        wait_for 'obeys orders at port' dog.err
        timeout 60 python3 peer.py "$(sed -n 's/.*numbers at port //p' dog.err)" "5:7 6:4 4:9 6:9 9:2" \
            "$(sed -n 's/.*obeys orders at port //p' dog.err)"
        for _ in $(seq 100); do kill -0 $pid 2>/dev/null || break; sleep 0.1; done
        kill -TERM $pid 2>/dev/null
        wait $pid
        code=$?
        checks=$((checks + 1))
    }
    silent last
    [ "$code" = 0 ] && [ "$(count silences dog.json)" = 1 ] && [ "$(count lost dog.json)" = 2 ] &&
        [ "$(count stale dog.json)" = 2 ] && [ "$(count taken dog.json)" = 3 ] ||
        fail "watchdog, last: $code, $(cat dog.err)"
    grep -q 'W1616' dog.err || fail "silence is not said"
    [ "$(count u dog.json)" = 2 ] || fail "the last value is not held: $(count u dog.json)"
    silent zero
    [ "$(count u dog.json)" = 0 ] || fail "silent inputs are not zero: $(count u dog.json)"
    silent stop
    [ "$code" = 1 ] && grep -q 'no inputs have come for 20 steps.*E1615' dog.err || fail "watchdog, stop: $code"
fi
expect 2 'needs --udp-in' $run --watchdog 3

# --- policies and deadlines: a period that cannot be met
late="run Decay.mo --step 1ms --stop 20ms --rate 1e9 --udp-out 127.0.0.1:9"
expect 0 '"held":.*20,' $late --on-overrun hold --json
expect 0 'overruns of a deadline of 1e-06 us' run Decay.mo --step 1ms --stop 5ms --deadline 1e-12
expect 0 'delta_min ' run Decay.mo --step 1ms --stop 5ms
expect 2 'deadline takes' $run --deadline 1ms

# --- the cache: the second start does not compile, a change does
export TAKT_CACHE=$work/cache
kept() { # WANTED ARG...
    local want=$1
    shift
    expect 0 "\"compiled_before\":.*$want" run Decay.mo --step 1ms --stop 5ms --no-wait --json "$@"
}
kept false
kept true
CC=/nonexistent expect 1 E1601 run Decay.mo --step 1ms --stop 5ms --no-wait
kept false --step 2ms
kept true
kept false --no-cache
[ "$(ls cache/*.so | wc -l)" = 2 ] || fail "cache: $(ls cache)"
# neither a damaged key nor a folder of everybody's is trusted
for f in cache/*.key; do echo "x" >>"$f"; done
kept false
chmod 777 cache
kept false
chmod 700 cache
kept true
export TAKT_CACHE=
kept false
finish
