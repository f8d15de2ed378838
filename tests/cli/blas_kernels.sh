#!/usr/bin/env bash
# One plan on every machine: OpenBLAS takes another kernel on another processor,
# with another order of summation. Under each one that runs here `takt tune`
# writes the same bytes (in a release build), and the tests of tuning pass (where
# they were built). A kernel that this processor lacks instructions for is said
# to be skipped. With TAKT_LONG=1 there are two kernels more, and three models, the robot
# among them.
# cost: 28
. "${TAKT_SOURCE:?}/tests/support/cli.sh" || exit 4
cd "$work" || exit 4
gallery=$TAKT_SOURCE/models/gallery

# has FLAG...: does the processor have them all?
has() {
    local flag
    for flag in "$@"; do
        grep -m 1 '^flags' /proc/cpuinfo 2>/dev/null | grep -qw "$flag" || return 1
    done
}

# needs KERNEL: instructions beyond SSE2 that it uses
needs() {
    case $1 in
    SkylakeX) echo avx512f avx512dq avx512bw avx512vl ;;
    Haswell | Zen) echo avx2 fma ;;
    Nehalem) echo sse4_2 ;;
    *) echo pni ;;
    esac
}

# A kernel counts if the library says that it took it; without OpenBLAS none
# does, and the plans are compared with one and with two threads alone.
kernels=
some="Haswell SkylakeX Prescott"
[ -z "${TAKT_LONG:-}" ] || some="$some Zen Nehalem"
for kernel in $some; do
    # shellcheck disable=SC2046
    if ! has $(needs "$kernel"); then
        echo "skipped: $kernel, which this processor cannot run"
    elif OPENBLAS_VERBOSE=2 OPENBLAS_CORETYPE=$kernel "$TAKT" linearize "$gallery/ExhaustPipe.mo" 2>&1 |
        grep -q "Core: $kernel"; then # its eigenvalues are LAPACK's, which is loaded then
        kernels="$kernels $kernel"
    else
        echo "skipped: $kernel, which this BLAS does not have"
    fi
done

# plan NAME ARG...: NAME.json and NAME.txt, without the seconds it took
plan() {
    local name=$1
    shift
    "$TAKT" tune "$@" --deviation 100 --attack 4 --json -o "$name.json" >"$name.txt" 2>"$name.err" </dev/null
    [ $? -le 1 ] && [ -s "$name.json" ] || fail "tune $* ($name)"
    checks=$((checks + 1))
}

models="pipe motor heat amplifier"
[ -n "${TAKT_LONG:-}" ] && models="$models spring car robot"

# all SUFFIX: the plans of the models
all() {
    plan "pipe.$1" "$gallery/ExhaustPipe.mo" --only sparsing --rho 0.1 --rho 1
    plan "motor.$1" "$gallery/MotorDrive.mo" --step 0.1ms
    plan "heat.$1" "$gallery/HeatWall.mo" --only sparsing --rho 0.5
    plan "amplifier.$1" "$gallery/CommonEmitter.mo" --only sparsing --rho 0.1
    if [ -n "${TAKT_LONG:-}" ]; then
        plan "spring.$1" "$gallery/SpringPendulum.mo"
        plan "car.$1" "$gallery/QuarterCar.mo" --algebraic keep
        plan "robot.$1" "$gallery/SixAxisRobot.mo" --algebraic keep --step 1ms --only sparsing --rho 0.1
    fi
}

# same SUFFIX WHAT
same() {
    local model
    for model in $models; do
        for kind in json txt; do
            cmp "$model.first.$kind" "$model.$1.$kind" || fail "$model: another $kind under $2"
        done
    done
}

if ! sanitized; then
    OPENBLAS_NUM_THREADS=1 all first
    OPENBLAS_NUM_THREADS=2 all threads
    same threads 'two threads'
    grep -q '[1-9][0-9]\{8\}' pipe.first.json && fail "evidence with more digits than mean something"
    for kernel in $kernels; do
        export OPENBLAS_CORETYPE=$kernel
        all "$kernel"
        same "$kernel" "$kernel"
    done
    unset OPENBLAS_CORETYPE
fi

# under KERNEL TEST
under() {
    checks=$((checks + 1))
    (cd "$TAKT_SOURCE/tests" && OPENBLAS_CORETYPE=$1 "$2") >"$work/log" 2>&1 ||
        { fail "$(basename "$2") under $1"; tail -20 "$work/log"; }
}

# The tests of tuning: those of units under each kernel, those of random input, which are
# long, under one each (under all with TAKT_LONG=1).
tests=$(ls "$TAKT_BUILD"/tests/tests/unit-tune-* 2>/dev/null)
random=$(ls "$TAKT_BUILD"/tests/tests/prop-tune-{assign,drift,criterion,step} 2>/dev/null)
turn=0
read -r -a each <<<"$kernels"
for test in $random; do
    [ "${#each[@]}" -gt 0 ] || break
    [ -z "${TAKT_LONG:-}" ] || { tests="$tests $random"; break; }
    under "${each[turn % ${#each[@]}]}" "$test"
    turn=$((turn + 1))
done
for test in $tests; do
    for kernel in $kernels; do under "$kernel" "$test"; done
done
echo "kernels:${kernels:- none}; $(echo $tests | wc -w) tests under each"
finish
