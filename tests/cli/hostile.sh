#!/usr/bin/env bash
# Whatever stands in a model or in the name of a file: every output is what its
# ending says, generated C compiles without a warning as C99, gnu11 and C++17,
# and nothing that looks like a command is run.
# cost: 90
. "$TAKT_SOURCE/tests/support/cli.sh"
command -v python3 >/dev/null || skip "python3 is missing"
here=$TAKT_SOURCE/tests/cli/hostile
cc=${TAKT_CC:-cc}
cxx=$(command -v g++ || command -v clang++)
strict="-Wall -Wextra -Werror -Wtrigraphs -Wcomment -fsyntax-only"
mkdir "$work/run" && cd "$work/run" || exit 4

# every macro of the headers that generated code includes, here
printf '#include <%s.h>\n' math stddef stdint string stdio stdlib >headers.h
{
    $cc -std=c99 -dM -E -x c headers.h
    $cc -std=gnu11 -D_GNU_SOURCE -dM -E -x c headers.h
    cat "$TAKT_SOURCE"/runtime/*.h | sed -n 's/^ *# *define/#define/p'
    [ -z "$cxx" ] || "$cxx" -std=gnu++17 -dM -E -x c++ headers.h
} | sed -n 's/^#define  *\([A-Za-z_][A-Za-z_0-9]*\).*/\1/p' | sort -u >words.txt
[ "$(wc -l <words.txt)" -gt 200 ] || fail "hardly any macros were found"
python3 "$here/models.py" . words.txt || { fail "no models"; finish; }

# compiles DIR NAME: NAME.c in each dialect
compiles() {
    local dialect
    sanitized && return # the other build does
    for dialect in c99 gnu11; do
        # shellcheck disable=SC2086
        $cc -std=$dialect $strict "$1/$2.c" "$1/example/main.c" -I "$1" \
            2>"$work/err" || { fail "$1/$2.c as $dialect"; head -5 "$work/err"; }
    done
    [ -z "$cxx" ] ||
        # shellcheck disable=SC2086
        "$cxx" -x c++ -std=c++17 $strict "$1/$2.c" -I "$1" 2>"$work/err" ||
        { fail "$1/$2.c as C++17"; head -5 "$work/err"; }
    checks=$((checks + 1))
}

valid() {
    python3 "$here/valid.py" "$@" || fail "not valid: $*"
    checks=$((checks + 1))
}

# does ARG...: a command that does well
does() {
    run_takt "$@"
    [ "$code" = 0 ] || { fail "takt $*: $code"; head -5 "$work/err"; }
}

# saves FILE ARG...: standard output of a command that does well
saves() {
    local to=$1
    shift
    does "$@"
    cp "$work/out" "$to"
}

# under sanitizers a quarter of the words: they are slow there
ks="0 1 2 3"
sanitized && ks=0
for k in $ks; do
    for name in Texts Words; do
        # all have the same texts, in other places
        [ $name$k = Words$k ] || [ $k = 0 ] || [ $k = 1 ] || [ -n "${TAKT_LONG:-}" ] || continue
        does build $name$k.mo --step 1ms -o $name$k --quiet
        compiles $name$k $name
        valid $name$k/*.json
    done
done
does build Texts0.mo --step 1ms -o single --quiet --scalar float --math takt
compiles single Texts
if ! sanitized; then
    does build Texts1.mo --step 1ms -o radau --quiet --method radau3
    compiles radau Texts
fi

# the names in the compiled code are those of the model, byte by byte
$cc -std=c99 -I Texts0 Texts0/Texts.c Texts0/example/main.c -lm -o example
./example 3 >example.txt || fail "the example fails"
saves sim.json sim Texts0.mo --method lie --step 1ms --stop 0.003 --json
python3 - <<'END' || fail "names in the compiled code are others"
import json
final = json.load(open("sim.json"))["final"]
lines = open("example.txt", newline="").read().splitlines()
names = [line.rsplit(" ", 1)[0] for line in lines]
known = [n for n in names if n in final]
assert len(known) > 60, len(known)
strange = [n for n in names if n not in final and not n.startswith("start(")
           and n not in ("time", "step")]
assert not strange, strange
END

no_canary() {
    [ -z "$(find "$work" -name canary 2>/dev/null)" ] || fail "a command of a model was run"
}

# every output of every verb
all() {
    local model=$1 to=$2
    mkdir "$to"
    does parse "$model"
    saves "$to/check.json" check --json "$model"
    saves "$to/step.json" check --json --method lie --step 1ms "$model"
    saves "$to/flat.mo" check --flat "$model"
    does check "$to/flat.mo"
    does check --method lie --step 1ms --blt "$to/blt.svg" "$model"
    does check --method lie --step 1ms --blt "$to/blt.html" "$model"
    saves "$to/sim.json" sim "$model" --method lie --step 1ms --stop 0.01 --json \
        -o "$to/run.csv" --plot "$to/run.svg" --save-state "$to/state.json"
    does sim "$model" --method lie --step 1ms --stop 0.01 --quiet --plot "$to/run.html"
    does sim "$model" --method lie --step 1ms --stop 0.02 --quiet \
        --from-state "$to/state.json" -o "$to/run.mat"
    saves "$to/compared.json" sim "$model" --method lie --step 1ms --stop 0.01 \
        --json --compare "$to/run.csv"
    saves "$to/linear.json" linearize "$model" --json -o "$to/linear.m"
    # plans and reports are made of the same texts, and take long under sanitizers
    sanitized && [ -z "${TAKT_LONG:-}" ] && return
    does report "$model" --step 1ms --stop 0.02 -o "$to/report.html"
    saves "$to/tune.json" tune "$model" --step 1ms --stop 0.02 --json \
        --only sparsing --samples 3 -o "$to/plan.json" --html "$to/tune.html"
    does build "$model" --plan "$to/plan.json" -o "$to/code" --quiet
    compiles "$to/code" Texts
    saves "$to/cost.json" cost "$model" --step 1ms --json
    saves "$to/run.json" run "$model" --step 1ms --stop 0.005 --no-wait --json \
        -o "$to/real.csv"
    valid "$to"/*.json "$to"/*.html "$to"/*.svg "$to"/*.csv "$to"/*.m
}
all Texts0.mo "it's a \"place\" \$(touch canary)"
sanitized && { no_canary; finish; } # which are slow: the rest is the other build's
all "$(echo a*/*.mo)" there

