#!/usr/bin/env bash
# fullrobot.sh LIBRARY - Schiela's experiment on the machine itself: the tables of
# bench/sparsing.sh for the robot of the Modelica Standard Library, which is at
# LIBRARY. Prints Markdown. $STEPS, $VIEWS, $RHO and $STOP (s) make less of it:
#
#   STEPS=1ms VIEWS=keep-small RHO="0.1 1" STOP=0.5 bench/fullrobot.sh LIBRARY
set -eu
[ $# = 1 ] || { echo "usage: bench/fullrobot.sh LIBRARY" >&2; exit 2; }
rho=
for r in ${RHO:-}; do rho+=" --rho $r"; done
OPTIONS="-L $1 ${STOP:+--stop $STOP}$rho" exec "$(dirname "$0")/sparsing.sh" \
    Modelica.Mechanics.MultiBody.Examples.Systems.RobotR3.FullRobot
