#!/usr/bin/env bash
# peers.sh NAME MODEL STEP SAMPLES METHODS [OPTION...] - one model by takt and by
# others (bench/peers.c): lines "NAME METHOD ERROR NANOSECONDS INSTRUCTIONS", the
# last "-" where they were not counted. METHODS are takt's, e.g. "lie ros2".
set -eu
name=$1 model=$2 step=$3 samples=$4 methods=$5
shift 5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LD_BIND_NOW=1 TAKT_OPTIONS="$*"
cc=${CC:-cc} lib=${BUILD:-build}/src
flags="-O2 -ffp-contract=off -fno-math-errno"
counted="lie takt_rt lie+klu lie+lapack cvode-restarted-1e-3 ida-restarted-1e-3
    cvode-1e-3 ida-1e-3"
# shellcheck disable=SC2086
bench/glue.sh "$model" "$step" "$work" $methods
objects=
for source in rhs glue $methods; do
    # shellcheck disable=SC2086
    $cc -std=c99 $flags "-I$work" -Ibench -c "$work/$source.c" -o "$work/$source.o"
    objects="$objects $work/$source.o"
done
# shellcheck disable=SC2086
$cc $flags -Wall -Wextra -Ibench -Iinclude -I/usr/include/suitesparse "-I$work" \
    bench/peers.c $objects "$lib/crhs/libtakt_crhs.a" \
    "$lib/num/libtakt_num.a" "$lib/graph/libtakt_graph.a" \
    "$lib/base/libtakt_base.a" -lsundials_cvode -lsundials_ida \
    -lsundials_nvecserial -lsundials_sunlinsolklu -lsundials_sunlinsoldense \
    -lsundials_sunmatrixsparse -lsundials_sunmatrixdense -lklu -lbtf -lamd \
    -lcolamd -lcxsparse -lsuitesparseconfig -llapacke -llapack -lblas -lm \
    -o "$work/peers"
"$work/peers" "$samples" "$work/sizes" "${BENCH_SECONDS:-8}" >"$work/out"

# instructions METHOD: mean over the samples; over the first of them where a
# sample takes millions
instructions() {
    local n=$samples
    case $1 in *restarted* | *lapack) n=$(($2 > 60 ? 20 : 100)) ;; esac
    valgrind --tool=callgrind --callgrind-out-file="$work/cg" \
        --toggle-collect=measured "$work/peers" $n "$work/sizes" count "$1" \
        >/dev/null 2>&1 || { echo -; return; }
    sed -n 's/^totals: //p' "$work/cg" | tail -1 |
        awk -v n=$n '{ printf "%.0f\n", $1 / n }'
}

while read -r method error ns; do
    case $method in
    states) states=$error; echo "$name states $error $ns"; continue ;;
    esac
    ir=-
    case " $(echo $counted) $methods " in
    *" $method "*) ir=$(instructions "$method" "$states") ;;
    esac
    echo "$name $method $error $ns $ir"
done <"$work/out"
