#!/usr/bin/env bash
# golden.sh itself: it passes what is right and fails what is wrong.
. "$TAKT_SOURCE/tests/support/cli.sh"
mkdir "$work/case" && cd "$work/case" || exit 4
# a program that prints what the case asks for
cat >"$work/program" <<'END'
#!/usr/bin/env bash
file=${!#}
sed -n 's|^// out: ||p' "$file"
sed -n 's|^// err: ||p' "$file" >&2
exit "$(sed -n 's|^// code: ||p' "$file")"
END
chmod +x "$work/program"
echo 'takt check @FILE@' >command

# golden CODE TEXT: what golden.sh says of the only case, one.mo
golden() {
    TAKT=$work/program bash "$TAKT_SOURCE/tests/golden.sh" . >"$work/log" 2>&1
    local code=$?
    checks=$((checks + 1))
    [ $code = "$1" ] || { fail "$2: exit code $code"; cat "$work/log"; }
    [ "$1" = 0 ] || grep -q "$2" "$work/log" ||
        { fail "no line '$2'"; cat "$work/log"; }
}

printf '// code: 0\n// out: x = 1.5\nmodel M end M;\n' >one.mo
golden 1 'has neither'
echo 'x = 1.5' >one.expect
golden 0 'the same output'
echo 'x = 1.6' >one.expect
golden 1 'standard output differs'
sed -i '1i // tolerance: 0.1' one.mo
golden 0 'within the tolerance'
sed -i 's/0.1$/0.01/' one.mo
golden 1 'standard output differs'
echo 'y = 1.5' >one.expect
golden 1 'standard output differs'
printf 'x = 1.5\nx = 1.5\n' >one.expect
golden 1 'standard output differs'

printf '// code: 0\n// out: x\n// err: oh\nmodel M end M;\n' >one.mo
echo x >one.expect
golden 1 'unexpected messages'
echo oh >one.err
golden 0 'the same messages'
echo ah >one.err
golden 1 'standard error differs'

rm one.expect
echo oh >one.err
golden 1 'exit code 0, expected 1'
sed -i 's/code: 0/code: 1/' one.mo
golden 0 'a case with messages only ends with 1'
sed -i 's/code: 1/code: 3/' one.mo
golden 1 'exit code 3, expected 1'
sed -i '1i // exit: 3' one.mo
golden 0 'another exit code'

sed -i 's/err: oh/err: new/' one.mo
TAKT=$work/program bash "$TAKT_SOURCE/tests/golden.sh" --bless . >/dev/null ||
    fail "--bless"
[ "$(cat one.err)" = new ] || fail "--bless did not write the messages"
golden 0 'blessed'
sed -i 's/code: 3/code: 139/' one.mo
TAKT=$work/program bash "$TAKT_SOURCE/tests/golden.sh" --bless . >/dev/null &&
    fail "--bless kept a crash"
finish
