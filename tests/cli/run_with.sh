#!/usr/bin/env bash
# Several models with several steps in one run: a plant and a sampled controller. The closed loop
# is computed again by awk, with the same order of steps.
# build: sanitizers
. "$TAKT_SOURCE/tests/support/cli.sh"
cd "$work" || exit 4
export CC=$TAKT_CC
cat >Plant.mo <<'M'
model Plant
  input Real u(start = 0);
  output Real y = x;
  Real x(start = 1, fixed = true);
equation
  der(x) = u - x;
end Plant;
M
cat >Controller.mo <<'M'
model Controller
  parameter Real goal(min = 0, max = 10, unit = "m") = 3;
  input Real e(start = 0);
  input Real bias(start = 0);
  output Real v = 2*(goal - e) + i + bias;
  Real i(start = 0, fixed = true);
equation
  der(i) = goal - e;
end Controller;
M
run="run Plant.mo --step 1ms --stop 0.1 --no-wait"
loop="--with Controller.mo,10ms --connect Controller.e=y --connect u=Controller.v"
expect 0 'Controller: step 0.01 s, 10 steps' $run $loop -o loop.csv
awk -F, 'NR == 1 { gsub(/"/, ""); for (c = 1; c <= NF; c++) at[$c] = c
                   # the start: e = y = 1
                   x = 1; i = 0; e = 1; v = 2*(3 - e) + i; next }
    NR > 2 { k++; u = v; x = (x + 1e-3*u)/(1 + 1e-3) # backward Euler of a linear equation
             if (k % 10 == 0) { e = x; i = i + 1e-2*(3 - e); v = 2*(3 - e) + i } }
    { d = x - $at["x"]; d = d < 0 ? -d : d; f = v - $at["Controller.v"]; f = f < 0 ? -f : f
      if (d > 1e-12 || f > 1e-12) { print "row " NR ": " x " " $at["x"] ", " v " " $at["Controller.v"]; bad = 1 } }
    END { exit bad || k != 100 }' loop.csv >differs || fail "the loop: $(head -3 differs)"
checks=$((checks + 1))
expect 0 '"with":' $run $loop --json
tr -d ' \t\n' <"$work/out" | grep -q '"with":\[{"model":"Controller","step":0.01,"steps":10,"alarms":' || fail "--json"
sed 's/Controller/Other/' Controller.mo >Other.mo
expect 0 'Other: step 0.001 s, 100 steps' $run $loop --with Other.mo,1ms --connect Other.e=Controller.v
expect 1 'no multiple.*E1620' $run --with Controller.mo,1.5ms
expect 1 'no multiple.*E1620' $run --with Controller.mo,0.5ms
expect 1 'MODEL,STEP is expected.*E1620' $run --with Controller.mo
expect 1 'E1620' $run --with None.mo,1ms
expect 1 'INPUT=SOURCE.*E1620' $run --with Controller.mo,1ms --connect u
expect 1 "no model keeps 'nobody'.*E1620" $run --with Controller.mo,1ms --connect u=nobody
expect 1 "'y' is no input.*E1620" $run --with Controller.mo,1ms --connect y=Controller.v
expect 1 "'u' is connected already.*E1620" $run $loop --connect u=Controller.i
expect 1 'there is one of this name.*E1620' $run --with Controller.mo,1ms --with Controller.mo,2ms
expect 2 'needs --with' $run --connect u=y

# --- parameters, inputs and expectations of the others: after 0.05 s the goal is 5 and the bias 1
cat >play.txt <<'S'
at 0.05 set Controller.goal 5
at 0.05 input Controller.bias 1
from 0 to 0.04 expect Controller.goal 3 within 0
at 0.1 expect Controller.goal 5 within 0
S
expect 0 '2 of 2 expectations held' $run $loop --scenario play.txt -o play.csv
awk -F, 'NR == 1 { gsub(/"/, ""); for (c = 1; c <= NF; c++) at[$c] = c
                   x = 1; i = 0; e = 1; g = 3; b = 0; v = 2*(g - e) + i + b; next }
    NR > 2 { if (k == 50) { g = 5; b = 1 } k++; u = v; x = (x + 1e-3*u)/(1 + 1e-3)
             if (k % 10 == 0) { e = x; i = i + 1e-2*(g - e); v = 2*(g - e) + i + b } }
    { d = x - $at["x"]; d = d < 0 ? -d : d; f = v - $at["Controller.v"]; f = f < 0 ? -f : f
      if (d > 1e-12 || (k != 50 && f > 1e-12)) { print "row " NR ": " x " " $at["x"] ", " v " " $at["Controller.v"]; bad = 1 } }
    END { exit bad || k != 100 }' play.csv >differs || fail "orders to the other: $(head -3 differs)"
