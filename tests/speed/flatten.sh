#!/bin/sh
# flatten.sh - how long takt check --flat takes on a chain of n components.
#
#   flatten.sh [TAKT]      (default: $TAKT, else build/takt)
#
# Flattens about 100,000 and 200,000 scalar equations and fails if the first
# takes 5 s or 1 GB, or the second more than 2.3 times as long.
set -u
takt=${1:-${TAKT:-build/takt}}
dir=$(mktemp -d) || exit 4
trap 'rm -rf "$dir"' EXIT

cat > "$dir/Chain.mo" <<'MO'
package Chain
  connector Pin
    Real v(unit = "V");
    flow Real i(unit = "A");
  end Pin;
  partial model TwoPin
    Pin p, n;
    Real v(unit = "V"), i(unit = "A");
  equation
    v = p.v - n.v;
    i = p.i;
    p.i + n.i = 0;
  end TwoPin;
  model Resistor
    extends TwoPin;
    parameter Real R(unit = "Ohm") = 1;
  equation
    v = R*i;
  end Resistor;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;
  model Cell
    Pin a, b;
    parameter Real R0 = 2;
    Resistor r(R = R0), leak(R = 100*R0);
    Ground g;
  equation
    connect(a, r.p);
    connect(r.n, b);
    connect(b, leak.p);
    connect(leak.n, g.p);
  end Cell;
  model Line
    parameter Integer n = 10;
    Cell cell[n](R0 = {1 + i/n for i in 1:n});
    Ground g;
  equation
    connect(g.p, cell[1].a);
    for i in 1:n - 1 loop
      connect(cell[i].b, cell[i + 1].a);
    end for;
  end Line;
  model Large
    extends Line(n = 5555);
  end Large;
  model Twice
    extends Line(n = 11111);
  end Twice;
end Chain;
MO

python3 - "$takt" "$dir/Chain.mo" <<'PY'
import resource, subprocess, sys
takt, path = sys.argv[1:]


def cpu():
    """Seconds of processor time of the children so far."""
    u = resource.getrusage(resource.RUSAGE_CHILDREN)
    return u.ru_utime + u.ru_stime


def run(model, n):
    best = 1e9
    for _ in range(3):
        begin = cpu()
        r = subprocess.run([takt, 'check', '--flat', f'{path}:Chain.{model}'],
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                           text=True, timeout=120)
        best = min(best, cpu() - begin)
        if r.returncode:
            sys.exit(f'{model}: exit {r.returncode}\n{r.stderr[:500]}')
    size = 18 * n + 2  # equations of n cells and the ground
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f'{model:6} {size:7} equations {best:6.2f} s {memory:6.0f} MB')
    return best, memory, size


t1, m1, n1 = run('Large', 5555)
t2, m2, n2 = run('Twice', 11111)
print(f'ratio {t2 / t1:.2f}')
bad = [t for t, wrong in (('5 s', t1 > 5), ('1 GB', m1 > 1000),
                          ('ratio 2.3', t2 > 2.3 * t1),
                          ('100,000', n1 < 99000)) if wrong]
if bad:
    sys.exit('over the limit: ' + ', '.join(bad))
PY
