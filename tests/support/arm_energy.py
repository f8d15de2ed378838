#!/usr/bin/env python3
"""arm_energy.py - Takt.Robots.Arm6 from its energies, without its equations.

Kinetic and potential energy of six rigid bodies are computed in the axes of the
floor, by forward kinematics with 3 x 3 matrices; torques follow from Lagrange's
equations by central differences. Nothing of the recursion in the model is used.

  arm_energy.py torques led.csv    the torques on the path below agree with the
                                   model's; prints the largest difference over
                                   the largest torque
  arm_energy.py energy swing.csv   prints the largest change of energy over the
                                   largest kinetic energy
"""
import csv
import math
import sys

TILT, G, L2, L3 = 0.15, 9.80665, 0.5, 0.73
# joint axis, joint behind the joint before, mass, centre of mass, inertia there
LINKS = [
    ("z", 0.0, 0.0, (0, 0, 0), (0, 0, 1.2)),
    ("y", 0.0, 48.0, (0, 0, 0.2), (2.6, 2.5, 0.5)),
    ("y", L2, 24.0, (0, 0, 0.18), (1.1, 1.0, 0.25)),
    ("z", L3, 8.0, (0, 0, -0.16), (0.12, 0.11, 0.035)),
    ("y", 0.0, 5.0, (0, 0, 0.03), (0.03, 0.026, 0.014)),
    ("z", 0.0, 12.0, (0.06, 0, 0.17), (0.14, 0.11, 0.07)),
]
UP = (-math.sin(TILT), 0.0, math.cos(TILT))


def turn(axis, q):
    c, s = math.cos(q), math.sin(q)
    if axis == "z":
        return [[c, -s, 0], [s, c, 0], [0, 0, 1]]
    return [[c, 0, s], [0, 1, 0], [-s, 0, c]]


def matmul(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)]
            for i in range(3)]


def times(a, v):
    return [sum(a[i][k] * v[k] for k in range(3)) for i in range(3)]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0]]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def add(a, b):
    return [x + y for x, y in zip(a, b)]


def energies(q, u):
    """Kinetic and potential energy at angles q and speeds u."""
    r = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    at, v, w = [0, 0, 0], [0, 0, 0], [0, 0, 0]
    kinetic = potential = 0.0
    for (axis, behind, mass, centre, inertia), qi, ui in zip(LINKS, q, u):
        step = times(r, (0, 0, behind))
        at = add(at, step)
        v = add(v, cross(w, step))
        n = times(r, (0, 0, 1) if axis == "z" else (0, 1, 0))
        w = add(w, [ui * x for x in n])
        r = matmul(r, turn(axis, qi))
        c = times(r, centre)
        vc = add(v, cross(w, c))
        own = [sum(r[k][i] * w[k] for k in range(3)) for i in range(3)]
        kinetic += 0.5 * mass * dot(vc, vc)
        kinetic += 0.5 * sum(i * x * x for i, x in zip(inertia, own))
        potential += mass * G * dot(UP, add(at, c))
    return kinetic, potential


def moved(x, i, d):
    return [xi + (d if k == i else 0.0) for k, xi in enumerate(x)]


def path(t):
    q, u = [], []
    for i in range(1, 7):
        f = 1 + 0.37 * i
        q.append(0.1 * i + (1.3 - 0.1 * i) * math.sin(f * t + 0.5 * i))
        u.append((1.3 - 0.1 * i) * f * math.cos(f * t + 0.5 * i))
    return q, u


def momentum(q, u, i):
    """dT/du_i; T is quadratic in u, so the difference is exact."""
    return (energies(q, moved(u, i, 0.5))[0] - energies(q, moved(u, i, -0.5))[0])


def torque(t, i):
    d = 1e-5
    later, before = path(t + d), path(t - d)
    rate = (momentum(*later, i) - momentum(*before, i)) / (2 * d)
    q, u = path(t)
    up, down = energies(moved(q, i, d), u), energies(moved(q, i, -d), u)
    return rate - (up[0] - down[0] - up[1] + down[1]) / (2 * d)


def rows(name):
    with open(name) as f:
        for row in csv.DictReader(f):
            yield {k: float(v) for k, v in row.items()}


def main():
    what, name = sys.argv[1:]
    if what == "torques":
        worst = largest = 0.0
        for row in rows(name):
            for i in range(6):
                tau = torque(row["time"], i)
                largest = max(largest, abs(tau))
                worst = max(worst, abs(tau - row["arm.tau[%d]" % (i + 1)]))
        print("%.3g" % (worst / largest))
        return
    first, kinetic, worst = None, 0.0, 0.0
    for row in rows(name):
        t, v = energies([row["arm.q[%d]" % i] for i in range(1, 7)],
                        [row["arm.u[%d]" % i] for i in range(1, 7)])
        first = t + v if first is None else first
        kinetic = max(kinetic, t)
        worst = max(worst, abs(t + v - first))
    print("%.3g" % (worst / kinetic))


main()
