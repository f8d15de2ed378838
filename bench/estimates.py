#!/usr/bin/env python3
"""estimates.py TAKT [-v] [--other] [METHOD...] - are error estimates those of the errors?

For every method, on 8 smooth problems and (implicit methods) 4 stiff ones, 200 steps
each: the estimate that `takt sim --estimates` writes over the true local error of the
formula it estimates. That is the flow of the problem from x_n, which is known in closed
form; for a multistep method the defect of the exact solution. Where the estimate is the
difference of two formulas (column `of`: pair) the other one is x - e, and the error that
of the worse of the two, which is the other one but where problems are stiff. Columns:
median of the ratio, share within 0.2 to 20, share in which the estimate is not below half
the error of the result that is kept. Steps in which all of these are below a floor, 1e-12
of the size of the solution (rounding, iterations), 1e-8 on stiff problems, are not counted
in the ratio and fine in the last column. am3 is not stable on stiff problems, and half
the steps of bi2 are explicit. Exit code 1 if a method misses 0.5 to 3, 95 %, 95 %.
--other takes 8 smooth and 4 stiff problems that had no part in the choice of weights. -v
prints every problem.
"""
import csv
import math
import os
import subprocess
import sys
import tempfile
from math import cos, exp, log, sin

FLOOR = {False: 1e-12, True: 1e-8}
NSTEP = 200
SKIP = 8  # with which methods begin that look back


class Problem:
    """x' = f: text, start, flow(t1, x, t2), exact(t), slope(t, x), jacobian(t, x)."""

    def __init__(self, name, text, exact, slope, jac, flow, stiff=False, variables=("x",)):
        self.name, self.text, self.exact, self.slope = name, text, exact, slope
        self.jac, self.flow, self.stiff, self.variables = jac, flow, stiff, variables


def one(name, equation, exact, slope, jac, flow, **more):
    text = "Real x(start = %.17g, fixed = true);%s" % (exact(0), equation)
    return Problem(name, text, lambda t: [exact(t)], lambda t, x: [slope(t, x[0])],
                   lambda t, x: [[jac(t, x[0])]], lambda t, x, u: [flow(t, x[0], u)], **more)


def driven(t1, x, t2):
    return cos(t2) + sin(t2) + (x - cos(t1) - sin(t1))*exp(t1 - t2)


def turn(t1, x, t2):
    c, s = cos(t2 - t1), sin(t2 - t1)
    return [c*x[0] + s*x[1], c*x[1] - s*x[0]]


def cycle(t1, x, t2):
    r2 = x[0]**2 + x[1]**2
    grown = math.sqrt(1/(1 + (1/r2 - 1)*exp(2*(t1 - t2)))/r2)
    a = t2 - t1
    return [grown*(x[0]*cos(a) - x[1]*sin(a)), grown*(x[0]*sin(a) + x[1]*cos(a))]


def two(t1, y, t2):
    h = t2 - t1
    w1, w2 = (y[0] + y[1])/2, (y[0] - y[1])/2
    w1 = (cos(t2) + sin(t2))/2 + (w1 - (cos(t1) + sin(t1))/2)*exp(-h)
    w2 = sin(t2) + (w2 - sin(t1))*exp(-1000*h)
    return [w1 + w2, w1 - w2]


def two_slope(t, y):
    w1, w2 = (y[0] + y[1])/2, (y[0] - y[1])/2
    d1, d2 = -w1 + cos(t), -1000*(w2 - sin(t)) + cos(t)
    return [d1 + d2, d1 - d2]


def prothero(lam):
    return one("Prothero-Robinson %g" % lam,
               " equation der(x) = %g*(x - cos(time)) - sin(time);" % lam, cos,
               lambda t, x: lam*(x - cos(t)) - sin(t), lambda t, x: lam,
               lambda t, x, u: cos(u) + (x - cos(t))*exp(lam*(u - t)), stiff=True)


