#!/usr/bin/env bash
# A program that is told to end leaves no temporary file: a run keeps its rows, all else is
# as if it had not begun.
# build: release
# cost: 6
. "$TAKT_SOURCE/tests/support/cli.sh"
cd "$work" || exit 4
mkdir here

cat >Long.mo <<'M'
model Long
  Real x[20](each start = 1, each fixed = true);
equation
  for i in 1:20 loop
    der(x[i]) = -x[i]*sin(time*i);
  end for;
  annotation(experiment(StopTime = 100000, Interval = 0.001));
end Long;
M

# wait_for FILE: a temporary one of it has something in it
wait_for() {
    for _ in $(seq 200); do
        [ -z "$(find here -name "$1.*" -size +0)" ] || return 0
        sleep 0.05
    done
    fail "$1 was not begun"
}

for signal in TERM INT HUP; do
    checks=$((checks + 1))
    case $signal in TERM) number=15 ;; INT) number=2 ;; HUP) number=1 ;; esac
    # a shell without job control lets children ignore SIGINT
    env --default-signal=INT "$TAKT" sim Long.mo --method be --step 1ms -o here/run.csv >out 2>err &
    pid=$!
    wait_for run.csv
    kill -$signal $pid
    wait $pid
    code=$?
    [ $code = $((128 + number)) ] || fail "$signal: exit $code"
    grep -q "ended by signal $number" err || fail "$signal: $(head -3 err)"
    [ "$(find here | wc -l)" = 2 ] || fail "$signal leaves $(ls here)"
    tail -n +2 here/run.csv | awk -F, 'NF != 41 && NF != 21 { exit 1 }' || fail "$signal: rows are not whole"
    rm -f here/*
done
finish
