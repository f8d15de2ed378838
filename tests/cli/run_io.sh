#!/usr/bin/env bash
# takt run with partners: CAN frames over a socket pair (and vcan where there is one),
# shared memory, a driver of the user. The partners are in Python and know nothing of takt
# but the formats. Nothing here depends on speed.
. "$TAKT_SOURCE/tests/support/cli.sh"
command -v python3 >/dev/null || skip "no python3"
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$work" "/dev/shm/takt-test-$$"' EXIT
cd "$work" || exit 4
export CC=$TAKT_CC

cat >Plant.mo <<'M'
model Plant
  input Real u(start = 0);
  output Real y = 2*u;
  output Real z = u + 10;
  Real x(start = 0, fixed = true);
equation
  der(x) = u - x;
end Plant;
M
cat >bus.dbc <<'D'
VERSION ""
BU_: Control Plant
BO_ 256 Command: 4 Control
 SG_ u : 7|16@0- (0.01,0) [-300|300] "V" Plant
 SG_ spare : 16|8@1+ (1,0) [0|0] "" Plant
BO_ 2147484161 State: 8 Plant
 SG_ y : 0|32@1- (1,0) [0|0] "V" Control
 SG_ z : 32|16@1+ (0.1,-1000) [-1000|1000] "" Control
SIG_VALTYPE_ 2147484161 y : 1;
BA_ "GenMsgCycleTime" BO_ 2147484161 2;
D

# --- CAN
cat >can.py <<'P'
"""can.py TAKT N: N frames to a run over a socket pair, random, cut, repeated, out of order; the run
counts as this does, and answers with what the last good frame says."""
import json, os, random, socket, struct, subprocess, sys
takt, n = sys.argv[1], int(sys.argv[2])
random.seed(1)
here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
p = subprocess.Popen([takt, "run", "Plant.mo", "--step", "1ms", "--forever", "--no-wait", "--json", "--control", "0", "--output",
                      "x", "--output", "u", "--io", "can:fd:%d,bus.dbc" % there.fileno()], pass_fds=[there.fileno()],
                     stdout=open("can.json", "w"), stderr=subprocess.PIPE, text=True)
there.close()
for line in p.stderr:
    if "obeys orders at port" in line:
        orders = int(line.split()[-1])
        break
else:
    sys.exit("FAIL: no run")

def frame(ident, data, dlc=None):
    return struct.pack("=IB3x8s", ident, len(data) if dlc is None else dlc, data)

def command(u):
    return frame(256, struct.pack(">hBB", round(u * 100), 0, 0))

good = bad = 0
u, last, seen = 0, [], []
def drain():
    for _ in range(100): # the run may be faster than this
        try:
            seen.append(here.recv(64, socket.MSG_DONTWAIT))
            del seen[:-4]
        except BlockingIOError:
            return

for k in range(n):
    kind = random.randrange(8)
    want = random.randrange(-30000, 30001) / 100
    f = command(want)
    if kind == 0:                       # any bytes
        f = bytes(random.randrange(256) for _ in range(16))
        while struct.unpack("=I", f[:4])[0] == 256:
            f = os.urandom(16)
        want = None
    elif kind == 1:                     # cut or too long
        f = (f + b"xxxxxxxx")[:random.choice([1, 5, 15, 17, 24])]
        want = None
    elif kind == 2 and last:            # one of those before: again, or out of order
        want, f = random.choice(last)
    elif kind == 3:                     # says that it is shorter than its message, or longer than any
        f = frame(256, f[8:12], random.choice([0, 3, 9, 255]))
        want = None
    elif kind == 4:                     # a number that is not allowed
        f = frame(256, struct.pack(">hBB", random.choice([32767, -32768, 30001]), 0, 0))
        want = None
    elif kind == 5:                     # of nobody; an error; a request
        f = frame(random.choice([255, 0x80000100, 0x20000100, 0x40000100]), f[8:12])
        want = None
    here.send(f)
    if want is None:
        bad += 1
    else:
        good, u = good + 1, want
        last = (last + [(want, f)])[-50:]
    drain()
here.send(command(12.5))
# the last one arrives: y = 2 u as a float, z in tenths
import time
end, y = time.time() + 60, None
while time.time() < end and y != 25:
    drain()
    f = seen[-1] if seen else b""
    if len(f) == 16:
        ident, dlc, data = struct.unpack("=IB3x8s", f)
        y, z = struct.unpack("<fH", data[:6])
        z = z * 0.1 - 1000
    time.sleep(0.005)
here.setblocking(False)
c = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
c.sendto(b"stop", ("127.0.0.1", orders))
while p.poll() is None: # or the run cannot hand out its last ones
    drain()
    time.sleep(0.005)
r = json.load(open("can.json"))
def want(is_so, text):
    if not is_so:
        print("FAIL:", text, r.get("io"), good, bad)
