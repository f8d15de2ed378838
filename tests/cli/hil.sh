#!/usr/bin/env bash
# Every command of docs/guide/hil.md, in order. The controllers hold their last voltage when they
# are late, and the loop is slow: the machine may be busy.
. "$TAKT_SOURCE/tests/support/cli.sh"
sanitized && skip "the other build shows it"
command -v python3 >/dev/null || skip "no python3"
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$work"' EXIT
mkdir -p "$work/models" "$work/bin" && cp -r "$TAKT_SOURCE/examples" "$work" && cp -r "$TAKT_SOURCE/models/gallery" "$work/models" || exit 4
ln -s "$TAKT" "$work/bin/takt" && ln -s "$TAKT_CC" "$work/bin/cc"
export PATH=$work/bin:$PATH TAKT_MODELS=$TAKT_SOURCE/models
sed -n 's/^    //p' "$TAKT_SOURCE/docs/guide/hil.md" >"$work/commands"
cd "$work" || exit 4
while read -r line; do
    case $line in cd\ *)
        $line || fail "$line"
        continue
        ;;
    esac
    checks=$((checks + 1))
    timeout 100 bash -c "set -o pipefail; $line" >"$work/said" 2>&1 </dev/null ||
        { fail "exit code $?: $line"; tail -5 "$work/said"; }
    case $line in
    *controller*run*) grep -q 'drive.txt: 2 of 2 expectations held' "$work/said" || fail "$(cat "$work/said")" ;;
    *--no-wait*) tail -1 plant.csv | awk -F, 'NR == 1 { exit !(/,167\.85/) }' || fail "speed: $(tail -1 plant.csv)" ;;
    esac
done <"$work/commands"
[ "$checks" = 9 ] || fail "$checks commands, not 9"
grep -q 'failures="0"' python.xml && grep -q 'failures="0"' c.xml || fail "JUnit"
finish
