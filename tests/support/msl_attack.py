"""Plans of library examples, run where they were not tuned; see msl-attack.sh.

For each example `takt tune` makes a plan, at the interval of the example, or at
a quarter or a sixteenth of it where even the full step is too far off. Then

  inside    parameters move within the plan's domain, the run is as long as the
            domain says at most: the plan must hold
  outside   parameters leave their ranges by up to a factor of ten, runs are up
            to five times as long as the scenario: the plan holds, or is flagged

The plan, the full step (lie, nothing cut, the same step) and a reference with
step-size control run with the same values. The error of a run is the largest
distance of an output from the reference, of the reference's range. A plan holds
if its error is at most twice its claim, or 1.5 times that of the full step. It
is flagged if a step was doubtful or failed in `takt sim` (the note that it left
its domain does not count). A run that the full step or the reference cannot
make says nothing: another one is drawn.
"""
import bisect
import concurrent.futures
import csv
import getopt
import hashlib
import json
import math
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile

TAKT = os.environ["TAKT"]
MSL = os.environ["TAKT_MSL"]
LIMIT = int(os.environ.get("TAKT_MSL_TIMEOUT", "300"))
DRAWS = 6  # for a run that says something
NOTED = {"outside_domain", "terminated"}


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 5))


def takt(*args):
    """Exit code (None: too slow), standard output, first line of errors."""
    p = subprocess.run([TAKT, *args, "-L", MSL], capture_output=True, text=True,
                       preexec_fn=limit)
    if p.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return None, "", "takes more than %d s of the processor" % LIMIT
    err = next((l for l in p.stderr.splitlines() if "error:" in l), "")
    return p.returncode, p.stdout, err.split("error: ")[-1][:90]


def read(path):
    with open(path) as f:
        rows = list(csv.reader(f))
    cols = list(zip(*[[float(x) for x in r] for r in rows[1:]]))
    return dict(zip(rows[0], cols))


def error(run, ref, names):
    """Largest distance in percent of the range, over all that is watched."""
    t, worst = ref["time"], 0.0
    for name in names:
        if name not in run or name not in ref:
            continue
        y = ref[name]
        width = max(y) - min(y) or max(abs(max(y)), 1e-30)
        for time, x in zip(run["time"], run[name]):
            k = bisect.bisect_left(t, time - 1e-9 * (t[-1] - t[0]))
            if k >= len(t):
                break
            v = y[k]
            if 0 < k and t[k] > time and t[k] > t[k - 1]:
                v = y[k - 1] + (y[k] - y[k - 1]) * (time - t[k - 1]) / (t[k] - t[k - 1])
            e = 100 * abs(x - v) / width
            worst = max(worst, e) if e == e else math.inf
    if run["time"][-1] < t[-1] - 1e-6 * (t[-1] - t[0]):
        return math.inf
    return worst


def tune(model, stop, interval, plan):
    """The plan's JSON, its step; else None and why."""
    why = ""
    for part in (1, 4, 16):
        step = interval / part
        if not os.path.exists(plan):
            code, _, err = takt("tune", model, "--step", "%gs" % step, "--stop", "%g" % stop,
                                "-o", plan, "--html", os.devnull, "--quiet")
            if code != 0:
                why = err or "exit code %s" % code
                if "even the full step" not in why:
                    break
                continue
        with open(plan) as f:
            return json.load(f), why
    return None, why


def draw(rng, ranges, length, stop, inside):
    """Values of a run, and its length."""
    values = {}
    names = [n for n in sorted(ranges) if ranges[n][0] < ranges[n][1]]
    for name in names:
        low, high = ranges[name]
        if rng.random() < 0.5:
            continue
        if not inside and rng.random() < 0.4:  # beyond one end
            by = 10 ** rng.uniform(0.1, 1)
            low, high = (high, high * by) if rng.random() < 0.5 else (low / by, low)
        if low * high > 0:
            v = low * (high / low) ** rng.random()
        else:
            v = low + (high - low) * rng.random()
        values[name] = v
    longest = length if inside else 5 * stop
    return values, stop + (max(longest, stop) - stop) * rng.random()


class Runs:
    """The three runs of an example, in a directory of their own."""

    def __init__(self, model, plan, step, work):
        self.model, self.plan, self.step, self.work = model, plan, step, work

    def one(self, name, values, stop, *options):
        out = os.path.join(self.work, name + ".csv")
        sets = [x for n, v in values.items() for x in ("--set", "%s=%.9g" % (n, v))]
        if os.path.exists(out):
            os.remove(out)
        code, text, err = takt("sim", self.model, "--stop", "%.9g" % stop, "--json", "-o", out,
                               *sets, *options)
        causes = {}
        try:
            causes = json.loads(text).get("causes", {})
        except ValueError:
            pass
        rows = read(out) if os.path.exists(out) and os.path.getsize(out) > 0 else None
        return code, rows, causes, err

    def all(self, values, stop, outputs):
        """(error of the plan, of the full step, flags); None: nothing is said."""
        # a quarter of a per mille too long is a step too long
        stop = self.step * math.floor(stop / self.step + 1e-6)
        code, full, _, _ = self.one("full", values, stop, "--method", "lie", "--step", "%gs" % self.step)
        if code != 0 or not full:
            return None
        code, ref, _, _ = self.one("ref", values, stop, "--tolerance", "1e-7")
        if code != 0 or not ref or not all(n in ref for n in outputs):
            return None
        code, rows, causes, err = self.one("plan", values, stop, "--plan", self.plan)
        flags = sorted(c for c in causes if c not in NOTED)
        if code != 0:
            flags.append("stopped: " + err if err else "stopped")
        return (error(rows, ref, outputs) if rows else math.inf,
                error(full, ref, outputs), flags)


