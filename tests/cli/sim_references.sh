#!/usr/bin/env bash
# End values against references that were computed elsewhere: closed forms,
# published test sets, other integrators. Prints the digits that agree.
# build: release
set -u
gallery=$TAKT_SOURCE/models/gallery
failed=0
out=$(mktemp)
trap 'rm -f "$out"' EXIT

# run MODEL options...: the final values as "name value" lines in $out
run() {
  local model=$1
  shift
  "$TAKT" sim "$gallery/$model.mo" "$@" --json 2>/dev/null |
    sed -n '/"final"/,$p' | sed -n 's/^[[:space:]]*"\(.*\)":[[:space:]]*\([-0-9.e+]*\),*$/\1 \2/p' > "$out"
}

# expect TITLE DIGITS name=value ...: relative to each value
expect() {
  local title=$1 digits=$2
  shift 2
  printf '%s\n' "$@" | sed 's/=\([^=]*\)$/ \1/' > "$out.want"
  awk -v title="$title" -v want="$digits" '
    NR == FNR { have[$1] = $2; next }
    { n++
      if (!($1 in have)) { printf "FAIL %s: no value of %s\n", title, $1; bad = 1; next }
      d = have[$1] - $2; if (d < 0) d = -d
      s = $2 < 0 ? -$2 : $2; if (s == 0) s = 1
      if (d / s > worst) { worst = d / s; name = $1 } }
    END {
      g = worst > 0 ? -log(worst) / log(10) : 17
      ok = !bad && g >= want
      printf "%s %s: %.1f digits (%s), wanted %s\n", ok ? "ok  " : "FAIL", title, g, name, want
      exit !ok }' "$out" "$out.want" || failed=$((failed + 1))
  rm -f "$out.want"
}

hires="pr=0.0007371312573325668 pfr=0.0001442485726316185 prx=5.888729740967575e-05 pfrx=0.001175651343283149 prx2=0.002386356198831331 pfrx2=0.006238968252742796 pfrx2e=0.002849998395185769 enz=0.002850001604814231"
akzo="c1=0.1150794920661702 c2=0.001203831471567715 c3=0.1611562887407974 c4=0.0003656156421249283 c5=0.01708010885264404 c6=0.004873531310307455"
amplifier="e[1]=-0.005562145012262709 e[2]=3.006522471903042 e[3]=2.849958788608128 e[4]=2.926422536206241 e[5]=2.704617865010554 e[6]=2.761837778393145 e[7]=4.770927631616772 e[8]=1.236995868091548"
pendulum="x=0.8190646817017471 y=-0.5737011828372116 vx=-2.2787717867191239 vy=-3.2533687292018673 lam=23.665813464708363"
andrews="be=15.810771195153707 th=-15.756371058411839 ga=0.0408222401196458 ph=-0.5347301163420796 de=0.524409965879954 om=0.5347301163420796 ep=1.048080741041938 vbe=1139.9203022591062 vga=11.03291191061848 la[1]=199.1753481040526 la[6]=11.617392353285707"

echo "fixed steps, Radau IIA of order 5"
run Hires --method radau5 --stop 321.8122 --step 0.03218122
expect HIRES 5 $hires
run AkzoNobel --method radau5 --stop 180 --step 0.18
expect "Chemical Akzo Nobel" 5 $akzo
run TransistorAmplifier --method radau5 --stop 0.2 --step 1e-4
expect "transistor amplifier" 5 $amplifier
# sums of charges are states: solved by bisection at the same voltage
run ChargePump --method radau3 --stop 1.165e-6 --step 0.5e-9
expect "charge pump" 12 u2=8.69370312663741 u3=34.7748125065497 qg=2.82559607495262e-11 qs=-1.39099250026199e-11
run Pendulum --method radau5 --stop 2.3 --step 0.0023
expect "Cartesian pendulum" 5 $pendulum
run Andrews --method radau5 --stop 0.03 --step 3e-5
expect "Andrews' mechanism" 5 $andrews
run RobertsonOde --method radau5 --stop 40 --step 0.01
expect "Robertson to 40" 5 a=0.7158270687193940 b=9.185534764557e-06 c=0.2841637457458399

