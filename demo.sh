#!/usr/bin/env bash
# demo.sh - what `make demo` shows: takt is built, a sample model is checked and
# run, and a mistake in a model is explained.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 4
model=models/gallery/MotorDrive.mo
out=build/demo
failed=0

# show WANTED-EXIT-CODE COMMAND...
show() {
    local want=$1
    shift
    printf '\n$ %s\n' "$*"
    "$@" 2>&1
    local code=$?
    if [ $code != "$want" ]; then
        echo "demo: exit code $code, expected $want" >&2
        failed=1
    fi
}

echo "building takt"
cmake -S . -B build -G Ninja -DTAKT_SANITIZE=OFF >build.log 2>&1 &&
    cmake --build build -j "${JOBS:-2}" --target takt >>build.log 2>&1 ||
    { tail -n 60 build.log; rm -f build.log; exit 4; }
rm -f build.log
mkdir -p $out

cat <<'END'

A motor with current and speed control turns a fan through an elastic shaft:
electrical, mechanical and control parts, connected. takt flattens it to scalar
equations, finds its index and its states, and orders its equations in blocks.
END
show 0 build/takt check $model

cat <<'END'

With the integration method inlined, one step is one system of difference
equations; tearing leaves few unknowns to iterate on.
END
show 0 build/takt check $model --method be --step 0.1ms --blt $out/motor.html

show 0 build/takt sim $model --method lie -o $out/motor.csv \
    --plot $out/motor.svg --var fan.w --var motor.i

cat <<'END'

A mistake is explained at its line.
END
sed 's/QuadraticLoad/QuadraticLaod/' $model >$out/Wrong.mo
show 1 build/takt check $out/Wrong.mo

printf '\nIn %s: motor.csv, motor.svg (speed and current), motor.html (blocks).\n' $out
exit $failed
