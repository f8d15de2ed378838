#!/usr/bin/env bash
# load.sh [SECONDS] - what a run does while the machine has too much to do.
#
# Twice as many busy programs as processors, and a model at 1 ms beside them without any
# priority: each policy for SECONDS (default 5), then a watchdog, a change of a parameter and
# two scenarios. Prints what was counted; how late ticks are is the machine's. Exits 1 if the
# counts of a run do not agree with each other, or an order, a silence or an expectation has
# not the effect it must have.
set -eu
cd "$(dirname "$0")/.."
TAKT=$(realpath "${TAKT:-build/takt}")
seconds=${1:-5}
work=$(mktemp -d)
busy=()
trap 'kill ${busy[@]+"${busy[@]}"} 2>/dev/null; rm -rf "$work"' EXIT
cat >"$work/Plant.mo" <<'M'
model Plant
  parameter Real k(min = 0, max = 10) = 1;
  input Real u(start = 1);
  Real x[40](each start = 1, each fixed = true);
  output Real y = x[40];
equation
  der(x[1]) = k*(u - x[1]);
  for i in 2:40 loop
    der(x[i]) = 40*(x[i - 1] - x[i]);
  end for;
end Plant;
M
cat >"$work/pass.txt" <<'S'
at 0.5 input u 3
at 0.5 set k 10
at 0.5 expect y 1 within 1e-6
from 3 to 4 expect y 3 within 1e-3
S
sed 's/expect y 3/expect y 2/' "$work/pass.txt" >"$work/fail.txt"
"$TAKT" run "$work/Plant.mo" --step 1ms --stop 1ms --no-wait --quiet # it is compiled
for _ in $(seq $((2 * $(nproc)))); do
    sh -c 'while :; do :; done' &
    busy+=($!)
done
python3 - "$TAKT" "$work" "$seconds" <<'P'
import json, os, re, signal, socket, struct, subprocess, sys, time
takt, work, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
model, bad = os.path.join(work, "Plant.mo"), 0

def want(is_so, text):
    global bad
    if not is_so:
        print("FAIL:", text)
        bad = 1

def run(*options, stop=seconds):
    out = os.path.join(work, "out.csv")
    p = subprocess.run([takt, "run", model, "--step", "1ms", "--stop", str(stop), "--json", "-o", out, *options],
                       capture_output=True, text=True)
    return p.returncode, json.loads(p.stdout), sum(1 for _ in open(out)) - 1, p.stderr

print("%d busy programs on %d processors" % (2 * os.cpu_count(), os.cpu_count()))
print("%-9s %7s %9s %8s %6s %12s %12s" % ("policy", "steps", "overruns", "skipped", "held", "late 99.9 %", "delta_min"))
n = round(seconds * 1000)
for policy in ("continue", "skip", "hold", "stop"):
    code, r, rows, err = run("--on-overrun", policy, "--udp-out", "127.0.0.1:9")
    o, held = r["overruns"], r["control"]["held"]
    late = r["lateness"].get("p999", 0)
    print("%-9s %7d %9d %8d %6d %9.0f us %9.0f us" %
          (policy, r["steps"], o["count"], o["skipped"], held, 1e6 * late, 1e6 * r["delta_min"]))
    want(rows == r["steps"] + 1 and r["recorded"]["lost"] == 0, "%s: %d rows of %d steps" % (policy, rows, r["steps"]))
    want(r["step_time"]["count"] == r["steps"] == r["response"]["count"], policy + ": counts of times")
    want(abs(r["stop"] - 1e-3 * r["steps"]) < 1e-9, policy + ": the time of the model")
    want(("W1607" in err) == (o["count"] > 0 and policy != "stop"), policy + ": overruns are said")
    if policy == "continue":
        want(o["skipped"] == 0 and r["steps"] == n, "continue makes all steps")
    if policy in ("skip", "hold"):
        # ticks of the clock that passed are those of steps and those that were left out
        want(r["steps"] == n and o["skipped"] >= 0 and r["wall"] >= 1e-3 * (n + o["skipped"] - 2), policy + ": ticks")
        want(policy == "hold" or held == 0, "skip holds nothing")
    if policy == "stop":
        want((code == 1) == (o["count"] == 1) and o["count"] <= 1, "stop ends at the first overrun")

def talk(*options):
    p = subprocess.Popen([takt, "run", model, "--step", "1ms", "--forever", "--json", "--control", "0", *options],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    ports = {}
    for line in p.stderr:
        found = re.search(r"(datagrams|orders).* at port (\d+)", line)
        if found:
            ports[found[1]] = int(found[2])
        if "orders" in ports and ("datagrams" in ports or "--udp-in" not in options):
            break
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.connect(("127.0.0.1", ports["orders"]))
    s.settimeout(30)
    def order(text):
        s.send(text.encode())
        return s.recv(1000).decode()
    return p, ports, order

p, ports, order = talk("--udp-in", "0", "--watchdog", "50", "--on-silence", "zero")
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
steps = lambda: int(order("status").split()[3])
while steps() < 500:
    s.sendto(struct.pack("<d", 5), ("127.0.0.1", ports["datagrams"]))
    time.sleep(0.002)
begin = steps()
while steps() < begin + 500:
    time.sleep(0.01)
order("stop")
r = json.loads(p.communicate()[0])
c = r["control"]
print("watchdog: %d datagrams taken, silent %d times for %d steps, input then %g" %
      (r["udp_in"]["taken"], c["silences"], c["silent_steps"], r["final"].get("u", float("nan"))))
want(c["silences"] >= 1 and c["silent_steps"] > 0 and r["udp_in"]["malformed"] == 0, "the watchdog")
want(r["final"].get("u", 0) == 0, "silent inputs are zero")

p, ports, order = talk()
refused = 0
for k in range(100):
    while not order("set k %g" % (k / 10)).startswith("ok"): # too many wait: it says so
        refused += 1
        time.sleep(0.005)
for _ in range(1000): # until the last one is obeyed
    state = order("status")
    time.sleep(0.01)
    if int(state.split()[3]) > 1000:
        break
order("stop")
r = json.loads(p.communicate()[0])
print("orders: 100 changes of a parameter given, %d of them more than once, %d made, k is %g (%s)" %
      (refused, r["control"]["changes"], r["control"]["parameters"]["k"], state.strip()))
want(r["control"]["changes"] == 100 and r["control"]["parameters"]["k"] == 9.9, "changes")

for name, expected in (("pass", 0), ("fail", 1)):
    code, r, rows, err = run("--scenario", os.path.join(work, name + ".txt"), stop=4)
    print("scenario %s.txt: exit code %d, %d of %d expectations did not hold, %d overruns" %
          (name, code, r["scenario"]["failed"], r["scenario"]["expectations"], r["overruns"]["count"]))
    want(code == expected and r["scenario"]["failed"] == expected, "the scenario " + name)
sys.exit(bad)
P
