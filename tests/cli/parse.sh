#!/usr/bin/env bash
# takt parse: files, directories, counts and exit codes.
. "${TAKT_SOURCE:?}/tests/support/cli.sh" || exit 4

mkdir -p "$work/lib/sub/.git" "$work/lib/.hidden"
printf 'model A\n  model In end In;\nend A;\n' >"$work/lib/A.mo"
printf 'model B end B;\n' >"$work/lib/sub/B.mo"
printf 'model H end H;\n' >"$work/lib/.hidden/H.mo"
printf 'not a model\n' >"$work/lib/sub/.git/G.mo"
printf 'not a model\n' >"$work/lib/readme.txt"
printf 'model C\n  Real x\nend C;\n' >"$work/wrong.mo"

expect 0 '^3 files, 64 bytes, 4 classes, 0 errors, ' parse "$work/lib"
expect 0 '^1 files, 15 bytes' parse "$work/lib/sub/B.mo"
expect 0 '"files": 3, "bytes": 64, "classes": 4, "errors": 0' \
    parse --json "$work/lib/"
expect 1 "';' is missing after the declaration of 'x' \[E0101\]" \
    parse "$work/wrong.mo"
expect 1 '"errors": 1,' parse --json "$work/wrong.mo" "$work/lib"
expect 1 'nowhere: No such file or directory \[E0201\]' parse "$work/nowhere"
expect 2 'a file or directory is expected' parse
expect 2 "did you mean '--json'" parse --jsn x.mo
expect 0 'usage: takt parse PATH' parse --help
expect 0 '^  model In$' parse --ast "$work/lib/A.mo"
expect 0 '^  model In$' parse --print "$work/lib/A.mo"
expect 0 '3 of 3 files are the same' parse --roundtrip "$work/lib"

# links that lead in circles, or nowhere
ln -s .. "$work/lib/sub/up"
ln -s ../lib "$work/lib/self"
expect 0 '^3 files' parse "$work/lib"
ln -s gone.mo "$work/lib/dangling.mo"
expect 1 'dangling.mo: No such file or directory' parse "$work/lib"
ln -s loop.mo "$work/lib/loop.mo"
expect 1 'Too many levels of symbolic links' parse "$work/lib"

# a directory that cannot be read (root reads everything)
mkdir "$work/closed" && chmod 000 "$work/closed"
if ! ls "$work/closed" >/dev/null 2>&1; then
    expect 1 'closed: Permission denied \[E0201\]' parse "$work/closed"
fi
chmod 700 "$work/closed"
expect 0 '^0 files' parse "$work/closed"

# what is printed is Modelica again, and the same when printed again
for file in "$TAKT_SOURCE"/tests/golden/parse/[0-9]*.mo; do
    "$TAKT" parse --print "$file" >"$work/once.mo" &&
        "$TAKT" parse --print "$work/once.mo" >"$work/twice.mo" &&
        cmp -s "$work/once.mo" "$work/twice.mo" ||
        fail "$file is not the same when printed twice"
done

# 1 GB is the most that is read of one file
if truncate -s 1100M "$work/huge.mo" 2>/dev/null; then
    expect 1 'huge.mo: File too large' parse "$work/huge.mo"
fi
finish
