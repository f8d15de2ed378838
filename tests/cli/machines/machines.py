#!/usr/bin/env python3
"""machines.py - random state machines, and what the language says they do.

    machines.py model SEED > M.mo
    machines.py check SEED M.csv

The second runs the machine by the equations of 17.3.4 of the language
specification, written as a recursion over arrays, and compares every variable at
every tick. Nothing of it is taken from takt.
"""
import csv
import random
import sys


class Machine:
    """States 1..n with transitions, lowest priority first."""

    def __init__(self, rng, name, depth):
        self.name = name
        self.n = rng.randint(2, 4)
        self.add = [rng.randint(-2, 3) for _ in range(self.n)]
        self.start = [rng.randint(0, 5) for _ in range(self.n)]
        self.sub = [Machine(rng, f"{name}{i + 1}_", depth - 1)
                    if depth > 0 and rng.random() < 0.6 else None
                    for i in range(self.n)]
        self.t = []
        for i in range(self.n):
            last = i == self.n - 1 and depth == 0 and rng.random() < 0.5
            count = 0 if last else rng.randint(1, 3)
            for j, prio in enumerate(rng.sample(range(1, 6), count)):
                kind = rng.choice(["mod", "ticks", "value", "before"])
                self.t.append(dict(
                    a=i, b=(i + 1) % self.n if j == 0 else rng.randrange(self.n), prio=prio, kind=kind,
                    p=rng.randint(2, 5), r=rng.randint(0, 1),
                    immediate=kind in ("mod", "before") and rng.random() < 0.5,
                    reset=rng.random() < 0.5,
                    synch=self.sub[i] is not None and rng.random() < 0.4))
        self.t.sort(key=lambda t: -t["prio"])

    def condition(self, t):
        return {"mod": f"mod(n, {t['p']}) == {t['r']}",
                "ticks": f"ticksInState() >= {t['p']}",
                "value": f"v >= {3 * t['p']}",
                "before": f"mod(previous(v), {t['p']}) == {t['r']}"}[t["kind"]]

    def text(self):
        out = []
        for i in range(self.n):
            sub = self.sub[i]
            out.append(f"  block S{self.name}{i + 1}")
            if sub:
                out.append("    outer Integer n;")
                out.append("    inner outer output Integer v;")
                out.append(sub.text())
            else:
                out.append("    outer output Integer v;")
            out.append(f"    Integer x(start = {self.start[i]});")
            out.append("    Real t(start = 0);\n  equation")
            if not sub:
                out.append(f"    v = mod(previous(v) + ({self.add[i]}), 50);")
            out.append("    x = previous(x) + 1;\n    t = timeInState();")
            if sub:
                out.append(sub.equations())
            out.append(f"  end S{self.name}{i + 1};")
            out.append(f"  S{self.name}{i + 1} s{self.name}{i + 1};")
        return "\n".join(out)

    def equations(self):
        out = [f"    initialState(s{self.name}1);"]
        for t in self.t:
            flag = lambda b: "true" if b else "false"
            out.append(
                f"    transition(s{self.name}{t['a'] + 1}, s{self.name}{t['b'] + 1}, {self.condition(t)}, "
                f"immediate = {flag(t['immediate'])}, reset = {flag(t['reset'])}, "
                f"synchronize = {flag(t['synch'])}, priority = {t['prio']});")
        return "\n".join(out)

    # ---- the recursion ----

    def begin(self):
        self.next, self.delayed = 1, 0
        self.pending = [False] * self.n
        self.x = list(self.start)
        self.time_in = [0.0] * self.n
        self.ticks = [0] * self.n
        self.was = [False] * self.n
        for s in self.sub:
            if s:
                s.begin()

    def ended(self):
        """Is the machine in a state that no transition leaves?"""
        return all(t["a"] != self.next - 1 for t in self.t)

    def holds(self, t, w):
        c = {"mod": w["n"] % t["p"] == t["r"],
             "ticks": self.ticks[t["a"]] >= t["p"],
             "value": w["v"] >= 3 * t["p"],
             "before": w["v0"] % t["p"] == t["r"]}[t["kind"]]
        return c and (not t["synch"] or self.sub[t["a"]].ended())

    def sleep(self):
        self.was = [False] * self.n
        for s in self.sub:
            if s:
                s.sleep()

    def tick(self, w, reset, entered):
        selected = 1 if reset else self.next
        at_once = max([i + 1 for i, t in enumerate(self.t)
                       if t["immediate"] and t["a"] == selected - 1 and self.holds(t, w)], default=0)
        fired = 0 if reset else max(self.delayed, at_once)
        active = self.t[fired - 1]["b"] + 1 if fired else selected
        anew = reset or (fired > 0 and self.t[fired - 1]["reset"])
        waiting = [reset or p for p in self.pending]
        self.next = active
        k = active - 1
        self.pending = [i != k and waiting[i] for i in range(self.n)]
        fresh = anew or waiting[k]
        came = entered or reset or fired > 0 or not self.was[k]
        for i in range(self.n):
            if i != k and self.sub[i]:
                self.sub[i].sleep()
        self.was = [i == k for i in range(self.n)]
        self.ticks[k] = 1 if came else self.ticks[k] + 1
        if came:
            self.since = w["time"]
        self.time_in[k] = w["time"] - self.since
        self.x[k] = (self.start[k] if fresh else self.x[k]) + 1
        if self.sub[k]:
            self.sub[k].tick(w, fresh, came)
        else:
            w["v"] = (w["v0"] + self.add[k]) % 50
        # conditions of delayed transitions, with what was computed now
        w["later"].append(lambda: setattr(self, "delayed", max(
            [i + 1 for i, t in enumerate(self.t)
             if not t["immediate"] and t["a"] == active - 1 and self.holds(t, w)], default=0)))

    def values(self, path=""):
        for i in range(self.n):
            here = f"{path}s{self.name}{i + 1}."
            yield here + "x", self.x[i]
            yield here + "t", self.time_in[i]
            if self.sub[i]:
                yield from self.sub[i].values(here)


def main():
    what, seed = sys.argv[1], int(sys.argv[2])
    m = Machine(random.Random(seed), "", seed % 3)
    if what == "model":
        print("model M\n  inner Integer n(start = 0);\n  inner Integer v(start = 1);\n  Integer both = n + v;")
        print(m.text())
        print("equation\n  when Clock(1, 10) then\n    n = previous(n) + 1;\n  end when;")
        print(m.equations())
        print("end M;")
        return
    rows = list(csv.reader(open(sys.argv[3])))
    at = {name: i for i, name in enumerate(rows[0])}
    m.begin()
    v, seen = 1, set()
    for k, row in enumerate(rows[1:]):
        w = dict(n=k + 1, v0=v, v=v, time=k / 10, later=[])
        m.tick(w, k == 0, k == 0)
        for f in w["later"]:
            f()
        v = w["v"]
        seen.add(m.next)
        for name, x in [("v", v), ("n", w["n"])] + list(m.values()):
            assert abs(float(row[at[name]]) - x) < 1e-9, (seed, row[0], name, row[at[name]], x)
    print(f"{seed}: {m.n} states, {len(m.t)} transitions, {len(seen)} states seen")


main()
