#!/usr/bin/env python3
"""robot_figures.py LIBRARY FOLDER - Schiela's figures 6.1 and 6.2 for the robot of the
Modelica Standard Library.

Tunes FullRobot at 1 ms in its states alone with rho = 0.01 and 1 and writes

    eigenvalues.svg   those of the full step and of both sparsed ones, at a sample
    deviation.svg     the twist of the first gear over the whole run, and how far
                      both plans come from the full step, in percent of its range

to FOLDER. Prints the largest deviations. LIBRARY is the directory of the library; $TAKT
is the program (default build/takt), $AT the number of the sample (default 10).
"""
import csv
import json
import os
import re
import subprocess
import sys
import tempfile

MODEL = "Modelica.Mechanics.MultiBody.Examples.Systems.RobotR3.FullRobot"
TWIST = "axis1.gear.spring.phi_rel"
RHO = ["0.01", "1"]
COLOUR = {"full": "#555555", "0.01": "#1f6fb2", "1": "#c44e1a"}
WIDTH, HEIGHT, LEFT, BOTTOM = 640, 300, 70, 40


def takt(*words):
    program = os.environ.get("TAKT", "build/takt")
    subprocess.run([program, *words], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)


def spectrum(page, name, at):
    """Points of one list of the page's figure of eigenvalues, at one sample."""
    text = open(page).read()
    text = text[text.index("Eigenvalues of the step"):]
    figure = json.loads(re.search(r"<script[^>]*>(.*?)</script>", text, re.S).group(1))
    plot = figure["plots"][min(at, len(figure["plots"]) - 1)]
    for item in plot["spec"]["panels"][0]["items"]:
        if (item["name"] == "full") == (name == "full"):
            return plot["name"], list(zip(item["x"], item["y"]))
    raise SystemExit("robot_figures: the page has no eigenvalues")


def column(path):
    with open(path, newline="") as file:
        rows = csv.reader(file)
        head = next(rows)
        t, x = head.index("time"), head.index(TWIST)
        return [(float(r[t]), float(r[x])) for r in rows if r]


class Axes:
    """A frame with marks; points in its own units become those of the picture."""

    def __init__(self, top, x, y, label):
        self.top, self.x, self.y = top, x, y
        self.out = []
        for k in range(5):
            self.mark(k / 4)
        self.text(14, top + HEIGHT / 2 - 20, label, "middle",
                  f' transform="rotate(-90 14 {top + HEIGHT / 2 - 20})"')
        self.out.append(f'<rect x="{LEFT}" y="{top}" width="{WIDTH - LEFT - 20}" '
                        f'height="{HEIGHT - BOTTOM}" fill="none" stroke="#999"/>')

    def at(self, x, y):
        a, b = self.x, self.y
        return (LEFT + (x - a[0]) / (a[1] - a[0]) * (WIDTH - LEFT - 20),
                self.top + (b[1] - y) / (b[1] - b[0]) * (HEIGHT - BOTTOM))

    def text(self, x, y, words, anchor="middle", more=""):
        self.out.append(f'<text x="{x:.1f}" y="{y:.1f}" font-size="12" fill="#777" '
                        f'font-family="sans-serif" text-anchor="{anchor}"{more}>{words}</text>')

    def mark(self, part):
        x = self.x[0] + part * (self.x[1] - self.x[0])
        y = self.y[0] + part * (self.y[1] - self.y[0])
        self.text(self.at(x, 0)[0], self.top + HEIGHT - BOTTOM + 16, f"{x:.3g}")
        self.text(LEFT - 6, self.at(0, y)[1] + 4, f"{y:.3g}", "end")

    def line(self, points, colour):
        path = " ".join("%.1f,%.1f" % self.at(x, y) for x, y in points)
        self.out.append(f'<polyline points="{path}" fill="none" stroke="{colour}"/>')

    def dots(self, points, colour, hollow):
        for x, y in points:
            cx, cy = self.at(x, y)
            self.out.append(f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="{5 if hollow else 2.5}" '
                            f'fill="{"none" if hollow else colour}" stroke="{colour}"/>')

    def legend(self, names):
        for k, (name, colour) in enumerate(names):
            self.out.append(f'<text x="{LEFT + 190 + 120 * k}" y="{self.top + 16}" '
                            f'font-size="12" font-family="sans-serif" fill="{colour}">{name}</text>')


def write(path, height, *axes):
    with open(path, "w") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
                   f'width="{WIDTH}" height="{height}">\n')
        for a in axes:
            file.write("\n".join(a.out) + "\n")
        file.write("</svg>\n")


def bounds(values):
    low, high = min(values), max(values)
    room = 0.05 * (high - low) or 1
    return low - room, high + room


def eigenvalues(folder, pages, at):
    name, full = spectrum(pages[RHO[0]], "full", at)
    sparsed = [spectrum(pages[r], r, at)[1] for r in RHO]
    every = full + sum(sparsed, [])
    a = Axes(10, bounds([x for x, _ in every]), bounds([y for _, y in every]), "imaginary part")
    a.dots(full, COLOUR["full"], True)
    for r, points in zip(RHO, sparsed):
        a.dots(points, COLOUR[r], False)
    a.legend([(f"full, {name}", COLOUR["full"])] + [("ρ = " + r, COLOUR[r]) for r in RHO])
    a.text((WIDTH + LEFT) / 2, HEIGHT + 6, "real part")
    write(os.path.join(folder, "eigenvalues.svg"), HEIGHT + 20, a)


def deviation(folder, full, sparsed):
    size = max(x for _, x in full) - min(x for _, x in full)
    apart = {r: [(t, 100 * (y - x) / size) for (t, x), (_, y) in zip(full, sparsed[r])]
             for r in RHO}
    span = (full[0][0], full[-1][0])
    a = Axes(10, span, bounds([x for _, x in full]), "twist of the gear, rad")
    a.line(full, COLOUR["full"])
    a.legend([("full step", COLOUR["full"])])
    b = Axes(20 + HEIGHT, span, bounds([y for r in RHO for _, y in apart[r]]),
             "deviation, % of the range")
    for r in RHO:
        b.line(apart[r], COLOUR[r])
        print("rho = %-5s at most %.2f %% from the full step" % (r, max(abs(y) for _, y in apart[r])))
    b.legend([("ρ = " + r, COLOUR[r]) for r in RHO])
    b.text((WIDTH + LEFT) / 2, 2 * HEIGHT + 16, "time, s")
    write(os.path.join(folder, "deviation.svg"), 2 * HEIGHT + 30, a, b)


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: robot_figures.py LIBRARY FOLDER")
    library, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        pages, runs = {}, {}
        common = [MODEL, "-L", library, "--step", "1ms"]
        for r in RHO:
            plan, pages[r] = (os.path.join(work, r + end) for end in (".json", ".html"))
            takt("tune", *common, "--algebraic", "solve", "--only", "sparsing", "--rho", r,
                 "--attack", "0", "--stop", "0.5", "--choose", "sparsed " + r, "--force",
                 "-o", plan, "--html", pages[r])
            takt("sim", *common, "--plan", plan, "--defect", "off", "--quiet",
                 "-o", os.path.join(work, "run.csv"))
            runs[r] = column(os.path.join(work, "run.csv"))
        takt("sim", *common, "--method", "lie", "--quiet", "-o", os.path.join(work, "full.csv"))
        eigenvalues(folder, pages, int(os.environ.get("AT", "10")))
        deviation(folder, column(os.path.join(work, "full.csv")), runs)


main()