def attack(model, stop, plan_path, plan, ninside, noutside, work):
    """Yields a row per run."""
    evidence, domain = plan["evidence"], plan["domain"]
    outputs = evidence["outputs"]
    claim = evidence["claimed_deviation_percent"]
    runs = Runs(model, plan_path, plan["step"], work)
    nominal = runs.one("nominal", {}, stop, "--plan", plan_path)[1] or {}
    ranges = {n: r for n, r in domain["range"].items() if n not in nominal}
    rng = random.Random(hashlib.sha256(model.encode()).hexdigest())
    for inside in [True] * ninside + [False] * noutside:
        for _ in range(DRAWS):
            values, length = draw(rng, ranges, domain["stop"], stop, inside)
            got = runs.all(values, length, outputs)
            if got:
                of_plan, of_full, flags = got
                holds = of_plan <= max(2 * claim, 1.5 * of_full)
                yield inside, of_plan, of_full, flags, holds, values, length
                break


def examples():
    with open(os.environ["TAKT_MSL_EXAMPLES"]) as f:
        rows = [r for r in csv.DictReader(f) if r["tier"] == "2"]
    rows.sort(key=lambda r: hashlib.sha256(r["model"].encode()).hexdigest())
    for r in rows:
        stop = float(r["stopTime"] or 1)
        yield r["model"], stop, float(r["interval"] or stop / 500)


def examine(model, stop, interval, options):
    """What is printed of an example: lines, runs; or why it is passed over."""
    short = model.replace("Modelica.", "").replace("Examples.", "")
    code, _, err = takt("check", model)
    if code != 0:
        return short, "does not compile: " + err, []
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(options.get("-k", work), model + ".plan.json")
        plan, why = tune(model, stop, interval, path)
        if not plan:
            return short, why, []
        rows = list(attack(model, stop, path, plan, int(options.get("-i", 2)),
                           int(options.get("-x", 2)), work))
    return short, plan, rows


def report(model, short, plan, rows, count, show):
    evidence = plan["evidence"]
    for inside, of_plan, of_full, flags, holds, values, length in rows:
        count["runs"] += 1
        count["inside"] += inside
        count["held"] += holds
        count["flagged"] += not holds and bool(flags)
        count["silent"] += not holds and not flags
        count["broken"] += inside and not holds
        verdict = "holds" if holds else "flagged" if flags else "SILENT"
        print("| %s | %s, %g s | %.3g | %s | %.3g | %.3g | %s | %s |" % (
            short, evidence["name"], plan["step"], evidence["claimed_deviation_percent"],
            "inside" if inside else "outside", of_plan, of_full, ", ".join(flags), verdict), flush=True)
        if show and not holds:
            print(model, "--stop %.9g" % length, " ".join("--set %s=%.9g" % v for v in values.items()),
                  file=sys.stderr)


def main():
    options = dict(getopt.getopt(sys.argv[1:], "n:i:x:k:j:")[0])
    wanted = int(options.get("-n", 12))
    count = dict.fromkeys(("runs", "inside", "held", "flagged", "silent", "broken"), 0)
    passed_over, waiting, rest = [], [], examples()
    os.makedirs(options.get("-k", "."), exist_ok=True)
    print("| example | plan | claim % | run | plan % | full % | flags | |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    with concurrent.futures.ThreadPoolExecutor(int(options.get("-j", 2))) as pool:
        while wanted > 0:
            while len(waiting) < wanted:
                example = next(rest)
                waiting.append((example[0], pool.submit(examine, *example, options)))
            model, future = waiting.pop(0)
            short, plan, rows = future.result()
            if isinstance(plan, str):
                passed_over.append((short, plan))
                continue
            wanted -= 1
            report(model, short, plan, rows, count, "-k" in options)
    print("\n%(runs)d runs: %(inside)d inside of the plan's domain, %(held)d held, %(flagged)d did not and "
          "were flagged, %(silent)d were wrong without a word; %(broken)d inside did not hold.\n" % count)
    for short, why in passed_over:
        print("- passed over: %s: %s" % (short, why))
    return 1 if count["silent"] or count["broken"] else 0


if __name__ == "__main__":
    sys.exit(main())
