#!/usr/bin/env python3
"""robot_plan.py LIBRARY [PLAN] - a plan for the library's robot: its mechanics at the old point.

Prints a plan for FullRobot with a step of 1 ms. The equations of the mechanics see the
old angles and speeds of the joints: the mass matrix, gyroscopic forces and gravity are
those of the point where the step begins. All states stay implicit, and motors,
controllers, springs and friction see their new values. With the file PLAN it prints how
far the states come from those of the full step with that plan, over the whole run of the
generated program, in percent of their range. LIBRARY is the directory of the Modelica Standard Library, $TAKT the
program (default build/takt).
"""
import csv
import json
import os
import re
import subprocess
import sys
import tempfile

MODEL = "Modelica.Mechanics.MultiBody.Examples.Systems.RobotR3.FullRobot"
OLD = ["mechanics.r%d.%s" % (k, what) for k in range(1, 7) for what in ("phi", "w")]


def equations(library, plan):
    """Name and text of the equations of a step, from the picture of its blocks."""
    takt = os.environ.get("TAKT", "build/takt")
    with tempfile.TemporaryDirectory() as work:
        given, page = os.path.join(work, "plan.json"), os.path.join(work, "blocks.html")
        with open(given, "w") as file:
            json.dump(plan, file)
        subprocess.run([takt, "check", MODEL, "-L", library, "--plan", given,
                        "--tunable", "none", "--blt", page],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(page) as file:
            text = file.read()
    tip = r'"((?:[^"\\]|\\.)*?)\\n((?:der\()*[A-Za-z0-9_.\[\]]+#\d+\)*), '
    return {name: equation for equation, name in re.findall(tip, text)}


STATES = OLD + ["axis%d.%s" % (k, name) for k in range(1, 7)
                for name in ("motor.La.i", "motor.C.v", "controller.PI.x")] + [
                    "axis%d.gear.spring.%s" % (k, name) for k in range(1, 4)
                    for name in ("phi_rel", "w_rel")]


def run(library, options):
    """Columns of the states along a run."""
    takt = os.environ.get("TAKT", "build/takt")
    with tempfile.TemporaryDirectory() as work:
        out = os.path.join(work, "run.csv")
        subprocess.run([takt, "run", MODEL, "-L", library, "--no-wait", "--quiet", "-o", out] + options,
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(out, newline="") as file:
            rows = csv.reader(file)
            head = next(rows)
            place = [head.index(name) for name in STATES]
            return list(zip(*[[float(row[k]) for k in place] for row in rows if row]))


def distance(library, plan):
    full = run(library, ["--method", "lie", "--step", "1ms"])
    cut = run(library, ["--plan", plan])
    far = [(100 * max(abs(a - b) for a, b in zip(x, y)) / (max(x) - min(x)), name)
           for x, y, name in zip(full, cut, STATES)]
    for percent, name in sorted(far, reverse=True)[:5]:
        print("%-32s %.3f %%" % (name, percent))


def main():
    if len(sys.argv) == 3:
        return distance(*sys.argv[1:])
    if len(sys.argv) != 2:
        sys.exit("usage: bench/robot_plan.py LIBRARY [PLAN]")
    plan = {"takt_plan": 1, "method": "lie", "step": 0.001}
    cuts = [{"kind": "step", "eq": name, "var": old}
            for name, text in equations(sys.argv[1], plan).items()
            if re.match(r"(der\()*mechanics\.", name)
            for old in OLD if re.search(re.escape(old) + r"(?![\w.])", text)]
    if not cuts:
        sys.exit("robot_plan.py: no equation of the mechanics was found")
    plan["cuts"] = cuts
    json.dump(plan, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
