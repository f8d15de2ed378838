#!/usr/bin/env bash
# XCP over UDP: a master in Python that knows the A2L file and the standard only. It reads and
# writes single values, measures every step, and is refused where it must be.
# build: sanitizers
. "$TAKT_SOURCE/tests/support/cli.sh"
command -v python3 >/dev/null || skip "no python3"
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 4
export CC=$TAKT_CC
cat >Decay.mo <<'M'
model Decay
  parameter Real k(min = 0, max = 10, unit = "1/s") = 1;
  parameter Integer n(min = 1, max = 5) = 2;
  input Real u(start = 3);
  Real x(start = 1, fixed = true, unit = "m");
  output Real y = n*x;
equation
  der(x) = k*(u - x);
end Decay;
M
expect 0 . build Decay.mo --step 1ms -o code --a2l decay.a2l --quiet
expect 2 'ends in .a2l' build Decay.mo --step 1ms -o code --a2l decay.txt
expect 1 E1405 build Decay.mo --step 1ms -o code --a2l nowhere/decay.a2l
cat >master.py <<'P'
"""master.py TAKT: a master of XCP."""
import json, re, socket, struct, subprocess, sys
a2l = open("decay.a2l").read()
assert a2l.count("/begin") == a2l.count("/end")
address = {}
for name, body in re.findall(r"/begin (?:MEASUREMENT|CHARACTERISTIC) (\S+)(.*?)/end", a2l, re.S):
    address[name] = int(re.search(r"(?:ECU_ADDRESS|VALUE) (0x[0-9A-F]+)", body)[1], 16)