echo 'at 0 set Controller.goal 11' >wrong.txt
expect 1 'above the largest.*E1613' $run $loop --scenario wrong.txt
echo 'at 0 input Controller.e 1' >wrong.txt
expect 1 'no such input.*E1613' $run $loop --scenario wrong.txt
# an input of the other from a file; that of the first is connected
printf 'time,Controller.bias\n0,0\n0.1,1\n' >bias.csv
expect 0 . $run $loop --input bias.csv -o bias_out.csv
awk -F, 'NR == 1 { gsub(/"/, ""); for (c = 1; c <= NF; c++) at[$c] = c; next }
    { d = $at["Controller.bias"] - $1*10; if (d > 1e-9 || d < -1e-9) bad = 1 }
    END { exit bad || NR < 100 }' bias_out.csv || fail "the input of the other"
expect 1 "no column for the input 'Controller.e'.*E1313" $run --with Controller.mo,10ms --connect u=Controller.v --input bias.csv

# --- a step of the other that fails or has something to say is not passed over
cat >Ends.mo <<'M'
model Ends
  input Real e(start = 0);
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when x > 0.0495 then
    terminate("enough");
  end when;
  assert(x < 0.02, "x is large", AssertionLevel.warning);
end Ends;
M
expect 0 'ended by Ends: enough' $run --with Ends.mo,10ms
grep -q 'x is large.*W1321\|W1321' "$work/err" || fail "a warning of the other is not said"
sed 's/terminate("enough")/assert(false, "broken")/; s/model Ends/model Fails/; s/end Ends/end Fails/' Ends.mo >Fails.mo
expect 1 'Fails: .*broken.*E1605' $run --with Fails.mo,10ms

# --- one description of all quantities, and measurement by it
if command -v python3 >/dev/null; then
    expect 2 'ends in .a2l' $run --a2l x.txt
    expect 1 E1308 $run --a2l nowhere/x.a2l
    cat >master.py <<'P'
import json, re, socket, struct, subprocess, sys, urllib.request
p = subprocess.Popen([sys.argv[1], "run", "Plant.mo", "--step", "1ms", "--forever", "--xcp", "0", "--json", "--a2l", "all.a2l", "--page", "0",
                      "--with", "Controller.mo,10ms", "--connect", "Controller.e=y", "--connect", "u=Controller.v"],
                     stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
for line in p.stderr:
    if "XCP over UDP at port" in line:
        port = int(line.split()[-1])
    if "http://" in line:
        page = re.search(r"http://[0-9.:]+/", line)[0]
        break
a2l = open("all.a2l").read()
address = {}
for name, body in re.findall(r"/begin (?:MEASUREMENT|CHARACTERISTIC) (\S+)(.*?)/end", a2l, re.S):
    address[name] = int(re.search(r"(?:ECU_ADDRESS|VALUE) (0x[0-9A-F]+)", body)[1], 16)
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.connect(("127.0.0.1", port))
s.settimeout(20)
def ask(data):
    s.send(struct.pack("<HH", len(data), 0) + data)
    return s.recv(2000)[4:]
def upload(name):
    return struct.unpack("<d", ask(b"\xf4\x08\0\0" + struct.pack("<I", address[name]))[1:])[0]
assert ask(b"\xff\0")[0] == 0xff
ask(b"\xf6\0\0\0" + struct.pack("<I", 0xffff0000))
assert ask(b"\xf5\x10")[1:].decode() == re.search(r'EPK "(\w+)"', a2l)[1]
assert upload("Controller.goal") == 3
ask(b"\xf6\0\0\0" + struct.pack("<I", address["Controller.goal"]))
assert ask(b"\xf0\x08" + struct.pack("<d", 7))[0] == 0xff
for _ in range(1000):
    if upload("Controller.goal") == 7:
        break
assert upload("Controller.goal") == 7
for _ in range(20000): # the loop is closed: y goes to the goal
    if abs(upload("y") - 7) < 0.5:
        break
assert abs(upload("y") - 7) < 0.5, upload("y")
about = json.dumps(json.load(urllib.request.urlopen(page + "model")))
for name in ("Controller.goal", "Controller.v", "Controller.i", "x"):
    assert '"%s"' % name in about, about
p.terminate()
sys.exit(p.wait())
P
    timeout 100 python3 master.py "$TAKT" >say 2>&1 || fail "XCP: $(cat say)"
    checks=$((checks + 1))
fi
finish
