#!/usr/bin/env bash
# Generated C compiles without warnings, needs nothing, and computes what takt
# sim --static computes, to the last bit, over 1,000 steps.
# build: release
# cost: 105
. "$TAKT_SOURCE/tests/support/cli.sh"
. "$TAKT_SOURCE/tests/support/same.sh"
cd "$TAKT_SOURCE" || exit 4
strict="-std=c99 -Wall -Wextra -Wconversion -pedantic -Werror"
models=0

# agree MODEL STEP STOP METHOD: STOP is 1,000 steps. The compiler's flow analysis, which
# some warnings need, looks at every third (all with TAKT_LONG=1).
turn=0
agree() {
    local name out effort=-O0
    turn=$((turn + 1))
    [ $((turn % 3)) != 0 ] && [ -z "${TAKT_LONG:-}" ] || effort=-O1
    name=$(basename "$1" .mo)
    out=$work/$name
    run_takt build "$1" --method "$4" --step "$2" --stop "$3" --all --quiet \
        --name model -o "$out"
    [ "$code" = 0 ] || { fail "build $name: $code"; head -3 "$work/err"; return; }
    $TAKT_CC $strict $effort -ffp-contract=off -c "$out/model.c" -o "$out/model.o" \
        2>"$work/cc" || { fail "$name: compiler"; head -5 "$work/cc"; return; }
    $TAKT_CC -O1 "-I$out" "$out/example/main.c" "$out/model.o" -lm \
        -o "$out/run" || { fail "$name: example"; return; }
    if nm -u "$out/model.o" |
        grep -E 'alloc|free|printf|puts|write|fopen|abort|exit'; then
        fail "$name: calls more than mathematics"
    fi
    run_takt sim "$1" --static --estimate off --defect off --method "$4" --step "$2" --stop "$3" --quiet \
        --every 1000 -o "$work/sim.csv"
    "$out/run" 1000 >"$work/values" || fail "$name: the example failed"
    same "$work/values" "$work/sim.csv" >"$work/diff" ||
        { fail "$name ($4) differs:"; head -3 "$work/diff"; return; }
    models=$((models + 1))
}

for model in models/gallery/*.mo; do
    case $model in
    */Andrews.mo) agree "$model" 10us 0.01 lie ;; # its motion takes 0.03 s
    *) agree "$model" 1ms 1 lie ;;
    esac
done
[ "$models" -ge 30 ] || fail "only $models models agree"
# methods with several iterations, stages and a history
for method in be radau3 bdf2; do
    agree models/gallery/VanDerPol.mo 1ms 1 "$method"
    agree models/gallery/BouncingMass.mo 1ms 1 "$method"
done
# corrections of iterations, and of small systems solved on paper, are read
# after them
agree models/gallery/ExhaustPipe.mo 1ms 1 liex5
agree models/gallery/Pendulum.mo 1ms 1 liex6
agree models/gallery/VanDerPol.mo 1ms 1 liex5

# combinations of options (all with TAKT_LONG=1): each compiles with both
# compilers, calls nothing but
# mathematics, and runs without undefined behaviour
combination() {
    local out=$work/options
    run_takt build models/gallery/TransistorAmplifier.mo --step 10us --stop 10ms --quiet \
        --name model -o "$out" "$@"
    [ "$code" = 0 ] || { fail "build $*: $code"; head -3 "$work/err"; return; }
    for cc in "$TAKT_CC -O1" clang; do
        command -v ${cc% *} >/dev/null || continue
        $few && [ "$cc" = clang ] && continue
        $cc $strict -c "$out/model.c" -o "$work/options.o" 2>"$work/cc" ||
            { fail "$cc $*"; head -5 "$work/cc"; continue; }
        ! nm -u "$work/options.o" |
            grep -E 'alloc|free|printf|puts|write|fopen|abort|exit' ||
            fail "$cc $*: calls more than mathematics"
    done
    ! $few || [ "${!#}" = lie ] || return
    "$TAKT_CC" -fsanitize=undefined -fno-sanitize-recover=all \
        "-I$out" "$out/model.c" "$out/example/main.c" -lm -o "$work/options.run" ||
        fail "$*: undefined behaviour sanitizer"
    "$work/options.run" 100 >"$work/values" 2>&1 ||
        { fail "$*: the example"; head -5 "$work/values"; }
}
for scalar in double float; do
    for math in libm takt; do
        # the functions do not depend on the stages: one method will do
        few=true
        [ $math$scalar != libmdouble ] && [ -z "${TAKT_LONG:-}" ] || few=false
        for factor in unroll table qr dense; do
            methods="lie radau3 ros2"
            case $few$factor in true* | *table | *dense) methods=lie ;; esac
            for method in $methods; do
                combination --scalar $scalar --math $math --factor $factor \
                    --method $method
            done
        done
        # torn by cost, three iterations of be do not converge in step 99
        combination --scalar $scalar --math $math --method be --algebraic keep
        methods="bdf2 rk4 trapezoid liex2 rodas4"
        $few && methods=rodas4
        for method in $methods; do
            combination --scalar $scalar --math $math --method $method
        done
        combination --scalar $scalar --math $math --init values
    done
