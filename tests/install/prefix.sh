#!/usr/bin/env bash
# An installation in an empty directory: the program runs and finds its models
# there, manual pages and completion are in place, and a C program is built with
# pkg-config and runs.
. "$TAKT_SOURCE/tests/support/cli.sh"
unset TAKT_MODELS
cmake --install "$TAKT_BUILD" --prefix "$work/here" >"$work/log" 2>&1 ||
    { cat "$work/log"; fail "cmake --install"; finish; }
mv "$work/here" "$work/there" # an installation can be moved

TAKT=$work/there/bin/takt
expect 0 'takt 0\.' --version

verbs=$(sed -n 's/^VERB(\([a-z]*\),.*/-\1/p' "$TAKT_SOURCE/src/cli/verbs.def")
for verb in "" $verbs; do
    [ -s "$work/there/share/man/man1/takt$verb.1" ] || fail "no page takt$verb(1)"
done
for file in bash-completion/completions/takt zsh/site-functions/_takt; do
    [ -s "$work/there/share/$file" ] || fail "no $file"
done

pc=$(find "$work/there" -name takt.pc)
export PKG_CONFIG_PATH=$(dirname "$pc")
command -v pkg-config >/dev/null || skip "pkg-config is missing"
cat >"$work/host.c" <<'END'
#include <stdio.h>
#include <string.h>
#include <takt/takt.h>

int main(void)
{
    char *argv[] = {"takt", "--version", NULL};
    if (takt_command(2, argv) != 0 || !takt_models())
        return 1;
    printf("%s %s\n", takt_version(), takt_models());
    argv[1] = "chekc";
    return takt_command(2, argv) == 2 ? 0 : 1;
}
END
lib=$(pkg-config --variable=libdir takt)
flags=$(pkg-config --cflags --libs takt)
${TAKT_CC:-cc} "$work/host.c" -o "$work/host" $flags 2>"$work/err" ||
    { cat "$work/err"; fail "the C program cannot be built"; finish; }
LD_LIBRARY_PATH=$lib "$work/host" >"$work/out" 2>&1 ||
    { cat "$work/out"; fail "the C program does not run"; }
grep -q '^0\.' "$work/out" || fail "takt_version()"
# only takt_* is visible
if command -v nm >/dev/null; then
    others=$(nm -D --defined-only "$lib/libtakt.so" | awk '{ print $3 }' |
        grep -v '^takt_')
    [ -z "$others" ] || fail "libtakt.so shows $others"
fi
[ -e "$work/there/share/takt/models/Takt/package.mo" ] || fail "no models"
finish
