"""Plans of library examples, run where they were not tuned; see msl-attack.sh.

For each example `takt tune` makes a plan, at the interval of the example, or at
a quarter or a sixteenth of it where no plan holds (E1509), for the
length of the example or its first 5,000 steps. Then

  inside    parameters move within the plan's domain, the run is as long as the
            domain says at most: the plan must hold
  outside   parameters leave their ranges by up to a factor of ten, runs are up
            to three times as long as the scenario: the plan holds, or is flagged

How a run is judged: plan_runs.py. One that says nothing is drawn again.
"""
import concurrent.futures
import csv
import getopt
import hashlib
import itertools
import os
import random
import re
import subprocess
import sys
import tempfile

from plan_runs import Runs, takt

MSL = os.environ["TAKT_MSL"]
DRAWS = 6  # for a run that says something
AHEAD = 24  # examples under way or waiting
LONGEST = 5000  # steps of a scenario


def tune(model, stop, interval, plan):
    """Is there a plan? Else why not."""
    why = ""
    for part in (1, 4, 16):
        step = interval / part
        if not os.path.exists(plan):
            length = min(stop, LONGEST * step)
            code, _, err = takt("tune", model, "-L", MSL, "--step", "%gs" % step, "--stop", "%g" % length,
                                "-o", plan, "--html", os.devnull, "--quiet")
            if code != 0:
                why = err or "exit code %s" % code
                if "no plan was written" not in why:
                    break
                continue
        return True, why
    return False, why


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
    longest = length if inside else 3 * stop
    return values, stop + (max(longest, stop) - stop) * rng.random()


def settable(runs, ranges):
    """Those that a run can be given: others, which the model computes from them, move with them."""
    ranges = dict(ranges)
    while ranges:  # takt lists so many at a time
        options = [o for n, r in ranges.items() for o in ("--set", "%s=%.9g" % (n, r[0]))]
        p = subprocess.run([os.environ["TAKT"], "sim", *runs.model, "--method", "lie", "--step", "%.9gs" % runs.step,
                            "--stop", "%.9g" % runs.step, "-o", os.devnull, *options], capture_output=True, text=True)
        refused = set(re.findall("error: --set: '([^']*)'", p.stderr)) & ranges.keys()
        if not refused:
            break
        for name in refused:
            del ranges[name]
    return ranges


def attack(model, stop, runs, ninside, noutside):
    """Yields a row per run: inside?, what came of it, options."""
    # a plan that no attack could be made on has none: only the length is drawn
    domain = runs.decided.get("domain", {"range": {}, "stop": stop})
    nominal = runs.one("nominal", "--stop", "%.9g" % stop, "--plan", runs.plan)[1] or {}
    ranges = settable(runs, {n: r for n, r in domain["range"].items() if n not in nominal})
    rng = random.Random(hashlib.sha256(model.encode()).hexdigest())
    for inside in [True] * ninside + [False] * noutside:
        for _ in range(DRAWS):
            values, length = draw(rng, ranges, domain["stop"], stop, inside)
            # a part of a step too long is a step too long
            length = runs.step * int(length / runs.step + 1e-6)
            options = ["--stop", "%.9g" % length]
            for name, value in values.items():
                options += ["--set", "%s=%.9g" % (name, value)]
            got = runs.judge(*options)
            if got[0] != "void":
                yield inside, got, options
                break


def examples(only):
    """Of Tier 2 in the order of their hashes; those whose names end so, if any are named."""
    with open(os.environ["TAKT_MSL_EXAMPLES"]) as f:
        rows = [r for r in csv.DictReader(f) if r["tier"] == "2"]
    rows.sort(key=lambda r: hashlib.sha256(r["model"].encode()).hexdigest())
    for r in rows:
        if only and not any(r["model"].endswith(name) for name in only):
            continue
        stop = float(r["stopTime"] or 1)
        yield r["model"], stop, float(r["interval"] or stop / 500)


def examine(model, stop, interval, options):
    """What is printed of an example: lines, runs; or why it is passed over."""
    short = model.replace("Modelica.", "").replace("Examples.", "")
    code, _, err = takt("check", model, "-L", MSL)
    if code != 0:
        return short, "does not compile: " + err, []
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(options.get("-k", work), model + ".plan.json")
        if os.path.exists(path + ".why"):
            with open(path + ".why") as f:
                return short, f.read(), []
        fine, why = tune(model, stop, interval, path)
        if not fine:
            with open(path + ".why", "w") as f:
                f.write(why)
            return short, why, []
        runs = Runs([model, "-L", MSL], path, work)
        rows = list(attack(model, min(stop, LONGEST * runs.step), runs, int(options.get("-i", 2)), int(options.get("-x", 1))))
    return short, runs if rows else "no run of it ends within the limit", rows


def report(model, short, runs, rows, count, show):
    name = runs.decided["evidence"]["name"]
    for inside, (verdict, of_plan, of_full, flags), options in rows:
        count["runs"] += 1
        count["inside"] += inside
        count[verdict] += 1
        count["broken"] += inside and verdict != "holds"
        print("| %s | %s, %g s | %.3g | %s | %.3g | %.3g | %s | %s |" % (
            short, name, runs.step, runs.claim, "inside" if inside else "outside", of_plan, of_full,
            ", ".join(flags), verdict), flush=True)
        if show and verdict != "holds":
            print(model, *options, file=sys.stderr)


def main():
    options, only = getopt.getopt(sys.argv[1:], "n:i:x:k:j:")
    options = dict(options)
    wanted = int(options.get("-n", len(only) or 12))
    count = dict.fromkeys(("runs", "inside", "holds", "flagged", "SILENT", "broken"), 0)
    passed_over, waiting, rest = [], [], examples(only)
    os.makedirs(options.get("-k", "."), exist_ok=True)
    print("| example | plan | claim % | run | plan % | full % | flags | |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    with concurrent.futures.ThreadPoolExecutor(int(options.get("-j", 2))) as pool:
        while wanted > 0:
            for example in itertools.islice(rest, AHEAD - len(waiting)):
                waiting.append((example[0], pool.submit(examine, *example, options)))
            if not waiting:
                break
            model, future = waiting.pop(0)
            short, runs, rows = future.result()
            if isinstance(runs, str):
                passed_over.append((short, runs))
                continue
            wanted -= 1
            report(model, short, runs, rows, count, "-k" in options)
        pool.shutdown(cancel_futures=True)
    print("\n%(runs)d runs: %(inside)d inside of the plan's domain, %(holds)d held, %(flagged)d did not and "
          "were flagged, %(SILENT)d were wrong without a word; %(broken)d inside did not hold.\n" % count)
    for short, why in passed_over:
        print("- passed over: %s: %s" % (short, why))
    return 1 if count["SILENT"] or count["broken"] else 0


if __name__ == "__main__":
    sys.exit(main())
