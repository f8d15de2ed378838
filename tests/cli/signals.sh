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
# a folder in which C is compiled
cat >slow-cc <<'M'
#!/bin/sh
touch "$TMPDIR/begun"
exec sleep 20
M
chmod +x slow-cc
mkdir temp
for signal in TERM INT; do
    checks=$((checks + 1))
    rm -rf temp/*
    TMPDIR=$PWD/temp CC=$PWD/slow-cc env --default-signal=INT "$TAKT" build "$TAKT_SOURCE/models/gallery/MotorDrive.mo" \
        --step 1ms --target exe -o here/motor >out 2>err &
    pid=$!
    for _ in $(seq 200); do
        [ -e temp/begun ] && break
        sleep 0.05
    done
    [ -e temp/begun ] || fail "nothing was compiled: $(head -3 err)"
    [ -n "$(find temp -name 'takt-*')" ] || fail "there is no folder to be removed"
    kill -$signal $pid
    wait $pid
    code=$?
    [ $code -gt 128 ] || fail "$signal while a compiler runs: exit $code, $(head -3 err)"
    [ -z "$(find temp -name 'takt-*')" ] || fail "$signal leaves $(find temp)"
done

# too few addresses: an end, not a wait for memory that never comes
for limit in 90000 150000; do
    checks=$((checks + 1))
    code=$(ulimit -v $limit && timeout -s KILL 20 "$TAKT" sim Long.mo --stop 1 -o - >/dev/null 2>err; echo $?)
    case $code in
    0) ;; # a BLAS that asks for less
    4) grep -q 'ulimit -v' err || fail "limit $limit: $(head -3 err)" ;;
    *) fail "limit $limit: exit $code, $(head -3 err)" ;;
    esac
done
finish
