#!/usr/bin/env bash
# run.sh [FILE] - what steps cost and how good they are; writes docs/performance.md.
#
#   make bench                    everything, some minutes
#   BENCH_MODELS="heat50 robot78" make bench
#                                 these models only (then FILE is not written)
#
# Instructions are counted by callgrind and do not depend on the machine's load.
# Times are sums of the shortest of several interleaved rounds. The models are
# those of bench/models/list.
set -eu
cd "$(dirname "$0")/.."
export LD_BIND_NOW=1 # no symbol is looked up while we count
export TAKT=${TAKT:-build/takt}
out=${1:-docs/performance.md}
steps=${BENCH_STEPS:-100}
only=${BENCH_MODELS:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v valgrind >/dev/null || { echo "bench: valgrind is needed" >&2; exit 77; }

say() { echo "bench: $* ($(date +%T))" >&2; }

wanted() { case " ${only:-$1} " in *" $1 "*) return 0 ;; esac; return 1; }

# models: the lines of the list that are wanted
models() {
    grep -v '^#' bench/models/list | while read -r name rest; do
        ! wanted "$name" || echo "$name $rest"
    done
}

# counted FUNCTION PROGRAM ARG...: instructions inside FUNCTION
counted() {
    local function=$1
    shift
    valgrind --tool=callgrind --toggle-collect="$function*" \
        --callgrind-out-file="$work/cg" "$@" >/dev/null 2>&1
    sed -n 's/^totals: //p' "$work/cg" | tail -1
}

ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }

factor_rows() {
    for how in solve keep-small keep; do
        build/bench/bench_driver models/gallery/SixAxisRobot.mo 1e-3 1.8 $how \
            >"$work/robot-$how" 2>/dev/null
    done
    build/bench/bench_driver bench/models/Ladder100.mo 1e-4 0.1 solve >"$work/ladder"
    for matrix in pipe heat heat2d "$work/ladder" "$work"/robot-{solve,keep-small,keep}; do
        name=$(basename "$matrix")
        read -r n nnz _ flops < <(build/bench/bench_num "$matrix" count)
        klu=$(counted measured_klu build/bench/bench_num "$matrix" klu)
        table=$(counted measured_table build/bench/bench_num "$matrix" table)
        qr=$(counted measured_qr build/bench/bench_num "$matrix" qr)
        line=-
        if [ "$flops" -le 10000 ]; then # compilers need minutes beyond
            build/bench/bench_num "$matrix" emit >"$work/$name.c"
            cc -O2 -ffp-contract=off -DMAIN "$work/$name.c" -o "$work/$name.exe"
            unrolled=$(counted solve "$work/$name.exe")
            line="$unrolled ($(ratio "$unrolled" "$klu"))"
        fi
        echo "| $name | $n / $nnz | $flops | $klu | $line | $table ($(ratio "$table" "$klu")) | $qr ($(ratio "$qr" "$klu")) |"
    done
}

# Error of a step function: lie against backward Euler iterated to convergence.
error_of() { # MODEL STEP STOP OPTION...
    local model=$1 step=$2 stop=$3
    shift 3
    "$TAKT" sim "$model" "$@" --method be --step "$step" --stop "$stop" --quiet -o "$work/be.csv" &&
        "$TAKT" sim "$model" "$@" --method lie --static --step "$step" --stop "$stop" \
            --compare "$work/be.csv" --tube 1 2>/dev/null |
        sed -n 's/.*largest error \([^ ]*\) of its range.*/\1/p' |
        sort -g | tail -1
}

step_rows() {
    models | while read -r name model step stop options; do
        say "step of $name"
        # shellcheck disable=SC2086
        read -r _ _ mean _ < <(timeout 250 bench/count_steps.sh "$model" "$steps" --step "$step" --stop "$stop" $options) ||
            { echo "| $name | $step | too long to compile | | |"; continue; }
        # shellcheck disable=SC2086
        read -r _ low _ high < <(timeout 250 bench/count_steps.sh "$model" "$steps" --step "$step" --stop "$stop" --math takt $options) || low=- high=-
        # shellcheck disable=SC2086
        echo "| $name | $step | $mean | $low to $high | $(error_of "$model" "$step" "$stop" $options </dev/null) |"
    done
}