# messages come out of the compiled model as they went in
saves messages.json run Messages.mo --step 1ms --stop 0.002 --no-wait --json
python3 - <<'END' || fail "messages are others"
import json
got = json.load(open("messages.json"))["alarms"]["messages"]
first = json.load(open("messages.txt"))[0]
assert list(got) == [first], (got, first)
END

# the page of a run: names of the model as JSON, numbers in events
"$TAKT" run Texts0.mo --step 5ms --forever --page 0 >page.txt 2>&1 &
pid=$!
python3 - <<'END' || fail "the page of takt run"
import json, re, sys, time, urllib.request
for _ in range(600):
    found = re.search(r"http://127\.0\.0\.1:\d+/", open("page.txt").read())
    if found:
        break
    time.sleep(0.1)
base = found.group(0)
about = json.load(urllib.request.urlopen(base + "model", timeout=30))
final = json.load(open("sim.json"))["final"]
assert about["model"] == "Texts" and len(about["names"]) > 5
assert all(n in final for n in about["names"]), about["names"]
events = urllib.request.urlopen(base + "events", timeout=30)
event = json.loads(events.readline().decode().split(":", 1)[1])
assert 0 < len(event["values"]) <= about["most"]
END
kill -TERM "$pid" 2>/dev/null
wait "$pid" || fail "the run with a page ends with $?"
checks=$((checks + 1))

# classes with names of their own, in files with default names
for model in Class*.mo; do
    name=${model%.mo}
    does build "$model" --step 1ms -o "$name" --quiet
    file=$(cd "$name" && ls -- *.c)
    compiles "$name" "${file%.c}"
    saves "$name.json" check --json "$model"
    saves "$name.cost.json" cost --step 1ms --json "$model"
    valid "$name.json" "$name.cost.json"
done
for k in 0 10 11 14 15 16; do
    mkdir "tune$k"
    (cd "tune$k" && failures=0 && does tune "../Class$k.mo" --step 1ms \
        --stop 0.02 --only sparsing --samples 3 --quiet -o plan.json --html tune.html &&
        [ "$failures" = 0 ]) &&
        [ "$(ls "tune$k" | wc -l)" = 2 ] || fail "Class$k: plan and report of tune"
done
if command -v cmake >/dev/null; then
    for name in Class5 Class6; do # test, all: targets of CMake's own
        cmake -S "$name" -B "$name/made" >"$work/err" 2>&1 ||
            { fail "cmake does not take $name"; tail -5 "$work/err"; }
        checks=$((checks + 1))
    done
fi

no_canary
finish