want(p.returncode == 0, "exit code %s" % p.returncode)
want(y == 25 and abs(z - 22.5) < 1e-9 and ident == 2147484161 and dlc == 8, "the answer: %s" % y)
want(r["io"]["frames_ignored"] == bad, "%d frames ignored, not %d" % (r["io"]["frames_ignored"], bad))
want(0 < r["io"]["ticks_with_inputs"] <= good + 1, "ticks with inputs")
want(r["final"]["u"] == 12.5, "u is %s" % r["final"]["u"])
P
sanitized && frames=5000 || frames=100000
timeout 100 python3 can.py "$TAKT" $frames >said || fail "can: exit code $?"
grep FAIL said && fail "CAN frames"
checks=$((checks + 1))
io() { expect "$1" "$2" run Plant.mo --step 1ms --stop 5ms --no-wait --io "${@:3}"; }
io 1 'No such device.*E1617' can:nocan0,bus.dbc
io 1 'E1617' can:vcan0
io 1 'No such file.*E1617' can:fd:0,none.dbc
io 1 'E1617' can:fd:99,bus.dbc
io 1 'E1617' can:fd:x,bus.dbc
sed 's/SG_ y/SG_ nobody/; s/SG_ z/SG_ nobody2/; s/SG_ u/SG_ none/' bus.dbc >other.dbc
io 1 'no signal has the name.*E1618' can:fd:0,other.dbc
sed 's/SG_ spare/SG_ y/; s/SG_ y : 0|32/SG_ yy : 0|32/' bus.dbc >mixed.dbc
io 1 'cannot have inputs and results.*E1618' can:fd:0,mixed.dbc
sed 's/7|16@0-/7|61@0-/' bus.dbc >far.dbc
io 1 'far.dbc:4:1: error: u: it reaches out of its message' can:fd:0,far.dbc
expect 2 'exclude each other' run Plant.mo --io shm:x --udp-in 0
io 1 'E1617' pigeon
if [ -d /sys/class/net/vcan0 ] && python3 -c 'import socket; socket.socket(socket.AF_CAN)' 2>/dev/null; then
    io 0 'inputs in 0 ticks, results of 5 steps' can:vcan0,bus.dbc
fi

# --- shared memory
cat >shm.py <<'P'
"""shm.py TAKT NAME: inputs and results through the rings."""
import ctypes, json, mmap, os, socket, subprocess, sys, time
takt, name = sys.argv[1:]
p = subprocess.Popen([takt, "run", "Plant.mo", "--step", "1ms", "--forever", "--json", "--control", "0", "--output", "u",
                      "--io", "shm:" + name], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
for line in p.stderr:
    if "obeys orders at port" in line:
        orders = int(line.split()[-1])
        break
f = os.open("/dev/shm/" + name, os.O_RDWR)
m = mmap.mmap(f, os.fstat(f).st_size)
word = (ctypes.c_uint64 * (len(m) // 8)).from_buffer(m)
number = (ctypes.c_double * (len(m) // 8)).from_buffer(m)
assert bytes(m[:8]) == b"TAKTSHM1"
nin, nout, rows = word[1], word[2], word[3]
assert (nin, rows) == (1, 1024) and len(m) == 8 * (24 + rows * (nin + nout + 1)), (nin, nout, rows)
for u in (3.0, float("nan"), 4.5):
    n = word[16]
    number[24 + n % rows * nin] = u
    word[16] = n + 1
    end = time.time() + 20
    while u == 3 and time.time() < end:
        n = word[8]
        row = 24 + rows * nin + (n - 1) % rows * (nout + 1)
        if n and number[row + 1] == 2 * u:
            break
        time.sleep(0.001)
    if u != u:
        time.sleep(0.05)
end, y = time.time() + 20, 0
while y != 9 and time.time() < end:
    n = word[8]
    row = 24 + rows * nin + (n - 1) % rows * (nout + 1)
    t, y = number[row], number[row + 1]
    time.sleep(0.001)
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"stop", ("127.0.0.1", orders))
out, err = p.communicate(timeout=60)
r = json.loads(out)
del word, number
if y != 9 or t <= 0 or r["io"]["steps_given"] != r["steps"] or r["final"]["u"] != 4.5:
    print("FAIL:", y, t, r["io"], r["final"])
if not 2 <= r["io"]["ticks_with_inputs"] + r["io"]["rows_lost"] <= 3:
    print("FAIL:", r["io"])
if os.path.exists("/dev/shm/" + name):
    print("FAIL: it is left behind")
P
timeout 100 python3 shm.py "$TAKT" "takt-test-$$" >said 2>&1 || fail "shm: $(cat said)"
grep FAIL said && fail "shared memory"
checks=$((checks + 1))
io 1 'E1617' shm:a/b
: >"/dev/shm/takt-test-$$"
io 1 'rm /dev/shm/takt-test' "shm:takt-test-$$"
rm "/dev/shm/takt-test-$$"

# --- a driver
sed -n '/^    \/\* square.c/,/^    };/s/^    //p' "$TAKT_SOURCE/docs/guide/io.md" >square.c
$TAKT_CC -std=c11 -Wall -Wextra -Werror -shared -fPIC -I"$TAKT_SOURCE/include" square.c -o square.so -lm ||
    fail "the driver of the guide does not compile"
io 0 'square.so,2: inputs in 5 ticks, results of 5 steps' ./square.so,2 -o square.csv
# u is 2 in the first three steps, then -2; y = 2 u
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /"y"|^y$/) c = i; next }
    { got = got " " $c } END { print got }' square.csv >got
[ "$(cat got)" = " 0 4 4 4 -4 -4" ] || fail "driver: y is$(cat got)"
io 1 'an amplitude is expected.*E1617' ./square.so,none
io 1 'E1617' ./none.so
echo 'int x;' >empty.c && $TAKT_CC -shared -fPIC empty.c -o empty.so
io 1 'does not define takt_io_driver.*E1617' empty.so
sed 's/TAKT_IO_VERSION/99/' square.c >old.c
$TAKT_CC -shared -fPIC -I"$TAKT_SOURCE/include" old.c -o old.so -lm
io 1 'version 99.*E1617' old.so
finish
