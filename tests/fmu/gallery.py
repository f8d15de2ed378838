"""gallery.py - FMUs of models in importers that takt did not write, as a table.

    gallery.py TAKT FOLDER FMILIB MODEL...

Each model becomes an FMU of FMI 2 and one of FMI 3 in FOLDER, and a row:

  build     processor time, the C compiler's included
  xsd       modelDescription.xml (and what stands beside it) by the schemas of the
            standard: TAKT_FMI2, TAKT_FMI3
  validate  what FMPy's validation finds
  FMPy, fmi-library   co-simulation: values that are compared with those of
            `takt sim --static --estimate off --defect cheap` (what build takes), and how
            many of them are not the same bits
  exchange  model exchange by FMPy with its CVODE, or where it has none with the
            integrator of implicit.py: largest difference of a state from
            `takt sim --method radau5`, of its range

FMILIB is a program of fmilib.c, or "-". The exit code is 1 where a row fails.
"""

import csv
import os
import re
import subprocess
import sys
import zipfile

import numpy as np

MOST_ROWS, MOST_CALLS = 2000, 100000
EXCHANGE_LIMIT = 0.01  # of the range of a state
LEAST_RANGE = 1e-6  # of that of the state with the largest
POINTS = 50
# of the integration, and points between two of the table: FMPy allows 500 steps from one
# to the next
ATTEMPTS = (1e-8, 1), (1e-8, 20), (1e-6, 1)


def run(*words, seconds=600):
    done = subprocess.run(words, capture_output=True, text=True, timeout=seconds)
    if done.returncode:
        raise RuntimeError((done.stderr or done.stdout).strip().split("\n")[0][:200])
    return done.stdout


def read_csv(path):
    rows = csv.reader(open(path))
    names = next(rows)
    return names, np.array([[float(x) for x in r] for r in rows])


def schema_errors(fmu, version, folder):
    schemas = os.environ.get(f"TAKT_FMI{version}", "/nowhere") + "/schema"
    if not os.path.isdir(schemas):
        return None
    files = {"modelDescription.xml": "ModelDescription"}
    if version == 3:
        files["sources/buildDescription.xml"] = "BuildDescription"
        files["terminalsAndIcons/terminalsAndIcons.xml"] = "TerminalsAndIcons"
    found = []
    with zipfile.ZipFile(fmu) as z:
        for name, kind in files.items():
            if name not in z.namelist():
                continue
            path = z.extract(name, folder)
            done = subprocess.run(["xmllint", "--noout", "--schema",
                                   f"{schemas}/fmi{version}{kind}.xsd", path],
                                  capture_output=True, text=True)
            found += [done.stderr.strip().split("\n")[0]] if done.returncode else []
    return found


def is_number(v):
    return v.type != "String"


def differing(want, got):
    """values whose bits differ; -0 is 0, and not a number is no value at all"""
    n = min(len(want), len(got))
    return int(np.sum(want[:n] != got[:n])) + (len(want) - n) * want.shape[1]


def cosim_fmpy(fmu, h, names, want):
    import fmpy
    result = fmpy.simulate_fmu(fmu, fmi_type="CoSimulation", output=names, output_interval=h,
                               start_time=want[0, 0], stop_time=want[-1, 0], set_stop_time=False)
    got = np.array([[float(row[n]) for n in names] for row in result])
    return differing(want[:, 1:], got)


def cosim_fmilib(program, fmu, folder, h, names, want):
    os.makedirs(folder, exist_ok=True)
    text = run(program, fmu, folder, repr(h), str(len(want) - 1), *names)
    got = np.array([[float(x) for x in line.split(",")] for line in text.splitlines()])
    return differing(want[:, 1:], got)


def integrate(fmu, shown, stop):
    """by CVODE"""
    import fmpy
    for tolerance, finer in ATTEMPTS:
        try:
            result = fmpy.simulate_fmu(fmu, fmi_type="ModelExchange", solver="CVode", output=shown,
                                       stop_time=stop, output_interval=stop / POINTS / finer,
                                       record_events=False, relative_tolerance=tolerance,
                                       timeout=120, set_stop_time=False)
            return result[::finer]
        except RuntimeError as e:
            if (tolerance, finer) == ATTEMPTS[-1] or "mxstep" not in str(e):
                raise


def exchange(fmu, reference, stop):
    import fmpy
    names, want = reference
    known = [v.name for v in fmpy.read_model_description(fmu).modelVariables]
    shown = [n for n in names[1:] if n in known and f"der({n})" in names]
    result = integrate(fmu, shown, stop)
    worst = 0.0
    rows = min(len(result), len(want))
    if len(want) != len(result):
        raise RuntimeError(f"{len(result)} rows of {len(want)}")
    # what is 0 but for rounding has no range of its own
    least = LEAST_RANGE * max((np.max(np.abs(want[:, names.index(n)])) for n in shown), default=1)
    for n in shown:
        column = want[:rows, names.index(n)]
        reach = max(np.max(np.abs(column)), least) or 1.0
        worst = max(worst, np.max(np.abs(result[n][:rows] - column)) / reach)
    return float(worst)