echo "IDA over the whole span"
run Hires --method ida --tolerance 1e-9 --atol 1e-13 --stop 321.8122 --step 32.18122
expect HIRES 6 $hires
run AkzoNobel --method ida --tolerance 1e-9 --atol 1e-12 --stop 180 --step 18
expect "Chemical Akzo Nobel" 6 $akzo
run TransistorAmplifier --method ida --tolerance 1e-11 --atol 1e-13 --stop 0.2 --step 0.02
expect "transistor amplifier" 6 $amplifier
run Pendulum --method ida --tolerance 1e-10 --atol 1e-12 --stop 2.3 --step 0.023
expect "Cartesian pendulum" 6 $pendulum
run Andrews --method ida --tolerance 1e-11 --atol 1e-12 --stop 0.03 --step 3e-4
expect "Andrews' mechanism" 6 $andrews
run RobertsonOde --method ida --tolerance 1e-10 --atol 1e-15 --stop 1e11 --step 1e10
expect "Robertson to 1e11" 6 a=2.083340149701255e-08 b=8.333360770334713e-14 c=0.999999979166505
run VanDerPol --method ida --tolerance 1e-10 --atol 1e-13 --stop 2000 --step 200
expect "van der Pol to 2000" 6 x=1.706167732170469 v=-0.0008928097010248125
run VanDerPol --method ida --tolerance 1e-11 --atol 1e-14 --stop 1 --step 1
van=$(sed -n 's/^\([xv]\) \(.*\)/\1=\2/p' "$out")
run VanDerPol --method radau5 --stop 1 --step 1e-4
expect "van der Pol to 1, Radau against IDA" 5 $van

echo "BDF of orders 1 to 5, tolerance 1e-8"
# bdf MODEL STOP: a run without points of output; every order is used
bdf() {
  run "$1" --method bdf --tolerance 1e-8 --stop "$2" --step "$2"
  "$TAKT" sim "$gallery/$1.mo" --method bdf --tolerance 1e-8 --stop "$2" --step "$2" 2>/dev/null |
    grep -Eq 'order 1: [1-9][0-9]*, 2: [1-9][0-9]*, 3: [1-9][0-9]*, 4: [1-9][0-9]*, 5: [1-9]' ||
    { echo "FAIL $1: an order is not used"; failed=$((failed + 1)); }
}
bdf Hires 321.8122
expect HIRES 6 $hires
bdf AkzoNobel 180
expect "Chemical Akzo Nobel" 6 $akzo
bdf TransistorAmplifier 0.2
expect "transistor amplifier" 6 $amplifier
bdf Andrews 0.03
expect "Andrews' mechanism" 6 $andrews
bdf Pendulum 2.3
expect "Cartesian pendulum, states change" 6 $pendulum

echo "values of single methods"
run PendulumEnergy --method fe --step 0.01 --stop 10
expect "energy, forward Euler" 4 Ef=37.30652485678873
run PendulumEnergy --method be --step 0.01 --stop 10
expect "energy, backward Euler" 4 Ef=-17.299079581040907
run PendulumEnergy --method bi2 --step 0.01 --stop 10
expect "energy, BI2" 4 Ef=-0.0023643077561068537
run HeatDiffusion --method be --step 0.1 --stop 10
expect "heat, backward Euler" 6 "x[1]=0.3672317163502863" "x[10]=0.2980368796245622" "x[40]=-0.2991831087462495" "x[50]=-0.36975584045958565"
run HeatDiffusion --method radau3 --step 0.1 --stop 10
expect "heat, Radau IIA(3)" 6 "x[1]=0.3671535099910935" "x[10]=0.29762072460356337" "x[40]=-0.29762077131830733" "x[50]=-0.3678795021997818"
run RlcIndex0 --method be --step 0.01 --stop 2
expect "circuit of index 0, backward Euler" 12 uC=0.5670224055189275 iL=2.8413630448759304 i0=3.0125005555293076
run RlcIndex1 --method be --step 0.01 --stop 2
expect "circuit of index 1, backward Euler" 12 i1=0.22732435670642043 iL=2.8413630448759304 i0=3.0686874015823506
run RlcIndex2 --method be --step 0.01 --stop 2 --direct
expect "circuit of index 2, inlined directly" 12 iL=0.46197755735482554 i1=0.45904601977803167 iC=-0.041159345155434846 i0=0.4178866746225968
run RlcIndex0 --method radau5 --step 0.01 --stop 2
expect "circuit of index 0, exact" 10 uC=0.5673708916470644 iL=2.8322936730942847
run RlcIndex1 --method radau5 --step 0.01 --stop 2
expect "circuit of index 1, exact" 10 iL=2.8322936730942847 i1=0.22732435670642043
run RlcIndex2 --method radau5 --step 0.01 --stop 2
expect "circuit of index 2, exact" 10 iL=0.462726107925053 i1=0.4594951501201681 uC=0.9092974268256817 iC=-0.04161468365471424

[ $failed -eq 0 ] || { echo "$failed references are missed"; exit 1; }
