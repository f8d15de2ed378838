#!/usr/bin/env bash
# Index and number of states of known systems, and dumps of the phases.
# build: sanitizers
source "$TAKT_SOURCE/tests/support/cli.sh"
gallery=$TAKT_SOURCE/models/gallery

# known MODEL INDEX STATES
known() {
    expect 0 "^ *index  *$2\($\| (\)" check "$gallery/$1.mo"
    if [ "$3" = 0 ]; then
        expect 0 '"states": \[\]' check --json "$gallery/$1.mo"
    else
        expect 0 "^ *states  *$3:" check "$gallery/$1.mo"
    fi
}

# Cellier, Kofman 8.5
known RlcIndex0 0 2
known RlcIndex1 1 1
known RlcIndex2 2 1
# constraints on positions: mechanics has index 3, two states a degree of freedom
known Pendulum 3 2
known Andrews 3 2
known FourBar 3 2
# a chain of derivatives of a given function has no states
known PrescribedChain 3 0
known PrescribedChain4 4 0
# structure sees 8 degrees of freedom, dependent rows leave 5
known TransistorAmplifier 1 5
known ChargePump 2 2

# each of x and y is a bad state somewhere on the circle: cos 6 and sin 6
cat >"$work/Circle.mo" <<'M'
model Circle "without gravity: x = cos(time), y = sin(time)"
  Real x(start = 1), y(start = 0, fixed = true);
  Real vx(start = 0), vy(start = 1, fixed = true), f;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -f*x;
  der(vy) = -f*y;
  x^2 + y^2 = 1;
end Circle;
M
for value in '"x":[[:space:]]*0.960170' '"y":[[:space:]]*-0.279415'; do
    expect 0 "$value" sim "$work/Circle.mo" --method radau5 --step 0.01 --stop 6 --json
done
expect 0 'state sets  *2, chosen anew' check "$gallery/Pendulum.mo"
# three angles, of which one is a state; the positions between them are eliminated
# when the model is compiled: n, states, rows, other columns
expect 0 . build "$gallery/FourBar.mo" --step 1ms --name bars --quiet -o "$work/bars"
[ "$(grep -c 'takt_states states = {3, 1, 2, 0, 6,' "$work/bars/bars.c")" -ge 2 ] ||
    fail "the matrices that choose: $(grep 'takt_states states' "$work/bars/bars.c")"
expect 0 '^  alias u2 = uC' check --dump=sys "$gallery/RlcIndex0.mo"
refuse 0 "^  alias" check --dump=sys --keep-aliases "$gallery/RlcIndex0.mo"
expect 0 '^  d/dt ' check --dump=dae "$gallery/RlcIndex2.mo"
expect 0 '^conditions' check --dump=init "$gallery/RlcIndex2.mo"
finish
