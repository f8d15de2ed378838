#!/usr/bin/env bash
# Generated C and takt sim --static to the last bit over 1,000 steps: every
# model of the gallery with methods of all kinds. The steps are compared, from the
# same initial values; cli/build_init.sh looks at those. Every model has one
# of the methods, the next one another (all of them with TAKT_LONG=1).
# build: release
# cost: 33
. "$TAKT_SOURCE/tests/support/cli.sh"
. "$TAKT_SOURCE/tests/support/same.sh"
cd "$TAKT_SOURCE" || exit 4

# agree MODEL METHOD OPTION...: where one of them fails, both must
agree() {
    local model=$1 method=$2 name step=1ms stop=1 out=$work/model
    shift 2
    name=$(basename "$model" .mo)
    case $name in
    Andrews) step=10us stop=0.01 ;; # its motion takes 0.03 s
    CommonEmitter | Rectifier) step=10us stop=0.01 ;;
    SixAxisRobot) [ "$method" = lie ] || return ;;
    esac
    run_takt sim "$model" --static --estimate off --defect off --method "$method" --step $step \
        --stop $stop --quiet --every 1000 -o "$work/sim.csv" "$@"
    local sim=$code
    run_takt build "$model" --method "$method" --step $step --stop $stop \
        --all --init values --quiet --name model -o "$out" "$@"
    if [ "$code" != 0 ]; then # no fixed pivots: said by both
        [ "$sim" != 0 ] ||
            { fail "build $name ($method): $code"; head -3 "$work/err"; }
        return
    fi
    "$TAKT_CC" -std=c99 -O0 -ffp-contract=off "-I$out" "$out/model.c" \
        "$out/example/main.c" -lm -o "$work/run" ||
        { fail "$name ($method): compiler"; return; }
    if "$work/run" 1000 >"$work/values"; then
        [ "$sim" = 0 ] || { fail "$name ($method): only sim failed"; return; }
    else
        [ "$sim" != 0 ] || { fail "$name ($method): $(tail -1 "$work/values")"; }
        return
    fi
    same "$work/values" "$work/sim.csv" >"$work/diff" ||
        { fail "$name ($method) differs:"; head -3 "$work/diff"; return; }
    count=$((count + 1))
}

every=8
[ -z "${TAKT_LONG:-}" ] || every=1
turn=0

# least number of models that run with it
for row in "be 30 --newton 3" "bdf2 30 --newton 3" "radau3 30" "trapezoid 25" \
    "liex2 30" "rk4 15" "ros2 30" "rodas3 30"; do
    read -r method least options <<<"$row"
    count=0
    turn=$((turn + 1))
    number=$turn
    for model in models/gallery/*.mo; do
        number=$((number + 1))
        [ $((number % every)) = 0 ] || continue
        # shellcheck disable=SC2086
        agree "$model" "$method" $options
    done
    echo "$method: $count models"
    [ "$count" -ge $((least / every - 2 * (every > 1))) ] || fail "$method: only $count models agree"
done

# a pendulum that swings through: its states change on the way
for row in "lie" "rodas3" "be --newton 3" "radau3 --newton 3 --factor qr"; do
    run_takt sim models/gallery/Pendulum.mo --static --estimate off --defect off --method $row \
        --step 5ms --stop 5 --every 1000 -o "$work/sim.csv"
    grep -q "other states were chosen [0-9]* times" "$work/out" ||
        fail "Pendulum ($row): the states never changed"
    run_takt build models/gallery/Pendulum.mo --method $row --step 5ms \
        --stop 5 --all --quiet --name model -o "$work/model"
    "$TAKT_CC" -std=c99 -O0 -ffp-contract=off "-I$work/model" \
        "$work/model/model.c" "$work/model/example/main.c" -lm -o "$work/run" &&
        "$work/run" 1000 >"$work/values" &&
        same "$work/values" "$work/sim.csv" >"$work/diff" ||
        { fail "Pendulum ($row) differs:"; head -3 "$work/diff"; }
done
finish
