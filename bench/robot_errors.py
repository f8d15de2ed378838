#!/usr/bin/env python3
"""robot_errors.py LIBRARY REFERENCE.csv [WORD...] - how near steps of 1 ms come to the
reference results of the library's robot.

Prints a row of a Markdown table for each way to step: the largest error of the six
joint angles (rad) and of the six motor currents (% of their range), from the
generated program, at all of its points; with exact events from `takt sim`. With
further arguments only ways whose names contain one of them. LIBRARY is the directory of the Modelica
Standard Library, REFERENCE.csv the reference results of FullRobot. $TAKT is the
program (default build/takt).
"""
import bisect
import csv
import json
import os
import subprocess
import sys
import tempfile

MODEL = "Modelica.Mechanics.MultiBody.Examples.Systems.RobotR3.FullRobot"
ANGLES = ["mechanics.r%d.phi" % k for k in range(1, 7)]
CURRENTS = ["axis%d.motor.La.i" % k for k in range(1, 7)]
WAYS = [  # name, options; GAMMA: linearly implicit with this weight
    ("`lie`", ["--method", "lie"]),
    ("`lie --events exact`", ["--method", "lie", "--events", "exact"]),
    ("`be --events exact`", ["--method", "be", "--events", "exact"]),
    ("`lie --step 0.5ms --late catch-up`",
     ["--method", "lie", "--step", "0.5ms", "--late", "catch-up"]),
    ("`lie --step 0.5ms --events exact`",
     ["--method", "lie", "--step", "0.5ms", "--events", "exact"]),
    ("`lie --late catch-up`", ["--method", "lie", "--late", "catch-up"]),
    ("`lie --positions trapezoid`", ["--method", "lie", "--positions", "trapezoid"]),
    ("`lie --positions trapezoid --late catch-up`",
     ["--method", "lie", "--positions", "trapezoid", "--late", "catch-up"]),
    ("weight 0.6 in place of 1, `--late catch-up`", ["GAMMA", 0.6, "--late", "catch-up"]),
    ("`trapezoid --newton 1 --late catch-up`",
     ["--method", "trapezoid", "--newton", "1", "--late", "catch-up"]),
    ("`ros2 --late catch-up`", ["--method", "ros2", "--late", "catch-up"]),
]


def read(path):
    with open(path, newline="") as file:
        rows = csv.reader(file)
        head = next(rows)
        place = [head.index(name) for name in ["time"] + ANGLES + CURRENTS]
        return list(zip(*[[float(row[k]) for k in place] for row in rows if row]))


def between(t, v, x):
    """The value of a table at x, to the right of a jump."""
    i = min(max(bisect.bisect_right(t, x), 1), len(t) - 1)
    a, b = t[i - 1], t[i]
    return v[i - 1] if a == b else v[i - 1] + (v[i] - v[i - 1]) * (x - a) / (b - a)


def largest(run, reference, k):
    return max(abs(y - between(reference[0], reference[k], x))
               for x, y in zip(run[0], run[k]))


def simulate(library, options, work):
    takt = os.environ.get("TAKT", "build/takt")
    if options[0] == "GAMMA":
        tableau = {"name": "weighted", "order": 1, "a": [[0]],
                   "gamma": [[options[1]]], "b": [1]}
        with open(os.path.join(work, "weighted.json"), "w") as file:
            json.dump(tableau, file)
        options = ["--method", file.name] + options[2:]
    if "--step" not in options:
        options = ["--step", "1ms"] + options
    program, out = os.path.join(work, "robot"), os.path.join(work, "out.csv")
    if "exact" in options:  # at the desk
        subprocess.run([takt, "sim", MODEL, "-L", library, "--quiet", "-o", out] + options,
                       check=True, stderr=subprocess.DEVNULL)
        return read(out)
    subprocess.run([takt, "build", MODEL, "-L", library, "--target", "exe", "--tunable",
                    "none", "--quiet", "-o", program] + options,
                   check=True, stderr=subprocess.DEVNULL)
    subprocess.run([program, "--quiet", "-o", out], check=True, stderr=subprocess.DEVNULL)
    return read(out)


def main():
    if len(sys.argv) < 3:
        sys.exit("usage: robot_errors.py LIBRARY REFERENCE.csv [WORD...]")
    reference = read(sys.argv[2])
    print("| step of 1 ms | angles, rad | currents, % |\n|---|---|---|")
    for name, options in WAYS:
        if sys.argv[3:] and not any(word in name for word in sys.argv[3:]):
            continue
        with tempfile.TemporaryDirectory() as work:
            run = simulate(sys.argv[1], options, work)
        angle = max(largest(run, reference, k) for k in range(1, 7))
        current = max(100 * largest(run, reference, k) /
                      (max(reference[k]) - min(reference[k])) for k in range(7, 13))
        print("| %s | %.2e | %.2f |" % (name, angle, current), flush=True)


main()
