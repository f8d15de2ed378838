#!/usr/bin/env bash
# takt index: systems with known answers, those that mislead structure among them.
# build: sanitizers
source "$TAKT_SOURCE/tests/support/cli.sh"
gallery=$TAKT_SOURCE/models/gallery
own=$TAKT_SOURCE/tests/cli/index

# MODEL STRUCTURAL DIFFERENTIATION UNIFORM STATES A5
known() {
    run_takt index "$1" --json
    [ "$code" = 0 ] || fail "takt index $1: exit code $code"
    got=$(python3 - "$work/out" <<'P'
import json, sys
j = json.load(open(sys.argv[1]))
print(j['structural_index'], j['differentiation_index'], j['uniform_index'],
      j['states'], 'a5' if j['a5'] else '-')
P
)
    [ "$got" = "$2" ] || fail "takt index $1: $got instead of $2"
}
known "$gallery/CampbellZhong1.mo" "2 2 2 0 -"
known "$gallery/CampbellZhong2.mo" "2 2 2 0 a5"
known "$gallery/Pendulum.mo" "3 3 3 2 -"
known "$gallery/Andrews.mo" "3 3 3 2 -"
known "$gallery/PrescribedChain.mo" "3 3 3 0 a5"
known "$gallery/PrescribedChain4.mo" "4 4 4 0 -"
known "$own/Hessenberg5.mo" "5 5 5 0 a5"
known "$own/Hessenberg6.mo" "6 6 6 0 a5"
known "$gallery/ChargePump.mo" "2 2 2 2 a5"
# structure is wrong, the number of states alone in some
known "$gallery/TransistorAmplifier.mo" "1 1 1 5 a5"
known "$gallery/HiddenConstraint.mo" "1 2 2 1 a5"
known "$gallery/RotatedPendulum.mo" "1 3 3 2 -"
known "$own/RotatedHessenberg4.mo" "2 4 4 0 -"
known "$own/MixedIndex3.mo" "2 3 3 0 -"
known "$own/MixedIndex5.mo" "1 5 5 0 a5"
known "$own/MixedByStates.mo" "1 2 2 1 -"
known "$own/TightCoupling.mo" "1 2 2 1 a5"
known "$own/DependentMass.mo" "0 1 1 1 a5"
known "$own/VaryingMass.mo" "0 1 1 2 a5"
known "$own/CurrentLoop.mo" "1 1 1 2 a5"
known "$own/CampbellGear.mo" "3 1 3 0 -"

expect 0 'structure is wrong about the number of states; index reduction' \
    index "$gallery/TransistorAmplifier.mo"
expect 0 'wrong about index and number of states; .*--method partition' \
    index "$gallery/HiddenConstraint.mo"
expect 0 'structure agrees' index "$gallery/Pendulum.mo"
# nearly dependent: both answers are told; badly scaled or large: by blocks
expect 0 'index is 1 with it and 3 if it is zero' index "$gallery/RingModulator.mo"
expect 0 'too badly scaled' index "$gallery/Pollution.mo"
expect 0 'all blocks of the leading Jacobian are regular' \
    index "$gallery/SixAxisRobot.mo"
# the condition of the iteration matrix grows as h^0, h^-1, h^-2 with the index
for index in 0 1 2; do
    slope=$("$TAKT" index "$gallery/RlcIndex$index.mo" --iteration | sed -n 's/^slope of the condition \([-0-9.]*\).*/\1/p')
    awk -v s="$slope" -v i="$index" 'BEGIN { exit !(s != "" && s + i < 0.1 && s + i > -0.1) }' ||
        { echo "FAIL slope of index $index: '$slope'"; exit 1; }
done
# bad models, and k too small
expect 1 'say what others say: 2.0\*log(x).*E1702' index "$own/Unsolvable.mo"
expect 1 'contradict each other.*E1703' index "$own/Contradiction.mo"
expect 1 'derivatives up to order 4 do not determine.*E1704' \
    index "$own/Hessenberg6.mo" --most 3
expect 2 'from 0 to 8' index "$own/Hessenberg6.mo" --most 9
expect 2 'exactly one MODEL' index
expect 0 'had to move.*W1707' index "$own/FarStart.mo"
finish
