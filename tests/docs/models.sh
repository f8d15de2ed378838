#!/usr/bin/env bash
# docs/models.md names every model of the gallery and every package of Takt; the
# class of a gallery file has the name of the file.
set -u
cd "$TAKT_SOURCE" || exit 4
bad=0
for file in models/gallery/*.mo; do
    name=$(basename "$file" .mo)
    grep -q "\[$name\](../$file)" docs/models.md ||
        { echo "docs/models.md does not name $name"; bad=1; }
    grep -qE "^(model|package|block|class) $name\b" "$file" ||
        { echo "$file does not define $name"; bad=1; }
done
for name in $(cat models/Takt/package.order); do
    grep -q "^| \`Takt.$name\` " docs/models.md ||
        { echo "docs/models.md does not name Takt.$name"; bad=1; }
done
exit $bad
