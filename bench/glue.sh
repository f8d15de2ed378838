#!/usr/bin/env bash
# glue.sh MODEL STEP DIR [METHOD...] - what bench/peers.c needs, as C in DIR.
#
#   rhs.c      x' = f(x, t), from the step of forward Euler that takt generates,
#              with its status and its restoring of the state taken out, so
#              that other integrators do not pay for them
#   METHOD.c   takt's step by each METHOD (lie, liex2, ...); $TAKT_OPTIONS are
#              further options
#   glue.c     all of them behind the functions of peers.h
set -eu
model=$1 step=$2 dir=$3
shift 3
methods=${*:-lie}
takt=${TAKT:-build/takt}
mkdir -p "$dir"
"$takt" build "$model" --defect off --method fe --newton 5 --step 1 --name rhs --quiet -o "$dir/fe"
# const rhs_s *const kept[2] = {&next, &m->s};  m->s = *kept[failed]; becomes
# m->s = next;
sed -e 's/^\( *\)const rhs_s \*const kept\[2\] = {&\([a-z>-]*\), .*/\1m->s = \2;/' \
    -e '/^ *m->s = \*kept/d' -e '/^ *TAKT_KEEP(.*kept/d' -e '/^ *sum += \(w->\)*next\./d' \
    "$dir/fe/rhs.c" >"$dir/rhs.c"
if ! grep -q '^ *m->s = .*next;' "$dir/rhs.c" || grep -q 'kept\[\|sum += .*next' "$dir/rhs.c"; then
    echo "glue.sh: the code of a step looks different now" >&2
    exit 1
fi
cp "$dir/fe/rhs.h" "$dir/fe"/takt_rt*.h "$dir/"
for method in $methods; do
    # shellcheck disable=SC2086
    "$takt" build "$model" --defect off ${TAKT_OPTIONS:-} --method "$method" --step "$step" \
        --name "$method" --quiet -o "$dir/$method.d"
    cp "$dir/$method.d/$method".[ch] "$dir/$method.d"/takt_rt*.h "$dir/"
done

# member NAME METHOD: a state may be kept under its own name or as the old value
member() {
    for word in "$1" "${1#old_}" "old_$1"; do
        grep -qw "$word" "$dir/$2.h" && { echo "$word"; return; }
    done
    echo "glue.sh: $2.h has no state $1" >&2
    exit 1
}

# The states are what forward Euler moves by the step times a derivative.
first=${methods%% *}
# Where a function was cut in two, the product stands alone.
pairs=$(sed -n -e 's/.* = m->s\.\([A-Za-z0-9_]*\) + m->p\.step \* m->s\.\([A-Za-z0-9_]*\);$/\1 \2/p' \
    -e 's/.* = m->p\.step \* m->s\.der_\([A-Za-z0-9_]*\);$/\1 der_\1/p' "$dir/rhs.c")
states=$(echo "$pairs" | cut -d' ' -f1)
slopes=$(echo "$pairs" | cut -d' ' -f2)
count=$("$takt" check "$model" --json 2>/dev/null |
    sed -n 's/.*"structural_index".*"states": \[\([^]]*\]*[^{]*\)"dummy_derivatives.*/\1/p' | grep -o '", "' | wc -l)
count=$((count + 1))
[ "$(echo "$states" | wc -l)" = "${count:-0}" ] ||
    { echo "glue.sh: $(echo "$states" | wc -l) states in the code, ${count:-?} in the model" >&2; exit 1; }
{
    echo '#include "rhs.h"'
    for method in $methods; do echo "#include \"$method.h\""; done
    echo '#include "peers.h"'
    echo 'static rhs r;'
    echo "const int glue_n = $(echo "$states" | wc -l);"
    echo "const double glue_step = ${first^^}_STEP;"
    # States whose names differ in numbers only are of one group.
    echo "const int glue_group[] = {$(echo "$states" | sed 's/[0-9]//g' |
        awk '!($0 in g) { g[$0] = n++ } { printf "%d, ", g[$0] }')};"
    echo 'void glue_start(double *x)'
    echo '{'
    echo '    rhs_init(&r);'
    echo '    r.p.step = 0x1p-200;'
    echo '    rhs_update(&r);'
    i=0
    for s in $states; do
        echo "    x[$i] = r.s.$s;"
        i=$((i + 1))
    done
    echo '}'
    # A step of forward Euler of no size leaves x as it is and computes the
    # slopes there; 2^-200 seconds are no size, but let the time be any.
    echo 'int glue_rhs(void *user, double t, const double *x, double *f)'
    echo '{'
    echo '    (void)user;'
    echo '    r.s.steps_done = t * 0x1p200;'
    i=0
    for s in $states; do
        echo "    r.s.$s = x[$i];"
        i=$((i + 1))
    done
    echo '    (void)rhs_step(&r);'
    i=0
    for s in $slopes; do
        echo "    f[$i] = r.s.$s;"
        i=$((i + 1))
    done
    echo '    return 0;'
    echo '}'
    for method in $methods; do
        echo "static $method m_$method;"
        echo "static void start_$method(int substeps)"
        echo '{'
        echo "    ${method}_init(&m_$method);"
        echo "    m_$method.p.step = glue_step / substeps;"
        echo "    ${method}_update(&m_$method);"
        echo '}'
        echo "static int step_$method(void) { return ${method}_step(&m_$method); }"
        echo "static void state_$method(double *x)"
        echo '{'
        i=0
        for s in $states; do
            echo "    x[$i] = m_$method.s.$(member "$s" "$method");"
            i=$((i + 1))
        done
        echo '}'
    done
    echo 'const Glue glue_takt[] = {'
    for method in $methods; do
        echo "    {\"$method\", start_$method, step_$method, state_$method},"
    done
    echo '};'
    echo "const int glue_ntakt = $(echo "$methods" | wc -w);"
} >"$dir/glue.c"