class Table:
    def __init__(self):
        self.failed = 0
        self.cells = []

    def add(self, label, work, wrong):
        try:
            value = work()
            bad = wrong(value)
        except Exception as e:  # the importer's words are the cell
            value, bad = f"{type(e).__name__}: {e}"[:160].replace("\n", " "), True
        if bad:
            self.failed += 1
            print(f"FAIL {label}: {value}", file=sys.stderr, flush=True)
        return value, bad


def described(fmu, names):
    """the description, and columns of a table that are variables of the FMU"""
    import fmpy
    d = fmpy.read_model_description(fmu)
    known = {v.name for v in d.modelVariables if is_number(v)}
    return d, [i for i, n in enumerate(names) if i == 0 or n in known]


def row_of(table, takt, model, version, folder, fmilib, sim, radau):
    import fmpy
    import fmpy.validation
    name = os.path.basename(model)[:-3]
    fmu = f"{folder}/{name}.{version}.fmu"
    label = f"{name} FMI {version}"
    begin = os.times()
    run(takt, "build", model, "--target", f"fmu{version}", "--quiet", "-o", fmu)
    end = os.times()
    seconds = end[2] + end[3] - begin[2] - begin[3]
    xsd, _ = table.add(f"{label} xsd", lambda: schema_errors(fmu, version, f"{folder}/x{version}"),
                       lambda v: bool(v))
    problems, _ = table.add(f"{label} validate", lambda: fmpy.validation.validate_fmu(fmu),
                            lambda v: bool(v))
    names, values = sim
    d, columns = described(fmu, names)
    if len(columns) < 2:  # without states and outputs nothing is kept: ask for all
        run(takt, "build", model, "--target", f"fmu{version}", "--quiet", "--all", "-o", fmu)
        d, columns = described(fmu, names)
    rows = max(2, min(len(values), MOST_ROWS, MOST_CALLS // len(columns)))
    h = float(d.defaultExperiment.stepSize)
    want, common = values[:rows, columns], [names[i] for i in columns[1:]]
    py, bad = table.add(f"{label} FMPy", lambda: cosim_fmpy(fmu, h, common, want), lambda v: v != 0)
    lib = "-"
    if fmilib != "-":
        lib, _ = table.add(f"{label} fmi-library",
                           lambda: cosim_fmilib(fmilib, fmu, f"{folder}/u{version}-{name}", h,
                                                common, want), lambda v: v != 0)
    me = "-"
    if d.modelExchange is not None:
        stop = radau[1][-1, 0] if radau else 0
        me, bad = table.add(f"{label} exchange", lambda: exchange(fmu, radau, stop),
                            lambda v: not v <= EXCHANGE_LIMIT)
        me = me if bad else f"{me:.1e}"
    count = want[:, 1:].size
    say = "-" if xsd is None else "valid" if not xsd else "invalid"
    print(f"| {name} | {version} | {seconds:.1f} s | {os.path.getsize(fmu) // 1000} kB | {say} "
          f"| {len(problems) if isinstance(problems, list) else problems} | {count} | {py} | {lib} "
          f"| {me} |", flush=True)


def main():
    takt, folder, fmilib, *models = sys.argv[1:]
    sys.path[:0] = [os.environ["TAKT_FMPY"], os.path.dirname(os.path.abspath(__file__))]
    try:
        import fmpy.sundials  # needs binaries that its sources do not have
    except (ImportError, OSError):
        import implicit
        implicit.install()
    table = Table()
    print("| model | FMI | build | size | xsd | validate | values | FMPy | fmi-library | exchange |\n"
          "|---|---|---|---|---|---|---|---|---|---|", flush=True)
    for model in models:
        name = os.path.basename(model)[:-3]
        path = f"{folder}/{name}.csv"
        try:
            run(takt, "sim", model, "--static", "--estimate", "off", "--defect", "cheap",
                "--quiet", "-o", path)
            sim = read_csv(path)
            stop = sim[1][-1, 0]
            radau = None
            try:
                run(takt, "sim", model, "--method", "radau5", "--tolerance", "1e-8", "--events",
                    "exact", "--step", repr(stop / POINTS), "--stop", repr(stop), "--quiet",
                    "-o", path)
                radau = read_csv(path)
            except RuntimeError as e:
                print(f"{name} by radau5: {e}", file=sys.stderr)
            for version in 2, 3:
                row_of(table, takt, model, version, folder, fmilib, sim, radau)
        except (RuntimeError, subprocess.TimeoutExpired) as e:
            table.failed += 1
            print(f"FAIL {name}: {e}", file=sys.stderr, flush=True)
    print(f"{table.failed} failures")
    sys.exit(table.failed > 0)


main()
