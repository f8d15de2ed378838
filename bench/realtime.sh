#!/usr/bin/env bash
# realtime.sh [SECONDS] - the robot in real time, beside cyclictest of the same minute.
#
# Runs models/gallery/SixAxisRobot.mo at 1 ms for 60 s (its last pose is held after 1.8 s) with
# everything recorded, and cyclictest (rt-tests) with the same period and the same priority.
# Prints the time of a step, lateness beside that of cyclictest, delta_min, overruns and rows
# lost. Exits 1 if the 99.9th percentile of a step is more than 2 % of the period, or a row is
# lost; lateness and overruns are the machine's, and reported only.
#
#   TAKT_PRIORITY=80   SCHED_FIFO for both (default: none)
set -eu
cd "$(dirname "$0")/.."
TAKT=${TAKT:-build/takt}
seconds=${1:-60}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
priority=${TAKT_PRIORITY:-0}
options=()
[ "$priority" = 0 ] || options=(--priority "$priority")
if command -v cyclictest >/dev/null; then
    cyclictest -q -m -t 1 -p "$priority" -i 1000 -D "$seconds" >"$work/cyclic" 2>&1 &
else
    echo "no cyclictest (rt-tests): the machine's own lateness is not measured" >&2
fi
"$TAKT" run models/gallery/SixAxisRobot.mo --step 1ms --stop "$seconds" --json -o "$work/run.csv" \
    ${options[@]+"${options[@]}"} >"$work/run.json" 2>"$work/run.err" || { cat "$work/run.err"; exit 1; }
wait
python3 - "$work" <<'P'
import json, os, re, sys
work = sys.argv[1]
r = json.load(open(work + "/run.json"))
us = lambda x: 1e6 * x
step, late, response = r["step_time"], r["lateness"], r["response"]
part = step["p999"] / r["step"]
print("%d steps of 1 ms: %d overruns, %d rows recorded, %d lost" %
      (r["steps"], r["overruns"]["count"], r["recorded"]["rows"], r["recorded"]["lost"]))
print("%-28s %9s %9s %9s" % ("us", "median", "99.9 %", "largest"))
for name, h in (("a step", step), ("woken late", late), ("from a tick to its results", response)):
    print("%-28s %9.2f %9.2f %9.2f" % (name, us(h["median"]), us(h["p999"]), us(h["max"])))
cyclic = os.path.exists(work + "/cyclic") and re.search(r"Min:\s*(\d+).*Avg:\s*(\d+)\s*Max:\s*(\d+)", open(work + "/cyclic").read())
if cyclic:
    print("%-28s %9s %9s %9s   (mean %s)" % ("cyclictest beside it", "", "", cyclic[3], cyclic[2]))
    print("largest lateness over that of cyclictest: %.2f; mean over mean: %.2f" %
          (us(late["max"]) / max(1, int(cyclic[3])), us(late["mean"]) / max(1, int(cyclic[2]))))
print("delta_min %.2f us, %.2f %% of the period; 99.9 %% of the steps take at most %.3f %% of it" %
      (us(r["delta_min"]), 100 * r["delta_min"] / r["step"], 100 * part))
sys.exit(part > 0.02 or r["recorded"]["lost"] > 0)
P
