#!/usr/bin/env bash
# Links between files of the documentation lead somewhere, and so do the paths
# that pages and comments name; docs/README.md names every page.
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
# `src/x/y.c` in a page (capitals stand for something else)
paths='`\(src\|tests\|bench\|runtime\|include\|cmake\)/[a-z0-9_./-]*[a-z0-9]`'
for file in README.md CONTRIBUTING.md $(find docs -name '*.md'); do
    for path in $(grep -o "$paths" "$file" | tr -d '`' | sort -u); do
        [ -e "$path" ] || { echo "$file: no $path"; bad=1; }
    done
done
# x/y.h in a comment, where x is a folder of src
for folder in src/*/; do
    folder=$(basename "$folder")
    for path in $(grep -rhoE "\b$folder/[a-z_]+\.(c|h|def)\b" src | sort -u); do
        [ "$folder" != sys ] || continue # <sys/stat.h> is not ours
        [ -e "src/$path" ] || { echo "src names $path, which is not there"; bad=1; }
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