epk = re.search(r'EPK "(\w+)"', a2l)[1]
assert re.search(r'CHARACTERISTIC k "k"\s+VALUE \S+ Double 0 NO_COMPU_METHOD 0 10\s+PHYS_UNIT "1/s"', a2l), a2l
p = subprocess.Popen([sys.argv[1], "run", "Decay.mo", "--step", "1ms", "--forever", "--xcp", "0", "--json"],
                     stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
for line in p.stderr:
    if "XCP over UDP at port" in line:
        port = int(line.split()[-1])
        break
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.connect(("127.0.0.1", port))
s.settimeout(20)
counter, rows, bad = 0, [], 0

def want(is_so, text):
    global bad
    if not is_so:
        print("FAIL:", text)
        bad = 1

def packet():
    d = s.recv(2000)
    n, ctr = struct.unpack("<HH", d[:4])
    want(n == len(d) - 4, "length of a message")
    return d[4:]

def ask(*packet_bytes):
    global counter
    data = b"".join(x if isinstance(x, bytes) else bytes([x]) for x in packet_bytes)
    s.send(struct.pack("<HH", len(data), counter) + data)
    counter += 1
    while True:
        d = packet()
        if d[0] >= 0xfe:
            return d
        rows.append(d)

def upload(name):
    d = ask(0xf4, 8, 0, 0, struct.pack("<I", address[name]))
    want(d[0] == 0xff and len(d) == 9, "upload of %s: %s" % (name, d.hex()))
    return struct.unpack("<d", d[1:])[0]

def download(name, value):
    ask(0xf6, 0, 0, 0, struct.pack("<I", address[name]))
    return ask(0xf0, 8, struct.pack("<d", value))

# before it is connected it says nothing
s.settimeout(0.3)
try:
    ask(0xfd)
    want(False, "an answer before CONNECT")
except socket.timeout:
    pass
s.settimeout(20)
d = ask(0xff, 0)
want(d[:3] == bytes([0xff, 5, 0]) and d[6:] == b"\1\1", "CONNECT: " + d.hex())
most = d[3]
d = ask(0xfa, 1)
want(d[8:] == b"Decay" and struct.unpack("<I", d[4:8])[0] == 5, "GET_ID: " + d.hex())
ask(0xf6, 0, 0, 0, struct.pack("<I", 0xffff0000))
want(ask(0xf5, 16)[1:].decode() == epk, "EPK")
want(upload("k") == 1 and upload("n") == 2 and upload("u") == 3, "parameters and inputs")
# calibration: within limits, whole numbers, parameters only
want(download("k", 2.5)[0] == 0xff, "k = 2.5")
for _ in range(1000):
    if upload("k") == 2.5:
        break
want(upload("k") == 2.5, "k is %s" % upload("k"))
for name, value, code in (("k", 11, 0x22), ("k", float("nan"), 0x22), ("n", 2.5, 0x22), ("x", 1, 0x24), ("u", 1, 0x24)):
    d = download(name, value)
    want(d == bytes([0xfe, code]), "%s = %s: %s" % (name, value, d.hex()))
# what is refused
want(ask(0xf4, 8, 0, 0, struct.pack("<I", 0x7ffffff0)) == b"\xfe\x22", "an address of nothing")
want(ask(0xf4, 255, 0, 0, struct.pack("<I", 0)) == b"\xfe\x22", "too much")
want(ask(0xc0) == b"\xfe\x20" and ask(0xf6, 0) == b"\xfe\x21" and ask(0xfc) == b"\xfe\x00", "unknown, short, synch")
want(ask(0xde, 1, 0, 0)[0] == 0xfe, "a list that is not there")
# measurement: two packets, three values, every 2nd step, with time stamps
for cmd in (b"\xd6", b"\xd5\0\1\0", b"\xd4\0\0\0\2", b"\xd3\0\0\0\0\2", b"\xd3\0\0\0\1\1"):
    want(ask(cmd) == b"\xff", "lists: " + cmd.hex())
for odt, entry, name in ((0, 0, "x"), (0, 1, "k"), (1, 0, "y")):
    want(ask(0xe2, 0, 0, 0, odt, entry) == b"\xff", "SET_DAQ_PTR")
    want(ask(0xe1, 0xff, 8, 0, struct.pack("<I", address[name])) == b"\xff", "WRITE_DAQ")
want(ask(0xe0, 0x10, 0, 0, 0, 0, 2, 0) == b"\xff", "SET_DAQ_LIST_MODE")
want(ask(0xde, 2, 0, 0)[0] == 0xff and ask(0xdd, 1) == b"\xff", "START_STOP")
want(ask(0xfd)[1] == 0x40, "GET_STATUS")
while len(rows) < 200:
    rows.append(packet())
want(ask(0xdd, 0) == b"\xff", "stop")
first = [struct.unpack("<BIdd", r) for r in rows if r[0] == 0]
second = [struct.unpack("<Bd", r) for r in rows if r[0] == 1]
want(len(first) >= 99 and all(f[3] == 2.5 for f in first), "k in the rows")
want(all(second[i][1] == 2 * first[i][2] for i in range(90)), "y = 2 x in every row")
stamps = {first[i + 1][1] - first[i][1] for i in range(90)}
want(all(t % 1000 in (0, 1, 999) and t >= 1999 for t in stamps), "time stamps %s" % stamps)
# x is that of the step: 3 - x shrinks by 1 / (1 + k h) each, twice a row
q = [(3 - first[i + 1][2]) / (3 - first[i][2]) for i in range(20) if first[i + 1][1] - first[i][1] < 2500]
want(all(abs(v - 1 / (1 + 2.5e-3) ** 2) < 1e-6 for v in q) or 3 - first[0][2] < 1e-6, "the rows: %s" % q[:3])
# any bytes: it goes on
import random
random.seed(3)
for _ in range(20000):
    d = bytes(random.randrange(256) for _ in range(random.randrange(1, 30)))
    code = random.choice([0xff, 0xf0, 0xf4, 0xf5, 0xf6] + list(range(0xc0, 0x100)))
    if code in (0xf4, 0xf5): # an answer of the loop takes a tick
        code = 0xe1
    s.send(random.choice([d, struct.pack("<HH", len(d), 0) + bytes([code]) + d[1:]]))
s.close()
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.connect(("127.0.0.1", port))
s.settimeout(2) # what it had no room for is lost: ask again
for _ in range(20):
    try:
        d = ask(0xff, 0)
        break
    except socket.timeout:
        d = b"\0"
s.settimeout(20)
want(d[0] == 0xff, "it does not answer any more")
want(upload("n") == 2, "n has changed")
ask(0xfe)
p.terminate()
out, err = p.communicate(timeout=20)
want(p.returncode == 0 and json.loads(out)["control"]["parameters"]["k"] == 2.5, "the end: %s" % err)
sys.exit(bad)
P
timeout 100 python3 master.py "$TAKT" >said 2>&1 || fail "$(head -20 said)"
checks=$((checks + 1))
finish