LN = -1e4
PROBLEMS = [
    one("growth", " equation der(x) = cos(time)*x;", lambda t: exp(sin(t)),
        lambda t, x: cos(t)*x, lambda t, x: cos(t), lambda t, x, u: x*exp(sin(u) - sin(t))),
    one("driven", " equation der(x) = 2*cos(time) - x;", lambda t: driven(0, 2, t),
        lambda t, x: 2*cos(t) - x, lambda t, x: -1, driven),
    one("logistic", " equation der(x) = cos(time)*x*(1 - x);",
        lambda t: 1/(1 + exp(-log(0.5) - sin(t))), lambda t, x: cos(t)*x*(1 - x),
        lambda t, x: cos(t)*(1 - 2*x),
        lambda t, x, u: 1/(1 + (1 - x)/x*exp(sin(t) - sin(u)))),
    one("tanh", " equation der(x) = cos(time)*(1 - x^2);", lambda t: math.tanh(0.3 + sin(t)),
        lambda t, x: cos(t)*(1 - x*x), lambda t, x: -2*cos(t)*x,
        lambda t, x, u: math.tanh(math.atanh(x) + sin(u) - sin(t))),
    one("cubic", " equation der(x) = -sin(time)*x^3;", lambda t: (4 + 2*(1 - cos(t)))**-0.5,
        lambda t, x: -sin(t)*x**3, lambda t, x: -3*sin(t)*x*x,
        lambda t, x, u: (x**-2 + 2*(cos(t) - cos(u)))**-0.5),
    one("algebraic loop", " Real y; equation der(x) = cos(time)*y; y + y^3 = x + x^3;",
        lambda t: exp(sin(t)), lambda t, x: cos(t)*x, lambda t, x: cos(t),
        lambda t, x, u: x*exp(sin(u) - sin(t))),
    Problem("oscillator", "Real x(start = 1, fixed = true), v(start = 0.5, fixed = true);"
            " equation der(x) = v; der(v) = -x;", lambda t: turn(0, [1, 0.5], t),
            lambda t, x: [x[1], -x[0]], lambda t, x: [[0, 1], [-1, 0]], turn,
            variables=("x", "v")),
    Problem("limit cycle", "Real x(start = 0.8, fixed = true), v(start = 0, fixed = true);"
            " equation der(x) = x*(1 - x^2 - v^2) - v; der(v) = v*(1 - x^2 - v^2) + x;",
            lambda t: cycle(0, [0.8, 0], t),
            lambda t, x: [x[0]*(1 - x[0]**2 - x[1]**2) - x[1],
                          x[1]*(1 - x[0]**2 - x[1]**2) + x[0]],
            lambda t, x: [[1 - 3*x[0]**2 - x[1]**2, -2*x[0]*x[1] - 1],
                          [-2*x[0]*x[1] + 1, 1 - x[0]**2 - 3*x[1]**2]], cycle,
            variables=("x", "v")),
    prothero(-1e3),
    prothero(-1e6),
    one("stiff logarithm", " equation der(x) = x*(%g*(log(x) - cos(time)) - sin(time));" % LN,
        lambda t: exp(cos(t)), lambda t, x: x*(LN*(log(x) - cos(t)) - sin(t)),
        lambda t, x: LN*(log(x) - cos(t)) - sin(t) + LN,
        lambda t, x, u: exp(cos(u) + (log(x) - cos(t))*exp(LN*(u - t))), stiff=True),
    Problem("two scales", "Real x(start = 0.5, fixed = true), v(start = 0.5, fixed = true);"
            " equation der(x) = -(x + v)/2 - 500*(x - v) + 1000*sin(time) + 2*cos(time);"
            " der(v) = -(x + v)/2 + 500*(x - v) - 1000*sin(time);",
            lambda t: two(0, [0.5, 0.5], t), two_slope,
            lambda t, x: [[-500.5, 499.5], [499.5, -500.5]], two, True, ("x", "v")),
]

def through(name, phi, lam, g, stiff=False):
    """y = phi(x) with y' = lam (y - g) + g'; lam 0: y' = g'."""
    to, back, by, to_text, by_text = phi
    drive, rate, drive_text, rate_text = g

    def slope(t, x):
        return (lam*(to(x) - drive(t)) + rate(t))/by(x)

    def flow(t, x, u):
        return back(drive(u) + (to(x) - drive(t))*exp(lam*(u - t)))

    def jac(t, x):
        return (slope(t, x + 1e-6) - slope(t, x - 1e-6))/2e-6

    pull = "%g*(%s - (%s)) + " % (lam, to_text, drive_text) if lam else ""
    return one(name, " equation der(x) = (%s%s)/(%s);" % (pull, rate_text, by_text),
               lambda t: back(drive(t)), slope, jac, flow, stiff=stiff)


def slow_turn(t1, x, t2):
    a = t2 + sin(t2)/2 - t1 - sin(t1)/2
    return [cos(a)*x[0] - sin(a)*x[1], sin(a)*x[0] + cos(a)*x[1]]


def spiral(t1, x, t2):
    h = t2 - t1
    z = complex(x[0] - cos(t1), x[1] - sin(t1))*exp(-2000*h)*complex(cos(500*h), sin(500*h))
    return [cos(t2) + z.real, sin(t2) + z.imag]


