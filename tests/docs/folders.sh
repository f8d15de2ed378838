#!/usr/bin/env bash
# docs/architecture.md has a row for each folder of src, and none that is gone.
set -u
cd "$TAKT_SOURCE" || exit 4
bad=0
for dir in src/*/; do
    name=$(basename "$dir")
    grep -q "^| \`$name/\` " docs/architecture.md ||
        { echo "docs/architecture.md has no row for src/$name/"; bad=1; }
done
for name in $(sed -n 's/^| `\([a-z_]*\)\/` .*/\1/p' docs/architecture.md); do
    [ -d "src/$name" ] ||
        { echo "docs/architecture.md has a row for src/$name/, which is not there"
          bad=1; }
done
exit $bad
