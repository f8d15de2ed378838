#!/usr/bin/env bash
# depends.sh - writes the DEPENDS of every folder of src as its #includes are,
# in the order of src/CMakeLists.txt. The test "layers" says whether that order
# allows them.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../../src" || exit 4
order=$(sed -n 's/^add_subdirectory(\([a-z_]*\))/\1/p' CMakeLists.txt)

# included FOLDER: what its files include from
included() {
    cat "$1"/*.[ch] "$1"/*.def 2>/dev/null |
        sed -n 's/^[ \t]*#[ \t]*include[ \t]*"\([a-z_]*\)\/.*/\1/p' | sort -u
}

for folder in $order; do
    list=
    for other in $order; do
        [ "$other" = "$folder" ] && continue
        included "$folder" | grep -qx "$other" && list="$list $other"
    done
    awk -v list="$list" '
        /^takt_folder\(/ { head = $0; open = 1 }
        open && !/^takt_folder\(/ { head = head " " $0 }
        open && /\)/ {
            open = 0
            gsub(/[ \t]+/, " ", head)
            link = head ~ / LINK / ? head : ")"
            sub(/.* LINK /, " LINK ", link)
            sub(/[ )].*/, "", head)
            text = head (list ? " DEPENDS" list : "") link
            indent = ""
            while (length(indent text) > 80) {
                cut = 80 - length(indent)
                while (substr(text, cut, 1) != " ") cut--
                print indent substr(text, 1, cut - 1)
                text = substr(text, cut + 1)
                indent = "            "
            }
            print indent text
            next
        }
        !open' "$folder/CMakeLists.txt" >"$folder/CMakeLists.new" &&
        if cmp -s "$folder/CMakeLists.new" "$folder/CMakeLists.txt"; then
            rm "$folder/CMakeLists.new"
        else
            mv "$folder/CMakeLists.new" "$folder/CMakeLists.txt"
        fi
done
