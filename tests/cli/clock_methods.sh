#!/usr/bin/env bash
# build: release
# cost: 2
# Partitions with a solverMethod, one for each method, beside each other: every
# one is the recursion of its method written by hand, also the Rosenbrock,
# multistep and extrapolation methods; the generated C computes the same bits.
. "$TAKT_SOURCE/tests/support/cli.sh"
. "$TAKT_SOURCE/tests/support/same.sh"
cd "$work" || exit 4

methods="External ExplicitEuler ExplicitMidPoint2 ExplicitRungeKutta4 ImplicitEuler ImplicitTrapezoid Rosenbrock1
    ros2 bdf2 liex2 radau5"
{
    echo "model Methods"
    i=0
    for m in $methods; do
        i=$((i + 1))
        echo "  Clock c$i = Clock(Clock(0.1), solverMethod = \"$m\");"
        echo "  Real x$i(start = 1), y$i(start = 1);"
    done
    echo equation
    i=0
    for m in $methods; do
        i=$((i + 1))
        echo "  when c$i then der(x$i) = cos(x$i) - x$i^2 + sample(time); end when;"
        echo "  y$i = hold(x$i);"
    done
    echo "end Methods;"
} >Methods.mo
run_takt sim Methods.mo --step 50ms --stop 3 --quiet -o methods.csv
[ "$code" = 0 ] || { fail "methods: $code"; head -3 "$work/err"; }
# shellcheck disable=SC2086
python3 - methods.csv $methods <<'PY' || fail "a method is not its recursion"
import csv, math, sys
rows = list(csv.DictReader(open(sys.argv[1])))[::2]
h, r6 = .1, math.sqrt(6)
f = lambda x, u: math.cos(x) - x*x + u
J = lambda x: -math.sin(x) - 2*x
def newton(g, z):
    for _ in range(50):
        d = (g(z + 1e-7) - g(z - 1e-7))/2e-7
        z -= g(z)/d
    return z
def stages(a, b, c, x, u, v):
    n = len(b)
    k = [f(x, u)]*n
    at = lambda i: (1 - c[i])*u + c[i]*v
    for _ in range(400): # a contraction for this step
        k = [f(x + h*sum(a[i][j]*k[j] for j in range(n)), at(i)) for i in range(n)]
    return x + h*sum(p*q for p, q in zip(b, k))
radau3 = ([[5/12, -1/12], [.75, .25]], [.75, .25], [1/3, 1])
radau5 = ([[(88-7*r6)/360, (296-169*r6)/1800, (-2+3*r6)/225],
           [(296+169*r6)/1800, (88+7*r6)/360, (-2-3*r6)/225],
           [(16-r6)/36, (16+r6)/36, 1/9]], [(16-r6)/36, (16+r6)/36, 1/9], [(4-r6)/10, (4+r6)/10, 1])
lie = lambda x, h, u, j: x + h*f(x, u)/(1 - h*j)
def ros2(x, u, v):
    g = 1 - math.sqrt(2)/2
    ft, w = (v - u)/h, 1/(1 - h*g*J(x))
    k1 = w*(h*f(x, u) + g*h*h*ft)
    k2 = w*(h*f(x + k1, v) - 2*g*h*J(x)*k1 + (-2*g + g)*h*h*ft)
    return x + (k1 + k2)/2
def liex2(x, u, v):
    mid = lie(x, h/2, (u + v)/2, J(x))
    return 2*lie(mid, h/2, v, J(x)) - lie(x, h, v, J(x))
def rk4(x, u, v):
    k1 = f(x, u); k2 = f(x + h/2*k1, (u + v)/2); k3 = f(x + h/2*k2, (u + v)/2); k4 = f(x + h*k3, v)
    return x + h*(k1 + 2*k2 + 2*k3 + k4)/6
step = {
    "External": lambda x, u, v: lie(x, h, v, J(x)),
    "Rosenbrock1": lambda x, u, v: lie(x, h, v, J(x)),
    "ExplicitEuler": lambda x, u, v: x + h*f(x, u),
    "ExplicitMidPoint2": lambda x, u, v: x + h*f(x + h/2*f(x, u), (u + v)/2),
    "ExplicitRungeKutta4": rk4,
    "ImplicitEuler": lambda x, u, v: newton(lambda z: z - x - h*f(z, v), x),
    "ImplicitTrapezoid": lambda x, u, v: newton(lambda z: z - x - h/2*(f(x, u) + f(z, v)), x),
    "radau5": lambda x, u, v: stages(*radau5, x, u, v),
    "ros2": ros2, "liex2": liex2,
}
for i, name in enumerate(sys.argv[2:], 1):
    past = [1.0]
    for n, r in enumerate(rows):
        x = past[-1]
        if n:
            u, v = h*(n - 1), h*n
            if name != "bdf2":
                x = step[name](x, u, v)
            elif n == 1:
                x = stages(*radau3, x, u, v)
            else:
                x = newton(lambda z: z - 4/3*past[-1] + past[-2]/3 - 2/3*h*f(z, v), x)
            past.append(x)
        assert abs(float(r[f"y{i}"]) - x) < 1e-9, (name, n, r[f"y{i}"], x)
assert len(rows) == 31
PY
run_takt build Methods.mo --step 50ms --all --quiet --name model -o c
[ "$code" = 0 ] || { fail "build: $code"; head -3 "$work/err"; }
run_takt sim Methods.mo --static --step 50ms --stop 3 --quiet --every 60 -o static.csv
[ "$code" = 0 ] || fail "static: $code"
"$TAKT_CC" -std=c99 -Wall -Wextra -pedantic -Werror -O1 -ffp-contract=off -c c/model.c -o c/model.o 2>cc.txt ||
    { fail "compiler"; head -5 cc.txt; }
"$TAKT_CC" -O1 -Ic c/example/main.c c/model.o -lm -o c/run || fail "example"
./c/run 60 >values || fail "the example failed"
same values static.csv >diff || { fail "C differs:"; head -3 diff; }
finish