# peer_lines: lines of bench/peers.sh for the models that have an ODE
peer_lines() {
    models | while read -r name model step _ options; do
        methods="lie ros2" samples=500
        case $name in
        pipe25) methods="lie liex3 liex4 ros2 rodas3 rodas4" samples=100 ;; # then it rests
        heat50) methods="lie liex2 ros2 rodas3" ;;
        heat500) methods="lie ros2 rodas3" samples=100 ;;
        ladder100) methods="lie liex2 ros2 rodas3" ;;
        robot78) methods="lie liex2 ros2 rodas3" samples=200 ;;
        peer_*) continue ;;
        esac
        say "$name and others"
        # shellcheck disable=SC2086
        timeout 900 bench/peers.sh "$name" "$model" "$step" $samples "$methods" $options </dev/null ||
            say "$name: no comparison"
    done
}

# What a method is called in the tables.
titles='
    function title(m) {
        if (m == "lie") return "**takt**, generated C"
        if (m ~ /\//) { sub(/\//, "`, steps per sample: ", m); return "**takt**, `" m }
        if (m ~ /^(liex|ro)/) return "**takt**, `" m "`"
        if (m == "takt_rt") return "takt_rt.h, table-driven, C right-hand side"
        if (m == "takt_rt-sparsed") return "takt_rt.h, entries below 1/1000 of their row cut"
        if (m == "lie+klu") return "the same step with `klu_refactor`, `klu_solve`"
        return "the same step with LAPACK `dgesv`"
    }
    function label(m) {
        if (m ~ /cvode|ida/) {
            t = m ~ /cvode/ ? "CVODE" : "IDA"
            if (m ~ /dense/) t = t ", dense"
            t = t (m ~ /restarted/ ? ", restarted" : ", not restarted")
            r = m; sub(/^.*-1e/, "1e", r)
            return t ", rtol " r
        }
        return title(m)
    }'

summary() { # of the lines in $work/peers
    awk '
    $2 == "states" { order[++n] = $1; next }
    { name = $1; m = $2; e = $3; t = $4
      if (m == "lie") { lie[name] = t; le[name] = e; li[name] = $5 }
      if (m == "cvode-restarted-1e-3") { cv[name] = t; ce[name] = e; ci[name] = $5 }
      if (m == "ida-restarted-1e-3") { ida[name] = t; ie[name] = e; ii[name] = $5 }
      for (k = 2; k <= 3; k++) if (e <= 10 ^ -k) {
          if (m ~ /^(lie(x|$|\/)|ro)/) { if (!((name, k) in a) || t < a[name, k]) { a[name, k] = t; am[name, k] = m } }
          if (m ~ /restarted/) { if (!((name, k) in b) || t < b[name, k]) { b[name, k] = t; bm[name, k] = m } } } }
    function us(t) { return t == "" ? "-" : sprintf("%.2f", t / 1000) }
    function over(x, y) { return x + 0 == 0 || y + 0 == 0 ? "-" : sprintf("%.0f", x / y) }
    END { for (i = 1; i <= n; i++) { s = order[i]
        printf "| %s | %s (%s) | %s (%s) | **%s**, %s | %s (%s) | **%s**, %s | %s: **%s** | %s: **%s** |\n", s,
            us(lie[s]), le[s], us(cv[s]), ce[s], over(cv[s], lie[s]), over(ci[s], li[s]),
            us(ida[s]), ie[s], over(ida[s], lie[s]), over(ii[s], li[s]),
            am[s, 2] == "" ? "none" : am[s, 2] " against " bm[s, 2], over(b[s, 2], a[s, 2]),
            am[s, 3] == "" ? "none" : am[s, 3] " against " bm[s, 3], over(b[s, 3], a[s, 3]) } }' "$work/peers"
}

details() {
    awk "$titles"'
    $2 == "states" { gsub(/-/, " ", $4)
        printf "\n### %s\n\n%s states, Jacobian: %s.\n\n", $1, $3, $4
        print "| method | error | instructions per sample | microseconds | over takt |"
        print "|---|---|---|---|---|"; base = ""; next }
    { if (base == "") base = $4
      printf "| %s | %s | %s | %.2f | %.1f |\n", label($2), $3, $5, $4 / 1000, $4 / base }' "$work/peers"
}

if [ -n "${BENCH_LINES:-}" ]; then # of bench/peers.sh, from an earlier run
    cp "$BENCH_LINES" "$work/peers"
else
    peer_lines >"$work/peers"
fi
{
    echo "# Performance"
    echo
    echo "Made by \`make bench\` with $(cc --version | head -1), -O2, on one core of a"
    echo "shared machine. Instructions are counted by callgrind and repeat exactly;"
    echo "times are sums of the shortest of interleaved rounds. The models are those"
    echo "of \`bench/models/list\`."
    echo
    echo "## Against integrators that one could use instead"
    echo
    echo "A sample of a real-time simulation, in microseconds; in brackets the error:"
    echo "the largest difference from CVODE at rtol 1e-10 over all samples and"
    echo "states, over the range of the states of the same name. \"Restarted\" is what"
    echo "inputs that change at every sample ask for: the integrator begins anew."
    echo "**Bold** is the time over takt's, then the instructions over takt's (over the"
    echo "first samples, see \`bench/peers.sh\`). The last two columns compare at equal"
    echo "error: the quickest of takt's methods (\`lie/4\`: 4 steps per sample; \`liex3\`:"
    echo "extrapolation; \`ros2\`, \`rodas3\`, \`rodas4\`:"
    echo "[Rosenbrock methods](methods/rosenbrock.md)) whose error is at most 1e-2, or 1e-3, against the quickest"
    echo "of all restarted runs (CVODE and IDA, rtol 1e-2 to 1e-5) that reaches it."
    echo
    echo "CVODE and IDA get the same right-hand side: the C that takt generates,"
    echo "without its status and restoring; a Jacobian by differences over groups of"
    echo "columns, as few evaluations as possible; KLU; and generous absolute"
    echo "tolerances (0.1 rtol times the largest value). Dense matrices, which CVODE"
    echo "takes if nothing is said, are 2 to 7 times slower (below). 500 samples; 200 of"
    echo "robot78, 100 of heat500, and of pipe25, which is nearly at rest after them."
    echo
    echo "| model | takt, one step | CVODE, restarted, 1e-3 | ratio | IDA, restarted, 1e-3 | ratio | error 1e-2 | error 1e-3 |"
    echo "|---|---|---|---|---|---|---|---|"
    summary
    if wanted ladder100; then
        say "ngspice"
        read -r ir points error < <(timeout 200 bench/spice.sh) || true
        echo
        if [ -n "${ir:-}" ]; then
            echo "ngspice on ladder100 (\`bench/spice.sh\`): $ir instructions per accepted time point,"
            echo "$points points for 1,000 samples, error $error at nodes 1, 10 and 50 (reltol 1e-3); one step of takt:"
            echo "$(awk '$1 == "ladder100" && $2 == "lie" { print $5 " instructions, error " $3 }' "$work/peers"), that is $(awk -v i="$ir" '$1 == "ladder100" && $2 == "lie" && $5 > 0 { printf "%.0f", i / $5 }' "$work/peers") times fewer."
        else
            echo "ngspice is not installed here: ladder100 was not compared with it."
        fi
    fi
    echo
    echo "## Steps"
    echo
    echo "Linearly implicit Euler, one Newton iteration, status and restoring"
    echo "included; instructions over $steps steps. With \`--math takt\` the least and"
    echo "the largest count must be equal (\`bench/constant_work.sh\` demands it of 1,000"
    echo "steps, in double and float). The error is the largest difference from"
    echo "backward Euler iterated to convergence at the same step, over the range of"
    echo "the signal: it does not include the error of the step size, and where a"
    echo "signal hardly moves (the far end of heat500) its range is that of"
    echo "roundings. heat50,"
    echo "peer_ladder and peer_ladderloop are the models that an open peer's inline"
    echo "implicit Euler was measured on (41,000, 292,000 and 554,000 instructions)."
    echo
    echo "| model | step | libm, mean | \`--math takt\`, least to largest | error |"
    echo "|---|---|---|---|---|"
    step_rows
    if wanted heat50; then
        echo
        echo "The interpreter, heat50 with backward Euler (\`bench/interpreter.sh\`): instructions"
        echo "of a step, in brackets over those of the C. \`--static\` runs the same tape as"
        echo "the C; without it matrices are factorised with pivoting where they change."
        echo
        echo "| | all of a step | the tape alone |"
        echo "|---|---|---|"
        say "interpreter"
        bench/interpreter.sh || say "the interpreter takes more than 15 times the C"
    fi
    echo
    echo "## Factor and solve"
    echo
    echo "New values in a fixed pattern; in brackets the ratio to"
    echo "\`klu_refactor\` and \`klu_solve\` (block triangular form, AMD; rows"
    echo "not scaled, which is KLU at its best). Matrices: chains, a plate, and"
    echo "those of models along a run."
    echo
    echo "| matrix | unknowns / entries | operations | KLU | straight-line | tables | QR |"
    echo "|---|---|---|---|---|---|---|"
    say "factor and solve"
    factor_rows
    echo
    echo "## Each model"
    details
} >"$work/performance.md"
cat "$work/performance.md"
[ -n "$only" ] || cp "$work/performance.md" "$out"
