#!/usr/bin/env bash
# Links between files of the documentation lead somewhere; docs/README.md names
# every page.
set -u
cd "$TAKT_SOURCE" || exit 4
bad=0
for file in README.md CONTRIBUTING.md CHANGELOG.md $(find docs -name '*.md'); do
    dir=$(dirname "$file")
    # not in blocks of code
    for link in $(grep -v '^    ' "$file" | grep -o '](\([^)# ]*\)' |
        sed 's/^](//'); do
        case $link in http*) continue ;; esac
        [ -e "$dir/$link" ] || { echo "$file: no $link"; bad=1; }
    done
done
for page in $(cd docs && find . -name '*.md' ! -name README.md); do
    page=${page#./}
    case $page in
    */*) grep -q "](${page%%/*}/" docs/README.md ||
        { echo "docs/README.md does not lead to ${page%%/*}/"; bad=1; } ;;
    *) grep -q "]($page)" docs/README.md ||
        { echo "docs/README.md does not lead to $page"; bad=1; } ;;
    esac
done
exit $bad
