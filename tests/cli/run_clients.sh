#!/usr/bin/env bash
# Who looks at a run does not cost it anything: instructions of 2,000 steps of the model and of
# what the loop leaves for the page are the same with nobody there and with ten streams and one
# that takes nothing, and those of whole ticks (inputs, step, results, figures) but for what the
# clock says: the largest of times are noted. Counted by callgrind, not timed.
. "$TAKT_SOURCE/tests/support/cli.sh"
sanitized && skip "counts are of the release build"
command -v valgrind >/dev/null || skip "no valgrind"
command -v python3 >/dev/null || skip "no python3"
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 4
export CC=$TAKT_CC TAKT_CACHE=$work/cache
cat >Decay.mo <<'M'
model Decay
  parameter Real k = 1;
  Real x[20](each start = 1, each fixed = true);
  output Real y = x[20];
equation
  der(x[1]) = -k*x[1];
  for i in 2:20 loop
    der(x[i]) = k*(x[i - 1] - x[i]);
  end for;
end Decay;
M
cat >look.py <<'P'
"""look.py LOG STREAMS SLOW: so many look, 2,000 steps are made, the run is stopped."""
import re, socket, sys, threading, time
log, streams, slow = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
end = time.time() + 100
while time.time() < end:
    text = open(log).read()
    found = re.search(r"obeys orders at port (\d+)\n.*127.0.0.1:(\d+)/", text)
    if found:
        break
    time.sleep(0.1)
orders, page = map(int, found.groups())
seen = [0] * streams
def read(i, s):
    try:
        while s.recv(1 << 16):
            seen[i] += 1
    except OSError:
        pass
for i in range(streams + slow):
    s = socket.create_connection(("127.0.0.1", page))
    if i >= streams:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
    s.send(b"GET /events?signals=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15 HTTP/1.1\r\n\r\n")
    if i < streams:
        threading.Thread(target=read, args=(i, s), daemon=True).start()
    else:
        keep = s
while streams and min(seen) < 2 and time.time() < end:
    time.sleep(0.05)
c = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
c.connect(("127.0.0.1", orders))
c.settimeout(50)
for k in range(20): # in pieces, so that events go out between them
    before = list(seen)
    c.send(b"step 100")
    c.recv(100)
    while streams and k < 5 and time.time() < end and any(s == b for s, b in zip(seen, before)):
        time.sleep(0.02)
    time.sleep(0.06) # with nobody there too: the loop is to have the same to do
while time.time() < end:
    c.send(b"status")
    if b"steps 2000 " in c.recv(100):
        break
    time.sleep(0.05)
c.send(b"stop")
print(min(seen) if seen else 0)
P
# count STREAMS SLOW FUNCTION... -> instructions
count() {
    rm -f log cg.*
    valgrind -q --tool=callgrind --callgrind-out-file=cg.out --collect-atstart=no "${@:3}" "$TAKT" run Decay.mo --step 1ms --forever --no-wait --paused --control 0 \
        --page 0 >log 2>&1 &
    local pid=$!
    python3 look.py log "$1" "$2" >seen || { cat log >&2; }
    wait $pid
    sed -n 's/^\(summary\|totals\): //p' cg.out | head -1
}
expect 0 . run Decay.mo --step 1ms --stop 1ms --no-wait # it is in the cache now
step="--toggle-collect=step_ --toggle-collect=get_ --toggle-collect=feed_room --toggle-collect=feed_push"
# shellcheck disable=SC2086
alone=$(count 0 0 $step)
# shellcheck disable=SC2086
crowd=$(count 10 1 $step)
[ "$(cat seen)" -ge 5 ] || fail "the streams saw $(cat seen) events"
echo "instructions of 2,000 steps: alone $alone, with ten streams and a slow one $crowd"
[ "${alone:-0}" -gt 100000 ] || fail "nothing was counted: '$alone'"
[ "$alone" = "$crowd" ] || fail "$alone instructions alone, $crowd with others"
checks=$((checks + 1))
nobody=$(count 0 0 --toggle-collect=loop_work)
many=$(count 10 1 --toggle-collect=loop_work)
echo "instructions of 2,000 ticks: alone $nobody, with ten streams and a slow one $many"
[ "${nobody:-0}" -gt "$alone" ] || fail "no ticks were counted: '$nobody'"
awk "BEGIN { d = $many/$nobody - 1; exit d > 0.002 || d < -0.002 }" || fail "$nobody instructions of ticks alone, $many with others"
checks=$((checks + 1))
finish
