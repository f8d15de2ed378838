#!/usr/bin/env python3
"""work_time.py - error against time of controlled runs.

    bench/work_time.py [-m "METHOD ..."] [-t "TOLERANCE ..."] [-r ROUNDS] [MODEL ...]

Times of a machine that does other things as well mean little, their ratios more:
in every round each method makes its run once, one after the other. The time is
the processor's, from the initialisation on, as takt sim --time says it; the least
of all rounds counts. A cell is the time of the method over that of ida at the same
tolerance, and the error over the tolerance as bench/work_precision.sh has it
(settings and errors are its own).
TAKT names the program. Prints a table in Markdown for each model.
"""
import getopt
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TAKT = os.environ.get("TAKT", "build/takt")
MODELS = "Hires VanDerPol RobertsonOde AkzoNobel TransistorAmplifier Andrews Pollution".split()
METHODS = "radau5 radau3 lobatto4 sdirk4 rodas4 bdf liex ida cvode".split()
TOLERANCES = "1e-3 1e-4 1e-5 1e-6 1e-7 1e-8 1e-9".split()


def setting(model):
    """Stop time, atol over rtol and rows, as work_precision.sh says."""
    text = subprocess.run([os.path.join(HERE, "work_precision.sh"), "-s", model],
                          stdout=subprocess.PIPE, check=True, text=True).stdout
    path, stop, factor, rows = text.split()
    return path, float(stop), float(factor), int(rows)


def seconds(command):
    """Processor time of a run; None: it fails."""
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return json.loads(run.stdout)["processor"] if run.returncode == 0 else None


def command(path, stop, factor, rows, method, rtol, out):
    return [TAKT, "sim", path, "--method", method, "--tolerance", rtol,
            "--atol", "%.17g" % (float(rtol) * factor), "--stop", "%.17g" % stop,
            "--step", "%.17g" % (stop / rows), "-o", out, "--json", "--time", "--once"]


def last_row(path):
    with open(path) as f:
        names = [x.strip('"') for x in f.readline().strip().split(",")]
        row = None
        for line in f:
            row = line
    return dict(zip(names, map(float, row.split(","))))


def error(path, reference, rtol, factor):
    a, b = last_row(path), reference
    return max(abs(a[x] - b[x]) / (rtol * abs(b[x]) + rtol * factor)
               for x in b if x in a and ("der(%s)" % x) in a)


def least(old, new):
    return new if old is None else old if new is None else min(old, new)


def cells(model, methods, rtol, rounds, reference, folder):
    path, stop, factor, rows = setting(model)
    out = os.path.join(folder, "run.csv")
    own, off = {}, {}
    for k in range(rounds):
        for m in methods:
            own[m] = least(own.get(m), seconds(command(path, stop, factor, rows, m, rtol, out)))
            if k == 0 and own[m] is not None:
                off[m] = error(out, reference, float(rtol), factor)
    base = own["ida"]
    return ["failed" if own[m] is None else
            "%s, %.3g" % ("%.2f" % (own[m] / base) if base else "-", off[m])
            for m in methods], base


def table(model, methods, tolerances, rounds, folder):
    path, stop, factor, rows = setting(model)
    ref = os.path.join(folder, "ref.csv")
    known = os.path.join(HERE, "references", model + ".csv")
    if os.path.exists(known):
        ref = known
    elif seconds(command(path, stop, factor, rows, "radau5", "1e-12", ref)) is None:
        print("| %s | no reference |" % model)
        return
    reference = last_row(ref)
    column = [cells(model, methods, t, rounds, reference, folder) for t in tolerances]
    print("\n| %s | %s |" % (model, " | ".join(tolerances)))
    print("|---|%s" % ("---|" * len(tolerances)))
    for i, m in enumerate(methods):
        print("| `%s` | %s |" % (m, " | ".join(c[0][i] for c in column)))
    print("| `ida`, ms | %s |" % " | ".join("failed" if c[1] is None else "%.2f" % (1e3 * c[1]) for c in column), flush=True)


def main():
    options, models = getopt.getopt(sys.argv[1:], "m:t:r:")
    options = dict(options)
    methods = options.get("-m", " ".join(METHODS)).split()
    if "ida" not in methods:
        methods.append("ida")
    with tempfile.TemporaryDirectory() as folder:
        for model in models or MODELS:
            table(model, methods, options.get("-t", " ".join(TOLERANCES)).split(),
                  int(options.get("-r", "5")), folder)


main()
