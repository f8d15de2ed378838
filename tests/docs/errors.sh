#!/usr/bin/env bash
# Every message code has a section "## CODE" in docs/errors/, and every such
# section belongs to a code.
set -u
cd "$TAKT_SOURCE" || exit 4
codes=$(sed -n 's/^CODE(\([EUW][0-9]*\),.*/\1/p' src/base/codes/*.def | sort)
pages=$(sed -n 's/^## \([EUW][0-9]*\)\b.*/\1/p' docs/errors/*.md | sort)
[ -n "$codes" ] || { echo "no codes were found"; exit 1; }
bad=0
for code in $(comm -23 <(echo "$codes") <(echo "$pages" | uniq)); do
    echo "$code is not explained in docs/errors/ (a section '## $code ...')"
    bad=1
done
for code in $(comm -13 <(echo "$codes") <(echo "$pages" | uniq)); do
    echo "docs/errors/ explains $code, which is no code"
    bad=1
done
for code in $(echo "$pages" | uniq -d); do
    echo "docs/errors/ explains $code twice"
    bad=1
done
exit $bad