done

# A conditional jump in a step belongs to a loop with a constant count: an
# integer was counted or compared before it, or tested for a jump back. A jump
# forward after a test is that of a loop whose count in a table can be 0: no
# number may have become a flag shortly before. Numbers are never compared for a
# jump (comisd); calls stay within the object.
branch_free() {
    local name=$1
    shift
    expect 0 . build "models/gallery/$name.mo" --math takt --name model \
        --step 1ms -o "$work/free" "$@"
    "$TAKT_CC" -O2 -c "$work/free/model.c" -o "$work/free.o" || fail "$name: cc"
    objdump -d --no-show-raw-insn "$work/free.o" | awk '
        /^[0-9a-f]+ <.*_step[0-9]*(_(part|sum).*)?>:/ { on = 1; seen = 1 } /^$/ { on = 0 }
        /^[0-9a-f]+ <takt_.*>:/ && !/takt_newton/ { on = 1 }
        on && $2 ~ /^call/ && !/takt_|_(part|sum)[0-9]/ { print "call: " $0; bad = 1 }
        $2 ~ /^(u?comis|cmp[a-z]*[sp][sd]$|set|movmsk)/ { flag = NR }
        $2 ~ /^mov[dq]$/ && $3 ~ /^%xmm[0-9]*,%[er]/ { flag = NR }
        on && $2 ~ /^j/ && $2 !~ /^jmp/ {
            here = substr($1, 1, length($1) - 1)
            back = length($3) < length(here) || $3 < here
            if (last !~ /^(cmp|sub|add|dec)/ &&
                !(last == "test" && (back || (tables && NR - flag > 10)))) {
                print; bad = 1 } }
        # the last instruction that sets flags: moves and arithmetic do not
        $2 !~ /^(mov|lea|nop|cs$|data16|cvt|sqrt|unpck|shuf|p[a-z])/ &&
            $2 !~ /(add|sub|mul|div|min|max|and|andn|or|xor)[sp][sd]$/ {
            last = $2 }
        END { exit bad || !seen }' tables="$(grep -c "takt_qr" "$work/free/model.c")" \
        - >"$work/jumps" ||
        { fail "$name $*: the step has other jumps:"; head -5 "$work/jumps"; }
}
case $(uname -m) in
x86_64)
    for name in HeatDiffusion DiodeLadder Pendulum TransistorAmplifier \
        BouncingMass FourBar SixAxisRobot; do
        branch_free "$name"
        case $name in FourBar | SixAxisRobot) ;; *) branch_free "$name" --scalar float ;; esac
    done
    for name in HeatDiffusion Pendulum TransistorAmplifier; do
        branch_free "$name" --method rodas3
    done
    for name in HeatDiffusion Pendulum TransistorAmplifier; do
        branch_free "$name" --method ros2 --factor table
    done
    for kind in table qr dense; do
        branch_free TransistorAmplifier --factor $kind
        branch_free TransistorAmplifier --factor $kind --scalar float
    done
    branch_free Pendulum --factor qr ;;
esac

# the same input gives the same bytes
expect 0 . build models/gallery/Rectifier.mo -o "$work/a"
expect 0 . build models/gallery/Rectifier.mo -o "$work/b"
cmp "$work/a/Rectifier.c" "$work/b/Rectifier.c" || fail "not reproducible"

# the cost of a step, and the certificate beside the C
expect 0 '"stack_bytes"' cost models/gallery/HeatDiffusion.mo --json
for key in add mul div call load store code_bytes data_bytes; do
    grep -q "\"$key\":" "$work/out" || fail "cost --json has no $key"
done
[ -s "$work/a/Rectifier.cost.json" ] || fail "no certificate"

# messages
expect 2 "exactly one MODEL" build -o "$work/x"
expect 2 "PATH is needed" build models/gallery/Rectifier.mo
expect 2 "scalar takes" build models/gallery/Rectifier.mo -o "$work/x" \
    --scalar half
expect 1 E1404 build models/gallery/Rectifier.mo -o "$work/x" --output nope
expect 1 E1405 build models/gallery/Rectifier.mo -o "$work/no/such"
finish
