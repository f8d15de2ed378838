"""A plan, the full step and a reference run with the same values.

    python3 plan_runs.py MODEL PLAN [OPTION...]    options of takt sim

prints `holds`, `flagged`, `SILENT` or `void`, the error of the plan and of the
full step (lie, nothing cut, the same step) in percent, and the flags.

The error of a run is the largest distance of an output of the plan's evidence
from the reference (step-size control), of the reference's range; where that jumps,
the run may be a step early or late. A plan holds if its error is at most twice its
claim, or 1.5 times that of the full step. It is flagged if a step was doubtful or failed in `takt sim`; the note that it left its
domain does not count. A run that the full step or the reference cannot make is
void. $TAKT is the program, TAKT_MSL_TIMEOUT the seconds of the processor for
each of its runs (default 300).
"""
import bisect
import csv
import json
import math
import os
import resource
import signal
import subprocess
import sys
import tempfile

LIMIT = int(os.environ.get("TAKT_MSL_TIMEOUT", "300"))
NOTED = {"outside_domain", "terminated"}
JUMP = 0.1  # a change within two steps by more of the range


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 5))


def takt(*args):
    """Exit code (None: too slow), standard output, first line of errors."""
    p = subprocess.run([os.environ["TAKT"], *args], capture_output=True, text=True,
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


def width_of(y):
    """The range of a curve; of one that stays constant its size."""
    size = max(max(y), -min(y))
    width = max(y) - min(y)
    return width if width > 1e-9 * max(size, 1) else max(size, 1e-9)


def distance(x, t, y, time, step, jump):
    """Of x from the curve y over t at a time; across a jump, which takes less
    than two steps, from what the curve is a step earlier or later."""
    first = bisect.bisect_left(t, time - 1.01 * step)
    last = bisect.bisect_right(t, time + 1.01 * step)
    low, high = min(y[first:last], default=x), max(y[first:last], default=x)
    if high - low > jump:
        return max(0, low - x, x - high)
    k = min(bisect.bisect_left(t, time), len(t) - 1)
    v = y[k]
    if 0 < k and t[k] > time and t[k] > t[k - 1]:
        v = y[k - 1] + (y[k] - y[k - 1]) * (time - t[k - 1]) / (t[k] - t[k - 1])
    return abs(x - v)


def error(run, ref, names, step):
    """Largest distance in percent of the range, over all that is watched."""
    t, worst = ref["time"], 0.0
    for name in names:
        if name not in run or name not in ref:
            continue
        y = ref[name]
        width = width_of(y)
        for time, x in zip(run["time"], run[name]):
            if time > t[-1] + 1e-9 * (t[-1] - t[0]):
                break
            e = 100 * distance(x, t, y, time, step, JUMP * width) / width
            worst = max(worst, e) if e == e else math.inf
    if run["time"][-1] < t[-1] - 1e-6 * (t[-1] - t[0]):
        return math.inf
    return worst


class Runs:
    """Runs of a model with a plan, with files in `work`."""

    def __init__(self, model, plan, work):
        self.model, self.plan, self.work = model, plan, work
        with open(plan) as f:
            self.decided = json.load(f)
        self.step = self.decided["step"]
        evidence = self.decided["evidence"]
        self.outputs = evidence["outputs"]
        self.claim = evidence["claimed_deviation_percent"]

    def one(self, name, *options):
        """Exit code, columns (None: there are none), causes, first error."""
        out = os.path.join(self.work, name + ".csv")
        if os.path.exists(out):
            os.remove(out)
        code, text, err = takt("sim", *self.model, "--json", "-o", out, *options)
        causes = json.loads(text).get("causes", {}) if text.startswith("{") else {}
        rows = read(out) if os.path.exists(out) and os.path.getsize(out) > 0 else None
        return code, rows, causes, err

    def reference(self, *options):
        """A run with step-size control, at the points of the plan's steps, by
        IDA or, if that cannot make it, by radau5; None: nor can that."""
        for method in (["ida"], ["radau5", "--events", "exact"]):
            code, rows, _, _ = self.one("ref", *options, "--tolerance", "1e-7", "--step",
                                        "%.9gs" % self.step, "--method", *method)
            if code == 0 and rows and all(n in rows for n in self.outputs):
                return rows
        return None

    def judge(self, *options):
        """(verdict, error of the plan, of the full step, flags)"""
        nan = math.nan
        code, full, _, _ = self.one("full", *options, "--method", "lie", "--step",
                                    "%.9gs" % self.step, "--defect", "off")
        if code != 0 or not full:
            return "void", nan, nan, []
        ref = self.reference(*options)
        if not ref:
            return "void", nan, nan, []
        code, rows, causes, err = self.one("plan", *options, "--plan", self.plan)
        flags = sorted(c for c in causes if c not in NOTED)
        if code != 0:  # how far off would it be, had nobody stopped it?
            flags.append("stopped")
            code, on, _, _ = self.one("on", *options, "--plan", self.plan, "--defect", "off")
            rows = on if code == 0 else rows
        of_full = error(full, ref, self.outputs, self.step)
        of_plan = error(rows, ref, self.outputs, self.step) if rows else math.inf
        holds = of_plan <= max(2 * self.claim, 1.5 * of_full)
        return ("holds" if holds else "flagged" if flags else "SILENT"), of_plan, of_full, flags


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as directory:
        got = Runs([sys.argv[1]], sys.argv[2], directory).judge(*sys.argv[3:])
    print("%s: plan %.3g %%, full step %.3g %%, %s" % (*got[:3], ", ".join(got[3]) or "no flag"))
