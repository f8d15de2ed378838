#!/usr/bin/env bash
# State machines: random ones, with machines in their states, do at every tick
# what the equations of the language specification say, computed by a recursion
# that is written apart (machines/machines.py); outputs of states that are
# connected are those of the active one; derivatives in a state stand still while
# it is not active and begin anew after a reset; and C is what sim --static
# computes.
. "$TAKT_SOURCE/tests/support/cli.sh"
. "$TAKT_SOURCE/tests/support/same.sh"
cd "$work" || exit 4
tool=$TAKT_SOURCE/tests/cli/machines/machines.py

many=12
sanitized && many=6
[ -n "${TAKT_LONG:-}" ] && many=300
for ((seed = 1; seed <= many; seed++)); do
    python3 "$tool" model $seed >M.mo || fail "model $seed"
    run_takt sim M.mo --step 0.1 --stop 20 --quiet -o M.csv
    [ "$code" = 0 ] || { fail "seed $seed: $code"; head -3 "$work/err"; continue; }
    python3 "$tool" check $seed M.csv >seen 2>&1 || { fail "seed $seed:"; tail -1 seen; }
done

# outputs of three states in one connection
cat >Outputs.mo <<'MO'
model Outputs
  connector Out = output Integer;
  connector In = input Integer;
  block State
    parameter Integer k = 1;
    Out y(start = 0);
    In u;
  equation
    y = previous(y) + k + u;
  end State;
  block User
    In u;
    Integer z = 2*u;
  end User;
  block Source
    Out y(start = 0);
  equation
    when Clock(1.0) then
      y = previous(y) + 1;
    end when;
  end Source;
  State a(k = 1), b(k = 10), c(k = 100);
  User user, other;
  Source source;
equation
  initialState(a);
  transition(a, b, ticksInState() >= 3, immediate = false);
  transition(b, c, ticksInState() >= 3, immediate = false, reset = false);
  transition(c, a, ticksInState() >= 2, immediate = false, reset = false);
  connect(a.y, user.u);
  connect(b.y, user.u);
  connect(other.u, user.u);
  connect(c.y, other.u);
  connect(source.y, a.u);
  connect(source.y, b.u);
  connect(source.y, c.u);
end Outputs;
MO
run_takt sim Outputs.mo --step 1 --stop 12 --quiet -o outputs.csv
[ "$code" = 0 ] || { fail "outputs: $code"; head -3 "$work/err"; }
python3 - outputs.csv <<'PY' || fail "a connection of outputs is not that of the active state"
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
want = [2, 5, 9, 14, 29, 45, 107, 215, 19, 30, 42, 22, 45]
assert [int(r["user.u"]) for r in rows] == want, [r["user.u"] for r in rows]
assert [int(r["other.z"]) for r in rows] == [2 * x for x in want]
PY

# a state gives to what is around it what states inside of it give: o = p
cat >Through.mo <<'MO'
model Through
  inner Integer o(start = 0);
  inner Integer one = sample(1, Clock(1.0));
  block Work
    outer output Integer o;
    inner Integer p(start = 10);
    block Slow
      outer output Integer p;
    equation
      p = previous(p) + 1;
    end Slow;
    block Fast
      outer output Integer p;
    equation
      p = previous(p) + 10;
    end Fast;
    Slow slow;
    Fast fast;
  equation
    o = p;
    initialState(slow);
    transition(slow, fast, p > 12, immediate = false);
  end Work;
  block Rest
    outer output Integer o;
    outer Integer one;
  equation
    o = previous(o) + one;
  end Rest;
  Work work;
  Rest rest;
equation
  initialState(work);
  transition(work, rest, true, synchronize = true, immediate = false);
end Through;
MO
run_takt sim Through.mo --step 1 --stop 6 --quiet -o through.csv
[ "$code" = 0 ] || { fail "through: $code"; head -3 "$work/err"; }
python3 - through.csv <<'PY' || fail "what inner states give does not come through"
import csv, sys
got = [int(r["o"]) for r in csv.DictReader(open(sys.argv[1]))]
assert got == [11, 12, 13, 23, 24, 25, 26], got
PY

# a derivative in a state
cat >Moves.mo <<'MO'
model Moves
  block Run
    Real x(start = 2);
  equation
    der(x) = -x;
  end Run;
  block Wait
    Integer n(start = 0);
  equation
    n = previous(n) + 1;
  end Wait;
  Run run;
  Wait wait, pause;
  Clock c = Clock(Clock(0.1), solverMethod = "ImplicitEuler");
  Integer k(start = 0);
equation
  when c then
    k = previous(k) + 1;
  end when;
  initialState(run);
  transition(run, wait, mod(k, 10) == 5, immediate = false);
  transition(wait, run, wait.n >= 3, immediate = false, reset = false);
  transition(run, pause, k == 28, immediate = false, priority = 2);
  transition(pause, run, pause.n >= 2, immediate = false);
end Moves;
MO
run_takt sim Moves.mo --step 0.1 --stop 4 --quiet -o moves.csv
[ "$code" = 0 ] || { fail "moves: $code"; head -3 "$work/err"; }
python3 - moves.csv <<'PY' || fail "a derivative in a state is not its difference equation"
import csv, sys
state, x, n, later, first = "run", 2.0, {"wait": 0, "pause": 0}, None, True
for i, r in enumerate(csv.DictReader(open(sys.argv[1]))):
    k, anew = i + 1, False
    if later:
        state, anew = later
    if state == "run":
        x = 2.0 if anew or first else x / 1.1
        first = False
    else:
        n[state] = (0 if anew else n[state]) + 1
    later = None
    if state == "run":
        later = ("wait", True) if k % 10 == 5 else ("pause", True) if k == 28 else None
    elif n[state] >= (3 if state == "wait" else 2):
        later = ("run", state == "pause")
    assert abs(float(r["run.x"]) - x) < 1e-12, (r["time"], r["run.x"], x)
PY

# the controller of a tank: both machines inside a state come to their ends, and
# the C is what is simulated
model=$TAKT_SOURCE/models/gallery/TankControl.mo
run_takt build "$model" --method lie --step 50ms --all --quiet --name model -o c
[ "$code" = 0 ] || { fail "build: $code"; head -3 "$work/err"; }
run_takt sim "$model" --static --method lie --step 50ms --stop 200 --quiet --every 4000 -o static.csv
[ "$code" = 0 ] || fail "static: $code"
if ! sanitized; then
    "$TAKT_CC" -std=c99 -Wall -Wextra -pedantic -Werror -O1 -ffp-contract=off -c c/model.c -o c/model.o 2>cc.txt ||
        { fail "compiler"; head -5 cc.txt; }
    "$TAKT_CC" -O1 -Ic c/example/main.c c/model.o -lm -o c/run || fail "example"
    ./c/run 4000 >values || fail "the example failed"
    same values static.csv >diff || { fail "C differs:"; head -3 diff; }
    python3 - static.csv <<'PY' || fail "the tank was not drained"
import csv, sys
last = list(csv.DictReader(open(sys.argv[1])))[-1]
assert int(float(last["batch"])) >= 3, last["batch"]
PY
fi
finish
