#!/usr/bin/env bash
# takt sim --compare: what is inside, outside and missing, as text and as JSON.
# build: sanitizers
. "$TAKT_SOURCE/tests/support/cli.sh"
cd "$work" || exit 4

# A variable for each of seven slopes: x[k] = k t, so errors are known.
cat >Lines.mo <<'M'
model Lines
  parameter Real bend = 0;
  Real x[7](each start = 0, each fixed = true);
equation
  for k in 1:7 loop
    der(x[k]) = if k == 3 then k + bend else k;
  end for;
end Lines;
M
run="sim Lines.mo --method fe --step 0.1 --stop 1"
expect 0 "" $run -o reference.csv
expect 0 "14 of 14 signals inside the tube of 0.002, 0 missing" $run --compare reference.csv
expect 0 "inside   9 more, nearer than these" $run --compare reference.csv
"$TAKT" $run --compare reference.csv >out.txt 2>/dev/null
names=$(sed -n 's/^  inside   \(.*\): largest.*/\1/p' out.txt | sort -u | wc -l)
[ "$names" = 5 ] || fail "$names signals are shown, not 5 different ones"
expect 0 "^compared with" $run --compare reference.csv --quiet

# x[3] = 3.03 t is off by 0.01 of its range at the end; 0.03 t is more than 0.006 up
# and 0.002 * 3 by a shift in time from t = 0.4 on
expect 1 "OUTSIDE  x\[3\]: largest error 0.01 of its range, first outside at 0.5" $run --compare reference.csv --set bend=0.03
expect 1 "12 of 14 signals inside" $run --compare reference.csv --set bend=0.03
expect 0 "14 of 14 signals inside" $run --compare reference.csv --set bend=0.03 --tube 0.02

sed '1s/$/,gone/; 2,$s/$/,0/' reference.csv >more.csv
expect 0 "missing  gone" $run --compare more.csv
expect 0 "inside the tube of 0.002, 1 missing" $run --compare more.csv
printf '"time","gone"\n0,1\n' >other.csv
expect 1 "nothing is compared: 0 of 1 signals of other.csv are variables" $run --compare other.csv
sed '1s/time/when/' reference.csv >timeless.csv
expect 1 "has no column 'time'" $run --compare timeless.csv
expect 1 "E13" $run --compare nowhere.csv

# nothing but JSON on standard output, whatever is missing
"$TAKT" $run --compare more.csv --json >out.json 2>/dev/null
case "$(head -c 1 out.json)" in '{') ;; *) fail "--json printed more than JSON" ;; esac
for row in '"inside": *14' '"outside": *0' '"missing": *1' '"gone": *null'; do
    tr '\t' ' ' <out.json | grep -q "$row" || fail "no $row in --json"
done
finish