SINE = (lambda t: 2 + sin(t), cos, "2 + sin(time)", "cos(time)")
HALF = (lambda t: 0.3 + sin(t)/2, lambda t: cos(t)/2, "0.3 + sin(time)/2", "cos(time)/2")
SINH = (math.sinh, math.asinh, math.cosh, "sinh(x)", "cosh(x)")
CUBE = (lambda x: x**3, lambda y: y**(1/3), lambda x: 3*x*x, "x^3", "3*x^2")
OTHER = [
    through("inverse", (lambda x: 3 - 1/x, lambda y: 1/(3 - y), lambda x: x**-2, "3 - 1/x",
                        "1/x^2"), 0, HALF),
    through("arc tangent", (math.atan, math.tan, lambda x: 1/(1 + x*x), "atan(x)",
                            "1/(1 + x^2)"), 0, HALF),
    through("sinh", SINH, 0, SINE),
    through("exponential", (exp, log, exp, "exp(x)", "exp(x)"), 0, SINE),
    through("relaxing cube", CUBE, -0.5, SINE),
    through("relaxing logarithm", (log, exp, lambda x: 1/x, "log(x)", "1/x"), -1, HALF),
    one("another loop", " Real y; equation der(x) = -cos(time)*y/2; y*exp(y) = x*exp(x);",
        lambda t: exp(-sin(t)/2), lambda t, x: -cos(t)*x/2, lambda t, x: -cos(t)/2,
        lambda t, x, u: x*exp((sin(t) - sin(u))/2)),
    Problem("turning", "Real x(start = 1, fixed = true), v(start = 0, fixed = true); equation"
            " der(x) = -(1 + cos(time)/2)*v; der(v) = (1 + cos(time)/2)*x;",
            lambda t: slow_turn(0, [1, 0], t),
            lambda t, x: [-(1 + cos(t)/2)*x[1], (1 + cos(t)/2)*x[0]],
            lambda t, x: [[0, -1 - cos(t)/2], [1 + cos(t)/2, 0]], slow_turn,
            variables=("x", "v")),
    through("stiff line", (lambda x: x, lambda y: y, lambda x: 1.0, "x", "1"), -1e4, SINE, True),
    through("stiff cube", CUBE, -3000, SINE, True),
    through("stiff sinh", SINH, -1e5, SINE, True),
    Problem("stiff spiral", "Real x(start = 1, fixed = true), v(start = 0, fixed = true);"
            " equation der(x) = -2000*(x - cos(time)) - 500*(v - sin(time)) - sin(time);"
            " der(v) = 500*(x - cos(time)) - 2000*(v - sin(time)) + cos(time);",
            lambda t: [cos(t), sin(t)],
            lambda t, x: [-2000*(x[0] - cos(t)) - 500*(x[1] - sin(t)) - sin(t),
                          500*(x[0] - cos(t)) - 2000*(x[1] - sin(t)) + cos(t)],
            lambda t, x: [[-2000, -500], [500, -2000]], spiral, True, ("x", "v")),
]


# order, what is estimated (own: the error of the method), not for stiff problems
METHODS = {
    "fe": (1, "own", 1), "pece": (1, "own", 1), "rk2": (2, "own", 1), "rk3": (3, "own", 1),
    "rk4": (4, "own", 1), "be": (1, "own", 0), "lie": (1, "own", 0), "bdf2": (2, "own", 0),
    "bdf3": (3, "own", 0), "bdf4": (4, "own", 0), "bdf5": (5, "own", 0),
    "am3": (3, "own", 1), "trapezoid": (2, "own", 0), "midpoint": (2, "own", 0),
    "bi2": (2, "own", 1), "radau3": (3, "pair", 0), "radau5": (5, "pair", 0),
    "lobatto4": (4, "pair", 0), "sdirk4": (4, "pair", 0), "liex2": (2, "own", 0),
    "liex3": (3, "pair", 0), "liex4": (4, "pair", 0), "liex5": (5, "pair", 0),
    "liex6": (6, "pair", 0), "ros2": (2, "own", 0), "rosw3": (3, "pair", 0),
    "rodas3": (3, "pair", 0), "rodas4": (4, "pair", 0), "rodasp4": (4, "pair", 0),
}
STEP = {1: 0.01, 2: 0.02, 3: 0.03, 4: 0.03, 5: 0.1, 6: 0.1}
# sum alpha_i x_{n+1-i} = h sum beta_i f_{n+1-i}
MULTISTEP = {
    "bdf2": ([1.5, -2, 0.5], [1]), "bdf3": ([11/6, -3, 1.5, -1/3], [1]),
    "bdf4": ([25/12, -4, 3, -4/3, 0.25], [1]),
    "bdf5": ([137/60, -5, 5, -10/3, 1.25, -0.2], [1]),
    "am3": ([1, -1], [5/12, 8/12, -1/12]),
}


def solve(a, b):
    if len(b) == 1:
        return [b[0]/a[0][0]]
    d = a[0][0]*a[1][1] - a[0][1]*a[1][0]
    return [(b[0]*a[1][1] - b[1]*a[0][1])/d, (a[0][0]*b[1] - a[1][0]*b[0])/d]


