"""reference.py - the Reference FMUs of the Modelica Association, run by takt.

    reference.py TAKT FMU...

Each FMU brings results of its own (extra/org.fmi-standard.fmi-ls-ref). It is run as
co-simulation and, by explicit Euler at the step of these results, as model exchange;
every column that both have is compared, row by row. The file of Roberts is that of
another model: it is held against Robertson's known values. FMUs with clocks only are
refused with exit code 3. The exit code is 1 where a difference is above 1e-9.
"""

import csv
import io
import os
import subprocess
import sys
import tempfile
import zipfile

LIMIT = 1e-9
INSIDE = {"BouncingBall": 1e-3, "StateSpace": 1e-3}  # Euler's step where results are written less often


def numbers(name, text):
    """columns of a cell: an array is a list of numbers"""
    words = {"true": "1", "false": "0"}.get(text, text).split()
    try:
        values = [float(w) for w in words]
    except ValueError:
        return {}
    return {name: values[0]} if len(values) == 1 else {
        f"{name}[{i + 1}]": v for i, v in enumerate(values)}


def read(stream):
    rows = []
    for line in csv.DictReader(stream):
        row = {}
        for name, text in line.items():
            row.update(numbers(name, text))
        rows.append(row)
    return rows


def takt_rows(takt, *words):
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/out.csv"
        done = subprocess.run([takt, "sim", *words, "--external", "--quiet", "-o", path],
                              capture_output=True, text=True)
        if done.returncode:
            return done.returncode, (done.stderr.strip().split("\n") or [""])[0]
        return 0, read(open(path))


def compare(want, got):
    """largest difference over rows with the same time, columns, rows"""
    worst, names, count = 0.0, set(), 0
    at = 0
    for row in got:
        while at < len(want) and want[at]["time"] < row["time"] - 1e-9:
            at += 1
        if at == len(want) or abs(want[at]["time"] - row["time"]) > 1e-9:
            continue
        after = at + 1 < len(want) and want[at + 1]["time"] <= row["time"] + 1e-9
        pick = want[at + 1] if after else want[at]
        common = [n for n in pick if n in row and n != "time"]
        names.update(common)
        count += 1
        for n in common:
            worst = max(worst, abs(pick[n] - row[n]))
    return worst, len(names), count


def main():
    takt, *fmus = sys.argv[1:]
    failed = 0
    print("| FMU | as | columns | rows | largest difference |\n|---|---|---|---|---|")

    def line(*cells, bad=False):
        nonlocal failed
        failed += bad
        print("| " + " | ".join(str(c) for c in cells) + (" | FAIL |" if bad else " |"), flush=True)

    for fmu in fmus:
        archive = zipfile.ZipFile(fmu)
        name = os.path.basename(fmu)
        model = name[:-4]
        xml = archive.read("modelDescription.xml").decode()
        label = f"{model}, FMI {xml.split('fmiVersion=')[1][1]}"
        if model == "Roberts":
            known = (7.158270688e-1, 9.185534765e-6, 2.841637457e-1)  # Robertson at 40 s
            code, rows = takt_rows(takt, f"{fmu}:exchange", "--method", "radau5", "--tolerance",
                                   "1e-8", "--step", "0.4", "--stop", "40")
            worst = 1.0 if code else max(
                abs(rows[-1][f"y{i + 1}"] / v - 1) for i, v in enumerate(known))
            line(label, "exchange, radau5", 3, 1, rows if code else f"{worst:.1e}, relative",
                 bad=not worst <= 1e-6)
            continue
        out = [n for n in archive.namelist() if n.endswith("_out.csv")]
        if not out:
            code, text = takt_rows(takt, fmu)
            line(label, "-", "-", "-", f"exit {code}: {text}", bad=code != 3)
            continue
        want = read(io.TextIOWrapper(archive.open(out[0])))
        step = want[1]["time"] - want[0]["time"]
        for kind in ("cosim", "exchange"):
            if {"cosim": "<CoSimulation", "exchange": "<ModelExchange"}[kind] not in xml:
                continue
            how = ["--method", "fe", "--events", "grid"] if kind == "exchange" else []
            inside = INSIDE.get(model, step) if how else step
            code, rows = takt_rows(takt, f"{fmu}:{kind}", "--step", repr(inside), "--stop",
                                   repr(want[-1]["time"]), *how)
            if code:
                line(label, kind, "-", "-", f"exit {code}: {rows}", bad=True)
                continue
            worst, columns, count = compare(want, rows)
            line(label, kind, columns, count, f"{worst:.1e}",
                 bad=not (worst <= LIMIT and columns and count > 1))
    print(f"{failed} failures")
    sys.exit(failed > 0)


main()