def multistep_error(p, method, t, h):
    """What a step to t makes of an exact past: -(alpha_0 - h beta_0 J)^-1 defect."""
    alpha, beta = MULTISTEP[method]
    n = len(p.variables)
    defect = [0.0]*n
    for i, a in enumerate(alpha):
        x = p.exact(t - i*h)
        defect = [d + a*v for d, v in zip(defect, x)]
    for i, b in enumerate(beta):
        f = p.slope(t - i*h, p.exact(t - i*h))
        defect = [d - h*b*v for d, v in zip(defect, f)]
    j = p.jac(t, p.exact(t))
    m = [[(alpha[0] if i == k else 0) - h*beta[0]*j[i][k] for k in range(n)] for i in range(n)]
    return [-v for v in solve(m, defect)]


def read(path):
    with open(path, encoding="utf-8") as f:
        rows = csv.reader(f)
        head = next(rows)
        return head, [[float(v) for v in r] for r in rows]


def run(takt, p, method, h, where):
    model = os.path.join(where, "P.mo")
    with open(model, "w", encoding="utf-8") as f:
        f.write("model P %s end P;\n" % p.text)
    out, est = os.path.join(where, "x.csv"), os.path.join(where, "e.csv")
    subprocess.run([takt, "sim", model, "--method", method, "--step", repr(h), "--stop",
                    repr((NSTEP + SKIP)*h), "--newton-tolerance", "1e-14", "--estimate",
                    "local", "--estimates", est, "-o", out, "--quiet"], check=True,
                   stderr=subprocess.DEVNULL)
    head, x = read(out)
    at = [head.index(v) for v in p.variables]
    head, e = read(est)
    es = [head.index("local(%s)" % v) for v in p.variables]
    return ([r[0] for r in x], [[r[i] for i in at] for r in x], [[r[i] for i in es] for r in e])


def norm(v):
    return max(abs(x) for x in v)


def ratios(takt, p, method, where):
    """Of each step: (estimate over true error or None, is it enough?)."""
    order, of, _ = METHODS[method]
    h = STEP[order]*(2 if p.stiff and order == 4 else 1)  # errors above the floor
    t, x, e = run(takt, p, method, h, where)
    size = max(norm(v) for v in x)
    out = []
    for n in range(SKIP, len(t) - 1):
        if method in MULTISTEP:
            kept = multistep_error(p, method, t[n + 1], h)
        else:
            kept = [a - b for a, b in zip(x[n + 1], p.flow(t[n], x[n], t[n + 1]))]
        low = kept if of == "own" else [a - b for a, b in zip(kept, e[n + 1])]
        est, kept, low = norm(e[n + 1]), norm(kept), norm(low)
        floor = FLOOR[p.stiff]*size
        true = max(kept, low)
        small = max(est, true) < floor
        out.append((None if small or true == 0 else est/true,
                    small or kept < floor or est >= 0.5*kept))
    return out


def figures(all_of):
    r = sorted(a for a, _ in all_of if a is not None)
    if not r:
        return None
    inside = sum(0.2 <= a <= 20 for a in r)/len(r)
    enough = sum(b for _, b in all_of)/len(all_of)
    return r[len(r)//2], inside, enough


def text(f):
    return "      -     -     -" if not f else "%7.2f %5.0f %5.0f" % (f[0], 100*f[1], 100*f[2])


def is_good(f):
    return not f or (0.5 <= f[0] <= 3 and f[1] >= 0.95 and f[2] >= 0.95)


def main():
    takt, names = os.path.abspath(sys.argv[1]), sys.argv[2:]
    verbose, problems = "-v" in names, OTHER if "--other" in names else PROBLEMS
    names = [n for n in names if n[0] != "-"] or list(METHODS)
    bad = 0
    print("%-10s %5s %5s | %-19s | %s" % ("method", "order", "of", "8 smooth problems",
                                         "4 stiff problems"))
    print("%-10s %5s %5s |  median   %%in   %%ok |  median   %%in   %%ok" % ("", "", ""))
    with tempfile.TemporaryDirectory() as where:
        for m in names:
            part = {False: [], True: []}
            for p in problems:
                if p.stiff and METHODS[m][2]:
                    continue
                r = ratios(takt, p, m, where)
                part[p.stiff] += r
                if verbose:
                    print("  %-24s %s" % (p.name, text(figures(r))))
            smooth, stiff = figures(part[False]), figures(part[True])
            good = is_good(smooth) and is_good(stiff)
            bad += not good
            print("%-10s %5d %5s | %s | %s%s" % (m, METHODS[m][0], METHODS[m][1],
                                              text(smooth), text(stiff), "" if good else "  MISSES"))
    sys.exit(bad > 0)


main()
